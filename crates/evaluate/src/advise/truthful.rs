//! The strongest (K, C)_L-privacy that a tolerance allows.
//!
//! There is no ε here and no noise: what is chosen is how much is promised. Promises are ordered by K
//! first (in how large a crowd everybody stands), then by L (how much an attacker may know), then by C
//! (how sure of a sensitive value nobody may be); L is at least 2, as nobody is known by one visit alone
//! who has any others. Loss grows with each of the three, so that the weakest L and C tell whether a K
//! can be had at all, and few runs are enough. The method draws no random numbers: one run in each arena
//! tells all.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{
    Attribute, ColumnNames, Error, Labels, Progress, RandomSource, Result, SensitiveValues,
};

use super::advice::{Advice, Point, Source, TriedOn};
use super::arena::{Arena, Ring};
use super::candidates::Method;
use super::facts::Facts;
use super::ladder::check_tolerance;
use super::lookalike::{index, part};
use super::score::Errors;
use super::search::{Effort, Tried};
use crate::evaluation::Candidate;
use crate::task::Task;

/// Crowds, the largest first.
const K: [u32; 7] = [100, 50, 20, 10, 5, 3, 2];
/// What an attacker may know, the least first.
const L: [u32; 3] = [2, 3, 4];
/// How sure nobody may be, the weakest first, where there are sensitive values.
const C: [&str; 4] = ["0.8", "0.5", "0.4", "0.3"];
/// The share of people with a sensitive value where nobody says.
const USUAL_SHARE: f64 = 0.1;

/// Values that nobody may be tied to.
#[derive(Clone, Debug)]
pub struct Sensitive {
    /// As given: passed on to the method.
    pub text: String,
    /// By column.
    values: Vec<SensitiveValues>,
    /// The share of people with one of them, as said in public.
    share: f64,
}

impl Sensitive {
    /// Reads `COLUMN=VALUE,...` against the names of columns. Which values occur is not looked at.
    pub fn read(text: &str, facts: &Facts, share: Option<f64>) -> Result<Self> {
        let share = share.unwrap_or(USUAL_SHARE);
        if !(share > 0.0 && share < 1.0) {
            return Err(Error::input(format!(
                "invalid share of sensitive values (got {share}): must be above 0 and below 1"
            ))
            .hint("give --sensitive-share about which part of the people has one, such as 0.1"));
        }
        let named = |name: &String| Attribute {
            name: name.clone(),
            values: Labels::new(),
            of_record: Vec::new(),
        };
        let columns: Vec<Attribute> = facts.columns.iter().map(named).collect();
        Ok(Self {
            text: text.to_owned(),
            values: SensitiveValues::read(text, ColumnNames::of(&columns))?,
            share,
        })
    }

    /// The share that is taken.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Made-up columns: whether a person has a sensitive value has nothing to do with their visits.
    pub(super) fn columns(&self, rows: usize, random: &mut impl Rng) -> Vec<Attribute> {
        let column = |it: &SensitiveValues| {
            let mut values: Labels = it.values.iter().collect();
            let other = values.push("another value") as u32;
            let value = |random: &mut _| match part(random) < self.share {
                true => index(it.values.len(), random) as u32,
                false => other,
            };
            Attribute {
                name: it.column.clone(),
                values,
                of_record: (0..rows).map(|_| value(random)).collect(),
            }
        };
        self.values.iter().map(column).collect()
    }
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct TruthfulQuestion {
    /// Which share of the visits may be lost.
    pub tolerance: Option<f64>,
    /// Sensitive values, where there are any.
    pub sensitive: Option<Sensitive>,
    /// How much is tried.
    pub effort: Effort,
}

/// The strongest promise whose loss stays within the tolerance in the mean over arenas; without a
/// tolerance, how much each K with L = 2 loses, and the strongest that keeps a quarter.
pub fn advise_truthful(
    question: &TruthfulQuestion,
    facts: &Facts,
    people: u64,
    arenas: &[Arena],
    source: Source,
    progress: &dyn Progress,
) -> Result<Advice> {
    check_tolerance(question.tolerance)?;
    if facts.time.is_none() {
        return Err(
            Error::input("truthful records need time bins: a visit is a place at a time")
                .hint("import the data with --bin-width, --bin-origin and --bins"),
        );
    }
    let names: Vec<String> = arenas.iter().map(|it| it.name().to_owned()).collect();
    let mut climb = Climb {
        ring: Ring::new(
            arenas,
            Task::Truthful,
            facts.unit,
            question.effort.most_records(),
        ),
        question,
        people,
        names: &names,
        points: Vec::new(),
        runs: 0,
    };
    progress.begin("trying promises out", Some(K.len() as u64));
    let advised = climb.strongest(progress)?;
    progress.end();
    let Climb { points, runs, .. } = climb;
    if points.is_empty() {
        return Err(
            Error::refused("suppression refused every promise that was tried")
                .hint("wayveil publish suppress says why; a smaller --l may help"),
        );
    }
    let least = (0..points.len()).min_by(|&a, &b| {
        let mean = |at: usize| points[at].error.mean;
        mean(a).total_cmp(&mean(b))
    });
    let meets = advised.is_some();
    let would_help = match (meets, least) {
        (false, Some(least)) => vec![
            format!(
                "a larger tolerance: {} % can be met",
                (points[least].error.mean * 100.0).ceil()
            ),
            "wider time bins or coarser places, so that more people share a visit".into(),
            "more people: a longer period, or several operators together".into(),
            "counts or patterns instead of true records: --task counts, under differential privacy"
                .into(),
        ],
        _ => Vec::new(),
    };
    Ok(Advice {
        task: Task::Truthful,
        tolerance: question.tolerance,
        source,
        people,
        factor: arenas.iter().map(Arena::factor).max().unwrap_or(1),
        arenas: names.clone(),
        assumed: Vec::new(),
        nothing: 1.0,
        points,
        advised: advised.or(least),
        meets,
        smaller_untried: false,
        would_help,
        left_out: Vec::new(),
        runs,
    })
}

struct Climb<'a> {
    ring: Ring<'a>,
    question: &'a TruthfulQuestion,
    people: u64,
    names: &'a [String],
    points: Vec<Point>,
    runs: u64,
}

