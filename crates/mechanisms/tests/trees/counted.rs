//! The trees on records that stay elsewhere: the same release as on records that are here.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand_core::Rng;
use wayveil_core::counting::{Engine, Part, Question, Tally, What, tally};
use wayveil_core::{
    Booked, Booking, Books, Counted, Dataset, Error, Manifest, Origin, Owners, PrivacyUnit,
    RandomSource, Raw, Release, Result, Sequences, Silent, Spend, Terms, TimeAxis, Universe,
    publish_counted,
};
use wayveil_mechanisms::{Parameters, find};

use super::common::{grouped, groups, run};

const TREES: [&str; 2] = ["prefix-tree", "hybrid-tree"];
const PARAMETERS: [(&str, &str); 2] = [("epsilon", "2"), ("height", "4")];

/// Rows of owners, in parts that have all rows of an owner each, tallied one by one by the code of a cluster.
struct Parts {
    parts: Vec<(Sequences, Owners)>,
    asked: Arc<AtomicUsize>,
}

impl Engine for Parts {
    fn ask(&self, question: &Question) -> Result<Tally> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        // As it travels.
        let question = Question::from_text(&question.to_text()?)?;
        let mut sum = Tally::default();
        for (trips, owners) in &self.parts {
            let part = Part {
                trips,
                owners,
                attributes: &[],
            };
            sum.merge(&tally(&question, &part)?)?;
        }
        Ok(sum)
    }
}

/// Rows of several trips of each of 900 people, with time bins that may go back or without.
struct People {
    universe: Arc<Universe>,
    bins: Option<u32>,
    rows: Vec<(u32, Vec<u32>, Vec<u32>)>,
}

const PEOPLE: u32 = 900;

impl People {
    fn new(bins: Option<u32>) -> Self {
        let universe = grouped(groups(3), &[0, 0, 0, 1, 1, 1, 2, 2, 2]).unwrap();
        let mut random = RandomSource::insecure_seed(5);
        let mut rng = random.stream();
        let mut draw = |below: u32| rng.next_u32() % below;
        let rows = (0..PEOPLE * 3).map(|_| {
            let length = draw(6) as usize;
            let way = draw(4);
            let codes = (0..length as u32).map(|at| match draw(8) {
                0 => draw(9),
                _ => (way * 2 + at) % 9,
            });
            let codes: Vec<u32> = codes.collect();
            let times = bins.map_or(Vec::new(), |bins| {
                let mut times: Vec<u32> = (0..length).map(|_| draw(bins)).collect();
                if draw(5) > 0 {
                    times.sort_unstable();
                }
                times
            });
            (draw(PEOPLE), codes, times)
        });
        let rows = rows.collect();
        Self {
            universe,
            bins,
            rows,
        }
    }

    fn part(&self, of: impl Fn(u32) -> bool) -> (Sequences, Owners) {
        let mut trips = Sequences::empty(self.bins.is_some());
        let mut of_record = Vec::new();
        for (owner, codes, times) in self.rows.iter().filter(|row| of(row.0)) {
            trips.push(codes, times);
            of_record.push(*owner);
        }
        let labels = (0..PEOPLE).map(|owner| format!("o{owner}")).collect();
        (trips, Owners::Known { of_record, labels })
    }

    fn dataset(&self, of: impl Fn(u32) -> bool) -> Raw<Dataset> {
        let (trips, owners) = self.part(of);
        let declared = || Origin::Declared("test".into());
        let time = self.bins.map(|bins| TimeAxis::new(bins, declared()));
        let universe = Arc::clone(&self.universe);
        Raw::new(Dataset::new(universe, time, trips, owners, vec![], "p".into()).unwrap())
    }

    fn here(&self) -> Raw<Dataset> {
        self.dataset(|_| true)
    }

    /// Split by owner into so many parts; beside them how often they were asked.
    fn elsewhere(&self, parts: u32) -> (Counted, Arc<AtomicUsize>) {
        let split = (0..parts).map(|part| self.part(|owner| owner % parts == part));
        let asked = Arc::<AtomicUsize>::default();
        let engine = Parts {
            parts: split.collect(),
            asked: Arc::clone(&asked),
        };
        let counted = Counted::new(self.dataset(|_| false), Box::new(engine)).unwrap();
        (counted, asked)
    }
}

/// Books that note what was booked, and how often the records had been asked by then.
#[derive(Default)]
struct Noted {
    asked: Arc<AtomicUsize>,
    booked: Vec<(String, usize)>,
}

impl Books for Noted {
    fn book(&mut self, spend: &Spend<'_>) -> Result<Booking> {
        let asked = self.asked.load(Ordering::Relaxed);
        self.booked.push((spend.population().to_owned(), asked));
        Ok(Booking {
            entry: "e".into(),
            warnings: Vec::new(),
        })
    }

    fn done(&mut self, _entry: &str) -> Result<()> {
        Ok(())
    }
}

fn counted(
    method: &str,
    counted: &Counted,
    parameters: &[(&str, &str)],
    unit: PrivacyUnit,
    books: &mut Noted,
) -> Result<Booked> {
    let entry = find(method)?;
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, parameters.to_vec())?)?;
    let terms = Terms {
        unit,
        ..Terms::default()
    };
    let mut random = RandomSource::insecure_seed(7);
    publish_counted(
        counted,
        mechanism.as_ref(),
        &terms,
        books,
        &mut random,
        &Silent,
    )
}

