//! The client of the paper about FASTPub.

use wayveil_core::{Result, Sequences};
use wayveil_evaluate::fragments::FragmentTruth;

use crate::entry::Check;

/// A trajectory of nine locations and four candidates: which of them it holds.
pub(crate) fn client_response() -> Result<Vec<Check>> {
    let held = Sequences::from_codes([[1u32, 3, 4, 5, 2, 1, 1, 4, 3]]);
    let candidates: [([u32; 3], &str); 4] = [
        ([3, 4, 5], "True"),
        ([1, 2, 3], "False"),
        ([2, 1, 1], "True"),
        ([2, 1, 5], "False"),
    ];
    let truth = FragmentTruth::count(&held, 1, 1, 3)?;
    let check = |(candidate, expected): ([u32; 3], &str)| {
        let names: Vec<String> = candidate.iter().map(|code| format!("a{code}")).collect();
        let found = truth.support(&candidate).is_some();
        let found = if found { "True" } else { "False" };
        Check::new(names.join("→"), expected, found)
    };
    Ok(candidates.map(check).into())
}
