//! What came of a run, in a table that ends with the counts.

use std::fmt;
use std::time::Duration;

use super::Stop;

/// How a suite ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

impl Outcome {
    /// A strict caller takes a skipped suite for a failed one.
    pub(super) fn new(result: Result<(), Stop>, strict: bool) -> Self {
        match result {
            Ok(()) => Outcome::Passed,
            Err(Stop::Failed(why)) => Outcome::Failed(why),
            Err(Stop::Skipped(why)) if strict => Outcome::Failed(format!("skipped: {why}")),
            Err(Stop::Skipped(why)) => Outcome::Skipped(why),
        }
    }

    pub(super) fn is_failure(&self) -> bool {
        matches!(self, Outcome::Failed(_))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Passed => write!(f, "ok"),
            Outcome::Failed(why) => write!(f, "FAILED: {why}"),
            Outcome::Skipped(why) => write!(f, "skipped: {why}"),
        }
    }
}

/// A row of the table.
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    pub(super) outcome: Outcome,
    pub(super) elapsed: Duration,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.elapsed.as_secs_f64();
        write!(f, "{:<10}{seconds:>8.1} s  {}", self.name, self.outcome)
    }
}

/// All rows, then the counts alone on the last line, where scripts look for them.
pub(super) fn table(lines: &[Line<'_>]) -> String {
    let count = |wanted: fn(&Outcome) -> bool| lines.iter().filter(|l| wanted(&l.outcome)).count();
    let passed = count(|outcome| *outcome == Outcome::Passed);
    let failed = count(Outcome::is_failure);
    let skipped = lines.len() - passed - failed;
    let mut text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    text += &format!("\n{passed} passed, {failed} failed, {skipped} skipped");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_line(strict: bool) -> String {
        let results = [
            Ok(()),
            Ok(()),
            Err(Stop::failed("it leaks")),
            Err(Stop::skipped("no python3")),
        ];
        let lines: Vec<Line<'_>> = results
            .into_iter()
            .map(|result| Line {
                name: "suite",
                outcome: Outcome::new(result, strict),
                elapsed: Duration::from_millis(1500),
            })
            .collect();
        let text = table(&lines);
        assert!(
            text.contains("suite          1.5 s  FAILED: it leaks\n"),
            "{text}"
        );
        assert!(text.contains("skipped: no python3\n"), "{text}");
        text.lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_counts_stand_alone_at_the_end() {
        assert_eq!(last_line(false), "2 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn strict_takes_a_skip_for_a_failure() {
        assert_eq!(last_line(true), "2 passed, 2 failed, 0 skipped");
    }
}
