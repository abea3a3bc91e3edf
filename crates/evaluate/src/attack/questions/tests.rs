use super::super::{
    Group, attribute_inference, hidden_visit, home_and_work, linkage, rough_knowledge, singling_out,
};
use super::*;

static MEMBERSHIP: Attack = Attack {
    name: "membership-test",
    about: "",
    question: Question::Membership,
    definition: "",
    source: "",
    run: |_, _, _| Ok(Outcome::NotPossible("never run".into())),
};

/// Of a hundred each, who are in and who are not.
fn found(name: &str, members: u64, others: u64) -> Found {
    let group = |successes| Group {
        tries: 100,
        successes,
    };
    Found {
        name: name.into(),
        members: group(members),
        control: Control::Outsiders(group(others)),
        independent: None,
    }
}

fn coin(successes: u64) -> Found {
    Found {
        members: Group {
            tries: 1000,
            successes,
        },
        control: Control::Coin(0.5),
        ..found("", 0, 0)
    }
}

fn nobody(name: &str) -> Found {
    Found {
        members: Group::default(),
        control: Control::Outsiders(Group::default()),
        ..found(name, 0, 0)
    }
}

fn answers(results: &[Made<'_>]) -> Vec<Answer> {
    super::answers(results, PrivacyUnit::Owner, &AttackSettings::default())
}

#[test]
fn each_question_has_its_headline() {
    let results = [
        (
            &singling_out::ATTACK,
            Outcome::Found(vec![found("points-3", 99, 0), found("points-4", 83, 2)]),
        ),
        (
            &rough_knowledge::ATTACK,
            Outcome::Found(vec![found("places-2", 100, 0)]),
        ),
        (
            &linkage::ATTACK,
            Outcome::Found(vec![found("points-4", 2, 1), found("half", 3, 1)]),
        ),
        (
            &hidden_visit::ATTACK,
            Outcome::Found(vec![found("", 90, 85)]),
        ),
        (
            &home_and_work::ATTACK,
            Outcome::Found(vec![found("home", 30, 10), found("work", 20, 1)]),
        ),
        (
            &attribute_inference::ATTACK,
            Outcome::Found(vec![nobody("age")]),
        ),
        (&MEMBERSHIP, Outcome::Found(vec![coin(500), coin(700)])),
    ];
    let results: Vec<Made<'_>> = results.iter().map(|(a, o)| (*a, o)).collect();
    let answers = answers(&results);
    let sentences: Vec<&str> = answers.iter().map(|it| it.sentence.as_str()).collect();
    assert_eq!(
        sentences,
        [
            "Someone who knows 4 visits of a person (or all, if fewer) isolates that person's \
             record in 83 of 100 cases; of people who are not in the data, in 2.",
            "Someone who has half of the visits of a person from another source finds that \
             person's whole record in 3 of 100 cases; of people who are not in the data, in 1. \
             The difference may be chance.",
            "Someone who knows 4 visits of a person elsewhere (or all, if fewer) tells where \
             that person lives in 30 of 100 cases; of people who are not in the data, in 10.",
            "Someone who knows a person's record tells whether that person was in, in 70 of \
             100 cases; a coin does in 50.",
        ]
    );
    let headline = answers[0].headline.as_ref().unwrap();
    assert_eq!((headline.rate, headline.control_rate), (0.83, Some(0.02)));
    assert_eq!(headline.interval, headline.found.interval(0.05));
    let verdicts = answers
        .iter()
        .map(|it| it.headline.as_ref().unwrap().verdict);
    let better = verdicts.map(|it| it == Verdict::BetterThanChance);
    assert_eq!(better.collect::<Vec<_>>(), [true, false, true, true]);
}

#[test]
fn the_usual_figure_does_not_hide_a_worse_one() {
    let figures = |usual| {
        Outcome::Found(vec![
            found("points-4", usual, 0),
            found("points-9", 30, 0),
            found("points-10", 40, 0),
        ])
    };
    let named = |usual: u64| {
        let outcome = figures(usual);
        let made = [(&singling_out::ATTACK, &outcome)];
        let answer = answers(&made).swap_remove(0);
        (answer.headline.unwrap().found.name, answer.sentence)
    };
    assert_eq!(named(20).0, "points-4");
    let (name, sentence) = named(1);
    assert_eq!(name, "points-10");
    assert!(
        sentence.starts_with("Someone who knows 10 visits"),
        "{sentence}"
    );
}

#[test]
fn many_figures_are_judged_more_strictly() {
    // Six of 100 in, none of 100 out: a chance of 0.0144, enough for three figures, not for four.
    let figures = |count: usize| {
        let outcome = Outcome::Found(vec![found("", 6, 0); count]);
        let answers = answers(&[(&hidden_visit::ATTACK, &outcome)]);
        answers[2].headline.as_ref().unwrap().verdict
    };
    assert_eq!(figures(3), Verdict::BetterThanChance);
    assert_eq!(figures(4), Verdict::NotShown);
}

#[test]
fn a_figure_without_a_control_has_no_verdict() {
    let alone = Found {
        control: Control::None,
        ..found("half", 90, 0)
    };
    let outcome = Outcome::Found(vec![alone, found("points-1", 1, 0)]);
    let made = [(&linkage::ATTACK, &outcome)];
    assert_eq!(level(&made, &AttackSettings::default()), 0.05);
    let trip = super::answers(&made, PrivacyUnit::Trip, &AttackSettings::default());
    let headline = trip[1].headline.as_ref().unwrap();
    assert_eq!(
        (headline.verdict, headline.control_rate),
        (Verdict::NoControl, None)
    );
    assert_eq!(
        trip[1].sentence,
        "Someone who has half of the visits of a trip of a person from another source finds \
         that whole trip in 90 of 100 cases; there is nobody to compare with who is not in the \
         data."
    );
}

#[test]
fn what_was_not_possible_is_said() {
    let reason = Outcome::NotPossible("nobody has a visit".into());
    let answers = answers(&[(&singling_out::ATTACK, &reason)]);
    assert!(answers.iter().all(|it| it.headline.is_none()));
    assert_eq!(
        answers[0].sentence,
        "This could not be tried: nobody has a visit."
    );
    assert_eq!(answers[1].sentence, "This was not tried.");
}

#[test]
fn shares_are_rounded_but_not_to_none_or_all() {
    let shares = [0.0, 0.001, 0.0099, 0.01, 0.126, 0.99, 0.9901, 1.0];
    let words = shares.map(of_100);
    let expected = [
        "none",
        "fewer than 1",
        "fewer than 1",
        "1",
        "13",
        "99",
        "more than 99",
        "100",
    ];
    assert_eq!(words, expected);
}
