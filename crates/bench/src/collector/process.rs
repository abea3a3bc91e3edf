//! The program `wayveil` in a process of its own: this program again, under that name.

use std::fs::OpenOptions;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The name under which this program is `wayveil`.
pub const PRODUCT: &str = "wayveil";

/// A process that ends with this value.
pub(super) struct Process(Child);

impl Process {
    /// Starts the program with these words. What it says on standard error goes to the end of a file.
    pub(super) fn start(program: &Path, words: &[&str], log: &Path) -> Result<Self, String> {
        let log = OpenOptions::new().create(true).append(true).open(log);
        let log = log.map_err(|cause| format!("cannot write a log: {cause}"))?;
        let child = Command::new(program)
            .arg0(PRODUCT)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        let child =
            child.map_err(|cause| format!("cannot start {}: {cause}", program.display()))?;
        Ok(Self(child))
    }

    /// Waits until it has ended by itself, and well.
    pub(super) fn finish(mut self) -> Result<(), String> {
        match self.0.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("the program ended with {status}")),
            Err(cause) => Err(cause.to_string()),
        }
    }

    /// Ends it at once, as a loss of power would.
    pub(super) fn kill(&mut self) {
        // One that has ended already is just as dead.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Seconds of processor time so far, of its own and of the system for it.
    pub(super) fn processor_seconds(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).ok()?;
        // The name may hold anything; fields are counted from behind it.
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks: u64 =
            fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        // Linux tells times to programs in hundredths of a second, whatever it counts in.
        Some(ticks as f64 / 100.0)
    }

    /// Bytes of memory that it holds now.
    pub(super) fn resident_bytes(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
