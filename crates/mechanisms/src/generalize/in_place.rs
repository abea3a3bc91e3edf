//! What a release shows of each raw record, point by point: for measuring, never for release.

use std::collections::HashSet;

use wayveil_core::{Result, Sequences};

use super::canonical::Canonical;

/// For each record, its points with a time bin that is their position: the cluster of every point that
/// lies in a journey (or window of one) whose canonical form is among the released keys, and nothing for
/// the other points. A recipient is not told which record lies behind which key; whoever measures by
/// this assumes that they guess it.
pub fn shown_in_place(
    how: &Canonical<'_>,
    records: &Sequences,
    released: &Sequences,
) -> Result<Sequences> {
    let symbols = how.symbols()?;
    how.check(records)?;
    let keys: HashSet<&[u32]> = released.iter().collect();
    let mut shown = Sequences::empty(true);
    for record in 0..records.len() {
        let (whole, of_point) = how.coarse(records, record, symbols);
        let window = match how.windows {
            Some(windows) => (windows.points as usize).min(whole.len()),
            None => whole.len(),
        };
        let is_shown: Vec<bool> = match window {
            0 => Vec::new(),
            _ => whole
                .chunks(window)
                .map(|piece| keys.contains(piece))
                .collect(),
        };
        let (mut codes, mut positions) = (Vec::new(), Vec::new());
        for (position, &at) in of_point.iter().enumerate() {
            // What is left at the end of a record is no window, whatever it equals.
            let whole_window = at / window * window + window <= whole.len();
            if whole_window && is_shown[at / window] {
                codes.push(symbols.cluster(whole[at]));
                positions.push(position as u32);
            }
        }
        shown.push(&codes, &positions);
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalize::windows::{Choice, Windows};

    fn how(collapse: bool, points: Option<u32>) -> Canonical<'static> {
        Canonical {
            cluster_of_location: &[0, 0, 1, 1, 2, 2],
            clusters: 3,
            time: None,
            collapse,
            windows: points.map(|points| Windows {
                points,
                most: 1,
                choice: Choice::First,
            }),
        }
    }

    fn shown(how: &Canonical<'_>, keys: &[&[u32]]) -> Vec<(Vec<u32>, Vec<u32>)> {
        let records = Sequences::from_codes([vec![0u32, 1, 2, 4, 0], vec![], vec![5]]);
        let shown = shown_in_place(how, &records, &Sequences::from_codes(keys)).unwrap();
        (0..shown.len())
            .map(|record| {
                (
                    shown.codes_of(record).to_vec(),
                    shown.bins_of(record).to_vec(),
                )
            })
            .collect()
    }

    #[test]
    fn by_hand() {
        let nothing = (vec![], vec![]);
        let whole = (vec![0, 0, 1, 2, 0], vec![0, 1, 2, 3, 4]);
        let found = shown(&how(false, None), &[&[0, 0, 1, 2, 0]]);
        assert_eq!(found, [whole.clone(), nothing.clone(), nothing.clone()]);
        // A stay is shown for as long as it lasts.
        let found = shown(&how(true, None), &[&[0, 1, 2, 0], &[2]]);
        assert_eq!(found, [whole, nothing.clone(), (vec![2], vec![0])]);
        // Windows 00 12, and one point that is in none.
        let found = shown(&how(false, Some(2)), &[&[1, 2], &[0]]);
        assert_eq!(found[0], (vec![1, 2], vec![2, 3]));
        assert_eq!(found[2], nothing);
        assert_eq!(
            shown(&how(true, Some(9)), &[&[0, 1, 2, 0]])[0].0,
            [0, 0, 1, 2, 0]
        );
        assert!(
            shown(&how(false, None), &[])
                .iter()
                .all(|found| *found == nothing)
        );
    }
}
