//! Questions to the adviser, and what its answers are worth.

use wayveil_core::{Rational, Result, Silent};
use wayveil_evaluate::Task;
use wayveil_evaluate::advise::{
    Advice, Effort, Question, Sensitive, Source, TruthfulQuestion, advise, advise_truthful,
    like_release, look_at, lookalikes,
};
use wayveil_evaluate::evaluation::Candidate;
use wayveil_evaluate::samples::Samples;

use super::Plan;
use super::data::{Data, small_release};
use super::grid::candidates;
use super::measure::{errors, mean};

const SEED: u64 = 11;
/// What the small release costs.
pub(super) const PAID: &str = "0.1";
/// The greatest ε that is advised for a tolerance.
const MOST_EPSILON: u64 = 2;
/// What truthful records may lose.
const LOSS: f64 = 0.7;

/// Where advice comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Look,
    Facts,
    Like,
    Pay,
}

impl From {
    pub(super) const ALL: [Self; 4] = [Self::Look, Self::Facts, Self::Like, Self::Pay];
}

/// Asks the adviser.
fn ask(
    data: &Data,
    from: From,
    task: Task,
    epsilon: Option<&str>,
    tolerance: Option<f64>,
) -> Result<Advice> {
    let facts = &data.facts;
    let effort = match from {
        From::Look => Effort::Normal,
        From::Facts | From::Like | From::Pay => Effort::Quick,
    };
    let most = effort.most_people();
    let (source, (people, arenas)) = match from {
        From::Look => (Source::Raw, look_at(&data.raw, facts.unit, most, SEED)?),
        From::Facts => {
            let arenas = lookalikes(facts, None, most, SEED)?;
            (Source::Facts, (facts.sizes.people.unwrap_or(0), arenas))
        }
        From::Like => {
            let made = like_release(facts, None, &data.last_month, most, SEED)?;
            (Source::Release, made)
        }
        From::Pay => {
            let release = small_release(&data.raw, PAID, "3")?;
            (
                Source::Release,
                like_release(facts, None, &release, most, SEED)?,
            )
        }
    };
    let question = Question {
        task,
        tolerance,
        epsilon: epsilon.map(str::parse).transpose()?,
        most_epsilon: Rational::new(MOST_EPSILON, 1)?,
        methods: Vec::new(),
        nobody_trusted: false,
        effort,
        seed: SEED,
    };
    advise(
        &question,
        facts,
        people,
        &arenas,
        source,
        Vec::new(),
        &Silent,
    )
}

/// The runs of a setting.
#[derive(Clone)]
pub(super) struct Valued {
    pub(super) error: Samples,
}

impl Valued {
    pub(super) fn mean(&self) -> f64 {
        self.error.mean().unwrap_or(f64::INFINITY)
    }

    /// How many times as wrong as another, with half the width of a 95 % interval.
    pub(super) fn over(&self, other: &Self) -> (f64, f64) {
        let ratio = self.mean() / other.mean();
        let relative = |it: &Self| it.error.half_width().unwrap_or(0.0) / it.mean();
        (ratio, ratio * relative(self).hypot(relative(other)))
    }
}

/// A data set, a task and an ε.
pub(super) struct Cell {
    pub(super) data: &'static str,
    pub(super) task: Task,
    pub(super) epsilon: String,
    /// How many settings the sweep has.
    pub(super) swept: usize,
    pub(super) best: Valued,
    /// Others that did well, with ε.
    near_best: Vec<Candidate>,
    /// What was advised, and the error that was expected.
    pub(super) advised: Vec<(From, Valued, f64)>,
}

impl Cell {
    pub(super) fn run(plan: &Plan, data: &Data, task: Task, epsilon: &str) -> Result<Self> {
        let grid: Vec<Candidate> = candidates(&data.facts, task)
            .iter()
            .map(|it| it.with("epsilon", epsilon))
            .collect();
        let first = errors(&data.raw, task, &grid, 1, 1)?;
        let mut order: Vec<usize> = (0..grid.len()).collect();
        order.sort_by(|&a, &b| mean(&first[a]).total_cmp(&mean(&first[b])));
        order.truncate(plan.finalists);
        let mut compared: Vec<Candidate> = order.iter().map(|&at| grid[at].clone()).collect();
        let near_best = compared.clone();
        let mut expected = Vec::new();
        for from in From::ALL {
            let advice = ask(data, from, task, Some(epsilon), None)?;
            if let Some(point) = advice.advised() {
                expected.push((from, point.error.mean));
                compared.push(point.candidate());
            }
        }
        // All are run afresh, and equally often.
        let fresh = errors(&data.raw, task, &compared, plan.repeats, 2)?;
        let valued: Vec<Valued> = fresh
            .into_iter()
            .map(|error| Valued {
                error: error.unwrap_or_default(),
            })
            .collect();
        let (swept, asked) = valued.split_at(near_best.len());
        // The adviser may find what the sweep does not hold: the best is the best of all.
        let best = valued.iter().min_by(|a, b| a.mean().total_cmp(&b.mean()));
        let best = best.unwrap_or(&swept[0]).clone();
        let advised = expected.iter().zip(asked);
        Ok(Self {
            data: data.preset.info().name,
            task,
            epsilon: epsilon.to_owned(),
            swept: grid.len(),
            best,
            near_best,
            advised: advised
                .map(|(&(from, error), valued)| (from, valued.clone(), error))
                .collect(),
        })
    }

