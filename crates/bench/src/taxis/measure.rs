//! What a release tells about the taxis, and what it is still good for.

use wayveil_core::{Error, Result, Sequences};
use wayveil_evaluate::metrics::{find, information};
use wayveil_evaluate::samples::Samples;
use wayveil_evaluate::{Compared, Settings, Side};
use wayveil_mechanisms::generalize::in_place::shown_in_place;

use super::data::Data;
use super::decoys::told_apart;
use super::plan::Way;
use super::publish::Published;

/// One number of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Different journeys that are released, without decoys that are known to be decoys.
    Journeys,
    /// How many taxis have the journey that most have, before noise.
    MostShared,
    /// Percentage of all points that lie in a released journey or window.
    Shown,
    /// Mutual information as the paper defines it, in bits.
    Bits,
    /// The same as a percentage of what there is to know.
    Share,
    /// The same in bits after every taxi was given what is shown of another one.
    Chance,
    /// Divergence of visits over clusters.
    Visits,
    /// Divergence of pairs of clusters, one after the other.
    Pairs,
    /// F1 of the most frequent n-grams of clusters.
    Patterns,
    /// Divergence of lengths.
    Lengths,
    /// Earth mover's distance of visits, over cells, in kilometres.
    Distance,
    /// Percentage of journeys rightly called taxi or decoy by whether they stay.
    ToldByStays,
    /// The same by their counts.
    ToldByCount,
}

impl Measure {
    pub(super) const ALL: [Self; 13] = [
        Self::Journeys,
        Self::MostShared,
        Self::Shown,
        Self::Bits,
        Self::Share,
        Self::Chance,
        Self::Visits,
        Self::Pairs,
        Self::Patterns,
        Self::Lengths,
        Self::Distance,
        Self::ToldByStays,
        Self::ToldByCount,
    ];

    /// Its heading.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Journeys => "journeys released",
            Self::MostShared => "most taxis of a journey",
            Self::Shown => "points shown, %",
            Self::Bits => "mutual information, bits",
            Self::Share => "of all there is to know, %",
            Self::Chance => "with taxis exchanged, bits",
            Self::Visits => "visits",
            Self::Pairs => "pairs",
            Self::Patterns => "patterns, F1",
            Self::Lengths => "lengths",
            Self::Distance => "moved, km",
            Self::ToldByStays => "told by stays, %",
            Self::ToldByCount => "told by count, %",
        }
    }

    /// Digits after the point.
    pub(super) fn digits(self) -> usize {
        match self {
            Self::Bits | Self::Chance => 0,
            Self::Visits | Self::Pairs | Self::Patterns | Self::Lengths => 3,
            Self::Distance => 2,
            _ => 1,
        }
    }
}

/// The numbers of all repeats.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured([Samples; Measure::ALL.len()]);

impl Measured {
    pub(super) fn of(&self, measure: Measure) -> &Samples {
        &self.0[measure as usize]
    }

    /// Adds a run; what it does not define is left out.
    pub(super) fn add(&mut self, run: Run) {
        for (measure, value) in run.0 {
            self.0[measure as usize].push(value.filter(|value| value.is_finite()));
        }
    }

    /// A line for whoever waits.
    pub(super) fn describe(&self) -> String {
        let mean = |measure| self.of(measure).mean().unwrap_or(f64::NAN);
        format!(
            "{:.1} journeys, {:.1} % of the points, {:.0} bits",
            mean(Measure::Journeys),
            mean(Measure::Shown),
            mean(Measure::Bits)
        )
    }
}

/// The numbers of one run.
pub(super) struct Run(Vec<(Measure, Option<f64>)>);

