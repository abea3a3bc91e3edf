//! Commands for another program: data, tables and mechanisms in memory.

use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
use wayveil::{Answer, Failure, Listener, Session};
use wayveil_core::{
    Claim, Cost, Guarantee, Mechanism, Output, Progress, PublicInputs, RandomSource, Records,
    Result, Transcript,
};

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Listener for Heard {
    fn say(&self, _text: &str) {}
    fn warn(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
    fn begin(&self, step: &str, _total: Option<u64>) {
        self.0.lock().unwrap().push(step.to_owned());
    }
    fn advance(&self, _parts: u64) {}
    fn end(&self) {}
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn session() -> (Session, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    (Session::new(heard.clone()), heard)
}

fn run(session: &Session, text: &str) -> Answer {
    session.run(&words(text)).expect(text)
}

/// Three taps of two people.
fn hand_taps(session: &Session, name: &str) {
    let column = |values: [&str; 3]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let batch = RecordBatch::try_from_iter([
        ("uid", column(["x", "y", "x"])),
        ("location", column(["A", "B", "B"])),
        (
            "datetime",
            column(["2024-03-04T08:00", "2024-03-04T09:00", "2024-03-04T07:00"]),
        ),
    ])
    .unwrap();
    let schema = batch.schema();
    session.hand(
        name,
        Box::new(RecordBatchIterator::new([Ok(batch)], schema)),
        Some(3),
    );
}

#[test]
fn a_table_becomes_data_without_a_file() {
    let (session, heard) = session();
    hand_taps(&session, "<taps>");
    let kept = std::env::temp_dir().join("<kept>");
    session.keep(kept.clone());
    let import = format!(
        "import <taps> --format parquet --universe-from-data --population p --force -o {}",
        kept.display()
    );
    let answer = run(&session, &import);
    assert!(answer.yes && answer.object["records"] == 2);
    assert!(!kept.exists());
    assert!(
        heard
            .0
            .lock()
            .unwrap()
            .iter()
            .any(|it| it == "reading rows")
    );
    session.hold("<data>", session.held(&kept).expect("kept"));
    let answer = run(&session, "query <data> B A --contiguous");
    assert_eq!(answer.object["count"], 1);
    // A table is read once; its name is a path then.
    let Err(Failure::Error(error)) = session.run(&words(&import)) else {
        panic!("read twice");
    };
    assert!(error.to_string().contains("<taps>"), "{error}");
}

#[test]
fn made_up_data_stays_in_memory() {
    let (session, _) = session();
    let kept = std::env::temp_dir().join("<made up>");
    session.keep(kept.clone());
    assert!(session.held(&kept).is_none());
    let given = [
        "generate",
        "metro",
        "--records=50",
        "--insecure-seed=1",
        "--force",
        "-o",
    ];
    let mut given: Vec<String> = given.map(str::to_owned).to_vec();
    given.push(kept.display().to_string());
    session.run(&given).expect("made");
    assert!(session.held(&kept).is_some() && !kept.exists());
}

#[test]
fn words_that_are_not_understood_say_so() {
    let (session, _) = session();
    let Err(Failure::Usage(text)) = session.run(&words("mine x --top")) else {
        panic!("understood");
    };
    assert!(text.contains("--top"), "{text}");
}

/// Gives everything away.
struct Leak;

impl Mechanism for Leak {
    fn name(&self) -> &'static str {
        "leak"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: Guarantee::none("it is a test", public.unit),
            variant: "test",
            parameters: Default::default(),
            limits: Vec::new(),
            noise: "none".into(),
            columns: Vec::new(),
        })
    }

    fn run(
        &self,
        records: &Records<'_>,
        _random: &mut RandomSource,
        _progress: &dyn Progress,
    ) -> Result<Output> {
        Ok(Output {
            trajectories: records.sequences.clone().into_owned(),
            attributes: Vec::new(),
            counts: None,
            fragments: None,
            expected_error: None,
            transcript: Transcript::none(),
        })
    }
}

#[test]
fn a_foreign_mechanism_is_measured_attacked_and_audited_but_not_published() {
    let (session, _) = session();
    hand_taps(&session, "<taps>");
    session.keep("<data>");
    run(
        &session,
        "import <taps> --format parquet --universe-from-data --population p -o <data>",
    );
    session.teach("leak", Arc::new(Leak));
    let tried = run(
        &session,
        "evaluate <data> --publish leak --metric length-divergence",
    );
    assert_eq!(
        tried.object["candidates"][0]["metrics"]["length-divergence"],
        0.0
    );
    let attacked = run(
        &session,
        "attack <data> leak --attack singling-out --victims 2",
    );
    assert_eq!(attacked.object["published"][1]["method"], "leak");
    let audited = session.audit("leak", &words("--runs 300 --against 1 --insecure-seed 1"));
    assert!(!audited.expect("it runs").yes);
    assert!(matches!(
        session.audit("other", &[]),
        Err(Failure::Error(_))
    ));
    assert!(matches!(
        session.audit("leak", &words("--height 3")),
        Err(Failure::Usage(_))
    ));
    let published = session.run(&words("publish leak <data> -o /nowhere/release"));
    assert!(matches!(published, Err(Failure::Usage(_))));
    assert!(!Path::new("<data>").exists());
}
