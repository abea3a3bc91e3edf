//! Pages of made-up campaigns.

use wayveil_core::{Coordinate, Location, Origin, Universe, UniverseDocument};

use super::*;

fn facts(standing: CampaignStanding) -> CampaignFacts {
    let running = standing == CampaignStanding::Running;
    let row = |index: u32| RoundRow {
        index,
        length: 1 + index / 2,
        phase: index % 2,
        expected: 400,
        answers: (index < 2).then_some(350),
        rule: RoundFacts {
            open_for: 86_400,
            quorum: 200,
            enough: Some(700),
        },
    };
    CampaignFacts {
        name: "Harbour <b>city</b>".into(),
        number: "77".into(),
        revision: "running-1".into(),
        asked: AskedFacts {
            clients: 100_000,
            k: 5000,
            length: 2,
            epsilon: "2".into(),
            epsilon_value: 2.0,
            xi: 0.01,
            control: "for each of them",
            per_client: 1,
            locations: 6,
            tokens: true,
        },
        rounds: (0..4).map(row).collect(),
        standing,
        open: running.then_some(OpenFacts {
            index: 1,
            answers: 350,
            closes_in: 4000,
        }),
        found: None,
        release: ReleaseStanding::Waiting,
        store_works: true,
    }
}

fn universe(places: u32) -> Universe {
    let location = |code: u32| Location {
        label: format!("stop-{code}"),
        at: Some(Coordinate {
            lat: 45.0 + f64::from(code % 70) * 0.001 + f64::from(code) * 1e-5,
            lng: 7.0 + f64::from(code / 70) * 0.001,
        }),
        ..Location::default()
    };
    let document = UniverseDocument {
        origin: Origin::Declared("test".into()),
        locations: (0..places).map(location).collect(),
        groups: Vec::new(),
    };
    Universe::try_from(document).unwrap()
}

fn fragment(codes: &[u32], estimate: f64, admitted: bool) -> FragmentFacts {
    FragmentFacts {
        codes: codes.to_vec(),
        estimate,
        range: (estimate as u64 - 50, estimate as u64 + 60),
        answers: 90,
        admitted,
    }
}

fn operators(universe: &Universe, survivors: Vec<FragmentFacts>) -> String {
    let fragments = FragmentsFacts {
        lengths: vec![LengthFacts {
            length: 1,
            candidates: 6,
            admitted: 2,
            ..LengthFacts::default()
        }],
        all: survivors.len() as u64,
        survivors,
    };
    let more = OperatorFacts {
        universe,
        fragments: Some(&fragments),
        outcomes: vec![("counted", 350), ("slow-down", 3)],
        uptime: 7000,
    };
    operator_page(&facts(CampaignStanding::Running), &more).unwrap()
}

