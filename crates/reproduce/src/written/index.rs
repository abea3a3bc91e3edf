//! What lies in a folder of figures, on one page.
//!
//! It is made of the JSON files alone, so that it can be made again, and compared, without running anything.

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;
use wayveil_core::{Error, Result};

use crate::entry::Made;
use crate::papers::{full_name, papers};
use crate::reproduced::file_name;

/// The name of the page.
pub const INDEX: &str = "index.md";

const INTRODUCTION: &str = "\
# Tables and figures of the papers, made again

<!-- made by `wayveil reproduce` of the JSON files beside it -->

Each entry has a page with the paper's numbers beside ours, and `.csv`, `.json` and `.svg` of the same name. *Better* and
*worse* are numbers of cells in which the difference is beyond both intervals, of all cells that can be compared; where the
paper states only a bound, cells that keep it are counted as *kept*. The paper's numbers are its own, on its data.
";

/// The page of a folder.
pub fn index(folder: &Path) -> Result<String> {
    let mut text = INTRODUCTION.to_owned();
    let mut missing = Vec::new();
    for paper in papers() {
        let mut rows = String::new();
        for entry in paper.entries {
            let name = file_name(paper, entry);
            let path = folder.join(format!("{name}.json"));
            let Ok(json) = std::fs::read_to_string(&path) else {
                if !matches!(entry.made, Made::Drawing) {
                    missing.push(format!("`{}`", full_name(paper, entry)));
                }
                continue;
            };
            let json: Value = serde_json::from_str(&json)
                .map_err(|cause| Error::system(format!("cannot read {}", path.display()), cause))?;
            let _ = writeln!(
                rows,
                "| [`{}`]({name}.md) | {} | {} | {} |",
                full_name(paper, entry),
                entry.title,
                made_of(&json),
                outcome(&json)
            );
        }
        if !rows.is_empty() {
            let _ = write!(
                text,
                "\n## {}: {}\n\n{}. Here: `{}`.\n\n| entry | what it shows | made of | what came of it |\n\
                 | --- | --- | --- | --- |\n{rows}",
                paper.id, paper.title, paper.cited, paper.method
            );
        }
    }
    if !missing.is_empty() {
        let _ = write!(text, "\nNot made in this folder: {}.\n", missing.join(", "));
    }
    Ok(text)
}

/// The data, and how often it was run.
fn made_of(json: &Value) -> String {
    if json["cells"].as_array().is_none_or(Vec::is_empty) {
        return "–".into();
    }
    let generated = json["data"]["generated"].as_array();
    let data = match (json["data"]["given"].as_str(), generated) {
        (Some(name), _) => name.to_owned(),
        (None, Some(all)) => {
            let all: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
            all.join("; ")
        }
        (None, None) => String::new(),
    };
    let quick = match json["quick"].as_bool() {
        Some(true) => ", quick",
        _ => "",
    };
    format!("{data}; {} runs{quick}", json["repeats"])
}

fn outcome(json: &Value) -> String {
    let checks = json["checks"].as_array().map_or(0, Vec::len);
    let mut parts = Vec::new();
    if checks > 0 {
        parts.push(match json["holds"].as_bool() {
            Some(true) => format!("all of {checks} checks hold"),
            _ => "**differs**".to_owned(),
        });
    }
    for it in json["comparisons"].as_array().into_iter().flatten() {
        let with = it["with_name"].as_str().unwrap_or_default();
        let kept = match it["within"].as_u64() {
            Some(kept) if kept > 0 => format!(", {kept} kept"),
            _ => String::new(),
        };
        parts.push(format!(
            "{} against {with}: {} better, {} worse{kept}, of {}",
            it["form"].as_str().unwrap_or_default(),
            it["better"],
            it["worse"],
            it["of"]
        ));
    }
    match parts.is_empty() {
        true => "–".into(),
        false => parts.join("; "),
    }
}
