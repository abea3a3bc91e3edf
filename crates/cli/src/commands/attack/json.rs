//! Attacks for programs.

use serde_json::{Value, json};
use wayveil_evaluate::attack::{Control, Found, Group, Outcome, Verdict};

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
                "verdict": answer.verdict.map(Verdict::in_words),
                "text": answer.text,
            })
        })
        .collect();
    let published_things: Vec<Value> = (results.published.iter().zip(&results.no_control))
        .map(|(described, no_control)| {
            let mut object = published(described);
            object["no_control"] = json!(no_control);
            object
        })
        .collect();
    json!({
        "internal": true,
        "note": note,
        "unit": results.unit,
        "records": results.people,
        "confidence": 1.0 - results.settings.alpha,
        "settings": results.settings,
        "published": published_things,
        "attacks": attacks,
        "answers": answers,
    })
}

fn published(published: &Published) -> Value {
    match &published.made {
        Made::AsItIs => json!({ "name": published.name, "made": "raw data under pseudonyms" }),
        Made::Elsewhere => json!({ "name": published.name, "made": "elsewhere" }),
        Made::Foreign(maker) => json!({
            "name": published.name,
            "made": "in memory, by a mechanism of another program",
            "method": maker.0.name(),
        }),
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
        let made_on = attacked.made_on[position];
        match outcome {
            Outcome::NotPossible(reason) => {
                json!({ "published": published.name, "not_possible": reason })
            }
            Outcome::Found(all) => {
                let (alpha, level) = (results.settings.alpha, level_on(results, position));
                let all: Vec<Value> = all.iter().map(|one| found(one, alpha, level)).collect();
                json!({ "published": published.name, "attacked": made_on, "found": all })
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
    let control = match found.control {
        Control::None => Value::Null,
        Control::Coin(rate) => json!({ "kind": "coin", "rate": rate }),
        Control::Outsiders(group) => {
            let Group { tries, successes } = group;
            let interval = found.control_interval(alpha);
            json!({
                "kind": "people who are not in it",
                "tries": tries,
                "successes": successes,
                "rate": group.rate(),
                "low": interval.map(|it| it.0),
                "high": interval.map(|it| it.1),
            })
        }
    };
    json!({
        "name": found.name,
        "tries": found.members.tries,
        "successes": found.members.successes,
        "independent": found.independent,
        "rate": found.rate(),
        "low": low,
        "high": high,
        "control": control,
        "p_value": found.p_value(),
        "verdict": found.rate().map(|_| Verdict::of(found, level).in_words()),
    })
}
