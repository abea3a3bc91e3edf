//! The raw data as an arena: for publishers who accept a conditional guarantee.

use rand_core::Rng;
use wayveil_core::{Dataset, NonPrivate, Owners, PrivacyUnit, RandomSource, Raw, Result};

use super::arena::{Arena, chosen_rows, factor_for};
use super::lookalike::index;

/// The raw data to try methods on, and how many people it is of. Of more than `most` rows a random part
/// of the people is taken, each of whom stands for several.
///
/// Everything that comes of it is internal, and a choice made by it makes a guarantee conditional: the
/// publisher must say so (`--chosen-after-looking`).
pub fn look_at(
    raw: &Raw<Dataset>,
    unit: PrivacyUnit,
    most: u64,
    seed: u64,
) -> Result<(u64, Vec<Arena>)> {
    let because = NonPrivate::because("the publisher asked for a look at the raw data");
    let mut random = RandomSource::insecure_seed_for("a look", seed);
    let taken = raw.inspect(because, |data| {
        part_of(data, unit, most, &mut random.stream())
    });
    let (people, raw, factor) = taken.for_publisher_only()?;
    Ok((people, vec![Arena::new("the raw data".into(), raw, factor)]))
}

/// People in random order, so that a part of the arena is a sample of all; whole people, so that the unit
/// of privacy stays what it is.
fn part_of(
    data: &Dataset,
    unit: PrivacyUnit,
    most: u64,
    random: &mut impl Rng,
) -> Result<(u64, Raw<Dataset>, u64)> {
    let rows = data.trips().len();
    let owner_of: Vec<u32> = match (data.owners(), unit) {
        (Owners::EachRecord, _) | (_, PrivacyUnit::Trip) => (0..rows as u32).collect(),
        (Owners::Known { of_record, .. }, _) => of_record.clone(),
    };
    let mut rows_of: Vec<Vec<usize>> = Vec::new();
    rows_of.resize(
        owner_of.iter().max().map_or(0, |last| *last as usize + 1),
        Vec::new(),
    );
    for (row, owner) in owner_of.into_iter().enumerate() {
        rows_of[owner as usize].push(row);
    }
    rows_of.retain(|rows| !rows.is_empty());
    for last in (1..rows_of.len()).rev() {
        rows_of.swap(last, index(last + 1, random));
    }
    let people = rows_of.len() as u64;
    let factor = factor_for(rows as u64, most);
    let kept = rows_of.len().div_ceil(factor as usize);
    let chosen: Vec<usize> = rows_of.into_iter().take(kept).flatten().collect();
    Ok((people, chosen_rows(data, &chosen)?, factor))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{Labels, Origin, Sequences, Universe};

    use super::*;

    #[test]
    fn people_are_sampled_whole() {
        let universe = Universe::from_labels(["A", "B"], Origin::Declared("test".into())).unwrap();
        let of_record: Vec<u32> = (0..900).map(|row| row % 300).collect();
        let labels: Labels = (0..300).map(|it| it.to_string()).collect();
        let data = Dataset::new(
            Arc::new(universe),
            None,
            Sequences::from_codes(vec![[0_u32]; 900]),
            Owners::Known { of_record, labels },
            Vec::new(),
            "p".into(),
        );
        let raw = Raw::new(data.unwrap());
        let (people, arenas) = look_at(&raw, PrivacyUnit::Owner, 400, 1).unwrap();
        assert_eq!((people, arenas[0].factor()), (300, 3));
        let because = NonPrivate::because("made-up data in a test");
        let whole = arenas[0].raw().inspect(because, |data| {
            let Owners::Known { of_record, .. } = data.owners() else {
                return false;
            };
            let mut trips = [0; 300];
            for &owner in of_record {
                trips[owner as usize] += 1;
            }
            of_record.len() == 300 && trips.iter().all(|it| [0, 3].contains(it))
        });
        assert!(whole.for_publisher_only());
    }
}
