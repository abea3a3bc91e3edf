//! The values of ε that are tried, and the least that meets a tolerance.

use wayveil_core::{Error, Progress, Rational, Result};

use super::advice::{Advice, LeftOut, Point, Source, TriedOn};
use super::arena::{Arena, Ring};
use super::candidates::{Method, Space, spaces};
use super::facts::Facts;
use super::score::{Errors, preferred};
use super::search::{Effort, Search, Settled, Trials};
use super::setting::Setting;
use crate::task::Task;

/// The usual values.
const RUNGS: [&str; 11] = [
    "0.01", "0.02", "0.05", "0.1", "0.25", "0.5", "1", "2", "4", "8", "16",
];
/// A release must be at most this many times as wrong as releasing nothing, with a tolerance or without: a
/// tolerance that an empty release meets would else be met by spending as little as possible on noise.
pub const USEFUL: f64 = 0.75;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the release is for.
    pub task: Task,
    /// How wrong it may be, as a share; without one the least error is looked for.
    pub tolerance: Option<f64>,
    /// ε, if it is fixed.
    pub epsilon: Option<Rational>,
    /// The greatest ε otherwise.
    pub most_epsilon: Rational,
    /// Methods that may be advised; empty for all.
    pub methods: Vec<Method>,
    /// Whether the collector may not learn anything either.
    pub nobody_trusted: bool,
    /// How much is tried.
    pub effort: Effort,
    /// Decides all chance.
    pub seed: u64,
}

/// Tries methods out in arenas and says which serves. `people` is how many the release will be about.
pub fn advise(
    question: &Question,
    facts: &Facts,
    people: u64,
    arenas: &[Arena],
    source: Source,
    left_out: Vec<LeftOut>,
    progress: &dyn Progress,
) -> Result<Advice> {
    check_tolerance(question.tolerance)?;
    let ring = Ring::new(
        arenas,
        question.task,
        facts.unit,
        question.effort.most_records(),
    );
    let nothing = ring.nothing()?.ok_or_else(|| undefined(question.task))?;
    let nothing = nothing.iter().sum::<f64>() / nothing.len().max(1) as f64;
    let (task, effort) = (question.task, question.effort);
    let (spaces, mut left_out) = considered(question, facts, people, left_out)?;
    let names: Vec<String> = arenas.iter().map(|it| it.name().to_owned()).collect();
    let mut climb = Climb {
        search: Search::new(&ring, effort, question.seed),
        spaces: &spaces,
        wanted: Wanted {
            tolerance: question.tolerance,
            nothing,
        },
        names: &names,
        found: Vec::new(),
        progress,
    };
    climb.all_rungs(question)?;
    if question.epsilon.is_none() && question.tolerance.is_some() {
        climb.descend()?;
        climb.narrow(steps(effort))?;
    }
    for space in &spaces {
        if climb.found.iter().all(|it| it.space != space.method) {
            let method = space.method.name();
            let reason = climb.search.refused(method).unwrap_or("it refused");
            left_out.push(LeftOut {
                method: method.into(),
                reason: reason.to_owned(),
            });
        }
    }
    let (mut points, advised, meets) = climb.verdict();
    for (point, found) in points.iter_mut().zip(&climb.found) {
        point.tried = tried_on(&ring, arenas, found, people);
    }
    let least = points.first().map(|it| it.epsilon.clone());
    let at = advised.and_then(|at| points.get(at));
    let smaller_untried =
        question.epsilon.is_none() && meets && at.map(|it| it.epsilon.clone()) == least;
    let factor = advised.and_then(|at| Some(points.get(at)?.tried.each_for));
    let advice = Advice {
        task,
        tolerance: question.tolerance,
        source,
        people,
        factor: factor.unwrap_or(1),
        arenas: names.clone(),
        assumed: Vec::new(),
        nothing,
        points,
        advised,
        meets,
        smaller_untried,
        would_help: Vec::new(),
        left_out,
        runs: climb.search.runs(),
    };
    Ok(Advice {
        would_help: would_help(&advice, question),
        ..advice
    })
}

