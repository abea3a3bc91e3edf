//! The clients' reports and the server's answer.

use core::num::NonZeroU64;

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Error, RandomSource, Result, Sequences};
use wayveil_noise::{ExactProbability, below};

use super::super::{
    Baseline, Estimate, Found, RECORDS_PER_TASK, Seen, Traffic, bits_for, number_of_clients,
};
use super::puzzle::{SIGNIFICANT, frequent_pieces, join, joining_hash};
use super::sketch::{HashFunctions, Placed, Sketch, flip_probability, report_rate};
use super::words::{Alphabet, HASHES, Words};
use super::{Sfp, Spending};

/// One client in so many reports how many fragments it has, where counts are scaled.
const SCALE_SHARE: NonZeroU64 = NonZeroU64::new(20).expect("not zero");

/// The columns of that report: 0 to 31, the last for more as well.
const SCALE_WIDTH: u32 = 32;

/// What the clients of one length send.
pub(super) struct Group<'a> {
    of: &'a Sfp,
    pub(super) alphabet: Alphabet,
    words: Words,
    puzzled: bool,
    pub(super) hashes: HashFunctions,
    joining: HashFunctions,
    pub(super) word: Placed,
    pieces: Vec<Placed>,
    scale: Placed,
}

/// What one client sends, before bits are flipped: hash function and value.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Reports {
    pub(super) word: Option<(usize, u64)>,
    pub(super) piece: Option<(usize, u64, usize)>,
    pub(super) fragments: Option<usize>,
}

/// What the server gets, and makes of it.
#[derive(Default)]
struct Got {
    estimates: Vec<Estimate>,
    traffic: Traffic,
    seen: Seen,
}

impl Baseline for Sfp {
    fn name(&self) -> &'static str {
        match self.spending {
            Spending::Halves => "SFP as published",
            Spending::OneReport => "SFP",
        }
    }

    fn find(
        &self,
        records: &Sequences,
        per_record: u64,
        k: u64,
        random: &mut RandomSource,
    ) -> Result<Found> {
        records.check_ranges(self.locations as usize, records.bins().map(|_| u32::MAX))?;
        let clients = number_of_clients(records, per_record)?;
        let groups: Vec<Group<'_>> = (self.lengths.iter())
            .map(|&length| Group::new(self, records, length, &mut random.stream()))
            .collect::<Result<_>>()?;
        let Some(lengths) = NonZeroU64::new(groups.len() as u64) else {
            return Err(Error::input("there are no lengths to look for"));
        };
        let tasks: Vec<usize> = (0..records.len()).step_by(RECORDS_PER_TASK).collect();
        let mut streams = random.streams(tasks.len());
        (tasks.par_iter().zip(&mut streams)).for_each(|(&first, stream)| {
            for record in first..records.len().min(first + RECORDS_PER_TASK) {
                for _ in 0..per_record {
                    let group = &groups[below(lengths, stream) as usize];
                    group.place(&group.reports(record, stream));
                }
            }
        });
        let mut got = Got::default();
        for group in &groups {
            group.answer(clients, k, random, &mut got)?;
        }
        Ok(Found::new(got.estimates, k, got.traffic, got.seen))
    }
}

impl<'a> Group<'a> {
    pub(super) fn new<R: Rng + ?Sized>(
        of: &'a Sfp,
        records: &Sequences,
        length: usize,
        rng: &mut R,
    ) -> Result<Self> {
        let alphabet = Alphabet::new(of.locations, length)?;
        let functions = of.functions as usize;
        let puzzled = length > 2 && alphabet.words() > of.enumerable;
        let pieces = if puzzled { alphabet.pieces() } else { 0 };
        Ok(Self {
            of,
            words: Words::of(records, &alphabet),
            puzzled,
            hashes: HashFunctions::draw(of.functions, of.width, rng),
            joining: HashFunctions::draw(1, HASHES as u32, rng),
            word: Placed::new(functions, of.width),
            pieces: (0..pieces)
                .map(|_| Placed::new(functions, of.width))
                .collect(),
            scale: Placed::new(1, SCALE_WIDTH),
            alphabet,
        })
    }

    /// What one client sends. Everything but the values is drawn without looking at the record.
    pub(super) fn reports<R: Rng + ?Sized>(&self, record: usize, rng: &mut R) -> Reports {
        let own = self.words.of_record(record);
        let mut reports = Reports::default();
        if self.of.scaled && below(SCALE_SHARE, rng) == 0 {
            reports.fragments = Some(own.len().min(SCALE_WIDTH as usize - 1));
            return reports;
        }
        let word = match NonZeroU64::new(own.len() as u64) {
            Some(options) => self.words.distinct[own[below(options, rng) as usize] as usize],
            None => 0,
        };
        let both = self.of.spending == Spending::Halves;
        let piece = self.puzzled && (both || rng.next_u32() >> 31 == 1);
        if piece && let Some(positions) = NonZeroU64::new(self.pieces.len() as u64) {
            let position = below(positions, rng) as usize;
            let hash = joining_hash(&self.joining, word);
            let value = self
                .alphabet
                .with_hash(hash, self.alphabet.piece(word, position));
            reports.piece = Some((self.function(rng), value, position));
        }
        if both || !piece {
            reports.word = Some((self.function(rng), word));
        }
        reports
    }

