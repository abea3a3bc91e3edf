//! What a mechanism may tell of a run besides its release: named integers, for the auditor.
//!
//! A transcript is under the same guarantee as the release: what it tells must be hidden by the
//! mechanism's noise as well (a node that passed, a noisy count), or the auditor will rightly
//! refute it. It is never released: [`crate::Release`] has no place for it, and the only one who
//! is told is a [`crate::Rehearsal`].
//!
//! It is told late: a mechanism hands over how to tell it, always, so that it is not told whether
//! it is being audited, and a publication does not pay for names that nobody reads. (It could guess
//! from the data, which is made up: an auditor is no match for a mechanism that means to cheat.)
//!
//! No one but the auditor's entry can ask:
//! ```compile_fail,E0624
//! fn peek(output: wayveil_core::Output) -> Vec<(String, i64)> {
//!     output.transcript.tell()
//! }
//! ```

use std::fmt;

type Tell = Box<dyn FnOnce() -> Vec<(String, i64)> + Send>;

/// Named integers of a run, told only to the auditor.
#[derive(Default)]
pub struct Transcript(Option<Tell>);

impl Transcript {
    /// Nothing to tell.
    pub fn none() -> Self {
        Self(None)
    }

    /// How to tell it. A name stands at most once; a name that is left out is something to see
    /// as well, for instance a node that did not pass.
    pub fn told_by(tell: impl FnOnce() -> Vec<(String, i64)> + Send + 'static) -> Self {
        Self(Some(Box::new(tell)))
    }

    pub(crate) fn tell(self) -> Vec<(String, i64)> {
        self.0.map_or_else(Vec::new, |tell| tell())
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transcript(..)")
    }
}
