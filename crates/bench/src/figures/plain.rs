//! The plainest output that meets the promise, to compare with: of every record the one doublet that
//! most records hold is left, unless too few share it or it ties them to a sensitive value.
//!
//! Nothing in such an output is longer than one doublet, so that it meets (K, C)_L-privacy for any L.

use wayveil_core::Sequences;
use wayveil_mechanisms::suppress::{Outcome, Requirement, Summary, Table, count_maximal_frequent};

use super::data::Data;
use super::measure::{check, lost};

/// What is lost by it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plain {
    /// Instances, as a share of all.
    pub(super) instances: Option<f64>,
    /// By how much there are fewer maximal frequent sequences, as a share of those of the raw table.
    pub(super) fewer: Option<f64>,
}

/// Makes that output, verifies it, and counts what it lost.
pub(super) fn plain(
    data: &Data,
    table: &Table,
    requirement: &Requirement,
    min_support: u32,
) -> Result<Plain, String> {
    let outcome = one_of_each(data, table, requirement)?;
    data.published(&outcome, |published| check(published, requirement))?;
    let left = Table::new(&outcome.trips, None, &[]).map_err(|error| error.to_string())?;
    Ok(Plain {
        instances: lost(table.instances() as u64, left.instances() as u64),
        fewer: lost(
            count_maximal_frequent(table, min_support),
            count_maximal_frequent(&left, min_support),
        ),
    })
}

fn one_of_each(data: &Data, table: &Table, requirement: &Requirement) -> Result<Outcome, String> {
    let records = 0..table.len() as u32;
    let mut held = vec![0_u32; table.doublets()];
    for record in records.clone() {
        for &doublet in table.record(record) {
            held[doublet as usize] += 1;
        }
    }
    let commonest = |record| {
        let doublets = table.record(record).iter().copied();
        doublets.max_by_key(|&doublet| held[doublet as usize])
    };
    let chosen: Vec<(u32, u32)> = records
        .filter_map(|record| Some((table.original(record), commonest(record)?)))
        .collect();
    // How many chose each doublet, and how many of them have each sensitive value.
    let width = 1 + data.sensitive.len();
    let mut counts = vec![0_u64; table.doublets() * width];
    for &(record, doublet) in &chosen {
        let row = &mut counts[doublet as usize * width..][..width];
        row[0] += 1;
        let value = data.values[record as usize];
        if let Some(secret) = data.sensitive.iter().position(|&known| known == value) {
            row[1 + secret] += 1;
        }
    }
    let (part, whole) = requirement
        .c
        .to_u64_parts()
        .ok_or("C has too many digits")?;
    let stays = |doublet: u32| {
        let row = &counts[doublet as usize * width..][..width];
        row[0] >= requirement.k.into() && row[1..].iter().all(|with| with * whole <= part * row[0])
    };
    let mut outcome = Outcome {
        kept: Vec::new(),
        trips: Sequences::empty(true),
        summary: Summary::default(),
    };
    for (record, doublet) in chosen.into_iter().filter(|&(_, doublet)| stays(doublet)) {
        let (bin, place) = table.doublet(doublet);
        outcome.kept.push(record);
        outcome.trips.push(&[place], &[bin]);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use wayveil_core::Rational;

    use super::*;

    #[test]
    fn one_doublet_is_left_where_it_may_be() {
        // Three choose place 1, two place 2, one place 3; one of those at place 2 has a secret.
        let mut trips = Sequences::empty(true);
        for places in [&[0, 1][..], &[1], &[1], &[2], &[2], &[3]] {
            trips.push(places, &vec![5; places.len()]);
        }
        let data = Data {
            name: "by hand",
            trips,
            values: vec![1, 1, 1, 0, 1, 1],
            sensitive: vec![0],
        };
        let table = data.table().unwrap();
        for (k, tenths, kept, instances, fewer) in [
            (1, 10, &[0, 1, 2, 3, 4, 5][..], 1.0 / 7.0, 0.0),
            (2, 10, &[0, 1, 2, 3, 4], 2.0 / 7.0, 0.0),
            (2, 4, &[0, 1, 2], 4.0 / 7.0, 0.5),
            (4, 4, &[], 1.0, 1.0),
        ] {
            let requirement = Requirement {
                k,
                c: Rational::new(tenths, 10).unwrap(),
                l: None,
            };
            let outcome = one_of_each(&data, &table, &requirement).unwrap();
            assert_eq!(outcome.kept, kept);
            let lost = plain(&data, &table, &requirement, 2).unwrap();
            assert_eq!(lost.instances, Some(instances));
            // Places 1 and 2 are frequent.
            assert_eq!(lost.fewer, Some(fewer));
        }
    }
}
