//! Long work tells that it goes on, so that whoever listens can stop it at its next word.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use wayveil_core::{
    Dataset, Internal, Origin, Owners, Progress, RandomSource, Raw, Sequences, Silent, Terms,
    Universe,
};
use wayveil_evaluate::Settings;
use wayveil_evaluate::evaluation::{Candidate, Outcome, Trial, try_out};
use wayveil_evaluate::metrics::{Better, Metric, Value, find};
use wayveil_evaluate::mine::{self, contiguous};

/// The payload of whoever stops.
#[derive(Debug)]
struct Stopped;

/// Counts words and parts, and unwinds at a word.
struct Listening {
    stops_at: u64,
    words: AtomicU64,
    parts: AtomicU64,
    total: AtomicU64,
}

impl Listening {
    fn until(stops_at: u64) -> Self {
        Self {
            stops_at,
            words: AtomicU64::new(0),
            parts: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    fn word(&self) {
        let before = self.words.fetch_add(1, Ordering::Relaxed);
        if before + 1 >= self.stops_at && !std::thread::panicking() {
            resume_unwind(Box::new(Stopped));
        }
    }
}

impl Progress for Listening {
    fn begin(&self, _step: &str, total: Option<u64>) {
        self.total.fetch_add(total.unwrap_or(0), Ordering::Relaxed);
        self.word();
    }

    fn advance(&self, parts: u64) {
        self.parts.fetch_add(parts, Ordering::Relaxed);
        self.word();
    }

    fn end(&self) {}

    fn warn(&self, _warning: &str) {}
}

/// Whether the work stopped at this word.
fn stops<T>(at: u64, work: impl FnOnce(&Listening) -> T) -> bool {
    let listening = Listening::until(at);
    let ended = catch_unwind(AssertUnwindSafe(|| work(&listening)));
    match ended {
        Ok(_) => false,
        Err(payload) => {
            assert!(payload.is::<Stopped>(), "something else unwound");
            true
        }
    }
}

/// Records from a small generator.
fn records(count: usize) -> Sequences {
    let mut state = 1_u32;
    let mut draw = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut record = || -> Vec<u32> { (0..4 + draw() % 6).map(|_| draw() % 12).collect() };
    Sequences::from_codes((0..count).map(|_| record()))
}

fn data(count: usize) -> Raw<Dataset> {
    let labels = (0..12).map(|at| format!("L{at}"));
    let labels: Vec<String> = labels.collect();
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(labels.iter().map(String::as_str), origin).unwrap();
    let data = Dataset::new(
        Arc::new(universe),
        None,
        records(count),
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    Raw::new(data.unwrap())
}

static MEASURED: AtomicUsize = AtomicUsize::new(0);

static COUNTING: Metric = Metric {
    name: "counting",
    about: "",
    definition: "",
    source: "",
    better: Better::Lower,
    spatial: false,
    run: |compared, _| {
        MEASURED.fetch_add(1, Ordering::Relaxed);
        Ok(vec![Value::new("", compared.released.len() as f64)])
    },
};

fn tried(repeats: usize, metrics: &[&'static Metric], progress: &dyn Progress) -> Outcome {
    let candidate = Candidate {
        method: "prefix-tree".into(),
        parameters: vec![
            ("epsilon".into(), "1".into()),
            ("height".into(), "4".into()),
        ],
    };
    let trial = Trial {
        terms: &Terms::default(),
        repeats,
        metrics,
        settings: &Settings::default(),
    };
    let mut random = RandomSource::insecure_seed(1);
    let outcome = try_out(&data(2_000), &candidate, &trial, &mut random, progress);
    Internal::for_publisher_only(outcome.unwrap())
}

#[test]
fn trying_out_stops_within_the_first_run() {
    // The step begins, and the tree tells of its levels, before anything is measured.
    let stopped = stops(4, |progress| tried(30, &[&COUNTING], progress));
    assert!(stopped, "30 runs said fewer than 4 words");
    assert_eq!(MEASURED.load(Ordering::Relaxed), 0);
}

#[test]
fn trying_out_tells_of_every_run_and_metric() {
    let listening = Listening::until(u64::MAX);
    let metrics = ["lost-instances", "length-divergence"].map(|name| find(name).unwrap());
    let heard = tried(5, &metrics, &listening);
    assert_eq!(listening.total.into_inner(), 15);
    assert_eq!(listening.parts.into_inner(), 15);
    let words = listening.words.into_inner();
    assert!(words > 30, "{words} words: the method was not heard");
    assert_eq!(
        format!("{heard:?}"),
        format!("{:?}", tried(5, &metrics, &Silent))
    );
}

#[test]
fn mining_stops_at_a_word() {
    let records = records(20_000);
    type Find = fn(&Sequences, u64, &dyn Progress) -> usize;
    let all: [(&str, Find); 6] = [
        ("frequent", |records, at_least, to| {
            mine::frequent(records, at_least, 1..=4, to).unwrap().len()
        }),
        ("maximal", |records, at_least, to| {
            mine::maximal(records, at_least, 1..=4, to).unwrap().len()
        }),
        ("closed", |records, at_least, to| {
            mine::closed(records, at_least, 1..=4, to).unwrap().len()
        }),
        ("top", |records, _, to| {
            mine::top_k(records, 500, 1..=5, to).unwrap().len()
        }),
        ("frequent fragments", |records, at_least, to| {
            let found = contiguous::frequent(records, at_least, 1..=4, to);
            found.unwrap().len()
        }),
        ("top fragments", |records, _, to| {
            contiguous::top_k(records, 500, 1..=4, to).unwrap().len()
        }),
    ];
    for (name, find) in all {
        let stopped = stops(3, |progress| find(&records, 20, progress));
        assert!(stopped, "{name} said fewer than 3 words");
        let listening = Listening::until(u64::MAX);
        let heard = find(&records, 20, &listening);
        assert_eq!(heard, find(&records, 20, &Silent), "{name}");
        assert!(heard > 0);
    }
}

#[test]
fn mining_has_a_part_for_each_symbol_and_is_heard_between() {
    let listening = Listening::until(u64::MAX);
    mine::frequent(&records(20_000), 2, 1..=5, &listening).unwrap();
    assert_eq!(listening.total.into_inner(), 12);
    assert_eq!(listening.parts.into_inner(), 12);
    let words = listening.words.into_inner();
    assert!(words > 100, "{words} words");
}

#[test]
fn few_records_with_many_patterns_are_heard_too() {
    // Too few records to share the work out below single symbols: one thread grows all that begins with one.
    let mut state = 7_u32;
    let mut draw = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % 3
    };
    let records =
        Sequences::from_codes((0..900).map(|_| (0..14).map(|_| draw()).collect::<Vec<_>>()));
    let listening = Listening::until(u64::MAX);
    mine::frequent(&records, 2, 1..=10, &listening).unwrap();
    assert_eq!(listening.parts.into_inner(), 3);
    let words = listening.words.into_inner();
    assert!(words > 10, "{words} words");
}

#[test]
fn comparing_many_patterns_is_heard() {
    // More patterns than lie between two words.
    let records = records(20_000);
    let quiet = Listening::until(u64::MAX);
    let all = mine::frequent(&records, 2, 1..=5, &quiet).unwrap().len();
    assert!(all > 40_000, "{all} patterns");
    let heard = Listening::until(u64::MAX);
    mine::maximal(&records, 2, 1..=5, &heard).unwrap();
    let compared = heard.parts.into_inner() - quiet.parts.into_inner();
    assert!(compared as usize > all, "{compared} of {all}");
}
