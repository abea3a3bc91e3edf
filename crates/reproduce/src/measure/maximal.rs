//! How the paper about suppression counts what is lost of the maximal frequent sequences.
//!
//! It compares how many there are before and after. What is lost of the raw data's own is another number, and the one
//! to look at: where a long sequence is no longer frequent its parts become maximal, so that there can be more than before.

use wayveil_core::{Result, Sequences, Silent};
use wayveil_evaluate::metrics::{Better, Metric, Value};
use wayveil_evaluate::mine::{maximal, timed};
use wayveil_evaluate::{Compared, Settings};

/// The name of [`FEWER`].
pub(crate) const FEWER_SEQUENCES: &str = "fewer-maximal-sequences";

/// By which part there are fewer of them.
pub(super) static FEWER: Metric = Metric {
    name: FEWER_SEQUENCES,
    about: "by which part there are fewer maximal frequent sequences",
    definition: "(|U(D)| - |U(D~)|) / |U(D)|, with U as in lost-maximal-sequences; below 0 where there are more.",
    source: "Chen, Fung, Mohammed, Desai and Wang 2013, section 5",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let support = ((settings.frequent * compared.raw.len() as f64).ceil() as u64).max(1);
    let count = |sequences: &Sequences| -> Result<f64> {
        let symbols = timed::symbols(sequences, compared.universe.len())?;
        let lengths = 1..=settings.pattern_max_length;
        Ok(maximal(&symbols, support, lengths, &Silent)?.len() as f64)
    };
    let raw = count(compared.raw)?;
    if raw == 0.0 {
        return Ok(vec![Value::undefined("")]);
    }
    let released = count(&compared.released)?;
    Ok(vec![Value::new("", (raw - released) / raw)])
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Universe};

    use super::*;

    fn fewer(raw: &[&[u32]], released: &[&[u32]]) -> Option<f64> {
        let universe = Universe::from_labels(["A", "B", "C"], Origin::FromData).unwrap();
        let raw = Sequences::from_codes(raw);
        let compared = Compared {
            in_place: None,
            universe: &universe,
            raw: &raw,
            released: Cow::Owned(Sequences::from_codes(released)),
        };
        let settings = Settings {
            frequent: 0.5,
            ..Settings::default()
        };
        run(&compared, &settings).unwrap()[0].value
    }

    #[test]
    fn parts_of_what_is_lost_count_as_new_ones() {
        // Frequent in at least 2 of 4; maximal: ABC alone. Without C in one record: AB, and C of the other two.
        let raw: [&[u32]; 4] = [&[0, 1, 2], &[0, 1, 2], &[2], &[0]];
        assert_eq!(fewer(&raw, &raw), Some(0.0));
        assert_eq!(fewer(&raw, &[&[0, 1, 2], &[0, 1], &[2], &[0]]), Some(-1.0));
        assert_eq!(fewer(&raw, &[]), Some(1.0));
        assert_eq!(fewer(&[], &[&[0]]), None);
    }
}
