//! What was aimed at, and whether it was reached.

use std::fmt::Write;

use super::Population;
use super::measure::Measure;
use super::planted::Row;
use super::table::cell;
use wayveil_reproduce::campaigns::Method;

/// Of the repaired form on the duplicated page visits: ε and the least mean F1.
const F1: [(&str, f64); 2] = [("10", 0.88), ("2", 0.65)];

/// The most bits of information in an answer and in a question.
const BITS: (f64, f64) = (2.0, 100.0);

/// One line for each goal.
pub(super) fn markdown(populations: &[Population<'_>], planted: &[Row]) -> String {
    let mut text = "## Goals\n\n".to_owned();
    let visits = populations.iter().find(|it| it.data.is_duplicated_visits());
    match visits {
        Some(visits) => text += &f1(visits),
        None => {
            text += "- The page visits of MSNBC were not there (`--data`), so that the goals for F1 are \
                     not checked, and their tables are left out.\n";
        }
    }
    let sent = || {
        let outcomes = populations.iter().flat_map(|it| &it.outcomes);
        let repaired =
            outcomes.filter(|it| it.method.is_fastpub() && it.method != Method::AsPublished);
        repaired
            .flat_map(|outcome| &outcome.runs)
            .filter_map(|run| run.sent.most)
    };
    let up = sent().map(|most| most.0).fold(0.0, f64::max);
    let down = sent().map(|most| most.1).fold(0.0, f64::max);
    let _ = writeln!(
        text,
        "- Communication of the repaired form, the most of any client: {up:.1} bits of answer (goal {}) and \
         {down:.1} bits of question (goal {}): {}.",
        BITS.0,
        BITS.1,
        reached(up <= BITS.0 && down <= BITS.1)
    );
    let kept = |method: Method, holds: &dyn Fn(&Row) -> bool| {
        planted.iter().filter(|row| row.method == method).all(holds)
    };
    let per_candidate = kept(Method::PerCandidate, &Row::keeps_per_candidate);
    let family_wise = kept(Method::FamilyWise, &Row::keeps_family_wise);
    let discovery = kept(Method::FalseDiscovery, &Row::keeps_false_discovery);
    let _ = writeln!(
        text,
        "- False admissions within the stated level, as far as the campaigns below can tell: per candidate {}, \
         family-wise {}, false discovery {}.\n",
        reached(per_candidate),
        reached(family_wise),
        reached(discovery)
    );
    text
}

fn f1(visits: &Population<'_>) -> String {
    let find = |method: Method, epsilon: &str| {
        let mut all = visits.outcomes.iter();
        all.find(|it| it.method == method && it.epsilon == epsilon)
            .map(|it| it.samples(Measure::F1))
    };
    let published = find(Method::AsPublished, "10").unwrap_or_default();
    let mut text = String::new();
    for (epsilon, goal) in F1 {
        let Some(samples) = find(Method::PerCandidate, epsilon) else {
            continue;
        };
        let mean = samples.mean().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "- Mean F1 of the repaired form (per candidate) on {} at ε = {epsilon}: {}, goal {goal}: {}. As \
             published at ε = 10: {}.",
            visits.data.title,
            cell(&samples, 3),
            reached(mean >= goal),
            cell(&published, 3)
        );
    }
    text
}

fn reached(it: bool) -> &'static str {
    match it {
        true => "reached",
        false => "**missed**",
    }
}