fn all_but_the_entry(release: &Release) -> Manifest {
    Manifest {
        id: String::new(),
        date: String::new(),
        ..release.manifest().clone()
    }
}

#[test]
fn the_release_is_the_one_of_records_that_are_here() {
    let two = PrivacyUnit::OwnerBounded(NonZeroU32::new(2).unwrap());
    for bins in [None, Some(4)] {
        let people = People::new(bins);
        for unit in [PrivacyUnit::Owner, two, PrivacyUnit::Trip] {
            for method in TREES {
                let random = &mut RandomSource::insecure_seed(7);
                let here = run(method, &people.here(), &PARAMETERS, unit, random).unwrap();
                assert!(
                    here.trajectories().len() > 100,
                    "{method}: too few to compare"
                );
                for parts in [1, 2, 7] {
                    let (elsewhere, _) = people.elsewhere(parts);
                    let mut books = Noted::default();
                    let there = counted(method, &elsewhere, &PARAMETERS, unit, &mut books);
                    let there = there.unwrap();
                    let there = there.release();
                    assert_eq!(here.trajectories(), there.trajectories());
                    let [ours, theirs] = [&here, there].map(|it| it.counts().unwrap());
                    assert_eq!(ours.prefixes, theirs.prefixes);
                    assert_eq!(ours.noisy, theirs.noisy);
                    assert_eq!(all_but_the_entry(&here), all_but_the_entry(there));
                }
            }
        }
    }
}

#[test]
fn nothing_is_counted_before_it_is_booked() {
    let (elsewhere, asked) = People::new(None).elsewhere(2);
    let mut books = Noted {
        asked: Arc::clone(&asked),
        ..Noted::default()
    };
    counted(
        "prefix-tree",
        &elsewhere,
        &PARAMETERS,
        PrivacyUnit::Owner,
        &mut books,
    )
    .unwrap();
    assert_eq!(books.booked, [("p".to_owned(), 0)]);
    assert_eq!(asked.load(Ordering::Relaxed), 4, "once for each level");
}

#[test]
fn a_method_that_needs_records_is_refused_before_anything_is_booked_or_counted() {
    let (elsewhere, asked) = People::new(Some(4)).elsewhere(2);
    for (method, parameters) in [
        ("weave", vec![("epsilon", "1")]),
        ("suppress", vec![("k", "2"), ("c", "1"), ("l", "2")]),
        (
            "fastpub",
            vec![("epsilon", "1"), ("k", "9"), ("length", "2")],
        ),
    ] {
        let mut books = Noted::default();
        let unit = PrivacyUnit::Owner;
        let error = counted(method, &elsewhere, &parameters, unit, &mut books).unwrap_err();
        assert_eq!(error.exit_code(), 1, "{error}");
        assert!(error.to_string().contains("stay where they are"), "{error}");
        assert!(books.booked.is_empty());
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}

#[test]
fn records_beside_an_engine_are_not_left_out_without_a_word() {
    let people = People::new(None);
    let engine = Parts {
        parts: Vec::new(),
        asked: Arc::default(),
    };
    assert!(Counted::new(people.here(), Box::new(engine)).is_err());
}

/// Answers truly, but for one level.
struct Faulty {
    parts: Parts,
    depth: usize,
    fault: fn(Tally) -> Result<Tally>,
}

impl Engine for Faulty {
    fn ask(&self, question: &Question) -> Result<Tally> {
        let tally = self.parts.ask(question)?;
        match question.what {
            What::Children { ref prefixes, .. } if prefixes.get(0).len() == self.depth => {
                (self.fault)(tally)
            }
            _ => Ok(tally),
        }
    }
}

fn with(extra: (u32, u32), count: u64, mut tally: Tally) -> Result<Tally> {
    tally.add(extra, count)?;
    Ok(tally)
}

#[test]
fn what_fails_or_does_not_fit_ends_there_and_stays_booked() {
    let people = People::new(Some(4));
    type Fault = fn(Tally) -> Result<Tally>;
    let faults: [(usize, Fault, &str); 5] = [
        (
            0,
            |_| Err(Error::system("the cluster", "went away")),
            "went away",
        ),
        (
            2,
            |_| Err(Error::system("the cluster", "went away")),
            "went away",
        ),
        // A part that was lost and counted twice.
        (
            1,
            |tally| {
                let mut twice = tally.clone();
                twice.merge(&tally)?;
                Ok(twice)
            },
            "changed while",
        ),
        (1, |tally| with((u32::MAX, 0), 1, tally), "does not answer"),
        (0, |tally| with((0, 36), 1, tally), "does not answer"),
    ];
    for (depth, fault, said) in faults {
        let parts = Parts {
            parts: vec![people.part(|_| true)],
            asked: Arc::default(),
        };
        let engine = Faulty {
            parts,
            depth,
            fault,
        };
        let elsewhere = Counted::new(people.dataset(|_| false), Box::new(engine)).unwrap();
        for method in TREES {
            let mut books = Noted::default();
            let unit = PrivacyUnit::Owner;
            let error = counted(method, &elsewhere, &PARAMETERS, unit, &mut books).unwrap_err();
            assert!(error.to_string().contains(said), "{error}");
            assert_eq!(books.booked.len(), 1, "what was begun is spent");
        }
    }
}
