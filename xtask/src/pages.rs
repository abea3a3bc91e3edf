//! Pages outside the tests: pictures of them for the documentation, and how long a large one takes to open.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::suites::browser::Browser;
use crate::suites::program::Program;
use crate::suites::{Stop, cargo::expect, dashboard};
use crate::workspace::Workspace;

const BROWSER_LIMIT: u64 = 10 * 60;
/// The size of the largest data set of the field.
const RECORDS: &str = "1210096";
/// How often each page is opened.
const TIMES: &str = "9";

/// Takes the pictures that `README.md` and `docs` show.
pub(crate) fn screenshots(workspace: &Workspace) -> ExitCode {
    code(take(workspace))
}

fn take(workspace: &Workspace) -> Result<(), Stop> {
    let browser = Browser::require(workspace)?;
    let program = Program::build(workspace)?;
    program.expect(&["demo"])?;
    let docs = workspace.root.join("docs");
    let page = |name: &str| program.folder.join("wayveil-demo").join(name);
    let shot = |from: &str, to: &str, how: Value| {
        let mut shot = json!({ "page": page(from), "to": docs.join(to), "height": 900 });
        for (key, value) in how.as_object().into_iter().flatten() {
            shot[key] = value.clone();
        }
        shot
    };
    let shots = json!([
        shot(
            "release/report.html",
            "report-release.png",
            json!({ "width": 1200, "height": 1500 })
        ),
        shot(
            "report.html",
            "report-internal.png",
            json!({ "width": 1200, "height": 1500 })
        ),
        shot(
            "report.html",
            "report-dark.png",
            json!({ "width": 1200, "height": 1500, "dark": true })
        ),
        shot(
            "report.html",
            "report-narrow.png",
            json!({ "width": 400, "height": 900 })
        ),
        shot(
            "compare.html",
            "report-compare.png",
            json!({ "width": 1200, "height": 1200 })
        ),
    ]);
    let list = program.aside("shots.json");
    std::fs::write(&list, shots.to_string())?;
    let mut script = browser.script("screenshots.mjs");
    script.arg(list);
    expect(script, BROWSER_LIMIT)?;
    campaigns(&browser, &program, &docs)
}

/// Pictures of a campaign are taken while it runs.
fn campaigns(browser: &Browser, program: &Program, docs: &Path) -> Result<(), Stop> {
    let taken = program.aside("pictures");
    std::fs::create_dir(&taken)?;
    dashboard::watch(browser, program, Some(&taken))?;
    for (from, to) in [
        ("running.png", "campaign-operator.png"),
        ("public-running.png", "campaign-public.png"),
    ] {
        std::fs::copy(taken.join(from), docs.join(to))?;
    }
    Ok(())
}

/// Opens the reports of a large data set and prints their sizes and times.
pub(crate) fn measure(workspace: &Workspace, words: &[String]) -> ExitCode {
    let records = match words {
        [] => RECORDS,
        [flag, records] if flag == "--records" => records,
        _ => {
            eprintln!("bench pages: takes --records N and nothing else");
            return ExitCode::from(2);
        }
    };
    code(open_large(workspace, records))
}

fn open_large(workspace: &Workspace, records: &str) -> Result<(), Stop> {
    let browser = Browser::require(workspace)?;
    let program = Program::build(workspace)?;
    let say = |line: String| program.expect(&line.split(' ').collect::<Vec<_>>());
    say(format!("generate stm --records {records} -o stm.parquet"))?;
    say("publish hybrid-tree stm.parquet --epsilon 1 --height 8 --report -o stm".into())?;
    say("report stm.parquet stm -o report.html".into())?;
    let mut script = browser.script("measure.mjs");
    script.current_dir(&program.folder);
    script.args([TIMES, "report.html", "stm/report.html"]);
    expect(script, BROWSER_LIMIT)
}

pub(crate) fn code(outcome: Result<(), Stop>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Stop::Failed(why) | Stop::Skipped(why)) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
