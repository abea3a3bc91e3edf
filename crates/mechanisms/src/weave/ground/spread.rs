//! Points drawn inside the leaves that a candidate visits. Post-processing.
//!
//! A visit becomes a stay of so many points as stays in leaves of its level have. Every point is drawn among the
//! locations of the leaf, by what is believed to be there and by the length of the step that leads to it; how much
//! a length counts is corrected until steps are as long as they were counted to be.

use rayon::prelude::*;
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::Stream;

use super::super::draw::{Cumulative, once, unit};
use super::super::fit::Wanted;
use super::super::measure::Measured;
use super::look;
use super::survey::Survey;

/// Candidates drawn from one stream.
const CHUNK: usize = 1_024;
/// Candidates that lengths of steps are corrected with, and how often.
const SAMPLE: usize = 1_500;
const ROUNDS: usize = 8;

/// Candidates with their points.
pub(in super::super) struct Spread {
    /// The locations of every candidate.
    pub(in super::super) fine: Sequences,
    /// Their leaves.
    pub(in super::super) coarse: Sequences,
    /// The class of every candidate, for each group that has one for every record.
    lists: Vec<Sequences>,
    /// The sectors of every candidate.
    sectors: Sequences,
}

impl Survey {
    /// Draws points for every candidate.
    pub(in super::super) fn spread(
        &self,
        pool: &Sequences,
        max_length: usize,
        random: &mut RandomSource,
    ) -> Spread {
        let mut walker = Walker::new(self, max_length);
        walker.correct(pool, random);
        let streams = random.streams(pool.len().div_ceil(CHUNK));
        let chunk = |(number, mut stream): (usize, Stream)| {
            let mut fine = Vec::new();
            for candidate in number * CHUNK..((number + 1) * CHUNK).min(pool.len()) {
                let mut record = Vec::new();
                walker.walk(pool.codes_of(candidate), &mut record, &mut stream);
                fine.push(record);
            }
            fine
        };
        let chunks: Vec<Vec<Vec<u32>>> = streams.into_par_iter().enumerate().map(chunk).collect();
        let fine = Sequences::from_codes(chunks.iter().flatten());
        let mut own = Vec::new();
        let mut coarse = Sequences::empty(false);
        for record in fine.iter() {
            self.partition.coarse(record, &mut own);
            coarse.push(&own, &[]);
        }
        let mut sectors = Sequences::empty(false);
        for record in fine.iter() {
            look::sectors(&self.lattice, self.side, record, &mut own);
            sectors.push(&own, &[]);
        }
        let lists = self.singles.iter().map(|(kind, _)| {
            let class = |record| [kind.class(&self.lattice, record)];
            Sequences::from_codes(fine.iter().map(class))
        });
        Spread {
            lists: lists.collect(),
            sectors,
            coarse,
            fine,
        }
    }

    /// What candidates are fitted to after the usual.
    pub(in super::super) fn wanted<'a>(
        &'a self,
        spread: &'a Spread,
    ) -> impl Iterator<Item = Wanted<'a>> {
        let wanted = |((_, measured), lists): (&'a (_, Measured), &'a Sequences)| Wanted {
            measured,
            targets: None,
            lists: Some(lists),
        };
        let sectors = Wanted {
            measured: &self.sectors,
            targets: None,
            lists: Some(&spread.sectors),
        };
        std::iter::once(sectors).chain(self.singles.iter().zip(&spread.lists).map(wanted))
    }
}

struct Walker<'a> {
    survey: &'a Survey,
    max_length: usize,
    /// By level of leaves: how many points, and the weight of each number.
    stays: Vec<(Vec<usize>, Cumulative)>,
    /// By rows and columns gone: the class of the step.
    classes: Vec<u8>,
    /// How much a step counts, by its class, within leaves and between them.
    weights: Vec<f64>,
}

