//! The public documents: announcement, status, universe.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wayveil_core::{Error, Result};
use wayveil_federated::message::Terms;

use super::PROTOCOL;
use crate::campaign_file::RoundRules;
use crate::engine::{OpenRound, Setup, View};
use crate::gate::Admit;
use crate::store::CampaignState;

/// What does not change while a campaign runs.
pub(crate) struct Documents {
    rules: RoundRules,
    name: String,
    campaign: String,
    /// The fields of the announcement but state, round and reason.
    fixed: Value,
    /// The universe as bytes, and their SHA-256 in hexadecimal.
    pub(crate) universe: bytes::Bytes,
    pub(crate) universe_hash: String,
}

impl Documents {
    pub(crate) fn new(setup: &Setup, issuer: Option<&str>) -> Result<Self> {
        let universe = serde_json::to_vec(&setup.universe)
            .map_err(|cause| Error::system("cannot write the universe", cause))?;
        let universe_hash = hex(&Sha256::digest(&universe));
        let terms = Terms::of(&setup.campaign).encode()?;
        let campaign = setup.campaign.parameters().id.to_string();
        let fixed = json!({
            "protocol": PROTOCOL,
            "campaign": campaign,
            "name": setup.name,
            "terms": URL_SAFE_NO_PAD.encode(terms),
            "universe": { "sha256": universe_hash, "locations": setup.universe.len() },
            "admission": admission(&setup.admit, issuer),
        });
        Ok(Self {
            rules: setup.rounds.clone(),
            name: setup.name.clone(),
            campaign,
            fixed,
            universe: universe.into(),
            universe_hash,
        })
    }

    /// What clients read first.
    pub(crate) fn announcement(&self, view: &View) -> Value {
        let mut document = self.fixed.clone();
        let (state, why) = words(&view.state);
        document["state"] = json!(state);
        document["why"] = json!(why);
        document["round"] = json!(view.open.as_ref().map(|open| self.open_round(open)));
        document
    }

    /// What operators read. Of what was found it tells numbers alone: fragments leave by a release.
    pub(crate) fn status(&self, view: &View) -> Value {
        let (state, why) = words(&view.state);
        let (published, why_not) = view.published();
        let past = view.past.iter().map(|round| {
            json!({
                "index": round.index,
                "length": round.slot.length,
                "phase": round.slot.phase,
                "answers": round.answers,
            })
        });
        let found = view.findings.as_ref().map(|findings| {
            json!({
                "answers": findings.traffic.clients,
                "asked_about": findings.fragments.len(),
                "fragments": findings.released().count(),
            })
        });
        json!({
            "protocol": PROTOCOL,
            "version": env!("CARGO_PKG_VERSION"),
            "campaign": self.campaign,
            "name": self.name,
            "state": state,
            "why": why,
            "round": view.open.as_ref().map(|open| self.open_round(open)),
            "closed": past.collect::<Vec<_>>(),
            "found": found,
            "published": published,
            "not_published_because": why_not,
            "store_works": view.store_works,
            "revision": revision(view),
        })
    }

    fn open_round(&self, open: &OpenRound) -> Value {
        let slot = open.round.slot();
        let rule = self.rules.of(open.index());
        json!({
            "index": open.index(),
            "length": slot.length,
            "phase": slot.phase,
            "closes_in_seconds": self.closes_in(open),
            "answers": open.answers,
            "quorum": rule.quorum,
            "enough": rule.enough,
        })
    }

    /// Seconds until the open round's time is over.
    pub(crate) fn closes_in(&self, open: &OpenRound) -> u64 {
        let left = self
            .rules
            .of(open.index())
            .open_for
            .saturating_sub(open.elapsed);
        left.as_secs() + u64::from(left.subsec_nanos() > 0)
    }
}

/// Changes whenever something else than a number of the open round does.
pub(crate) fn revision(view: &View) -> String {
    let open = view.open.as_ref().map(|open| open.index().to_string());
    let (published, why_not) = view.published();
    let why_not = Sha256::digest(why_not.unwrap_or_default());
    format!(
        "{}-{}-{}-{}-{}-{published}-{}",
        words(&view.state).0,
        view.past.len(),
        open.unwrap_or_default(),
        u8::from(view.findings.is_some()),
        u8::from(view.store_works),
        hex(&why_not[..4]),
    )
}

fn words(state: &CampaignState) -> (&'static str, Option<&str>) {
    match state {
        CampaignState::Running => ("running", None),
        CampaignState::Complete => ("complete", None),
        CampaignState::Failed(why) => ("failed", Some(why)),
    }
}

fn admission(admit: &Admit, issuer: Option<&str>) -> Value {
    let Admit::Tokens(keys) = admit else {
        return json!({ "kind": "open" });
    };
    let key = |accepted: &wayveil_admission::Accepted| {
        json!({
            "id": accepted.key.id().to_string(),
            "public_key": STANDARD.encode(accepted.key.spki()),
            "not_after_round": accepted.not_after_round,
        })
    };
    let keys: Vec<Value> = keys.all().iter().map(key).collect();
    json!({ "kind": "tokens", "issuer": issuer, "keys": keys })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
