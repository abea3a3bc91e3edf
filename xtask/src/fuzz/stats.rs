//! What libFuzzer's lines say, and the table made of them.

use std::fmt;
use std::path::PathBuf;

use crate::command::End;

/// The figures of one run; none where the program printed none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stats {
    executions: Option<u64>,
    per_second: Option<u64>,
    coverage: Option<u64>,
    corpus: Option<u64>,
    peak_mib: Option<u64>,
    /// Why it stopped, in the words of the program.
    complaint: Option<String>,
    /// The files that it wrote about what it found.
    artifacts: Vec<String>,
}

impl Stats {
    /// Reads the output of a program.
    pub(super) fn read(log: &str) -> Self {
        let mut stats = Self::default();
        for line in log.lines() {
            let number = |key: &str| -> Option<u64> {
                let rest = &line[line.find(key)? + key.len()..];
                let digits = rest
                    .trim_start()
                    .split(|c: char| !c.is_ascii_digit())
                    .next()?;
                digits.parse().ok()
            };
            let keep = |slot: &mut Option<u64>, key: &str| *slot = number(key).or(*slot);
            if line.starts_with('#') {
                keep(&mut stats.coverage, " cov:");
                keep(&mut stats.corpus, " corp:");
            } else if line.starts_with("stat::") {
                keep(&mut stats.executions, "number_of_executed_units:");
                keep(&mut stats.per_second, "average_exec_per_sec:");
                keep(&mut stats.peak_mib, "peak_rss_mb:");
            } else if let Some((_, path)) = line.split_once("Test unit written to ") {
                stats.artifacts.push(path.trim().to_owned());
            } else if stats.complaint.is_none() {
                stats.complaint = complaint(line);
            }
        }
        stats
    }
}

/// The line that tells what was wrong, if this is one.
fn complaint(line: &str) -> Option<String> {
    let tells = line.contains("panicked at ")
        || line.contains("memory allocation of ")
        || line.contains("ERROR: libFuzzer: ");
    tells.then(|| line.trim().to_owned())
}

/// What came of one target.
pub(super) struct Row {
    pub(super) target: String,
    pub(super) seconds: u64,
    pub(super) stats: Stats,
    pub(super) end: End,
    pub(super) program: PathBuf,
    pub(super) log: PathBuf,
}

impl Row {
    /// Whether nothing was found.
    pub(super) fn is_sound(&self) -> bool {
        self.end.ok()
    }

    /// What was found and how to see it again; empty where nothing was.
    pub(super) fn findings(&self) -> String {
        if self.is_sound() {
            return String::new();
        }
        let complaint = self.stats.complaint.as_deref().unwrap_or("no complaint");
        let mut text = format!("\n{}: {complaint}\n", self.target);
        text += &format!("  log        {}\n", self.log.display());
        for artifact in &self.stats.artifacts {
            let program = self.program.display();
            text += &format!("  reproduce  {program} {artifact}\n");
            text += &format!("  minimise   {program} -minimize_crash=1 -runs=100000 {artifact}\n");
        }
        text
    }
}

impl fmt::Display for Row {
    /// A row of the table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |number: Option<u64>| number.map_or("-".to_owned(), |it| it.to_string());
        let stats = &self.stats;
        let result = match (self.is_sound(), stats.artifacts.len()) {
            (true, _) => "ok".to_owned(),
            (false, 0) => format!("FAILED: {}", self.end),
            (false, _) => "FOUND".to_owned(),
        };
        write!(
            f,
            "| {:<14} | {:>7} | {:>10} | {:>7} | {:>8} | {:>6} | {:>8} | {result} |",
            self.target,
            self.seconds,
            shown(stats.executions),
            shown(stats.per_second),
            shown(stats.coverage),
            shown(stats.corpus),
            shown(stats.peak_mib),
        )
    }
}

/// All rows under a heading.
pub(super) fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| target         | seconds | executions |  exec/s | coverage | corpus | peak MiB | result |\n\
         | -------------- | ------: | ---------: | ------: | -------: | -----: | -------: | ------ |\n",
    );
    text.extend(rows.iter().map(|row| format!("{row}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: &str = "\
INFO: seed corpus: files: 9
#10 INITED cov: 810 ft: 1200 corp: 8/1Kb exec/s: 0 rss: 60Mb
#2048\tpulse  cov: 905 ft: 2101 corp: 77/9Kb lim: 120 exec/s: 1024 rss: 71Mb
#4096\tDONE   cov: 906 ft: 2102 corp: 78/9Kb lim: 120 exec/s: 1024 rss: 71Mb
stat::number_of_executed_units: 4096
stat::average_exec_per_sec:     1024
stat::new_units_added:          70
stat::peak_rss_mb:              71
";

    fn row(log: &str, end: End) -> Row {
        Row {
            target: "events".into(),
            seconds: 4,
            stats: Stats::read(log),
            end,
            program: "target/events".into(),
            log: "fuzz/artifacts/events.log".into(),
        }
    }

    #[test]
    fn a_calm_run_is_a_row_of_numbers() {
        let row = row(CALM, End::Exit(0));
        let words: Vec<String> = row
            .to_string()
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect();
        assert_eq!(
            words[1..9],
            ["events", "4", "4096", "1024", "906", "78", "71", "ok"]
        );
        assert_eq!(row.findings(), "");
        let table = table(&[row]);
        let widths: Vec<usize> = table
            .lines()
            .map(|line| line.matches('|').count())
            .collect();
        assert_eq!(widths, [9, 9, 9]);
    }

    #[test]
    fn a_finding_says_how_to_see_it_again() {
        let log = format!(
            "{CALM}thread '<unnamed>' panicked at crates/io/src/a.rs:1:2:\nboom\n\
             ==1== ERROR: libFuzzer: deadly signal\n\
             artifact_prefix='x/'; Test unit written to x/crash-12\n"
        );
        let row = row(&log, End::Exit(77));
        assert!(row.to_string().ends_with("| FOUND |"), "{row}");
        let findings = row.findings();
        assert!(findings.contains("panicked at crates/io/src/a.rs:1:2"));
        assert!(
            findings.contains("target/events x/crash-12\n"),
            "{findings}"
        );
    }

    #[test]
    fn a_program_that_prints_nothing_has_failed() {
        let row = row("", End::Signal);
        assert!(row.to_string().contains("FAILED: ended by a signal"));
        assert!(row.findings().contains("no complaint"));
    }
}