impl Climb<'_> {
    /// The position of the strongest promise that is kept within the tolerance.
    fn strongest(&mut self, progress: &dyn Progress) -> Result<Option<usize>> {
        let confidences: &[&str] = match self.question.sensitive {
            Some(_) => &C,
            None => &["1"],
        };
        let knowledge = match self.question.effort {
            Effort::Quick => &L[..2],
            Effort::Normal | Effort::Thorough => &L[..],
        };
        for k in K {
            progress.advance(1);
            let mut strongest = None;
            for &l in knowledge {
                match self.kept(k, l, confidences[0])? {
                    Some(at) => strongest = Some((at, l)),
                    None => break,
                }
            }
            let Some((mut at, l)) = strongest else {
                continue;
            };
            for c in &confidences[1..] {
                match self.kept(k, l, c)? {
                    Some(stronger) => at = stronger,
                    None => break,
                }
            }
            return Ok(Some(at));
        }
        Ok(None)
    }

    /// Tries a promise; its position if it meets the tolerance.
    fn kept(&mut self, k: u32, l: u32, c: &str) -> Result<Option<usize>> {
        let mut parameters = vec![
            ("k".to_owned(), k.to_string()),
            ("l".to_owned(), l.to_string()),
        ];
        if let Some(sensitive) = &self.question.sensitive {
            parameters.push(("c".into(), c.to_owned()));
            parameters.push(("sensitive".into(), sensitive.text.clone()));
        }
        let candidate = Candidate {
            method: Method::Suppress.name().into(),
            parameters,
        };
        let first = self.ring.arenas.first();
        let (records, factor) = first.map_or((0, 1), |it| (it.rows(), it.factor()));
        let arenas = self.ring.arenas.par_iter();
        let tried = arenas
            .map(|arena| {
                // It draws nothing.
                let mut random = RandomSource::insecure_seed(0);
                self.ring.error(arena.raw(), &candidate, &mut random)
            })
            .collect::<Result<Vec<Tried>>>()?;
        self.runs += tried.len() as u64;
        let mut errors = Errors::none(tried.len());
        for (arena, tried) in tried.into_iter().enumerate() {
            match tried {
                Tried::Error(error) => errors.push(arena, error),
                Tried::Refused(_) => return Ok(None),
            }
        }
        let error = errors.spread(self.names);
        let meets = error.mean <= self.question.tolerance.unwrap_or(super::ladder::USEFUL);
        self.points.push(Point {
            method: candidate.method,
            epsilon: None,
            parameters: candidate.parameters,
            error,
            meets,
            tried: TriedOn {
                records,
                each_for: 1,
                people: self.people / factor.max(1),
            },
        });
        Ok(meets.then(|| self.points.len() - 1))
    }
}
