//! How long work tells that it goes on, without knowing what a terminal is.

/// Receives news of long work.
pub trait Progress: Sync {
    /// A step begins; `total` counts its parts, where known.
    fn begin(&self, step: &str, total: Option<u64>);
    /// So many parts of the step are done.
    fn advance(&self, parts: u64);
    /// The step is done.
    fn end(&self);
    /// Something that a person should know now, while the work can still be stopped.
    fn warn(&self, warning: &str);
}

/// Nobody is listening.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _step: &str, _total: Option<u64>) {}
    fn advance(&self, _parts: u64) {}
    fn end(&self) {}
    fn warn(&self, _warning: &str) {}
}