#[test]
fn everybody_sees_numbers_and_the_promise() {
    let page = campaign_page(&facts(CampaignStanding::Running)).unwrap();
    for words in [
        "<span data-headline>Round 1</span>",
        "data-poll=\"/v1/status\"",
        "by a factor of at most 7.39 (ε = 2)",
        "the quorum of 200 is reached",
        "1\u{a0}h 6\u{a0}min",
        "Harbour &#60;b&#62;city&#60;/b&#62;",
        "connect-src &#39;self&#39;",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<b>city"));
    assert!(!page.contains("style=\""), "the policy forbids it");
}

#[test]
fn rules_that_differ_stand_beside_their_rounds() {
    let mut facts = facts(CampaignStanding::Running);
    let same = campaign_page(&facts).unwrap();
    assert!(same.contains("With fewer than 200 answers") && !same.contains("quorum 200, enough"));
    facts.rounds[2].rule.quorum = 150;
    let differ = campaign_page(&facts).unwrap();
    assert!(differ.contains("Each round has its own rule."));
    assert!(differ.contains("quorum 150, enough 700") && differ.contains("quorum 200, enough 700"));
}

#[test]
fn a_failure_is_told_with_its_reason() {
    let why = "round 1 had 3 answers".to_owned();
    let page = campaign_page(&facts(CampaignStanding::Failed(why))).unwrap();
    assert!(page.contains("<strong>The campaign failed:</strong> round 1 had 3 answers."));
    assert!(page.contains("not held") && !page.contains("role=\"progressbar\""));
}

#[test]
fn longer_fragments_stand_under_shorter_ones() {
    let universe = universe(6);
    let all = vec![
        fragment(&[0], 900.0, true),
        fragment(&[0, 1], 800.0, true),
        fragment(&[2, 3], 700.0, true),
        fragment(&[0, 1, 4], 300.0, false),
    ];
    let page = operators(&universe, all);
    let at = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text} is missing"))
    };
    assert!(at("<details id=\"f-0\" open>") < at("<details id=\"f-0-1\" open>"));
    assert!(at("<details id=\"f-0-1\"") < at("stop-0 → stop-1 → stop-4"));
    // Its beginning does not survive.
    assert!(page.contains("<div class=\"row\"><span class=\"what\">stop-2 → stop-3</span>"));
    assert!(page.contains("<strong>Internal until published.</strong>"));
    assert!(page.contains("figure class=\"plot wide map\" id=\"admitted-map\""));
    assert!(page.contains("stop-0 → stop-1: about 800 people"));
    assert!(!page.contains("style=\""), "the policy forbids it");
}

#[test]
fn after_a_failure_nothing_is_shown_of_fragments() {
    let universe = universe(6);
    let more = OperatorFacts {
        universe: &universe,
        fragments: None,
        outcomes: Vec::new(),
        uptime: 0,
    };
    let failed = facts(CampaignStanding::Failed("too few".into()));
    let page = operator_page(&failed, &more).unwrap();
    assert!(page.contains("its counts were removed") && !page.contains("stop-"));
    assert!(!page.contains("id=\"fragments-numbers\"") && !page.contains("id=\"admitted-map\""));
}

#[test]
fn whether_there_is_a_release_is_told() {
    let page = |release| {
        let facts = CampaignFacts {
            release,
            ..facts(CampaignStanding::Complete)
        };
        campaign_page(&facts).unwrap()
    };
    let (in_vain, goes) = ("could not be published yet", "goes into a release");
    let waiting = page(ReleaseStanding::Waiting);
    assert!(waiting.contains(goes) && !waiting.contains(in_vain));
    let why = ReleaseStanding::NotPublished("no <i>room</i>".into());
    let refused = page(why);
    assert!(refused.contains(in_vain) && refused.contains("no &#60;i&#62;room"));
    let published = page(ReleaseStanding::Published);
    assert!(published.contains("is published in a release") && !published.contains(in_vain));
}

#[test]
fn thousands_of_fragments_are_folded() {
    let universe = universe(2000);
    let all = (0..2000).map(|code| fragment(&[code], 5000.0 - f64::from(code), true));
    let page = operators(&universe, all.collect());
    assert!(page.contains("<details id=\"more-tree\"><summary>Show 1980 more</summary>"));
    assert!(page.len() < 2_500_000, "{}", page.len());
}

#[test]
fn the_same_part_has_the_same_mark() {
    let mark = |page: &str, id: &str| {
        let start = page
            .find(&format!("<section id=\"{id}\" data-part=\""))
            .unwrap();
        page[start..].split('"').nth(3).unwrap().to_owned()
    };
    let running = campaign_page(&facts(CampaignStanding::Running)).unwrap();
    let complete = campaign_page(&facts(CampaignStanding::Complete)).unwrap();
    assert_ne!(mark(&running, "now"), mark(&complete, "now"));
    assert_eq!(mark(&running, "promise"), mark(&complete, "promise"));
}

#[test]
fn time_is_told_in_two_units() {
    let told = [0, 59, 61, 3600, 86_399, 90_000].map(duration);
    let expected = [
        "0 s",
        "59 s",
        "1 min 1 s",
        "1 h 0 min",
        "23 h 59 min",
        "1 d 1 h",
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert_eq!(told.replace('\u{a0}', " "), expected);
    }
}