/// The methods that are tried for a question, and those that are not; an error where none is.
fn considered(
    question: &Question,
    facts: &Facts,
    people: u64,
    mut left_out: Vec<LeftOut>,
) -> Result<(Vec<Space>, Vec<LeftOut>)> {
    let Question {
        task,
        nobody_trusted,
        ref methods,
        effort,
        ..
    } = *question;
    let (spaces, excluded) = spaces(facts, people, task, nobody_trusted, methods, effort);
    let known: Vec<String> = left_out.iter().map(|it| it.method.clone()).collect();
    let is_known = |name: &str| known.iter().any(|it| it == name);
    let spaces: Vec<Space> = spaces
        .into_iter()
        .filter(|space| !is_known(space.method.name()))
        .collect();
    left_out.extend(excluded.into_iter().filter(|it| !is_known(&it.method)));
    if spaces.is_empty() {
        let reasons: Vec<String> = left_out
            .iter()
            .map(|it| format!("{}: {}", it.method, it.reason))
            .collect();
        return Err(
            Error::input(format!("no method serves the task {task} here")).hint(reasons.join("; ")),
        );
    }
    Ok((spaces, left_out))
}

/// Whether a question can be answered at all, before anything is spent on it.
pub fn check_question(
    question: &Question,
    facts: &Facts,
    people: u64,
    left_out: Vec<LeftOut>,
) -> Result<()> {
    check_tolerance(question.tolerance)?;
    considered(question, facts, people, left_out).map(|_| ())
}

/// What the runs of a point were of.
fn tried_on(ring: &Ring<'_>, arenas: &[Arena], found: &Found, people: u64) -> TriedOn {
    let scale = ring.scale_at(found.space, &found.epsilon);
    let all = arenas
        .iter()
        .map(|it| it.rows().saturating_mul(it.factor()))
        .min();
    let share = scale.people() as f64 / all.unwrap_or(0).max(1) as f64;
    TriedOn {
        records: scale.rows,
        each_for: scale.times,
        people: (people as f64 * share.min(1.0)).round() as u64,
    }
}

/// Refuses a tolerance that is no share.
pub(super) fn check_tolerance(tolerance: Option<f64>) -> Result<()> {
    match tolerance.filter(|it| !(*it > 0.0 && *it < 1.0)) {
        None => Ok(()),
        Some(share) => Err(Error::input(format!(
            "invalid tolerance (got {} %): must be above 0 % and below 100 %",
            share * 100.0
        ))
        .hint("give --tolerance how wrong the release may be, such as 5%")),
    }
}

fn undefined(task: Task) -> Error {
    Error::input(format!("the error of {task} is not defined on such data"))
        .hint("patterns and flows need records of two or more visits: say so with --typical-length")
}

/// How often an interval between two values of ε is halved.
fn steps(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 1,
        Effort::Normal => 2,
        Effort::Thorough => 4,
    }
}

/// The values that are tried, ascending.
fn rungs(question: &Question) -> Result<Vec<Rational>> {
    if let Some(fixed) = &question.epsilon {
        return Ok(vec![fixed.clone()]);
    }
    let most = &question.most_epsilon;
    let mut rungs = Vec::new();
    for text in RUNGS {
        let rung: Rational = text.parse()?;
        if rung < *most {
            rungs.push(rung);
        }
    }
    rungs.push(most.clone());
    let count = match question.effort {
        Effort::Quick => 3,
        Effort::Normal => 5,
        Effort::Thorough => 7,
    };
    Ok(rungs.split_off(rungs.len().saturating_sub(count)))
}

/// What a point must meet.
struct Wanted {
    tolerance: Option<f64>,
    nothing: f64,
}

impl Wanted {
    fn is_met(&self, error: f64) -> bool {
        self.tolerance.is_none_or(|most| error <= most) && error <= self.nothing * USEFUL
    }
}

