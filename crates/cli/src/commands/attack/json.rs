//! Attacks for programs.

use serde_json::{Value, json};
use wayveil_evaluate::attack::{Found, Guesser, Outcome};

use super::answers::{answers, level_on};
use super::results::{Attacked, Results};
use super::stage::{Made, Published};

/// Everything, with intervals and p-values.
pub(super) fn object(results: &Results, note: &str) -> Value {
    let attacks: Vec<Value> = results
        .attacked
        .iter()
        .map(|attacked| attack(results, attacked))
        .collect();
    let answers: Vec<Value> = answers(results)
        .iter()
        .map(|answer| {
            json!({
                "question": answer.question.name(),
                "published": results.published[answer.position].name,
                "better_than_guessing": answer.better,
                "text": answer.text,
            })
        })
        .collect();
    json!({
        "internal": true,
        "note": note,
        "unit": results.unit,
        "records": results.people,
        "confidence": 1.0 - results.settings.alpha,
        "settings": results.settings,
        "published": results.published.iter().map(published).collect::<Vec<Value>>(),
        "attacks": attacks,
        "answers": answers,
    })
}

fn published(published: &Published) -> Value {
    match &published.made {
        Made::AsItIs => json!({ "name": published.name, "made": "raw data under pseudonyms" }),
        Made::Elsewhere => json!({ "name": published.name, "made": "elsewhere" }),
        Made::Release(manifest, _) => json!({
            "name": published.name,
            "made": "release",
            "id": manifest.id,
            "method": manifest.method,
            "guarantee": manifest.guarantee,
        }),
    }
}

fn attack(results: &Results, attacked: &Attacked) -> Value {
    let outcome = |(position, outcome): (usize, &Outcome)| {
        let published = &results.published[position];
        match outcome {
            Outcome::NotPossible(reason) => {
                json!({ "published": published.name, "not_possible": reason })
            }
            Outcome::Found(all) => {
                let (alpha, level) = (results.settings.alpha, level_on(results, position));
                let all: Vec<Value> = all.iter().map(|one| found(one, alpha, level)).collect();
                json!({ "published": published.name, "found": all })
            }
        }
    };
    let outcomes = attacked.outcomes.iter().enumerate();
    json!({
        "name": attacked.attack.name,
        "question": attacked.attack.question.name(),
        "about": attacked.attack.about,
        "results": outcomes.map(outcome).collect::<Vec<Value>>(),
    })
}

fn found(found: &Found, alpha: f64, level: f64) -> Value {
    let (low, high) = found.interval(alpha);
    let rate = found.guesser_rate();
    let guesser = match found.guesser {
        Guesser::Coin(_) => json!({ "kind": "coin", "rate": rate }),
        Guesser::Paired {
            successes,
            only_attacker,
            only_guesser,
        } => {
            let interval = found.guesser_interval(alpha);
            json!({
                "kind": "paired",
                "successes": successes,
                "only_attacker": only_attacker,
                "only_guesser": only_guesser,
                "rate": rate,
                "low": interval.map(|it| it.0),
                "high": interval.map(|it| it.1),
            })
        }
    };
    json!({
        "name": found.name,
        "tries": found.tries,
        "successes": found.successes,
        "rate": found.rate(),
        "low": low,
        "high": high,
        "guesser": guesser,
        "p_value": found.p_value(),
        "better_than_guessing": found.better_than_guessing(level),
    })
}
