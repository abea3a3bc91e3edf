//! What is promised to those who take part, and what they are asked.

use askama::Template;
use wayveil_core::Result;

use super::model::CampaignFacts;
use super::{Part, duration};
use crate::page::html::Html;
use crate::page::wording::{grouped, number};

#[derive(Template)]
#[template(path = "campaign-promise.html")]
struct Promise {
    epsilon: String,
    factor: String,
    k: String,
    xi: String,
    control: &'static str,
    tokens: bool,
}

#[derive(Template)]
#[template(path = "campaign-terms.html")]
struct Terms {
    facts: Vec<(&'static str, String)>,
}

pub(super) fn promise(facts: &CampaignFacts) -> Result<Part> {
    let asked = &facts.asked;
    let promise = Promise {
        epsilon: asked.epsilon.clone(),
        factor: number(asked.epsilon_value.exp()),
        k: grouped(asked.k),
        xi: number(asked.xi),
        control: asked.control,
        tokens: asked.tokens,
    };
    Ok(Part {
        id: "promise",
        body: Html::of(&promise)?,
    })
}

pub(super) fn asked(facts: &CampaignFacts) -> Result<Part> {
    let asked = &facts.asked;
    let admission = match asked.tokens {
        true => "whoever has a one-time token of the issuer",
        false => "everybody: this campaign is open",
    };
    let mut list = vec![
        ("people asked", grouped(asked.clients)),
        ("public places", grouped(asked.locations)),
        ("fragments", format!("of up to {} places", asked.length)),
        ("in one question", grouped(asked.per_client.into())),
        (
            "shared by at least",
            format!("{} people (k)", grouped(asked.k)),
        ),
        ("privacy", format!("ε = {} for each person", asked.epsilon)),
        (
            "level",
            format!("ξ = {}, {}", number(asked.xi), asked.control),
        ),
    ];
    match facts.common_rule() {
        None => list.push(("when rounds close", "each has its own rule, above".into())),
        Some(rule) => {
            let open_for = duration(rule.open_for);
            list.push(("a round is open", format!("for {open_for} at most")));
            list.push(("quorum", format!("{} answers", grouped(rule.quorum))));
            if let Some(enough) = rule.enough {
                list.push(("enough", format!("{} answers", grouped(enough))));
            }
        }
    }
    list.push(("who may answer", admission.into()));
    list.push(("number of the campaign", facts.number.clone()));
    Ok(Part {
        id: "terms",
        body: Html::of(&Terms { facts: list })?,
    })
}
