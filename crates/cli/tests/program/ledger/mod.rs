//! The books, as a publisher, a lawyer and a saboteur meet them.

mod crashes;
mod sabotage;

use std::process::{Command, Stdio};

use wayveil_core::Amount;
use wayveil_ledger::Ledger;

use super::common::{Place, names};

/// A folder with a small data file `x.parquet` of the population `riders`.
fn riders() -> Place {
    let place = Place::new();
    place
        .write("labels.txt", "A\nB\nC\n")
        .write("x.seq", "A B\nB C\n".repeat(20));
    import(&place, "riders", "x.parquet");
    place
}

fn import(place: &Place, population: &str, output: &str) {
    place.ok(&format!(
        "import x.seq --format seq --universe labels.txt --population {population} -o {output}"
    ));
}

fn publish(epsilon: &str, output: &str) -> String {
    format!("publish prefix-tree x.parquet --epsilon {epsilon} --height 2 -o {output}")
}

#[test]
fn every_publication_is_in_the_books() {
    let place = riders();
    let (_, _, said) = place.run(&publish("1/3", "a"));
    assert!(said.contains("nothing limits what is spent"), "{said}");
    let published = place.json(&publish("1/3", "b"));
    let shown = place.json("ledger show");
    assert_eq!(shown["head"], published["ledger"]["head"]);
    let account = &shown["populations"][0];
    assert_eq!(account["population"], "riders");
    assert_eq!(account["spent"]["epsilon_exact"], "2/3");
    assert_eq!(
        (&account["releases"], &account["done"]),
        (&2.into(), &2.into())
    );
    let history = place.json("ledger history riders");
    let entries = history["history"].as_array().unwrap();
    let kinds: Vec<_> = entries
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["booked", "done", "booked", "done"]);
    assert_eq!(
        entries[2]["entry"],
        place.read_json("b/manifest.json")["id"],
        "the manifest names the entry"
    );
    for (line, words) in [
        ("ledger show", "riders"),
        ("ledger history", "prefix-tree, repaired"),
        ("ledger verify", "5 entries"),
    ] {
        assert!(place.ok(line).contains(words), "{line}");
    }
    for line in ["ledger show nobody", "ledger history nobody"] {
        place.fails(line, 2, &["no population \"nobody\"", "it has \"riders\""]);
    }
}

#[test]
fn an_allowance_holds_to_the_last_fraction_and_is_raised_by_the_command_in_the_refusal() {
    let place = riders();
    place.ok("ledger allow riders --epsilon 1");
    for output in ["a", "b", "c"] {
        place.ok(&publish("1/3", output));
    }
    let (code, _, said) = place.run(&publish("0.01", "d"));
    assert_eq!(code, 1, "{said}");
    assert!(!place.path("d").exists());
    let advice = said
        .split("on purpose: wayveil ")
        .nth(1)
        .expect("a command");
    place.ok(advice.trim());
    place.ok(&publish("0.01", "d"));
    place.fails(
        &publish("0.01", "e"),
        1,
        &["is spent", "ledger allow riders"],
    );
    let account = &place.json("ledger show")["populations"][0];
    assert_eq!(account["left"]["epsilon_exact"], "0");
    place.fails("ledger allow riders --epsilon 0", 2, &["epsilon"]);
    for line in [
        "ledger allow riders --epsilon -1",
        "publish prefix-tree x.parquet --epsilon -1 --height 2 -o f",
        "audit prefix-tree --epsilon -1",
    ] {
        let (code, _, said) = place.run(line);
        assert_eq!(code, 2, "{said}");
        assert!(
            said.contains("above 0") && !said.contains("-- -1"),
            "{said}"
        );
    }
    place.fails(
        "ledger allow riders --epsilon 1 --delta -1",
        2,
        &["--delta"],
    );
    place.fails("ledger allow riders --epsilon 1 --delta 1", 2, &["below 1"]);
}

