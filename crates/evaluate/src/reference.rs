//! What a release's numbers can be compared with: how good they could be, and how good they are with no
//! data at all.
//!
//! # As good as another sample
//! Who is in the data is chance too: in another week other people would have travelled. A release that
//! errs less than that errs too little to matter. The line is a *bootstrap* (Efron 1979): as many people
//! as there are, drawn from them with replacement, each with all their records, compared with the raw
//! data as a release is. A sample differs from its bootstrap as the population differs from the sample, so
//! the line shows how far the raw data itself is from what is true of people like these.
//!
//! Two halves of the data, compared with each other, would be the other way. They are independent, but
//! half as large, and one of them would stand for the raw data: counts, thresholds and the most frequent
//! patterns would be another data set's, and the line would not be on the scale of the release's numbers.
//! People are drawn, not records: what one person does on Monday tells of Tuesday.
//!
//! What a bootstrap cannot show is what nobody in the data did. Where single people matter (rare patterns),
//! the line is a little too good.
//!
//! # As good as nothing
//! Trajectories of whoever knows the set of locations and how many records of which length there are, and
//! nothing else: each visit is at a location drawn uniformly, in timed data in bins drawn uniformly and put in
//! order. A release that is no better tells nothing that is worth its risk.
//!
//! Both are drawn from a fixed seed, so that the same data has the same lines.

use std::borrow::Cow;
use std::num::NonZeroU64;

use wayveil_core::{Dataset, Owners, Progress, RandomSource, Result, Sequences};
use wayveil_noise::below;

use crate::compared::Compared;
use crate::evaluation::{Measured, measure};
use crate::metrics::Metric;
use crate::settings::Settings;

const SEED: u64 = 1;

/// The numbers of both lines.
#[derive(Clone, Debug)]
pub struct References {
    /// Another sample of the same people.
    pub another_sample: Vec<Measured>,
    /// Knowing nothing but numbers and lengths of records.
    pub nothing: Vec<Measured>,
}

impl References {
    /// Draws and measures both.
    pub fn of(
        data: &Dataset,
        metrics: &[&'static Metric],
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let measured = |sequences: Sequences| {
            let compared = Compared {
                universe: data.universe(),
                raw: data.trips(),
                released: Cow::Owned(sequences),
                in_place: None,
            };
            measure(&compared, metrics, settings, progress)
        };
        Ok(Self {
            another_sample: measured(another_sample(data))?,
            nothing: measured(nothing(data))?,
        })
    }
}

/// As many people as there are, drawn with replacement, with all their records.
pub fn another_sample(data: &Dataset) -> Sequences {
    let trips = data.trips();
    let records_of = records_by_owner(data);
    let mut drawn = Sequences::empty(trips.is_timed());
    let Some(people) = NonZeroU64::new(records_of.len() as u64) else {
        return drawn;
    };
    let mut random = RandomSource::insecure_seed_for("another sample", SEED).stream();
    for _ in 0..people.get() {
        for &record in &records_of[below(people, &mut random) as usize] {
            drawn.push(trips.codes_of(record), trips.bins_of(record));
        }
    }
    drawn
}

/// The records of each owner who has any.
fn records_by_owner(data: &Dataset) -> Vec<Vec<usize>> {
    match data.owners() {
        Owners::EachRecord => (0..data.trips().len()).map(|record| vec![record]).collect(),
        Owners::Known { of_record, labels } => {
            let mut records_of = vec![Vec::new(); labels.len()];
            for (record, &owner) in of_record.iter().enumerate() {
                records_of[owner as usize].push(record);
            }
            records_of.retain(|records| !records.is_empty());
            records_of
        }
    }
}

/// As many records of the same lengths, anywhere and at any time.
pub fn nothing(data: &Dataset) -> Sequences {
    let trips = data.trips();
    let mut drawn = Sequences::empty(trips.is_timed());
    let mut random = RandomSource::insecure_seed_for("nothing", SEED).stream();
    let places = NonZeroU64::new(data.universe().len() as u64);
    let times = NonZeroU64::new(data.time().map_or(0, |axis| u64::from(axis.bins)));
    let mut some = |most: Option<NonZeroU64>, length: usize| -> Vec<u32> {
        match most {
            None => Vec::new(),
            Some(most) => (0..length)
                .map(|_| below(most, &mut random) as u32)
                .collect(),
        }
    };
    for record in 0..trips.len() {
        let length = trips.length(record);
        let codes = some(places, length);
        let mut bins = some(times, length);
        bins.sort_unstable();
        drawn.push(&codes, &bins);
    }
    drawn
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Origin, Silent, TimeAxis, Universe};

