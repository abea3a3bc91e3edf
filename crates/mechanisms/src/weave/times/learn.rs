//! From noisy counts of times to what candidates' times are drawn from. Post-processing.

use super::super::denoise::{Estimate, denoise};
use super::super::draw::Cumulative;
use super::super::features::Kind;
use super::super::measure::Measured;
use super::Times;
use super::bins_of;
use super::cells::{LEFT, LENGTHS, length_class};
use super::gaps::of_class;

/// Bounds of how much more often than on the average a place is visited in a bin.
const LIFT: (f64, f64) = (0.02, 50.0);
/// Bounds of how much likelier it is to stay after one gap than after any.
const STAYING: (f64, f64) = (1e-4, 50.0);

/// From this part of moves within a bin on, returns are as likely there as elsewhere.
const USUAL: f64 = 0.2;

/// What times are drawn from, and the estimates of the counts that went into it.
pub(in super::super) struct Timing {
    pub(super) times: Times,
    /// Stretches of the first bin, by class of length.
    pub(super) starts: Vec<Cumulative>,
    /// Classes of gaps by context.
    pub(super) gaps: Vec<Cumulative>,
    /// How much the odds of staying at a place change, by context and class of gap.
    pub(super) staying: Vec<f64>,
    /// How likely it is to return, within a bin, to a place of that bin, over what is likely after any gap.
    pub(super) again: Vec<f64>,
    /// How much more often than on the average a place is visited in a stretch, by place and stretch.
    pub(super) lift: Vec<f32>,
    /// How many visits fall into each stretch.
    pub(super) busy: Vec<f64>,
    /// Estimates by group.
    targets: [(Kind, Option<Vec<Estimate>>); 3],
}

impl Timing {
    /// Learns from the groups that tell of time; none where they are not all there. `lengths` and `places` are
    /// what is known of those already.
    pub(in super::super) fn new(
        times: Times,
        groups: &[Measured],
        lengths: &[Estimate],
        places: &[Estimate],
    ) -> Option<Self> {
        let of = |kind: Kind| groups.iter().find(|group| group.features.kind == kind);
        let start = starts(&times, of(Kind::Start)?, lengths);
        let gap = gaps(&times, of(Kind::Gap)?);
        let when = visits(&times, of(Kind::When)?, places);
        let (lift, busy) = lifts(&times, &when);
        Some(Self {
            starts: start_rows(&times, &start),
            gaps: gap_rows(&times, &gap),
            again: again(&times, &gap),
            staying: staying(&times, &gap, of(Kind::Gap)?.law.scale()),
            lift,
            busy,
            targets: [
                (Kind::Start, Some(start)),
                (Kind::Gap, Some(gap)),
                (Kind::When, Some(when)),
            ],
            times,
        })
    }

    /// The estimates of a group that times are drawn from, once.
    pub(in super::super) fn targets(&mut self, kind: Kind) -> Option<Vec<Estimate>> {
        let mut targets = self.targets.iter_mut();
        targets.find(|(own, _)| *own == kind)?.1.take()
    }
}

fn positive(sums: &mut [f64]) -> f64 {
    sums.iter_mut().for_each(|sum| *sum = sum.max(0.0));
    sums.iter().sum::<f64>().max(1e-9)
}

/// Starts are expected to be alike for all lengths.
fn starts(times: &Times, measured: &Measured, lengths: &[Estimate]) -> Vec<Estimate> {
    let (noisy, stretches) = (measured.dense(), times.starts as usize);
    let mut by_length = [0.0; LENGTHS];
    for (length, estimate) in lengths.iter().enumerate().skip(1) {
        by_length[length_class(length)] += estimate.mean;
    }
    let mut by_stretch = vec![0.0; stretches];
    for (cell, &noisy) in noisy.iter().enumerate() {
        by_stretch[cell % stretches] += noisy as f64;
    }
    let all = positive(&mut by_stretch);
    let expected: Vec<f64> = (0..noisy.len())
        .map(|cell| by_length[cell / stretches] * by_stretch[cell % stretches] / all)
        .collect();
    denoise(noisy, &expected, measured.law)
}

fn start_rows(times: &Times, estimates: &[Estimate]) -> Vec<Cumulative> {
    let stretches = times.starts as usize;
    let mut all = vec![0.0; stretches];
    for (cell, estimate) in estimates.iter().enumerate() {
        all[cell % stretches] += estimate.mean;
    }
    let all = Cumulative::or_even(all);
    let row = |row: &[Estimate]| {
        let own = Cumulative::new(row.iter().map(|estimate| estimate.mean));
        match own.is_empty() {
            true => all.clone(),
            false => own,
        }
    };
    estimates.chunks(stretches).map(row).collect()
}

/// Gaps are expected to be alike in all phases, as far as the axis goes.
fn gaps(times: &Times, measured: &Measured) -> Vec<Estimate> {
    let (noisy, classes) = (measured.dense(), times.gap_classes());
    let of_phase = LEFT * times.gap_row();
    let mut by_phase = vec![0.0; times.phases as usize];
    let mut by_class = vec![0.0; of_phase];
    for (cell, &noisy) in noisy.iter().enumerate() {
        by_phase[cell / of_phase] += noisy as f64;
        by_class[cell % of_phase] += noisy as f64;
    }
    positive(&mut by_phase);
    let all = positive(&mut by_class);
    let expected: Vec<f64> = (0..noisy.len())
        .map(|cell| {
            // Past the classes of those who go and those who stay, returns within a bin are left.
            let (phase, class) = (cell / of_phase, cell % times.gap_row() % classes);
            match times.reaches(phase, class) {
                true => by_phase[phase] * by_class[cell % of_phase] / all,
                false => 0.0,
            }
        })
        .collect();
    denoise(noisy, &expected, measured.law)
}