struct Found {
    space: Method,
    epsilon: Rational,
    settled: Settled,
    mean: f64,
}

struct Climb<'a, T> {
    search: Search<'a, T>,
    spaces: &'a [Space],
    wanted: Wanted,
    names: &'a [String],
    found: Vec<Found>,
    progress: &'a dyn Progress,
}

impl<T: Trials> Climb<'_, T> {
    fn all_rungs(&mut self, question: &Question) -> Result<()> {
        let rungs = rungs(question)?;
        let total = rungs.len() * self.spaces.len();
        self.progress
            .begin("trying methods out", Some(total as u64));
        for space in self.spaces {
            let mut known: Vec<Setting> = Vec::new();
            // From the greatest on, where differences are clearest; what did well there is known below.
            for epsilon in rungs.iter().rev() {
                if let Some(settled) = self.search.settle(space, epsilon, &known)? {
                    known.clone_from(&settled.finalists);
                    self.keep(space.method, epsilon.clone(), settled);
                }
                self.progress.advance(1);
            }
        }
        self.progress.end();
        Ok(())
    }

    fn keep(&mut self, space: Method, epsilon: Rational, settled: Settled) {
        let mean = settled.errors.spread(self.names).mean;
        self.found.push(Found {
            space,
            epsilon,
            settled,
            mean,
        });
    }

    fn epsilons(&self) -> Vec<Rational> {
        let mut all: Vec<Rational> = self.found.iter().map(|it| it.epsilon.clone()).collect();
        all.sort();
        all.dedup();
        all
    }

    fn met_at(&self, epsilon: &Rational) -> bool {
        let mut here = self.found.iter().filter(|it| it.epsilon == *epsilon);
        here.any(|it| self.wanted.is_met(it.mean))
    }

    /// Goes on to smaller values while the least that was tried meets the tolerance, with the methods
    /// that do: however large the greatest ε is, the least that serves is found.
    fn descend(&mut self) -> Result<()> {
        for text in RUNGS.iter().rev() {
            let rung: Rational = text.parse()?;
            let Some(least) = self.epsilons().into_iter().next() else {
                break;
            };
            if rung >= least {
                continue;
            }
            let meeting: Vec<Method> = self
                .found
                .iter()
                .filter(|it| it.epsilon == least && self.wanted.is_met(it.mean))
                .map(|it| it.space)
                .collect();
            if meeting.is_empty() {
                break;
            }
            let spaces = self.spaces;
            for space in spaces.iter().filter(|it| meeting.contains(&it.method)) {
                let before = self
                    .found
                    .iter()
                    .find(|it| it.space == space.method && it.epsilon == least);
                let known = before.map_or(Vec::new(), |it| it.settled.finalists.clone());
                if let Some(settled) = self.search.settle(space, &rung, &known)? {
                    self.keep(space.method, rung.clone(), settled);
                }
            }
            if !self.epsilons().contains(&rung) {
                break;
            }
        }
        Ok(())
    }

    /// Halves the interval between the least ε that meets the tolerance and the one before, on a scale of
    /// ratios, with what did well at both ends.
    fn narrow(&mut self, steps: usize) -> Result<()> {
        self.progress
            .begin("narrowing epsilon down", Some(steps as u64));
        for _ in 0..steps {
            let all = self.epsilons();
            let Some(least) = all.iter().position(|it| self.met_at(it)) else {
                break;
            };
            let Some(below) = least.checked_sub(1) else {
                break;
            };
            let (low, high) = (&all[below], &all[least]);
            let Some(middle) = between(low, high)? else {
                break;
            };
            for space in self.spaces {
                let mut pool: Vec<Setting> = Vec::new();
                for known in self.found.iter().filter(|it| {
                    it.space == space.method && (it.epsilon == *low || it.epsilon == *high)
                }) {
                    let more = known.settled.finalists.iter().take(3);
                    pool.extend(
                        more.filter(|it| !pool.contains(it))
                            .cloned()
                            .collect::<Vec<_>>(),
                    );
                    if !pool.contains(&known.settled.setting) {
                        pool.push(known.settled.setting.clone());
                    }
                }
                if let Some(settled) = self.search.choose(pool, &middle)? {
                    self.keep(space.method, middle.clone(), settled);
                }
            }
            self.progress.advance(1);
        }
        self.progress.end();
        Ok(())
    }

    /// Points in order of ε, which is advised, and whether it meets what was asked for.
    ///
    /// With a tolerance: the least ε at which any method meets it, and there the best method, the simpler
    /// among equals. Without: the least error, and the least ε whose error cannot be told from it.
    fn verdict(&mut self) -> (Vec<Point>, Option<usize>, bool) {
        self.found
            .sort_by(|a, b| a.epsilon.cmp(&b.epsilon).then(a.space.cmp(&b.space)));
        let meeting = |it: &&Found| self.wanted.is_met(it.mean);
        let best_of = |positions: Vec<usize>| {
            let compared: Vec<(&Errors, (Rational, Method))> = positions
                .iter()
                .map(|&at| {
                    let it = &self.found[at];
                    (&it.settled.errors, (it.epsilon.clone(), it.space))
                })
                .collect();
            preferred(&compared).map(|at| positions[at])
        };
        let least = self.found.iter().find(meeting).map(|it| it.epsilon.clone());
        let at_least: Vec<usize> = (0..self.found.len())
            .filter(|&at| {
                let it = &self.found[at];
                self.wanted.tolerance.is_none() || least.as_ref() == Some(&it.epsilon)
            })
            .filter(|&at| meeting(&&self.found[at]))
            .collect();
        let meets = !at_least.is_empty();
        let advised = match meets {
            true => best_of(at_least),
            false => best_of((0..self.found.len()).collect()),
        };
        let points = self.found.iter().map(|it| self.point(it)).collect();
        (points, advised, meets)
    }

    fn point(&self, found: &Found) -> Point {
        let epsilon = found.epsilon.to_string();
        let candidate = found.settled.setting.candidate();
        let mut parameters = vec![("epsilon".to_owned(), epsilon.clone())];
        parameters.extend(candidate.parameters);
        Point {
            method: candidate.method,
            epsilon: Some(epsilon),
            parameters,
            error: found.settled.errors.spread(self.names),
            meets: self.wanted.is_met(found.mean),
            tried: TriedOn {
                records: 0,
                each_for: 1,
                people: 0,
            },
        }
    }
}

