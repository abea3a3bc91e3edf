//! What a release promises, in a few characters.

use wayveil_core::Model;

/// `ε = 1`, `K = 5, C = 0.5, L = 2` or `no guarantee`; parts do not break over lines.
pub(crate) fn short(model: &Model) -> String {
    let text = match model {
        Model::DifferentialPrivacy {
            epsilon,
            delta,
            local,
            ..
        } => {
            let delta = match *delta > 0.0 {
                true => format!(", δ = {delta:e}"),
                false => String::new(),
            };
            let local = if *local { ", local" } else { "" };
            format!("ε = {epsilon}{delta}{local}")
        }
        Model::KclPrivacy { k, c, l, .. } => format!("K = {k}, C = {c}, L = {l}"),
        Model::None { .. } => "no guarantee".into(),
        other => other.name().into(),
    };
    text.replace(" = ", "\u{a0}=\u{a0}")
}
