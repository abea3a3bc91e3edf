//! What is promised, in words and as figures that can be pictured.

use wayveil_core::{Guarantee, Knowledge, Model, Neighbouring, PrivacyUnit, Result};

use super::Fact;
use crate::page::charts::{Field, WIDTH, scale::Scale};
use crate::page::drawing::{Drawing, Hold, through};
use crate::page::figure::{Cell, Figure, Key, Table};
use crate::page::html::Html;
use crate::page::wording::{number, percent};
use crate::words::harmless;

/// How sure somebody is before, in the table.
const BEFORE: [f64; 7] = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];
const STEPS: u32 = 60;

/// What the page says of the promise.
pub(super) struct Promise {
    /// Said loudly, where nothing is promised.
    pub(super) nothing: Option<String>,
    pub(super) in_words: String,
    pub(super) facts: Vec<Fact>,
    pub(super) figure: Option<Html>,
    pub(super) covers: Vec<String>,
    pub(super) leaves_open: Vec<String>,
    pub(super) rests_on: Vec<String>,
}

/// A promise in a few characters.
pub(in crate::page) fn in_short(model: &Model) -> String {
    match model {
        Model::DifferentialPrivacy {
            epsilon,
            delta,
            local,
            ..
        } => {
            let mut text = format!("ε = {}", number(*epsilon));
            if *delta > 0.0 {
                text += &format!(", δ = {}", number(*delta));
            }
            if *local {
                text += ", local";
            }
            text
        }
        Model::KclPrivacy { k, c, l, .. } => format!("K = {k}, C = {}, L = {l}", number(*c)),
        Model::None { .. } => "nothing".into(),
        other => other.name().into(),
    }
}

/// Everything about a promise.
pub(super) fn of(guarantee: &Guarantee) -> Result<Promise> {
    let mut promise = Promise {
        nothing: None,
        in_words: harmless(&guarantee.in_words),
        facts: Vec::new(),
        figure: None,
        covers: Vec::new(),
        leaves_open: Vec::new(),
        rests_on: guarantee.rests_on.iter().map(|it| harmless(it)).collect(),
    };
    match &guarantee.model {
        Model::DifferentialPrivacy { .. } => differential_privacy(&mut promise, guarantee)?,
        Model::KclPrivacy { .. } => kcl(&mut promise, &guarantee.model),
        Model::None { reason } => {
            promise.nothing = Some(harmless(reason));
            // Without a promise nothing rests on anything.
            promise.rests_on.clear();
        }
        other => promise.facts.push(Fact::new("Model", other.name())),
    }
    Ok(promise)
}

fn differential_privacy(promise: &mut Promise, guarantee: &Guarantee) -> Result<()> {
    let Model::DifferentialPrivacy {
        epsilon,
        epsilon_exact,
        delta,
        delta_exact,
        neighbouring,
        local,
    } = &guarantee.model
    else {
        return Ok(());
    };
    promise.facts = vec![
        Fact::new("ε", with_exact(*epsilon, epsilon_exact)),
        Fact::new(
            "δ",
            match *delta {
                0.0 => "0: the promise holds always (pure differential privacy)".to_owned(),
                delta => with_exact(delta, delta_exact),
            },
        ),
        Fact::new(
            "Whose presence is hidden",
            match guarantee.unit {
                PrivacyUnit::Owner => "a person, with all their trips joined to one record".into(),
                other => other.in_words(),
            },
        ),
        Fact::new(
            "Between which data sets",
            match neighbouring {
                Neighbouring::AddOrRemoveOneUnit => "with and without one such unit",
                Neighbouring::ReplaceOneUnit => {
                    "with one such unit's data replaced by any other; that it takes part is not hidden"
                }
            },
        ),
        Fact::new(
            "Who needs to be trusted",
            match local {
                true => {
                    "whoever held the raw data: this file was simulated from data that had been collected. That nobody \
                     but one's own device needs to be trusted holds for a real campaign only, where devices send \
                     nothing but protected answers"
                }
                false => "whoever made the release held the raw data",
            },
        ),
    ];
    promise.figure = Some(belief(*epsilon, *delta, *neighbouring, guarantee.unit)?.html()?);
    promise.leaves_open = vec![
        "What holds for everybody, such as which line is full at eight, is not hidden: it is what the \
         data is for, and it can be held against a person whether or not they are in the data."
            .into(),
        "Several releases of the same people add up: their ε and δ are to be summed.".into(),
    ];
    if guarantee.unit == PrivacyUnit::Trip {
        promise.leaves_open.push(
            "A person with several trips is protected for each alone, not for all of them together."
                .into(),
        );
    }
    Ok(())
}

