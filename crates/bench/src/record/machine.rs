//! What a benchmark ran on, in words.

use std::fs;
use std::process::Command;

use serde::{Deserialize, Serialize};

/// What decides about times, as far as it can be known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Machine {
    pub(super) processor: String,
    pub(super) cores: usize,
    pub(super) memory_gib: u64,
    pub(super) system: String,
    pub(super) compiler: String,
    /// Processes that waited for a core in the minute before.
    pub(super) load_before: f64,
}

impl Machine {
    /// This one, now.
    pub(super) fn this() -> Self {
        let unknown = || "unknown".to_owned();
        Self {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: memory_gib(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: compiler().unwrap_or_else(unknown),
            load_before: load().unwrap_or(f64::NAN),
        }
    }

    /// The machine without what changes from minute to minute.
    pub(super) fn words(&self) -> String {
        format!(
            "{} cores ({}), {} GiB of memory, {}, {}",
            self.cores, self.processor, self.memory_gib, self.system, self.compiler
        )
    }
}

/// The day, in UTC.
pub(super) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory_gib() -> u64 {
    let kilobytes = field("/proc/meminfo", "MemTotal");
    let kilobytes = kilobytes.and_then(|text| text.trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(0, |it| (it + (1 << 19)) >> 20)
}

fn compiler() -> Option<String> {
    let output = Command::new("rustc").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    (words.len() == 2).then(|| words.join(" "))
}

fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