/// Measures one run.
pub(super) fn measure(data: &Data, way: &Way, published: &Published, repeat: usize) -> Result<Run> {
    let tracks = &data.tracks;
    let shown = shown_in_place(&published.canonical(), tracks, &published.journeys)?;
    let told = information(tracks, &shown);
    let chance = information(tracks, &exchanged(&shown, 1 + repeat));
    let mut run = vec![
        (Measure::Journeys, Some(published.journeys.len() as f64)),
        (Measure::MostShared, Some(published.most_shared as f64)),
        (
            Measure::Shown,
            Some(100.0 * shown.symbols() as f64 / data.points().max(1) as f64),
        ),
        (Measure::Bits, told.map(|told| told.bits)),
        (
            Measure::Share,
            told.and_then(|told| told.share).map(|share| 100.0 * share),
        ),
        (Measure::Chance, chance.map(|chance| chance.bits)),
    ];
    if !published.journeys.is_empty() {
        let released = published.trajectories();
        let coarse = coarse(published, tracks);
        for (measure, raw, name, value) in [
            (Measure::Visits, &coarse, "location-divergence", ""),
            (Measure::Pairs, &coarse, "transition-divergence", ""),
            (Measure::Patterns, &coarse, "pattern-f1", ""),
            (Measure::Lengths, &coarse, "length-divergence", ""),
            (Measure::Distance, tracks, "earth-movers-distance", "metres"),
        ] {
            let number = metric(data, raw, &released, name, value)?;
            let number = match measure {
                Measure::Distance => number.map(|metres| metres / 1000.0),
                _ => number,
            };
            run.push((measure, number));
        }
    }
    if way.repaired().is_none() {
        let told = told_apart(data, published)?;
        let percent = |share: f64| 100.0 * share;
        run.push((
            Measure::ToldByStays,
            told.map(|told| percent(told.by_stays)),
        ));
        run.push((
            Measure::ToldByCount,
            told.map(|told| percent(told.by_count)),
        ));
    }
    Ok(Run(run))
}

/// One number of a metric of the list.
fn metric(
    data: &Data,
    raw: &Sequences,
    released: &Sequences,
    name: &str,
    value: &str,
) -> Result<Option<f64>> {
    let metric = find(name).ok_or_else(|| Error::input(format!("there is no metric {name}")))?;
    let side = |sequences| Side {
        universe: &data.universe,
        time: None,
        sequences,
    };
    let compared = Compared::new(side(raw), side(released))?;
    let values = (metric.run)(&compared, &Settings::default())?;
    let found = values.into_iter().find(|known| known.name == value);
    Ok(found.and_then(|found| found.value))
}

/// The tracks in as coarse places as the release has: to compare with, so that metrics tell what noise,
/// windows and decoys do, and not that places are coarser.
fn coarse(published: &Published, tracks: &Sequences) -> Sequences {
    let clusters = &published.clusters;
    let place = |&cell: &u32| clusters.places[clusters.of_place[cell as usize] as usize];
    let mut coarse = Sequences::empty(false);
    for track in tracks.iter() {
        let mut codes: Vec<u32> = track.iter().map(place).collect();
        if published.collapse {
            codes.dedup();
        }
        coarse.push(&codes, &[]);
    }
    coarse
}

/// What is shown of every record given to the one so many places before it, around the end.
fn exchanged(shown: &Sequences, by: usize) -> Sequences {
    let mut other = Sequences::empty(true);
    for record in 0..shown.len() {
        let from = (record + by) % shown.len();
        other.push(shown.codes_of(from), shown.bins_of(from));
    }
    other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_stand_where_their_numbers_are() {
        for (at, measure) in Measure::ALL.into_iter().enumerate() {
            assert_eq!(measure as usize, at);
        }
    }

    #[test]
    fn taxis_are_exchanged_around_the_end() {
        let mut shown = Sequences::empty(true);
        for code in 0..3 {
            shown.push(&[code], &[7]);
        }
        assert_eq!(exchanged(&shown, 2).codes(), [2, 0, 1]);
        assert_eq!(exchanged(&shown, 1).bins_of(2), [7]);
    }
}
