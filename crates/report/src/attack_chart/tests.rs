use super::bars::{BETTER, COIN, NOT_IN, NOT_SHOWN};
use super::*;

fn rate(share: f64) -> Rate {
    Rate {
        share,
        low: (share - 0.03).max(0.0),
        high: (share + 0.03).min(1.0),
    }
}

fn said(better: bool) -> AttackVerdict {
    match better {
        true => AttackVerdict::Better,
        false => AttackVerdict::NotShown,
    }
}

fn found(share: f64, control: f64, better: bool) -> AttackBar {
    AttackBar::Found {
        rate: rate(share),
        control: Some(AttackControl::NotIn(rate(control))),
        verdict: said(better),
    }
}

fn row(label: &str, bars: Vec<AttackBar>) -> AttackRow {
    AttackRow {
        label: label.into(),
        bars,
    }
}

fn example() -> AttackChart {
    let group = |question: &str, rows| QuestionGroup {
        question: question.into(),
        rows,
    };
    let line = |most: f64, slope: f64| {
        (1..=10)
            .map(|known| {
                (
                    known,
                    rate(most * (1.0 - (-slope * f64::from(known)).exp())),
                )
            })
            .collect::<Vec<_>>()
    };
    let member = |share, better| AttackBar::Found {
        rate: rate(share),
        control: Some(AttackControl::Coin(0.5)),
        verdict: said(better),
    };
    AttackChart {
        title: "What attackers could do with <metro>".into(),
        note: "Under pseudonyms, 94 of 100 people are singled out by someone who knows 4 of their \
               visits; in the releases, no attack was better than chance."
            .into(),
        who: "people's trips".into(),
        confidence: 0.95,
        published: vec![
            "raw, under pseudonyms".into(),
            "release-a (ε = 1)".into(),
            "release-b (ε = 4)".into(),
            "elsewhere.parquet & others".into(),
        ],
        groups: vec![
            group(
                "Can a person be singled out by someone who knows 4 of their visits?",
                vec![row(
                    "a person's record is found by points that nobody else has",
                    vec![found(0.94, 0.0, true), found(0.0, 0.0, false), found(0.002, 0.0, false),
                         found(0.31, 0.0, true)],
                )],
            ),
            group(
                "Can a named half of a journey be linked to the rest?",
                vec![row(
                    "the halves of a record are put together again",
                    vec![found(0.71, 0.04, true), found(0.041, 0.04, false),
                         found(0.052, 0.04, false), found(0.04, 0.05, false)],
                )],
            ),
            group(
                "Can a visit, a home or a workplace be inferred?",
                vec![
                    row(
                        "home",
                        vec![found(0.88, 0.21, true), found(0.22, 0.21, false),
                             found(0.26, 0.21, true), found(0.21, 0.21, false)],
                    ),
                    row(
                        "the column fare",
                        vec![found(0.88, 0.61, true),
                             AttackBar::NotPossible("the release has no columns".into()),
                             AttackBar::NotPossible("the release has no columns".into()),
                             AttackBar::NotPossible("the data that were given have no column of this name, so that there is nothing that an attacker could look up in them, and nothing to compare it with".into())],
                    ),
                ],
            ),
            group(
                "Can one tell whether a person is in the data?",
                vec![row(
                    "by how near the nearest published record is",
                    vec![member(1.0, true), member(0.51, false), member(0.55, true), member(0.5, false)],
                )],
            ),
        ],
        curve: Some(KnowledgeCurve {
            title: "How many known visits single a person out?".into(),
            known: "visits that the attacker knows".into(),
            lines: vec![line(0.99, 0.7), line(0.0, 1.0), line(0.02, 1.0), line(0.4, 0.3)],
            not_in: vec![line(0.01, 0.3), line(0.0, 1.0), line(0.02, 0.8)],
        }),
    }
}

/// Every number that an attribute of this name has.
fn numbers(page: &str, name: &str) -> Vec<f64> {
    page.split(&format!(" {name}=\""))
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect()
}

/// The words of the page with the box that they fill, by the widths that the page is made with.
fn boxes(page: &str) -> Vec<(Frame, String)> {
    let attribute = |text: &str, name: &str| -> Option<String> {
        let rest = text.split_once(&format!("{name}=\""))?.1;
        Some(rest.split('"').next()?.to_owned())
    };
    page.split("<text")
        .skip(1)
        .map(|text| {
            let (head, rest) = text.split_once('>').unwrap();
            let words = rest.split('<').next().unwrap();
            let plain = words.replace("&lt;", "<").replace("&gt;", ">");
            let plain = plain.replace("&amp;", "&").replace("&#39;", "'");
            let number = |name| attribute(head, name).unwrap().parse::<f64>().unwrap();
            let size = number(" font-size");
            let font = Font {
                size,
                bold: head.contains("font-weight"),
                ..Font::LABEL
            };
            let width = font.width_of(&plain);
            let x = match attribute(head, "text-anchor").as_deref() {
                Some("end") => number(" x") - width,
                Some("middle") => number(" x") - width / 2.0,
                _ => number(" x"),
            };
            let frame = Frame::new(x, number(" y") - 0.75 * size, width, size);
            (frame, plain)
        })
        .collect()
}