#[test]
fn what_cannot_work_is_stopped_before_the_books() {
    let place = riders();
    std::fs::create_dir(place.path("documents")).unwrap();
    place.write("documents/thesis", "years of work");
    place.fails(&publish("1", "documents --force"), 2, &["is not replaced"]);
    place.write("y.seq", "A B\n");
    place.ok("import y.seq --format seq --universe-from-data -o y.parquet");
    place.fails(
        "publish prefix-tree y.parquet --epsilon 1 --height 2 -o r",
        1,
        &["read off the raw data"],
    );
    if cfg!(target_os = "linux") {
        // A folder in which nobody can make another.
        place.fails(&publish("1", "/proc/release"), 2, &["cannot write"]);
    }
    assert_eq!(Ledger::read(&place.ledger()).unwrap().accounts().len(), 0);
}

#[test]
fn the_same_data_under_another_name_is_noticed() {
    let place = riders();
    place.ok(&publish("1", "a"));
    // In another order, it is the same data.
    place.write("x.seq", "B C\n".repeat(20) + &"A B\n".repeat(20));
    import(&place, "others", "y.parquet");
    let line = publish("1", "b").replace("x.parquet", "y.parquet");
    let (code, _, said) = place.run(&line);
    assert_eq!(code, 0);
    assert!(said.contains("the same data was published before as the population \"riders\""));
    let text = String::from_utf8_lossy(&std::fs::read(place.path("b/manifest.json")).unwrap())
        .into_owned();
    let history = Ledger::read(&place.ledger()).unwrap();
    for entry in history.entries() {
        assert!(
            !text.contains(&entry.hash),
            "no hash of the books in a release"
        );
    }
}

#[test]
fn warnings_come_before_the_release_and_are_in_the_result_too() {
    let place = riders();
    let object = place.json(&publish("1", "a"));
    let warnings = object["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].as_str().unwrap().contains("nothing limits"));

    // The disk is full before the release is in its place: what the books say was said before.
    #[cfg(unix)]
    {
        let place = Place::new();
        let labels: Vec<String> = (0..20_000).map(|number| format!("stop-{number}")).collect();
        place
            .write("labels.txt", labels.join("\n"))
            .write("x.seq", "stop-1 stop-2\n".repeat(20));
        import(&place, "riders", "x.parquet");
        let run = sabotage::with_full_disk(&place, 64, &publish("50", "b"));
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains("nothing limits"), "{said}");
        assert!(!place.path("b").exists());
    }
}

#[test]
fn a_new_ledger_is_named_in_full() {
    let place = riders();
    let path = |name: &str| place.path(name).display().to_string();
    let (_, _, said) = place.run(&publish("1", "a --ledger own.sqlite --quiet"));
    let whole = format!("a new one was made: {};", path("own.sqlite"));
    assert!(said.contains(&whole), "{said}");
    let (_, _, said) = place.run(&publish("1", "b --ledger own.sqlite"));
    assert!(!said.contains("a new one"), "{said}");
    let (_, _, said) = place.run("ledger allow riders --epsilon 1 --ledger other.sqlite");
    assert!(said.contains(&path("other.sqlite")), "{said}");

    let object = place.json(&publish("1", "c --ledger third.sqlite"));
    assert_eq!(object["ledger"]["new"], true);
    assert_eq!(object["ledger"]["path"], path("third.sqlite"));
    let line = "ledger allow riders --epsilon 1 --ledger";
    for (name, new) in [("fourth.sqlite", true), ("fourth.sqlite", false)] {
        let object = place.json(&format!("{line} {name}"));
        assert_eq!(object["new_ledger"], new);
        assert_eq!(object["ledger"], path(name));
    }
}

