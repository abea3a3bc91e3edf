//! Two sets of trajectories, made comparable.

use std::borrow::Cow;

use wayveil_core::{Error, InPlace, Result, Sequences, TimeAxis, Universe};

/// Trajectories with what their symbols mean.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The locations that codes stand for.
    pub universe: &'a Universe,
    /// The axis of time bins, in timed data.
    pub time: Option<&'a TimeAxis>,
    /// The trajectories.
    pub sequences: &'a Sequences,
}

/// Raw and released trajectories over one universe, counted the same way.
#[derive(Debug)]
pub struct Compared<'a> {
    /// The raw side's locations; both sides' codes are its codes.
    pub universe: &'a Universe,
    /// The raw trajectories.
    pub raw: &'a Sequences,
    /// The released trajectories, in the raw side's codes.
    pub released: Cow<'a, Sequences>,
    /// What the release shows of each record in its place, where that is known: after publishing in
    /// memory, by a method that knows it.
    pub in_place: Option<InPlace>,
}

impl<'a> Compared<'a> {
    /// Brings the released side into the raw side's codes. A released location that the raw
    /// side's universe does not know, or other time bins, is an error.
    pub fn new(raw: Side<'a>, released: Side<'a>) -> Result<Self> {
        match (raw.time, released.time) {
            (None, None) => {}
            (Some(raw), Some(released)) if raw.bins == released.bins => {}
            (Some(raw), Some(released)) => {
                return Err(Error::input(format!(
                    "the time axes differ: {} bins against {}",
                    raw.bins, released.bins
                ))
                .hint("compare a release with the data it was made from"));
            }
            _ => {
                return Err(
                    Error::input("one side has time bins and the other has none")
                        .hint("compare a release with the data it was made from"),
                );
            }
        }
        Ok(Self {
            universe: raw.universe,
            raw: raw.sequences,
            released: recoded(raw.universe, released)?,
            in_place: None,
        })
    }
}

fn recoded<'a>(universe: &Universe, side: Side<'a>) -> Result<Cow<'a, Sequences>> {
    let locations = side.universe.locations();
    let same = locations.len() == universe.len()
        && locations
            .iter()
            .zip(universe.locations())
            .all(|(a, b)| a.label == b.label);
    if same {
        return Ok(Cow::Borrowed(side.sequences));
    }
    let codes: Vec<Option<u32>> = locations
        .iter()
        .map(|location| universe.code(&location.label))
        .collect();
    let translated = side
        .sequences
        .codes()
        .iter()
        .map(|&code| {
            codes[code as usize].ok_or_else(|| {
                Error::input(format!(
                    "one side's universe does not know {:?}, which the other visits",
                    side.universe.label(code)
                ))
                .hint("compare a release with the data it was made from")
            })
        })
        .collect::<Result<Vec<u32>>>()?;
    Sequences::new(
        side.sequences.offsets().to_vec(),
        translated,
        side.sequences.bins().map(<[u32]>::to_vec),
    )
    .map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    fn universe(labels: &[&str]) -> Universe {
        Universe::from_labels(labels.iter().copied(), Origin::FromData).unwrap()
    }

    #[test]
    fn codes_follow_the_raw_side() {
        let (left, right) = (universe(&["A", "B", "C"]), universe(&["C", "A"]));
        let raw = Sequences::from_codes([[0u32, 1]]);
        let released = Sequences::from_codes([[0u32, 1]]);
        let side = |universe, sequences| Side {
            universe,
            time: None,
            sequences,
        };
        let compared = Compared::new(side(&left, &raw), side(&right, &released)).unwrap();
        assert_eq!(compared.released.codes(), [2, 0]);
        let unknown = Compared::new(side(&right, &released), side(&left, &raw)).unwrap_err();
        assert!(unknown.to_string().contains("\"B\""), "{unknown}");
    }

    #[test]
    fn time_axes_must_agree() {
        let universe = universe(&["A"]);
        let sequences = Sequences::empty(true);
        let axes = [2, 3].map(|bins| TimeAxis::new(bins, Origin::FromData));
        let side = |time| Side {
            universe: &universe,
            time,
            sequences: &sequences,
        };
        assert!(Compared::new(side(Some(&axes[0])), side(Some(&axes[0]))).is_ok());
        assert!(Compared::new(side(Some(&axes[0])), side(Some(&axes[1]))).is_err());
        assert!(Compared::new(side(Some(&axes[0])), side(None)).is_err());
    }
}
