//! What a guarantee means, in a few plain sentences.

use wayveil_core::{Guarantee, Knowledge, Model, Neighbouring, PrivacyUnit};

/// Beyond it the factor and the certainty tell nobody anything.
const LARGEST_EPSILON: f64 = 20.0;
/// Up to it probabilities can be called nearly the same.
const STRONG: f64 = 1.0;
/// Above it the promise is weak.
const WEAK: f64 = 4.0;
/// Above it hardly anything is promised.
const HARDLY: f64 = 10.0;

/// Methods whose protocol is for devices, but which `publish` plays through with data that somebody holds.
const PLAYED_THROUGH: [&str; 2] = ["fastpub", "sfp"];

/// A few sentences for people who know no formula. The manifest's own words stand beside them.
pub(super) fn meaning(method: &str, guarantee: &Guarantee) -> String {
    let who = who(guarantee.unit);
    match &guarantee.model {
        Model::DifferentialPrivacy {
            epsilon,
            delta,
            neighbouring,
            local,
            ..
        } => {
            let epsilon = *epsilon;
            let allowance = match *delta > 0.0 {
                true => format!(", apart from a small allowance δ = {delta:e}"),
                false => String::new(),
            };
            let likely = likely(epsilon);
            let sure = sure(epsilon);
            let strength = strength(epsilon);
            let did = format!(
                "whoever was 50 % sure that {who} did one thing rather than another {sure}"
            );
            let not_hidden = "That they took part is not hidden.";
            match (local, neighbouring) {
                (true, _) if PLAYED_THROUGH.contains(&method) => format!(
                    "This file was simulated by whoever held the collected data, who knows it all: the \
                     protocol was played through as devices would have done. Whatever {who} did, \
                     anything else would have led to this file with {likely}{allowance}: {did}. \
                     {not_hidden}{strength}"
                ),
                (true, _) => format!(
                    "What each device sent was changed by chance before it left. Not even whoever collected \
                     it is told more than this: anything else that {who} might have done would have led \
                     to the same with {likely}{allowance}; {did}. {not_hidden}{strength}"
                ),
                (false, Neighbouring::ReplaceOneUnit) => format!(
                    "Had {who} been different, this release would have come out with \
                     {likely}{allowance}: {did}. {not_hidden}{strength}"
                ),
                (false, Neighbouring::AddOrRemoveOneUnit) => {
                    let certain = match guarantee.unit {
                        PrivacyUnit::Trip => "a certain trip",
                        PrivacyUnit::Owner | PrivacyUnit::OwnerBounded(_) => "a certain person",
                    };
                    format!(
                        "Without {who} this release would have come out with {likely}{allowance}: \
                         whoever was 50 % sure that {certain} is in the data {sure}.{strength}"
                    )
                }
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

/// How far two probabilities are apart.
fn likely(epsilon: f64) -> String {
    if epsilon > LARGEST_EPSILON {
        return format!("a probability within a factor of e^{epsilon}");
    }
    let times = epsilon.exp();
    let decimals = match times {
        tiny if tiny < 1.1 => places(tiny - 1.0),
        small if small < 10.0 => 2,
        _ => 0,
    };
    match epsilon <= STRONG {
        true => format!(
            "nearly the same probability (at most {times:.decimals$} times as probable or improbable)"
        ),
        false => format!("a probability at most {times:.decimals$} times as large or as small"),
    }
}

/// What becomes of a belief of 50 %.
fn sure(epsilon: f64) -> String {
    if epsilon > LARGEST_EPSILON {
        return "can be all but certain after".into();
    }
    let percent = 100.0 / (1.0 + (-epsilon).exp());
    let decimals = places((100.0 - percent).min(percent - 50.0)).max(1);
    format!("can be at most {percent:.decimals$} % sure after")
}

/// Decimals that show two digits of a small number.
fn places(small: f64) -> usize {
    match small > 0.0 {
        true => (1.0 - small.log10().floor()).clamp(0.0, 12.0) as usize,
        false => 12,
    }
}

/// What is to be said plainly of a large ε.
fn strength(epsilon: f64) -> &'static str {
    match epsilon {
        large if large > HARDLY => {
            " That is hardly a promise: with so large an ε hardly anybody is protected."
        }
        large if large > WEAK => {
            " That is a weak promise: much may be learned about single people."
        }
        _ => "",
    }
}
