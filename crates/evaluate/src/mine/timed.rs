//! Symbols of timed data: a location at a time.

use std::borrow::Cow;

use wayveil_core::{Error, Result, Sequences};

/// The trajectories with symbols `bin · locations + location` for codes and without bins; untimed
/// ones as they are.
pub fn symbols(sequences: &Sequences, locations: usize) -> Result<Cow<'_, Sequences>> {
    let Some(bins) = sequences.bins() else {
        return Ok(Cow::Borrowed(sequences));
    };
    let combine = |(&code, &bin): (&u32, &u32)| {
        if code as usize >= locations {
            return Err(Error::input(format!(
                "location code {code} lies outside the universe of {locations} locations"
            )));
        }
        let symbol = u64::from(bin) * locations as u64 + u64::from(code);
        u32::try_from(symbol).map_err(|_| {
            Error::input(format!(
                "{locations} locations at {} times are too many symbols",
                u64::from(bin) + 1
            ))
            .hint("use fewer time bins")
        })
    };
    let codes = sequences.codes().iter().zip(bins).map(combine);
    Sequences::new(
        sequences.offsets().to_vec(),
        codes.collect::<Result<_>>()?,
        None,
    )
    .map(Cow::Owned)
}

/// The location and the bin that a symbol of [`symbols`] stands for.
pub fn parts(symbol: u32, locations: usize) -> (u32, u32) {
    let count = u32::try_from(locations).unwrap_or(u32::MAX).max(1);
    (symbol % count, symbol / count)
}