/// A number, and the fraction that it is short for.
fn with_exact(value: f64, exact: &str) -> String {
    match exact.parse() == Ok(value) {
        true => exact.to_owned(),
        false => format!("{} (exactly {exact})", number(value)),
    }
}

/// How sure one can be at most after seeing the release; without overflow for a great ε.
fn at_most(before: f64, epsilon: f64) -> f64 {
    if before <= 0.0 || before >= 1.0 {
        return before;
    }
    let odds = (before / (1.0 - before)).ln() + epsilon;
    1.0 / (1.0 + (-odds).exp())
}

/// A belief with as many digits as it takes not to read as certain, or as impossible.
fn sure(before: f64, epsilon: f64) -> String {
    let (share, rest) = (at_most(before, epsilon), at_most(1.0 - before, -epsilon));
    if rest < 1e-12 {
        return "nearly 100\u{a0}%".into();
    }
    if share < 5e-4 {
        return format!("{}\u{a0}%", number(100.0 * share));
    }
    if rest < 5e-4 {
        let digits = ((-rest.log10()).floor() as usize).saturating_sub(1);
        return format!("{:.digits$}\u{a0}%", 100.0 * (1.0 - rest));
    }
    percent(share)
}

fn belief(
    epsilon: f64,
    delta: f64,
    neighbouring: Neighbouring,
    unit: PrivacyUnit,
) -> Result<Figure> {
    let who = if unit == PrivacyUnit::Trip {
        "trip"
    } else {
        "person"
    };
    let what = match neighbouring {
        Neighbouring::AddOrRemoveOneUnit => format!("a certain {who} is in the data"),
        Neighbouring::ReplaceOneUnit if unit == PrivacyUnit::Trip => {
            "a certain trip went a certain way".to_owned()
        }
        Neighbouring::ReplaceOneUnit => "a certain person was at a certain place".to_owned(),
    };
    let mut table = Table::new(
        format!("How sure one can become that {what}"),
        &["#sure before", "#after: at least", "#after: at most"],
    );
    for before in BEFORE {
        let shown = |epsilon: f64| Cell::shown(sure(before, epsilon), at_most(before, epsilon));
        table.row([0.0, -epsilon, epsilon].map(shown));
    }
    let caption = format!(
        "Whoever was, say, {} sure that {what} can be at most {} sure after seeing the release, and no \
         less than {}, as far as that {who}’s own data goes, and whatever else they know about the \
         others.{} {}",
        percent(0.5),
        sure(0.5, epsilon),
        sure(0.5, -epsilon),
        match neighbouring {
            Neighbouring::AddOrRemoveOneUnit => format!(
                " Where it is known already that the {who} is in the data, what the {who} did is bounded by 2ε only: \
                 from {} to at most {}.",
                percent(0.5),
                sure(0.5, 2.0 * epsilon)
            ),
            Neighbouring::ReplaceOneUnit => String::new(),
        },
        match delta {
            0.0 => String::new(),
            delta => format!(
                "The figures are for δ = 0; δ is a small allowance on top: an event may become more probable by {} beyond \
                 the factor.",
                number(delta)
            ),
        }
    );
    let heading = format!("How much surer ε = {} can make anybody", number(epsilon));
    let drawing = band(epsilon).finish(&heading, "");
    Ok(
        Figure::new("belief", heading, caption.trim_end(), drawing, table).keys([
            Key::new("area", "where belief can end up"),
            Key::new("line-reference", "nothing learned"),
        ]),
    )
}

