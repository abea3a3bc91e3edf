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

/// Work inside a step of other work: tells that the step goes on, and keeps everything else to itself.
///
/// Every word of the inner work becomes an advance by no parts, by which whoever listens may see that
/// something happens, or stop it.
#[derive(Clone, Copy)]
pub struct Within<'a>(pub &'a dyn Progress);

impl Progress for Within<'_> {
    fn begin(&self, _step: &str, _total: Option<u64>) {
        self.0.advance(0);
    }

    fn advance(&self, _parts: u64) {
        self.0.advance(0);
    }

    fn end(&self) {
        self.0.advance(0);
    }

    fn warn(&self, _warning: &str) {
        self.0.advance(0);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Heard {
        fn note(&self, word: String) {
            self.0.lock().unwrap().push(word);
        }
    }

    impl Progress for Heard {
        fn begin(&self, step: &str, total: Option<u64>) {
            self.note(format!("{step} {total:?}"));
        }

        fn advance(&self, parts: u64) {
            self.note(format!("{parts}"));
        }

        fn end(&self) {
            self.note("end".into());
        }

        fn warn(&self, warning: &str) {
            self.note(warning.into());
        }
    }

    #[test]
    fn inner_work_is_heard_but_changes_no_count() {
        let heard = Heard::default();
        heard.begin("outer", Some(2));
        let inner = Within(&heard);
        inner.begin("inner", Some(9));
        inner.advance(5);
        inner.warn("inner");
        inner.end();
        heard.advance(1);
        heard.end();
        let words = heard.0.into_inner().unwrap();
        assert_eq!(words, ["outer Some(2)", "0", "0", "0", "0", "1", "end"]);
    }
}
