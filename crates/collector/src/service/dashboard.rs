//! What the pages of a campaign are told.
//!
//! The page for everybody is made of [`facts`], which have no place for a fragment; what the operator
//! sees besides comes from [`fragments`].

use std::collections::HashSet;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use wayveil_core::Result;
use wayveil_federated::campaign::Control;
use wayveil_federated::collector::{Collector, Finding, Findings};
use wayveil_report::page::campaign::{
    AskedFacts, CampaignFacts, CampaignStanding, FragmentFacts, FragmentsFacts, LengthFacts,
    MOST_FRAGMENTS, OpenFacts, ReleaseStanding, RoundFacts, RoundRow, campaign_policy,
};

use super::document::{Documents, revision};
use super::reply::Reply;
use crate::engine::{Publication, Setup, View};
use crate::gate::Admit;
use crate::store::CampaignState;

/// What everybody may know.
pub(crate) fn facts(setup: &Setup, documents: &Documents, view: &View) -> CampaignFacts {
    CampaignFacts {
        name: setup.name.clone(),
        number: setup.campaign.parameters().id.to_string(),
        revision: revision(view),
        asked: asked(setup),
        rounds: rounds(setup, view),
        standing: match &view.state {
            CampaignState::Running => CampaignStanding::Running,
            CampaignState::Complete => CampaignStanding::Complete,
            CampaignState::Failed(why) => CampaignStanding::Failed(why.clone()),
        },
        open: view.open.as_ref().map(|open| OpenFacts {
            index: open.index(),
            answers: open.answers,
            closes_in: documents.closes_in(open),
        }),
        found: (view.findings.as_ref()).map(|it| it.released().count() as u64),
        release: match &view.publication {
            Publication::Waiting => ReleaseStanding::Waiting,
            Publication::Done => ReleaseStanding::Published,
            Publication::Failed(why) => ReleaseStanding::NotPublished(why.clone()),
        },
        store_works: view.store_works,
    }
}

fn asked(setup: &Setup) -> AskedFacts {
    let parameters = setup.campaign.parameters();
    AskedFacts {
        clients: parameters.population,
        k: parameters.k,
        length: parameters.length,
        epsilon: parameters.epsilon.to_string(),
        epsilon_value: parameters.epsilon.to_string().parse().unwrap_or(f64::NAN),
        xi: parameters.xi,
        control: match parameters.control {
            Control::PerCandidate => "for each of them",
            Control::FamilyWise => "for any of one length",
            Control::FalseDiscovery => "on average over the published ones of one length",
        },
        per_client: parameters.per_client,
        locations: parameters.locations.into(),
        tokens: matches!(setup.admit, Admit::Tokens(_)),
    }
}

fn rounds(setup: &Setup, view: &View) -> Vec<RoundRow> {
    let (schedule, clients) = (
        setup.campaign.schedule(),
        setup.campaign.parameters().population,
    );
    let answers = |round: u32| {
        let past = view.past.iter().find(|it| it.index == round);
        let open = view.open.as_ref().filter(|it| it.index() == round);
        past.map(|it| it.answers).or(open.map(|it| it.answers))
    };
    let rule = |round: u32| {
        let rule = setup.rounds.of(round);
        RoundFacts {
            open_for: rule.open_for.as_secs(),
            quorum: rule.quorum,
            enough: rule.enough,
        }
    };
    let row = |round: usize| RoundRow {
        rule: rule(round as u32),
        index: round as u32,
        length: schedule.slot(round).length,
        phase: schedule.slot(round).phase,
        expected: ((u128::from(schedule.width(round)) * u128::from(clients)) >> 64) as u64,
        answers: answers(round as u32),
    };
    (0..schedule.rounds()).map(row).collect()
}

/// What closed rounds say of fragments. With many candidates it takes a while.
pub(crate) fn fragments(collector: &Collector) -> FragmentsFacts {
    let population = collector.campaign().parameters().population;
    let asked_now = asked_now(collector);
    let findings = collector.clone().finish();
    let survives = |it: &&Finding| it.admitted || asked_now.contains(&it.fragment);
    let mut survivors: Vec<&Finding> = findings.fragments.iter().filter(survives).collect();
    survivors.sort_by(|a, b| {
        let order = b.admitted.cmp(&a.admitted);
        order.then(b.estimate.total_cmp(&a.estimate))
    });
    FragmentsFacts {
        lengths: lengths(&findings, &asked_now),
        all: survivors.len() as u64,
        survivors: survivors
            .into_iter()
            .take(MOST_FRAGMENTS)
            .map(|it| shown(it, population))
            .collect(),
    }
}

/// The fragments that the open round asks about.
fn asked_now(collector: &Collector) -> HashSet<Vec<u32>> {
    let Some(round) = collector.open() else {
        return HashSet::new();
    };
    let length = round.slot().length as usize;
    (0..round.blocks())
        .flat_map(|block| {
            let codes = round.question(block).codes;
            codes
                .chunks(length)
                .map(<[u32]>::to_vec)
                .collect::<Vec<_>>()
        })
        .collect()
}

fn lengths(findings: &Findings, asked_now: &HashSet<Vec<u32>>) -> Vec<LengthFacts> {
    let of_length = |length: usize| {
        let all = findings.fragments.iter();
        all.filter(move |it| it.fragment.len() == length)
    };
    let facts = findings.extents.iter().map(|extent| LengthFacts {
        length: extent.length as u32,
        candidates: extent.candidates as u64,
        cleaned: extent.cleaned,
        left_out: extent.left_out,
        admitted: of_length(extent.length).filter(|it| it.admitted).count() as u64,
        asked_now: (of_length(extent.length))
            .filter(|it| !it.admitted && asked_now.contains(&it.fragment))
            .count() as u64,
    });
    facts.collect()
}

/// A fragment as it is shown: with its interval where it has one, and else two standard errors to each side.
fn shown(finding: &Finding, population: u64) -> FragmentFacts {
    let people = |value: f64| value.clamp(0.0, population as f64).round() as u64;
    let reach = 2.0 * finding.standard_error;
    let around = (
        people(finding.estimate - reach),
        people(finding.estimate + reach),
    );
    FragmentFacts {
        codes: finding.fragment.clone(),
        estimate: (finding.count).map_or(finding.estimate, |count| count as f64),
        range: finding.interval.unwrap_or(around),
        answers: finding.history.asked(),
        admitted: finding.admitted,
    }
}

/// A page with the headers that keep it from loading or telling anything elsewhere.
pub(crate) fn served(page: Result<String>, cached: &'static str) -> Response {
    let Ok(page) = page else {
        return Reply::unavailable().into_response();
    };
    let policy = HeaderValue::try_from(campaign_policy());
    let policy = policy.unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let fixed = HeaderValue::from_static;
    let headers = [
        (header::CONTENT_TYPE, fixed("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, fixed(cached)),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (header::X_FRAME_OPTIONS, fixed("DENY")),
    ];
    (headers, page).into_response()
}