fn band(epsilon: f64) -> Drawing {
    let mut drawing = Drawing::new(WIDTH, 300.0);
    let axis = || Scale::percent_up_to(1.0);
    let field = Field::draw(
        &mut drawing,
        (axis(), "sure before"),
        (axis(), "sure after"),
    );
    let way = |epsilon: f64| {
        (0..=STEPS).map(move |step| {
            let before = f64::from(step) / f64::from(STEPS);
            (before, at_most(before, epsilon))
        })
    };
    let mut outline: Vec<(f64, f64)> = way(epsilon).map(|(x, y)| field.at(x, y)).collect();
    let mut below: Vec<(f64, f64)> = way(-epsilon).map(|(x, y)| field.at(x, y)).collect();
    below.reverse();
    outline.extend(below);
    drawing.path(&format!("{}Z", through(&outline)), "area", "");
    drawing.line(field.at(0.0, 0.0), field.at(1.0, 1.0), "reference");
    for before in BEFORE {
        let after = at_most(before, epsilon);
        let tip = format!(
            "{} sure before: at most {} after",
            percent(before),
            sure(before, epsilon)
        );
        drawing.circle(field.at(before, after), 3.6, "dot s1", &tip);
    }
    let (x, y) = field.at(0.5, at_most(0.5, epsilon));
    let words = format!("at most {}", sure(0.5, epsilon));
    drawing.text((x - 8.0, y - 6.0), Hold::End, "strong halo", &words);
    drawing
}

fn kcl(promise: &mut Promise, model: &Model) {
    let Model::KclPrivacy {
        k,
        c,
        c_exact,
        l,
        sensitive,
    } = model
    else {
        return;
    };
    let named: Vec<String> = sensitive
        .iter()
        .map(|it| harmless(&it.in_words()))
        .collect();
    let known = match l {
        Knowledge::All => "all visits of a person".to_owned(),
        Knowledge::AtMost(visits) => format!("at most {visits} of a person’s visits"),
    };
    promise.facts = vec![
        Fact::new(
            "K",
            format!("{k}: people that any known visits fit, or nobody"),
        ),
        Fact::new(
            "C",
            format!(
                "{}: the largest share of a sensitive value among them",
                with_exact(*c, c_exact)
            ),
        ),
        Fact::new("L", format!("{l}: how many visits somebody may know")),
        Fact::new(
            "Sensitive values",
            if named.is_empty() {
                "none named".into()
            } else {
                named.join("; ")
            },
        ),
    ];
    if k.get() > 1 {
        promise.covers.push(format!(
            "Somebody who knows {known} is left with at least {k} people’s records, or with none."
        ));
    }
    if !named.is_empty() && *c < 1.0 {
        promise.covers.push(format!(
            "Among the records that hold what somebody knows, no sensitive value has a share above {}.",
            percent(*c)
        ));
    }
    promise.leaves_open = vec![
        match l {
            Knowledge::All => "Somebody who knows something else than visits, such as where a person never goes.".into(),
            Knowledge::AtMost(visits) => format!("Somebody who knows more than {visits} visits of a person, or something else than visits."),
        },
        "Whether a person is in the data: that is not hidden.".into(),
        "This release together with another one of the same people: what they promise does not add up.".into(),
        "Rows are what people did: whoever recognises one learns the rest of it.".into(),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn belief_follows_the_formula_and_never_overflows() {
        let by_formula = |p: f64, epsilon: f64| epsilon.exp() * p / (1.0 - p + epsilon.exp() * p);
        for p in BEFORE {
            for epsilon in [0.0, 0.1, 1.0, 3.0] {
                assert!((at_most(p, epsilon) - by_formula(p, epsilon)).abs() < 1e-12);
            }
            assert_eq!((at_most(p, 5000.0), at_most(p, -5000.0)), (1.0, 0.0));
        }
        assert_eq!((at_most(0.0, 9.0), at_most(1.0, -9.0)), (0.0, 1.0));
        let written = [1.0, 2.0, 8.0, 5000.0, -8.0].map(|epsilon| sure(0.5, epsilon));
        let expected = ["73 %", "88 %", "99.97 %", "nearly 100 %", "0.0335 %"];
        assert_eq!(written, expected.map(|it| it.replace(" %", "\u{a0}%")));
    }
}