    pub(super) fn words(&self) -> String {
        let ratios = self.advised.iter().map(|(from, valued, _)| {
            let (ratio, half) = valued.over(&self.best);
            format!("{from:?} {ratio:.2} ± {half:.2}")
        });
        let ratios: Vec<String> = ratios.collect();
        format!(
            "{} {} at {}: best {:.4} of {} settings; {}",
            self.data,
            self.task,
            self.epsilon,
            self.best.mean(),
            self.swept,
            ratios.join(", ")
        )
    }
}

/// The ε that is advised for a tolerance, beside the least that meets it.
pub(super) struct Ladder {
    pub(super) data: &'static str,
    pub(super) tolerance: f64,
    /// The least of those that were tried in steps of a tenth of a decade.
    pub(super) truly: Option<f64>,
    /// By source: ε, and the error that it has.
    pub(super) advised: Vec<(From, f64, f64)>,
}

impl Ladder {
    /// The tolerance is halfway between the best errors at two ε, so that neither end is the answer.
    pub(super) fn run(plan: &Plan, data: &Data, low: &Cell, high: &Cell) -> Result<Self> {
        let tolerance = (low.best.mean() + high.best.mean()) / 2.0;
        let task = low.task;
        let known: Vec<Candidate> = [low, high]
            .iter()
            .flat_map(|it| it.near_best.clone())
            .collect();
        let mut truly = None;
        let first: f64 = low.epsilon.parse().unwrap_or(1.0);
        for tenth in 0..=6_u32 {
            let epsilon = first * 10_f64.powf(f64::from(tenth) / 10.0);
            let text = format!("{epsilon:.2}");
            let settings: Vec<Candidate> =
                known.iter().map(|it| it.with("epsilon", &text)).collect();
            let round = u64::from(100 + tenth);
            let runs = errors(&data.raw, task, &settings, plan.repeats / 2, round)?;
            if runs.iter().any(|it| mean(it) <= tolerance) {
                truly = Some(epsilon);
                break;
            }
        }
        let mut advised = Vec::new();
        for from in [From::Look, From::Facts] {
            let advice = ask(data, from, task, None, Some(tolerance))?;
            if let Some(point) = advice.advised().filter(|_| advice.meets) {
                let error = errors(&data.raw, task, &[point.candidate()], plan.repeats, 3)?;
                let epsilon = point.epsilon.as_deref().and_then(|it| it.parse().ok());
                advised.push((from, epsilon.unwrap_or(f64::NAN), mean(&error[0])));
            }
        }
        Ok(Self {
            data: low.data,
            tolerance,
            truly,
            advised,
        })
    }

    pub(super) fn words(&self) -> String {
        format!(
            "{}: {:.3} is met from {:?} on; advised {:?}",
            self.data, self.tolerance, self.truly, self.advised
        )
    }
}

/// What is advised for truthful records.
pub(super) struct Promise {
    pub(super) data: &'static str,
    /// By source: the promise, the loss that was expected, and the loss that it has.
    pub(super) advised: Vec<(From, String, f64, f64)>,
}

impl Promise {
    pub(super) const LOSS: f64 = LOSS;

    pub(super) fn run(data: &Data) -> Result<Self> {
        let info = data.preset.info();
        let (text, share) = match info.attribute {
            Some(it) => (
                format!("{}={}", it.name, it.sensitive.join(",")),
                it.sensitive_percent as f64 / 100.0,
            ),
            None => (String::new(), 0.1),
        };
        let facts = &data.facts;
        let sensitive = Sensitive::read(&text, facts, Some(share))?;
        let question = TruthfulQuestion {
            tolerance: Some(LOSS),
            sensitive: Some(sensitive.clone()),
            effort: Effort::Normal,
        };
        let people = facts.sizes.people.unwrap_or(0);
        let mut advised = Vec::new();
        for from in [From::Look, From::Facts] {
            let (source, arenas) = match from {
                From::Look => (Source::Raw, look_at(&data.raw, facts.unit, people, SEED)?.1),
                _ => (
                    Source::Facts,
                    lookalikes(facts, Some(&sensitive), people, SEED)?,
                ),
            };
            let advice = advise_truthful(&question, facts, people, &arenas, source, &Silent)?;
            if let Some(point) = advice.advised() {
                let value = |name: &str| {
                    let found = point.parameters.iter().find(|(known, _)| known == name);
                    found.map_or("", |(_, value)| value.as_str())
                };
                let promise = format!("K = {}, L = {}, C = {}", value("k"), value("l"), value("c"));
                let error = errors(&data.raw, Task::Truthful, &[point.candidate()], 1, 4)?;
                advised.push((from, promise, point.error.mean, mean(&error[0])));
            }
        }
        Ok(Self {
            data: info.name,
            advised,
        })
    }

    pub(super) fn words(&self) -> String {
        format!("{} truthful: {:?}", self.data, self.advised)
    }
}