/// A value between two, with two digits that count; none where there is none.
fn between(low: &Rational, high: &Rational) -> Result<Option<Rational>> {
    let middle = (low.to_f64() * high.to_f64()).sqrt();
    let places = (1 - middle.log10().floor() as i32).clamp(0, 12) as usize;
    let middle: Rational = format!("{middle:.places$}").parse()?;
    Ok((middle > *low && middle < *high).then_some(middle))
}

/// What would make a yes of a no.
fn would_help(advice: &Advice, question: &Question) -> Vec<String> {
    let (false, Some(best)) = (advice.meets, advice.advised()) else {
        return Vec::new();
    };
    let mut help = Vec::new();
    let reached = best.error.mean;
    if advice.tolerance.is_some() && reached <= advice.nothing * USEFUL {
        help.push(format!(
            "a larger tolerance: {} % can be met",
            (reached * 100.0).ceil()
        ));
    }
    help.push(match &question.epsilon {
        Some(_) => "a larger --epsilon, or --max-epsilon to have one looked for".into(),
        None => format!(
            "a larger --max-epsilon than {}, if you can answer for it",
            question.most_epsilon
        ),
    });
    help.push("more people: a longer period, or several operators together".into());
    help.push(
        "coarser places (districts instead of stops), wider time bins, shorter records".into(),
    );
    help
}

#[cfg(test)]
mod tests;
