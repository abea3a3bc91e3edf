use wayveil_core::{
    Confidence, Delta, Epsilon, Guarantee, Knowledge, Model, PrivacyUnit, SensitiveValues,
};

use super::meaning::meaning;

fn epsilon(text: &str) -> Epsilon {
    text.parse().unwrap()
}

fn delta(text: &str) -> Delta {
    text.parse().unwrap()
}

#[test]
fn every_guarantee_is_told_plainly() {
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
            &[
                "Without any one person",
                "nearly",
                "2.72 times",
                "at most 73.1 % sure",
            ][..],
        ),
        (
            Guarantee::pure(&epsilon("0.5"), PrivacyUnit::Trip),
            &["any one trip of a person", "1.65 times"],
        ),
        (
            Guarantee::differential_privacy(&epsilon("3"), &delta("1e-9"), person),
            &[
                "20 times",
                "apart from a small allowance δ = 1e-9",
                "95.3 %",
            ],
        ),
        (
            Guarantee::replacing(&epsilon("1"), &none, person),
            &[
                "Had any one person been different",
                "took part is not hidden",
            ],
        ),
        (
            Guarantee::local(&epsilon("1"), person),
            &["Not even whoever collected it", "took part is not hidden"],
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
            &["e^30", "all but certain", "hardly a promise"],
        ),
    ] {
        let text = meaning("other", &guarantee);
        for part in parts {
            assert!(text.contains(part), "{text}\nlacks {part:?}");
        }
    }
}

#[test]
fn words_follow_the_size_of_epsilon() {
    let told = |text: &str| {
        meaning(
            "prefix-tree",
            &Guarantee::pure(&epsilon(text), PrivacyUnit::Owner),
        )
    };
    // 1/(1 + e^-0.001) = 0.50025; 1/(1 + e^-15) = 0.99999969.
    for (size, parts, absent) in [
        (
            "0.001",
            ["1.0010 times", "50.025 %"],
            ["1.00 times", "weak"],
        ),
        ("1", ["nearly", "73.1 %"], ["weak", "hardly"]),
        ("2", ["7.39 times", "88.1 %"], ["nearly", "weak"]),
        ("5", ["99.33 %", "a weak promise"], ["nearly", "hardly"]),
        (
            "15",
            ["99.999969 %", "hardly a promise"],
            ["nearly", "pinned"],
        ),
    ] {
        let text = told(size);
        for part in parts {
            assert!(text.contains(part), "{text}\nlacks {part:?}");
        }
        for part in absent {
            assert!(!text.contains(part), "{text}\nhas {part:?}");
        }
    }
}

#[test]
fn a_protocol_that_was_played_through_does_not_hide_from_the_collector() {
    let mut guarantee = Guarantee::local(&epsilon("4"), PrivacyUnit::Owner);
    let played = meaning("fastpub", &guarantee);
    assert!(played.contains("simulated by whoever held"), "{played}");
    assert!(!played.contains("Not even whoever"), "{played}");
    if let Model::DifferentialPrivacy { delta, .. } = &mut guarantee.model {
        *delta = 1e-6;
    }
    for method in ["fastpub", "another"] {
        let text = meaning(method, &guarantee);
        assert!(text.contains("δ = 1e-6"), "{text}");
    }
}
