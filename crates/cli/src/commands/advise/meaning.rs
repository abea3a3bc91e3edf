//! What a promise means to the people in the data.

use wayveil_core::{PrivacyUnit, Rational};
use wayveil_evaluate::advise::Point;

/// What a promise means to the people in the data.
pub(super) fn meaning(point: &Point, unit: PrivacyUnit) -> String {
    let value = |name: &str| {
        let mut parameters = point.parameters.iter();
        parameters
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let epsilon = point
        .epsilon
        .as_deref()
        .and_then(|it| it.parse::<Rational>().ok());
    match (epsilon, point.method.as_str()) {
        (Some(epsilon), method) => {
            let factor = epsilon.to_f64().exp();
            let factor = match factor {
                large if large >= 1000.0 => format!("{large:.1e}"),
                factor => format!("{factor:.2}"),
            };
            match method {
                "fastpub" => format!(
                    "It means: whatever a client sends, it would have sent with a probability within a \
                     factor of {factor} if its trajectory had been any other. Nobody needs to be trusted where \
                     people's own devices answer; the command above simulates such a campaign from data that \
                     somebody collected, and epsilon is local only where devices answer.\n\
                     k = {} is how many clients must share a fragment for it to be published. xi = {} is how often, at \
                     most, a fragment that fewer have may be published by mistake.",
                    value("k").unwrap_or("K"),
                    value("xi").unwrap_or("0.01"),
                ),
                _ => format!(
                    "It means: whatever is released would have been released with a probability within a \
                     factor of {factor} without {}{}.",
                    unit.in_words(),
                    if method == "generalize" {
                        ", but for a probability of 1e-9"
                    } else {
                        ""
                    }
                ),
            }
        }
        (None, _) => {
            let (k, l) = (value("k").unwrap_or("K"), value("l").unwrap_or("L"));
            let mut text = format!(
                "It means: whoever knows up to {l} visits of a person finds, in the released records, at \
                 least {k} people who share them or nobody"
            );
            if let Some(c) = value("c") {
                text += &format!(", of whom no sensitive value has a share above {c}");
            }
            text + ". This is weaker than differential privacy."
        }
    }
}
