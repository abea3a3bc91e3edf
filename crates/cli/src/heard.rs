//! Warnings of long work, shown when they come and kept for the result.

use std::sync::Mutex;

use wayveil_core::Progress;

use crate::terminal::Terminal;

/// Passes everything on to the terminal, and remembers warnings in their order.
pub(crate) struct Heard<'a> {
    terminal: &'a Terminal,
    warnings: Mutex<Vec<String>>,
}

impl<'a> Heard<'a> {
    pub(crate) fn before(terminal: &'a Terminal) -> Self {
        Self {
            terminal,
            warnings: Mutex::new(Vec::new()),
        }
    }

    /// The warnings so far.
    pub(crate) fn into_warnings(self) -> Vec<String> {
        let warnings = self.warnings.into_inner();
        warnings.unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Progress for Heard<'_> {
    fn begin(&self, step: &str, total: Option<u64>) {
        self.terminal.begin(step, total);
    }

    fn advance(&self, parts: u64) {
        self.terminal.advance(parts);
    }

    fn end(&self) {
        self.terminal.end();
    }

    fn warn(&self, warning: &str) {
        self.terminal.warn(warning);
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(warning.to_owned());
        }
    }
}