    use super::*;
    use crate::metrics;
    use crate::task::Task;

    fn data(trips: Sequences, owners: Owners, bins: Option<u32>) -> Dataset {
        let labels = ["A", "B", "C", "D"];
        let universe = Universe::from_labels(labels, Origin::FromData).unwrap();
        let time = bins.map(|bins| TimeAxis::new(bins, Origin::FromData));
        Dataset::new(Arc::new(universe), time, trips, owners, vec![], "p".into()).unwrap()
    }

    #[test]
    fn people_are_drawn_with_all_their_records() {
        // Owner 1 has two records that nobody else has; owner 2 has none.
        let trips = Sequences::from_codes([vec![0u32], vec![1, 2], vec![3], vec![0], vec![0]]);
        let owners = Owners::Known {
            of_record: vec![0, 1, 1, 3, 4],
            labels: ["a", "b", "nobody", "d", "e"].into_iter().collect(),
        };
        let drawn = another_sample(&data(trips, owners, None));
        let times = |codes: &[u32]| drawn.iter().filter(|it| *it == codes).count();
        assert_eq!(times(&[1, 2]), times(&[3]), "both records or neither");
        assert_eq!(times(&[1, 2]) + times(&[0]), 4, "as many people as before");
    }

    #[test]
    fn about_a_third_is_left_out_of_another_sample() {
        let trips = Sequences::new(
            (0..=4000).collect(),
            vec![0; 4000],
            Some((0..4000).collect()),
        );
        let data = data(trips.unwrap(), Owners::EachRecord, Some(4000));
        let drawn = another_sample(&data);
        let mut seen: Vec<u32> = drawn.bins().unwrap().to_vec();
        assert_eq!(seen.len(), 4000);
        seen.sort_unstable();
        seen.dedup();
        // 1 − 1/e of 4,000 is 2,528, with a standard deviation of about 20.
        assert!((2400..2660).contains(&seen.len()), "{}", seen.len());
        assert_eq!(another_sample(&data), drawn, "the same data, the same line");
    }

    #[test]
    fn nothing_keeps_number_and_lengths_alone() {
        let mut trips = Sequences::empty(true);
        for _ in 0..1000 {
            trips.push(&[0, 0, 0], &[7, 7, 7]);
            trips.push(&[], &[]);
        }
        let drawn = nothing(&data(trips, Owners::EachRecord, Some(8)));
        assert_eq!((drawn.len(), drawn.symbols()), (2000, 3000));
        assert_eq!((drawn.length(0), drawn.length(1)), (3, 0));
        for record in 0..drawn.len() {
            assert!(drawn.bins_of(record).is_sorted());
        }
        for place in 0..4 {
            let visits = drawn.codes().iter().filter(|&&code| code == place).count();
            // A quarter of 3,000, with a standard deviation of 24.
            assert!((620..880).contains(&visits), "{visits}");
        }
        assert!(drawn.bins().unwrap().contains(&0));
    }

    #[test]
    fn a_sample_is_better_than_nothing() {
        let trips = (0..3000u32).map(|at| [at % 2, 1 - at % 2, at % 2]);
        let data = data(Sequences::from_codes(trips), Owners::EachRecord, None);
        let settings = Settings {
            count_queries: 400,
            ..Settings::default()
        };
        let lines = References::of(&data, metrics::ALL, &settings, &Silent).unwrap();
        for task in [Task::Counts, Task::Flows, Task::Truthful] {
            let sample = task.error(&lines.another_sample).unwrap();
            let nothing = task.error(&lines.nothing).unwrap();
            assert!(sample < 0.1 && nothing > 0.3, "{task}: {sample} {nothing}");
        }
        let empty = super::tests::data(Sequences::empty(false), Owners::EachRecord, None);
        assert!(another_sample(&empty).is_empty() && nothing(&empty).is_empty());
    }
}
