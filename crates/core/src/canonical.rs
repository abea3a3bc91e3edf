//! An order of released rows that tells nothing about the order of the raw ones.

use std::cmp::Ordering;

use crate::attribute::Attribute;
use crate::sequences::Sequences;

/// The same rows sorted by locations, then bins, then the values beside them; columns with the values
/// that occur, in the order of their bytes.
///
/// Two rows that compare equal are equal, so the result depends on which rows there are and on
/// nothing else.
pub(crate) fn canonical(
    trajectories: Sequences,
    attributes: &[Attribute],
) -> (Sequences, Vec<Attribute>) {
    let attributes: Vec<Attribute> = attributes.iter().map(Attribute::canonical).collect();
    let compare = |&one: &usize, &other: &usize| -> Ordering {
        let locations = |row| trajectories.codes_of(row);
        let bins = |row| trajectories.bins_of(row);
        let values = |row: usize| attributes.iter().map(move |column| column.of_record[row]);
        locations(one)
            .cmp(locations(other))
            .then_with(|| bins(one).cmp(bins(other)))
            .then_with(|| values(one).cmp(values(other)))
    };
    let mut order: Vec<usize> = (0..trajectories.len()).collect();
    if order.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return (trajectories, attributes);
    }
    order.sort_unstable_by(compare);
    let mut sorted = Sequences::empty(trajectories.is_timed());
    for &row in &order {
        sorted.push(trajectories.codes_of(row), trajectories.bins_of(row));
    }
    let of_sorted = |column: &Attribute| column.of_records(order.iter().copied());
    let attributes = attributes.iter().map(of_sorted).collect();
    (sorted, attributes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Row = (Vec<(u32, u32)>, u32, u32);

    fn columns(rows: &[Row], order: &[usize], names: &[&str]) -> (Sequences, Vec<Attribute>) {
        let mut trajectories = Sequences::empty(true);
        for &row in order {
            let (codes, bins): (Vec<u32>, Vec<u32>) = rows[row].0.iter().copied().unzip();
            trajectories.push(&codes, &bins);
        }
        let column = |name: &str, value: fn(&Row) -> u32| Attribute {
            name: name.into(),
            values: names.iter().collect(),
            of_record: order.iter().map(|&row| value(&rows[row])).collect(),
        };
        let attributes = vec![column("a", |row| row.1), column("b", |row| row.2)];
        (trajectories, attributes)
    }

    proptest! {
        #[test]
        fn the_order_of_the_raw_rows_is_lost_and_nothing_else(
            rows in prop::collection::vec(
                (prop::collection::vec((0u32..3, 0u32..3), 0..4), 0u32..3, 0u32..3), 0..12),
            shift in 0usize..12,
        ) {
            let order: Vec<usize> = (0..rows.len()).collect();
            let mut turned = order.clone();
            turned.rotate_left(if rows.is_empty() { 0 } else { shift % rows.len() });
            turned.reverse();
            let (trajectories, attributes) = columns(&rows, &order, &["x", "z", "y"]);
            let one = canonical(trajectories.clone(), &attributes);
            let (turned_trajectories, turned_attributes) = columns(&rows, &turned, &["x", "z", "y"]);
            prop_assert_eq!(&one, &canonical(turned_trajectories, &turned_attributes));
            let told = |trajectories: &Sequences, attributes: &[Attribute]| {
                let mut rows: Vec<_> = (0..trajectories.len())
                    .map(|row| (
                        trajectories.codes_of(row).to_vec(),
                        trajectories.bins_of(row).to_vec(),
                        attributes[0].value(row).to_owned(),
                        attributes[1].value(row).to_owned(),
                    ))
                    .collect();
                rows.sort();
                rows
            };
            prop_assert_eq!(told(&one.0, &one.1), told(&trajectories, &attributes));
        }
    }
}