impl Times {
    /// Whether a gap of a class can lie on the axis after a visit of a phase.
    fn reaches(&self, phase: usize, class: usize) -> bool {
        let earliest = bins_of(phase, self.phases, self.period).start;
        earliest.saturating_add(*of_class(class).start()) < self.bins
    }
}

fn gap_rows(times: &Times, estimates: &[Estimate]) -> Vec<Cumulative> {
    let classes = times.gap_classes();
    let rows: Vec<Vec<f64>> = estimates
        .chunks(times.gap_row())
        .map(|row| {
            let mut sums = vec![0.0; classes];
            for (cell, estimate) in row.iter().enumerate() {
                sums[cell % classes] += estimate.mean;
            }
            sums
        })
        .collect();
    let mut all = vec![0.0; LEFT * classes];
    for (context, row) in rows.iter().enumerate() {
        let sums = &mut all[context % LEFT * classes..][..classes];
        sums.iter_mut().zip(row).for_each(|(sum, own)| *sum += own);
    }
    let row = |(context, row): (usize, Vec<f64>)| {
        let own = Cumulative::new(row);
        match own.is_empty() {
            true => Cumulative::or_even(all[context % LEFT * classes..][..classes].to_vec()),
            false => own,
        }
    };
    rows.into_iter().enumerate().map(row).collect()
}

/// The odds of staying after a gap, over those after any gap with as many visits left.
fn staying(times: &Times, estimates: &[Estimate], scale: f64) -> Vec<f64> {
    let classes = times.gap_classes();
    let cell = |context: usize, stays: bool, class: usize| {
        estimates[times.gap_cell(context, stays, class)].mean
    };
    let contexts = times.phases as usize * LEFT;
    let mut usual = [(0.0, 0.0); LEFT];
    for context in 0..contexts {
        for class in 0..classes {
            let (stays, goes) = &mut usual[context % LEFT];
            *stays += cell(context, true, class);
            *goes += cell(context, false, class);
        }
    }
    let mut ratios = Vec::with_capacity(contexts * classes);
    for context in 0..contexts {
        let (stays, goes) = usual[context % LEFT];
        let part = (stays + 1e-6) / (stays + goes + 2e-6);
        for class in 0..classes {
            // What noise could hide is as usual.
            let believed = 0.1 * scale;
            let stays = cell(context, true, class) + believed * part;
            let goes = cell(context, false, class) + believed * (1.0 - part);
            let ratio = stays / goes.max(1e-9) * (1.0 - part) / part;
            ratios.push(ratio.clamp(STAYING.0, STAYING.1));
        }
    }
    ratios
}

/// The part of returns within a bin among all moves within it, at most as many as are likely without knowing times.
fn again(times: &Times, estimates: &[Estimate]) -> Vec<f64> {
    let mut sums = [(0.0, 0.0); LEFT];
    let contexts = times.phases as usize * LEFT;
    for context in 0..contexts {
        let (again, goes) = &mut sums[context % LEFT];
        *again += estimates[times.again_cell(context)].mean;
        *goes += estimates[times.gap_cell(context, false, 0)].mean;
    }
    let part = |context: usize| {
        let (again, goes) = sums[context % LEFT];
        (again / (again + goes).max(1e-9) / USUAL).clamp(STAYING.0, 1.0)
    };
    (0..contexts).map(part).collect()
}

/// Places are expected to be visited at all times alike, as often as they are popular.
fn visits(times: &Times, measured: &Measured, places: &[Estimate]) -> Vec<Estimate> {
    let (noisy, stretches) = (measured.dense(), times.when as usize);
    let mut by_stretch = vec![0.0; stretches];
    for (cell, &noisy) in noisy.iter().enumerate() {
        by_stretch[cell % stretches] += noisy as f64;
    }
    let all = positive(&mut by_stretch);
    let popular: f64 = places.iter().map(|place| place.mean).sum::<f64>().max(1e-9);
    // What all bins of a place sum up to is weighed against how popular it is.
    let noise = measured.law.variance() * f64::from(times.when);
    let by_place: Vec<f64> = noisy
        .chunks(stretches)
        .zip(places)
        .map(|(row, place)| {
            let counted = row.iter().sum::<i64>() as f64;
            let expected = all * place.mean / popular;
            let wrong = expected * expected / 9.0;
            (expected + (counted - expected) * wrong / (wrong + noise)).max(0.0)
        })
        .collect();
    let expected: Vec<f64> = (0..noisy.len())
        .map(|cell| by_place[cell / stretches] * by_stretch[cell % stretches] / all)
        .collect();
    denoise(noisy, &expected, measured.law)
}

fn lifts(times: &Times, visits: &[Estimate]) -> (Vec<f32>, Vec<f64>) {
    let stretches = times.when as usize;
    let mut busy = vec![0.0; stretches];
    for (cell, estimate) in visits.iter().enumerate() {
        busy[cell % stretches] += estimate.mean;
    }
    let all = busy.iter().sum::<f64>().max(1e-9);
    let mut lifts = Vec::with_capacity(visits.len());
    for row in visits.chunks(stretches) {
        let own: f64 = row.iter().map(|estimate| estimate.mean).sum();
        lifts.extend(row.iter().zip(&busy).map(|(estimate, busy)| {
            let usual = own * busy / all;
            match usual > 0.0 {
                true => (estimate.mean / usual).clamp(LIFT.0, LIFT.1) as f32,
                false => 1.0,
            }
        }));
    }
    (lifts, busy)
}
