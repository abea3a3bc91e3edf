//! Child processes that cannot run for ever.

use std::fmt;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a child is looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// How a child ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal,
    TimedOut(Duration),
    NotStarted(String),
}

impl End {
    pub(crate) fn ok(&self) -> bool {
        *self == End::Exit(0)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(code) => write!(f, "exit code {code}"),
            End::Signal => write!(f, "ended by a signal"),
            End::TimedOut(limit) => write!(f, "stopped after {} s", limit.as_secs()),
            End::NotStarted(why) => write!(f, "could not be started: {why}"),
        }
    }
}

/// Runs a command to its end, or stops it when the limit is over.
///
/// Output is inherited unless the command says otherwise, so that cargo's lines show as they come.
pub(crate) fn run(command: &mut Command, limit: Duration) -> End {
    // Our headings must come before the child's lines. A closed pipe is no reason to stop.
    let _ = std::io::stdout().flush();
    let mut child = match command.stdin(Stdio::null()).spawn() {
        Ok(child) => child,
        Err(error) => return End::NotStarted(error.to_string()),
    };
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.code().map_or(End::Signal, End::Exit),
            Ok(None) if start.elapsed() < limit => thread::sleep(PAUSE),
            Ok(None) => {
                stop(&mut child);
                return End::TimedOut(limit);
            }
            Err(error) => {
                stop(&mut child);
                return End::NotStarted(error.to_string());
            }
        }
    }
}

/// Whether a command runs and says yes; its output is of no interest.
pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    run(&mut command, Duration::from_secs(60)).ok()
}

/// Ends the child and what it has started itself, each by its id.
///
/// The test that hangs is a grandchild: ending cargo alone would leave it running.
fn stop(child: &mut Child) {
    let offspring = descendants(child.id());
    // Both fail only when the child is gone already.
    let _ = child.kill();
    let _ = child.wait();
    for id in offspring {
        let _ = Command::new("sh")
            .args(["-c", "kill -9 \"$0\"", &id.to_string()])
            .stderr(Stdio::null())
            .status();
    }
}

/// The processes below one process. Empty where the system has no `/proc`.
fn descendants(ancestor: u32) -> Vec<u32> {
    let pairs: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|id| Some((id, parent(id)?)))
        .collect();
    let mut found = vec![ancestor];
    let mut next = 0;
    while next < found.len() {
        let above = found[next];
        found.extend(
            pairs
                .iter()
                .filter(|(_, parent)| *parent == above)
                .map(|(id, _)| *id),
        );
        next += 1;
    }
    found.split_off(1)
}

fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in brackets, may hold blanks and brackets: count from the last one.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn ends_are_told_apart() {
        let minute = Duration::from_secs(60);
        assert_eq!(run(&mut shell("exit 3"), minute), End::Exit(3));
        assert_eq!(run(&mut shell("kill -9 $$"), minute), End::Signal);
        let missing = run(&mut Command::new("no-such-program-here"), minute);
        assert!(matches!(missing, End::NotStarted(_)), "{missing}");
    }

    #[test]
    fn what_hangs_is_stopped_with_its_children() {
        let scratch = Scratch::new("watchdog").expect("a temporary folder");
        let file = scratch.path().join("id");
        let script = format!("sleep 600 & echo $! > '{}'; wait", file.display());
        let limit = Duration::from_secs(3);
        assert_eq!(run(&mut shell(&script), limit), End::TimedOut(limit));
        let id = std::fs::read_to_string(file).expect("the script wrote its child's id");
        if cfg!(target_os = "linux") {
            let id: u32 = id.trim().parse().expect("an id");
            // Dying takes a moment, and being collected another.
            let gone = || {
                let stat = std::fs::read_to_string(format!("/proc/{id}/stat"));
                stat.map_or(true, |stat| stat.contains(") Z "))
            };
            let patience = Instant::now();
            while !gone() {
                assert!(
                    patience.elapsed() < Duration::from_secs(60),
                    "still running"
                );
                thread::sleep(PAUSE);
            }
        }
    }
}
