//! Maximal frequent sequences that a release has lost.
//!
//! With K′ = `frequent` · |D| rounded up, U(D) and U(D̃) are the maximal frequent sequences of the
//! raw and of the released records: gapped sequences of at most `pattern_max_length` symbols in at
//! least K′ records that are part of no longer one of that length. The value is
//! (|U(D)| − |U(D) ∩ U(D̃)|) / |U(D)|; undefined where the raw data has none.

use rustc_hash::FxHashSet;
use wayveil_core::{Result, Sequences, Silent};

use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::mine::{maximal, timed};
use crate::settings::Settings;

pub(super) static METRIC: Metric = Metric {
    name: "lost-maximal-sequences",
    about: "share of the maximal frequent sequences that are lost",
    definition: "(|U(D)| - |U(D) and U(D~)|) / |U(D)|, with U the maximal gapped sequences of at \
        most pattern_max_length symbols (default 5) in at least K' = frequent * |D| records \
        (default 1 %, of the raw records on both sides).",
    source: "Chen, Fung, Mohammed, Desai and Wang 2013 (there with K' = 800)",
    better: Better::Lower,
    spatial: false,
    run,
};

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let support = ((settings.frequent * compared.raw.len() as f64).ceil() as u64).max(1);
    let mine = |sequences: &Sequences| {
        let symbols = timed::symbols(sequences, compared.universe.len())?;
        maximal(&symbols, support, 1..=settings.pattern_max_length, &Silent)
    };
    let raw = mine(compared.raw)?;
    if raw.is_empty() {
        return Ok(vec![Value::undefined("")]);
    }
    let released = mine(&compared.released)?;
    let kept: FxHashSet<&[u32]> = released.iter().map(|pattern| &pattern.codes[..]).collect();
    let lost = raw
        .iter()
        .filter(|pattern| !kept.contains(&pattern.codes[..]))
        .count();
    Ok(vec![Value::new("", lost as f64 / raw.len() as f64)])
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wayveil_core::{Origin, Universe};

    use super::*;

    fn lost(raw: &[&[u32]], released: &[&[u32]]) -> Option<f64> {
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
    fn counts_maximal_sequences_only() {
        // Frequent in at least 2 of 4: A, B, AB, C; maximal: AB and C.
        let raw: [&[u32]; 4] = [&[0, 1], &[0, 1], &[2], &[2]];
        assert_eq!(lost(&raw, &raw), Some(0.0));
        assert_eq!(lost(&raw, &[&[0, 1], &[0, 1]]), Some(0.5));
        assert_eq!(lost(&raw, &[]), Some(1.0));
        assert_eq!(lost(&[], &[&[0]]), None);
    }
}
