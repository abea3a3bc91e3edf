//! What a guarantee means, in two plain sentences.

use wayveil_core::{Guarantee, Knowledge, Model, Neighbouring, PrivacyUnit};

/// The greatest ε whose factor is worked out: beyond it the number tells nobody anything.
const LARGEST_EPSILON: f64 = 20.0;

/// Two sentences for people who know no formula. The manifest's own words stand beside them.
pub(super) fn meaning(guarantee: &Guarantee) -> String {
    let who = who(guarantee.unit);
    match &guarantee.model {
        Model::DifferentialPrivacy {
            epsilon,
            delta,
            neighbouring,
            local,
            ..
        } => {
            let factor = factor(*epsilon);
            let but = match *delta > 0.0 {
                true => format!(", but for a chance of at most {delta:e} that it gives one away"),
                false => String::new(),
            };
            match (local, neighbouring) {
                (true, _) => format!(
                    "What each device sent was changed by chance before it left, so that not even \
                     whoever collected it can tell what {who} did: anything else they might have done \
                     would have led to the same with nearly the same probability ({factor}). That they \
                     took part is not hidden."
                ),
                (false, Neighbouring::ReplaceOneUnit) => format!(
                    "Whatever {who} did, this release would have come out with nearly the same \
                     probability had they done anything else ({factor}){but}. That they took part is not \
                     hidden."
                ),
                (false, Neighbouring::AddOrRemoveOneUnit) => format!(
                    "This release would have come out with nearly the same probability without {who} \
                     ({factor}){but}. So whatever you find here is about what many did, and cannot be \
                     pinned on {who}, whatever else you know."
                ),
            }
        }
        Model::KclPrivacy {
            k, c, l, sensitive, ..
        } => {
            let known = match l {
                Knowledge::All => "any number of visits".to_owned(),
                Knowledge::AtMost(visits) => format!("up to {visits} visits"),
            };
            let share = match sensitive.iter().all(|column| column.values.is_empty()) {
                true => String::new(),
                false => format!(", among whose records no sensitive value has a share above {c}"),
            };
            format!(
                "These are true records with visits left out: whoever knows {known} of a person finds \
                 nobody, or at least {k} people who share them{share}. Someone who knows more, who \
                 draws conclusions from what is missing, or who has another release of the same people \
                 may learn more: this is weaker than differential privacy."
            )
        }
        Model::None { reason } => format!(
            "Nothing is promised about anyone in these files: {reason}. Treat them like raw data."
        ),
        _ => "This page does not know the guarantee by name. Go by its own words.".into(),
    }
}

fn who(unit: PrivacyUnit) -> &'static str {
    match unit {
        PrivacyUnit::Owner | PrivacyUnit::OwnerBounded(_) => "any one person",
        PrivacyUnit::Trip => "any one trip of a person",
    }
}

fn factor(epsilon: f64) -> String {
    if epsilon > LARGEST_EPSILON {
        return format!("within a factor of e^{epsilon}, which is hardly a promise");
    }
    let times = epsilon.exp();
    let decimals = match times {
        small if small < 10.0 => 2,
        _ => 0,
    };
    format!("at most {times:.decimals$} times as probable or improbable")
}