impl<'a> Walker<'a> {
    fn new(survey: &'a Survey, max_length: usize) -> Self {
        let lattice = &survey.lattice;
        let class = |code: usize| {
            look::step_class(lattice, code / lattice.columns, code % lattice.columns) as u8
        };
        Self {
            survey,
            max_length,
            stays: (0..=lattice.finest())
                .map(|level| stays(survey, level))
                .collect(),
            classes: (0..lattice.cells()).map(class).collect(),
            weights: vec![1.0; 2 * look::STEPS],
        }
    }

    /// A candidate's points, at most `max_length`.
    fn walk(&self, leaves: &[u32], record: &mut Vec<u32>, rng: &mut Stream) {
        let partition = &self.survey.partition;
        let lattice = &self.survey.lattice;
        let mut odds: Vec<f64> = Vec::new();
        for &leaf in leaves {
            let members = &partition.members[leaf as usize];
            let (numbers, weights) = &self.stays[partition.levels[leaf as usize] as usize];
            let stay = weights.draw(rng).map_or(1, |at| numbers[at]);
            for at in 0..stay {
                if record.len() >= self.max_length {
                    return;
                }
                odds.clear();
                let here = |code: u32| partition.density[code as usize];
                match record.last() {
                    None => odds.extend(members.iter().map(|&code| here(code))),
                    Some(&before) => {
                        let first = if at == 0 { look::STEPS } else { 0 };
                        let (row, column) = lattice.place(before);
                        odds.extend(members.iter().map(|&code| {
                            let (r, c) = lattice.place(code);
                            let gone = row.abs_diff(r) * lattice.columns + column.abs_diff(c);
                            here(code) * self.weights[first + usize::from(self.classes[gone])]
                        }));
                    }
                }
                let drawn = once(&odds, rng);
                let even = (unit(rng) * members.len() as f64) as usize;
                record.extend(members.get(drawn.unwrap_or(even)));
            }
        }
    }

    /// Corrects how much steps count until they are as long as they were counted to be.
    fn correct(&mut self, pool: &Sequences, random: &mut RandomSource) {
        let noisy = smooth(&self.survey.steps);
        let stride = pool.len().div_ceil(SAMPLE).max(1);
        let (mut record, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let mut rng = random.stream();
            let mut counts = vec![0.0f64; 2 * look::STEPS];
            for candidate in (0..pool.len()).step_by(stride) {
                record.clear();
                self.walk(pool.codes_of(candidate), &mut record, &mut rng);
                let survey = self.survey;
                look::steps(&survey.lattice, &survey.partition, &record, &mut steps);
                let each = 1.0 / steps.len().max(6) as f64;
                steps.iter().for_each(|&step| counts[step as usize] += each);
            }
            for half in [0..look::STEPS, look::STEPS..2 * look::STEPS] {
                let wanted: f64 = noisy[half.clone()].iter().sum();
                let have: f64 = counts[half.clone()].iter().sum();
                if wanted <= 0.0 || have <= 0.0 {
                    continue;
                }
                for class in half {
                    let (wanted, have) = (noisy[class] / wanted, counts[class] / have);
                    let ratio = ((wanted + 1e-4) / (have + 1e-4)).clamp(0.2, 5.0);
                    self.weights[class] = (self.weights[class] * ratio).clamp(1e-6, 1e6);
                }
            }
        }
    }
}

/// Noisy counts without those that noise alone could have made.
fn smooth(measured: &Measured) -> Vec<f64> {
    let least = 1.5 * measured.law.scale();
    let kept = |&count: &i64| {
        if (count as f64) > least {
            count as f64
        } else {
            0.0
        }
    };
    measured.dense().iter().map(kept).collect()
}

/// Numbers of points of stays at a level with their weights.
fn stays(survey: &Survey, level: u32) -> (Vec<usize>, Cumulative) {
    let counts = smooth(&survey.stays);
    let (mut numbers, mut weights) = (Vec::new(), Vec::new());
    for (cell, range) in look::stays_at(level) {
        let each = counts[cell] / range.len().max(1) as f64;
        for number in range {
            numbers.push(number);
            weights.push(each);
        }
    }
    (numbers, Cumulative::new(weights))
}