    /// Whether a client sends a word and a piece.
    fn two_reports(&self) -> bool {
        self.puzzled && self.of.spending == Spending::Halves
    }

    /// The probability with which the bits of words and pieces are flipped.
    pub(super) fn flip(&self) -> Result<ExactProbability> {
        let shares = if self.two_reports() { 2 } else { 1 };
        Ok(flip_probability(report_rate(&self.of.epsilon, shares)?))
    }

    fn function<R: Rng + ?Sized>(&self, rng: &mut R) -> usize {
        NonZeroU64::new(self.hashes.len() as u64).map_or(0, |n| below(n, rng)) as usize
    }

    fn place(&self, reports: &Reports) {
        if let Some((function, word)) = reports.word {
            self.word
                .place(function, self.hashes.column(function, word));
        }
        if let Some((function, value, position)) = reports.piece {
            let column = self.hashes.column(function, value);
            self.pieces[position].place(function, column);
        }
        if let Some(fragments) = reports.fragments {
            self.scale.place(0, fragments);
        }
    }

    /// The server's side, which sees flipped bits only.
    fn answer(&self, clients: u64, k: u64, random: &mut RandomSource, got: &mut Got) -> Result<()> {
        let Got {
            estimates,
            traffic,
            seen,
        } = got;
        let length = self.alphabet.length();
        let two = self.two_reports();
        let flip = self.flip()?;
        let whole = flip_probability(report_rate(&self.of.epsilon, 1)?);
        let word = self.word.flipped(&flip, random);
        let scale = self.scale.flipped(&whole, random);
        let mean = mean_fragments(&scale);
        let least = |reports: u64| k as f64 / mean * reports as f64 / clients.max(1) as f64;
        let candidates = if self.puzzled {
            let mut positions = Vec::new();
            let mut reports = 0;
            for (position, placed) in self.pieces.iter().enumerate() {
                let sketch = placed.flipped(&flip, random);
                reports += sketch.reports();
                let least = least(sketch.reports()) / 2.0;
                let (alphabet, hashes) = (&self.alphabet, &self.hashes);
                positions.push(frequent_pieces(alphabet, position, &sketch, hashes, least));
                let about = format!("pieces {position} of {length}");
                seen.add(about, sketch.into_ones());
            }
            let bits = self.row_bits() + bits_for(self.pieces.len() as u64);
            traffic.add(if two { 0 } else { reports }, bits, 0);
            traffic.bits_up += if two { reports * bits } else { 0 };
            join(&self.alphabet, &self.joining, &positions)
        } else {
            self.alphabet.all()
        };
        traffic.add(word.reports(), self.row_bits(), 0);
        traffic.add(scale.reports(), SCALE_WIDTH.into(), 0);
        let factor = mean * clients as f64 / word.reports().max(1) as f64;
        let frequencies = word.frequencies(&self.hashes, &candidates);
        estimates.extend(
            (candidates.iter().zip(frequencies)).filter_map(|(&word, frequency)| {
                let significant = frequency.count >= SIGNIFICANT * frequency.standard_error;
                significant.then(|| Estimate {
                    fragment: self.alphabet.decode(word),
                    count: frequency.count * factor,
                    standard_error: frequency.standard_error * factor,
                })
            }),
        );
        seen.add(format!("words of {length}"), word.into_ones());
        seen.add(format!("numbers of {length}"), scale.into_ones());
        Ok(())
    }

    /// A row and which function it is of.
    fn row_bits(&self) -> u64 {
        u64::from(self.of.width) + bits_for(self.of.functions.into())
    }
}

/// The mean number of fragments of a client who has one; 1 where nobody was asked. Estimates below
/// zero are not raised to it, as that would add up over the columns.
fn mean_fragments(scale: &Sketch) -> f64 {
    let by_number = scale.unflipped(0).zip(0_u32..).skip(1);
    let (clients, fragments) = by_number.fold((0.0, 0.0), |(clients, fragments), (x, number)| {
        (clients + x, fragments + x * f64::from(number))
    });
    if clients > 0.0 {
        (fragments / clients).clamp(1.0, f64::from(SCALE_WIDTH - 1))
    } else {
        1.0
    }
}