#[test]
fn a_relative_path_in_the_variable_is_refused() {
    let place = riders();
    for line in [publish("1", "a"), "ledger show".into()] {
        let mut command = place.command(&line);
        let run = command.env("WAYVEIL_LEDGER", "books.sqlite").output();
        let run = run.expect("it starts");
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(
            said.contains("an absolute path in WAYVEIL_LEDGER"),
            "{said}"
        );
    }
    assert!(!place.path("books.sqlite").exists() && !place.path("a").exists());
}

#[test]
fn names_cannot_steer_the_terminal() {
    let place = riders();
    let name = "a\u{202e}b\u{1b}[31m";
    import(&place, name, "y.parquet");
    let line = publish("1", "a").replace("x.parquet", "y.parquet");
    place.ok(&format!("ledger allow {name} --epsilon 1"));
    for line in [
        format!("{line} --force"),
        format!("{line} --force"),
        "ledger show".into(),
        format!("ledger show {name}"),
        "ledger history".into(),
        "ledger show nobody".into(),
        format!("ledger allow {name} --epsilon 1"),
    ] {
        let (_, out, err) = place.run(&line);
        let text = out + &err;
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{line}: {text:?}");
        assert!(text.to_ascii_lowercase().contains("202e"), "{line}: {text}");
    }
}

#[test]
fn trials_and_demos_leave_the_books_alone() {
    let place = riders();
    place.ok("demo --records 2000");
    let mut trial = place.command("evaluate x.parquet --metric count-query-error --publish");
    trial.arg("prefix-tree epsilon=1 height=2");
    assert!(trial.output().expect("it starts").status.success());
    assert!(!place.ledger().exists());
    let demo = Ledger::read(&place.path("wayveil-demo/ledger.sqlite")).unwrap();
    let account = &demo.accounts()["generated-stm-hours"];
    assert_eq!((account.booked, account.done), (2, 2));
    assert_eq!(account.not_composing, 1, "true records do not add up");
}

#[test]
fn books_lie_in_the_data_folder_unless_named() {
    let place = riders();
    let run = |line: &str| {
        let mut command = place.command(line);
        command
            .env_remove("WAYVEIL_LEDGER")
            .env("HOME", place.path("home"))
            .env("LOCALAPPDATA", place.path("home"))
            .env("XDG_DATA_HOME", place.path("data"));
        command.output().expect("it starts")
    };
    assert_eq!(run("ledger show").status.code(), Some(2), "no books yet");
    assert!(run(&publish("1", "a")).status.success());
    assert!(run(&publish("1", "b --ledger own.sqlite")).status.success());
    if cfg!(target_os = "linux") {
        assert_eq!(
            names(&place.path("data/wayveil")),
            ["ledger.sqlite", "ledger.sqlite.key"]
        );
    }
    let shown = String::from_utf8(run("ledger show").stdout).unwrap();
    assert!(shown.contains("riders"), "{shown}");
    let own = Ledger::read(&place.path("own.sqlite")).unwrap();
    assert_eq!(
        own.accounts()["riders"].spent,
        Amount::pure("1".parse().unwrap())
    );
    assert!(!place.ledger().exists());
}

#[test]
fn processes_at_once_never_exceed_an_allowance() {
    const PROCESSES: usize = 12;
    let place = riders();
    place.ok("ledger allow riders --epsilon 2");
    let start = |index: usize| {
        let mut command: Command = place.command(&publish("1/3", &format!("r{index}")));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    };
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    let codes: Vec<_> = children
        .into_iter()
        .map(|mut child| child.wait().expect("it ends").code())
        .collect();
    let with = |code| codes.iter().filter(|it| **it == Some(code)).count();
    assert_eq!((with(0), with(1)), (6, 6), "{codes:?}");
    let releases = (0..PROCESSES).filter(|index| place.path(&format!("r{index}")).exists());
    assert_eq!(releases.count(), 6);
    let chain = Ledger::read(&place.ledger()).unwrap();
    let account = &chain.accounts()["riders"];
    assert_eq!(account.spent, Amount::pure("2".parse().unwrap()));
    assert_eq!((account.booked, account.done), (6, 6));
}
