//! News of a command that runs beside the interpreter, and the way to stop it.
//!
//! The command runs in threads of its own, without the interpreter's lock. What it says comes here and waits
//! for the calling thread, which alone speaks to Python. A command that is to stop unwinds at its next word.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use wayveil::Listener;

/// Something to tell Python.
pub(crate) enum News {
    Say(String),
    Warn(String),
    Begin(String, Option<u64>),
    Advanced(u64),
    End,
}

/// The private payload of unwinding: nothing went wrong.
pub(crate) struct Stopped;

/// Whether a command is to stop.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Unwinds if the command is to stop, unless something unwinds already.
    pub(crate) fn heed(&self) {
        if self.0.load(Ordering::Relaxed) && !std::thread::panicking() {
            std::panic::resume_unwind(Box::new(Stopped));
        }
    }
}

/// Hears a command and passes its news on.
pub(crate) struct Ear<N: From<News> + Send> {
    news: Sender<N>,
    /// Parts done that nobody was told of yet: there may be very many of them.
    advanced: Arc<AtomicU64>,
    stop: Stop,
}

impl<N: From<News> + Send> Ear<N> {
    pub(crate) fn new(news: Sender<N>, advanced: Arc<AtomicU64>, stop: Stop) -> Self {
        Self {
            news,
            advanced,
            stop,
        }
    }

    fn tell(&self, news: News) {
        self.stop.heed();
        // Nobody listens any more where the caller has gone.
        let _ = self.news.send(news.into());
    }

    /// What was done belongs to the step that ends here.
    fn settle(&self) {
        match self.advanced.swap(0, Ordering::Relaxed) {
            0 => {}
            parts => self.tell(News::Advanced(parts)),
        }
    }
}

impl<N: From<News> + Send> Listener for Ear<N> {
    fn say(&self, text: &str) {
        self.tell(News::Say(text.to_owned()));
    }

    fn warn(&self, text: &str) {
        self.tell(News::Warn(text.to_owned()));
    }

    fn begin(&self, step: &str, total: Option<u64>) {
        self.settle();
        self.tell(News::Begin(step.to_owned(), total));
    }

    fn advance(&self, parts: u64) {
        self.advanced.fetch_add(parts, Ordering::Relaxed);
        self.stop.heed();
    }

    fn end(&self) {
        self.settle();
        self.tell(News::End);
    }
}
