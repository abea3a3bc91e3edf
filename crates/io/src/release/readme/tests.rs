use wayveil_core::{
    Confidence, Delta, Epsilon, Guarantee, Knowledge, PrivacyUnit, SensitiveValues,
};

use super::meaning::meaning;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn delta(text: &str) -> Delta {
    text.parse().unwrap()
}

/// Sentences end with a full stop before a blank or the end.
fn sentences(text: &str) -> usize {
    text.matches(". ").count() + usize::from(text.ends_with('.'))
}

#[test]
fn every_guarantee_is_told_in_two_sentences() {
    let person = PrivacyUnit::Owner;
    let none = delta("0");
    let sensitive = SensitiveValues {
        column: "diagnosis".into(),
        values: vec!["HIV".into()],
    };
    let half: Confidence = "0.5".parse().unwrap();
    let kcl = |sensitive| {
        let (k, l) = (
            5.try_into().unwrap(),
            Knowledge::AtMost(2.try_into().unwrap()),
        );
        Guarantee::kcl(k, &half, l, sensitive, person)
    };
    for (guarantee, parts) in [
        (
            Guarantee::pure(&epsilon("1"), person),
            &["without any one person", "2.72 times"][..],
        ),
        (
            Guarantee::pure(&epsilon("0.5"), PrivacyUnit::Trip),
            &["any one trip of a person", "1.65 times"],
        ),
        (
            Guarantee::differential_privacy(&epsilon("3"), &delta("1e-9"), person),
            &["20 times", "a chance of at most 1e-9"],
        ),
        (
            Guarantee::replacing(&epsilon("1"), &none, person),
            &["had they done anything else", "took part is not hidden"],
        ),
        (
            Guarantee::local(&epsilon("1"), person),
            &["not even whoever collected it", "took part is not hidden"],
        ),
        (
            kcl(vec![sensitive]),
            &[
                "up to 2 visits",
                "at least 5 people",
                "share above 0.5",
                "weaker",
            ],
        ),
        (
            kcl(vec![]),
            &["nobody, or at least 5 people who share them. "],
        ),
        (
            Guarantee::none("it is a test", person),
            &["Nothing is promised", "it is a test", "like raw data"],
        ),
        (
            Guarantee::pure(&epsilon("30"), person),
            &["hardly a promise"],
        ),
    ] {
        let text = meaning(&guarantee);
        for part in parts {
            assert!(text.contains(part), "{text}\nlacks {part:?}");
        }
        assert_eq!(sentences(&text), 2, "{text}");
    }
}