#[test]
fn everything_is_on_the_page_and_words_never_overlap() {
    let page = attack_chart(&example());
    for part in [
        "&lt;metro&gt;",
        "singled out by someone",
        "release-b (ε = 4)",
        "elsewhere.parquet &amp; others",
        BETTER,
        NOT_SHOWN,
        "not possible: the release has no columns",
        ">94<",
        "(91–97)",
        "visits that the attacker knows",
        NOT_IN,
        COIN,
        "not in it: release-a",
        "How to read it",
        "nothing.</text>",
        "Do not publish",
    ] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("NaN") && !page.contains("inf\""));
    let height = numbers(&page, "height").into_iter().fold(0.0, f64::max);
    let boxes = boxes(&page);
    for (index, (frame, words)) in boxes.iter().enumerate() {
        assert!(
            frame.x >= 0.0 && frame.right() <= WIDTH && frame.y > 0.0 && frame.bottom() < height,
            "{words} leaves the page: {frame:?}"
        );
        for (other, others) in &boxes[index + 1..] {
            assert_eq!(frame.common(other), 0.0, "{words:?} lies on {others:?}");
        }
    }
}

#[test]
fn whiskers_stay_in_the_plot_and_around_the_bar() {
    let odd = [
        Rate {
            share: f64::NAN,
            low: -3.0,
            high: f64::INFINITY,
        },
        Rate {
            share: 2.0,
            low: 3.0,
            high: 0.0,
        },
        Rate {
            share: 0.5,
            low: 0.9,
            high: 0.1,
        },
    ];
    for rate in odd {
        let drawn = rate.drawable();
        assert!(0.0 <= drawn.low && drawn.low <= drawn.share);
        assert!(drawn.share <= drawn.high && drawn.high <= 1.0);
    }
    let mut chart = example();
    for (row, rate) in chart.groups.iter_mut().zip(odd) {
        row.rows[0].bars[1] = AttackBar::Found {
            rate,
            control: Some(AttackControl::NotIn(rate)),
            verdict: AttackVerdict::NotShown,
        };
    }
    if let Some(curve) = &mut chart.curve {
        curve.lines[2] = odd.map(|rate| (3, rate)).to_vec();
    }
    let page = attack_chart(&chart);
    assert!(!page.contains("NaN") && !page.contains("inf\""));
    let zero = 426.0;
    let mut whiskers = 0;
    for path in page.split("class=\"whisker\" d=\"M").skip(1) {
        let low: f64 = path.split(' ').next().unwrap().parse().unwrap();
        let after = path.split('H').nth(1).unwrap();
        let high: f64 = after.split('M').next().unwrap().parse().unwrap();
        assert!(
            low < high && low >= zero && high <= zero + 240.0,
            "{low} {high}"
        );
        whiskers += 1;
    }
    assert!(whiskers > 20);
}

#[test]
fn an_empty_chart_and_extremes_are_quiet() {
    for chart in [
        AttackChart::default(),
        AttackChart {
            curve: Some(KnowledgeCurve::default()),
            ..AttackChart::default()
        },
        AttackChart {
            groups: vec![QuestionGroup::default()],
            ..AttackChart::default()
        },
        AttackChart {
            groups: vec![QuestionGroup {
                question: "W".repeat(500),
                rows: vec![row(
                    &"w".repeat(900),
                    vec![
                        found(1.0, 1.0, false),
                        AttackBar::NotPossible("x ".repeat(900)),
                    ],
                )],
            }],
            title: "\u{1b}]\u{202e}".into(),
            ..AttackChart::default()
        },
    ] {
        let page = attack_chart(&chart);
        assert!(
            page.ends_with("</svg>\n") && !page.contains("NaN"),
            "{page}"
        );
        assert!(!page.contains('\u{1b}'));
    }
}

#[test]
fn shares_are_written_honestly() {
    let texts = [0.0, 1e-5, 0.004, 0.02, 0.5, 0.994, 0.9999, 1.0, f64::NAN].map(share_text);
    assert_eq!(
        texts,
        ["0", "<0.1", "0.4", "2", "50", "99.4", ">99.9", "100", "0"]
    );
}

#[test]
fn intervals_are_rounded_outwards() {
    let mut chart = example();
    let rate = Rate {
        share: 0.5,
        low: 0.0001,
        high: 0.9999,
    };
    chart.groups[0].rows[0].bars[0] = AttackBar::Found {
        rate,
        control: None,
        verdict: AttackVerdict::NoControl,
    };
    let page = attack_chart(&chart);
    assert!(page.contains(">(0–100)<") && page.contains(super::bars::NO_CONTROL));
}

#[test]
fn every_bar_has_its_own_control_and_coins_are_one() {
    let count = |chart: &AttackChart, name: &str| {
        let page = attack_chart(chart);
        page.matches(&format!(">{name}<")).count()
    };
    let mut chart = example();
    assert_eq!((count(&chart, NOT_IN), count(&chart, COIN)), (13, 1));
    chart.groups[3].rows[0].bars[1] = AttackBar::Found {
        rate: rate(0.3),
        control: Some(AttackControl::Coin(0.25)),
        verdict: AttackVerdict::NotShown,
    };
    assert_eq!(count(&chart, COIN), 2);
}
