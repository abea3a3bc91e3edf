//! One campaign for fragments, compared with the truth.

use std::collections::BTreeMap;

use wayveil_core::{Epsilon, RandomSource, Result};
use wayveil_evaluate::fragments::FragmentTruth;
use wayveil_federated::collector::Findings;

use super::cleaning::Cleaning;
use crate::campaigns::{
    Counted, Method, PUBLISHED_SHARE, Pool, Population, Published, Setting, fastpub, of_findings,
    parameters, sfp, sfp_of_share, triehh, triehh_of_share,
};
use crate::entry::Changed;

/// "We encode each location data as an integer (32 bits)."
const INTEGER: f64 = 32.0;

/// Asks simulated clients, and compares what is found with the truth: for each setting, which differ in k alone.
pub(super) fn run(
    method: Method,
    population: &Population<'_>,
    settings: &[Setting],
    epsilon: &Epsilon,
    changed: &Changed,
    random: &mut RandomSource,
) -> Result<Vec<BTreeMap<String, f64>>> {
    let all = match method {
        Method::SfpPublished | Method::Sfp => match changed.share {
            None => sfp(method, population, settings, epsilon, random)?,
            Some(share) => sfp_of_share(method, population, settings, share, epsilon, random)?,
        },
        Method::TrieHhPublished => {
            let share = changed.share.unwrap_or(PUBLISHED_SHARE);
            triehh_of_share(population, settings, share, random)?
        }
        Method::TrieHh => {
            let one = |setting| triehh(method, population, &[setting], epsilon, random);
            let all: Result<Vec<Vec<Published>>> = settings.iter().copied().map(one).collect();
            all?.into_iter().flatten().collect()
        }
        _ => {
            let one =
                |&setting| fastpub_once(method, population, setting, epsilon, changed, random);
            return settings.iter().map(one).collect();
        }
    };
    let baseline = |published: &Published| {
        let mut numbers = BTreeMap::new();
        // Nothing but locations is sent down: of them each has so many bits.
        let bits = f64::from(u32::BITS - (population.locations.max(2) - 1).leading_zeros());
        let down = published.sent.bits_down * INTEGER / bits;
        put(&mut numbers, &[("bits-down-integers", Some(down))]);
        compare(
            &truth(population, published.setting)?,
            published,
            &mut numbers,
        )?;
        Ok(numbers)
    };
    all.iter().map(baseline).collect()
}

fn fastpub_once(
    method: Method,
    population: &Population<'_>,
    setting: Setting,
    epsilon: &Epsilon,
    changed: &Changed,
    random: &mut RandomSource,
) -> Result<BTreeMap<String, f64>> {
    let truth = truth(population, setting)?;
    let mut numbers = BTreeMap::new();
    let mut parameters = parameters(method, population, setting, epsilon);
    if let Some(share) = changed.share {
        parameters = parameters.with_share(share);
    }
    parameters.per_client = changed.per_client.unwrap_or(parameters.per_client);
    parameters.lambda = changed.lambda.unwrap_or(parameters.lambda);
    let known = parameters.clone();
    let found = fastpub(parameters, &Pool::new(population.clients()), random)?;
    if let Some(cleaning) = Cleaning::of(&known, &found, &truth) {
        let named = [
            ("cleaned", cleaning.ratio()),
            ("cleaned-rightly", cleaning.accuracy()),
        ];
        put(&mut numbers, &named);
    }
    let integers = [("bits-down-integers", Some(asked_in_integers(&found)))];
    put(&mut numbers, &integers);
    compare(
        &truth,
        &of_findings(known.form, setting, &found),
        &mut numbers,
    )?;
    Ok(numbers)
}

fn truth<'a>(population: &Population<'a>, setting: Setting) -> Result<FragmentTruth<'a>> {
    let (k, length) = (setting.k, setting.length as usize);
    FragmentTruth::count(population.records, population.per_record, k, length)
}

/// The mean bits of the fragments in a question, a location being an integer.
fn asked_in_integers(found: &Findings) -> f64 {
    let fragments = found.fragments.iter();
    let locations = fragments.map(|it| it.history.asked() as f64 * it.fragment.len() as f64);
    INTEGER * locations.sum::<f64>() / found.traffic.clients.max(1) as f64
}

/// Numbers of the greatest length, which are the paper's.
fn compare(
    truth: &FragmentTruth<'_>,
    published: &Published,
    numbers: &mut BTreeMap<String, f64>,
) -> Result<()> {
    let compare = |counted: &Counted| truth.compare(&counted.fragments, &counted.counts);
    let released = compare(&published.released)?;
    let answers = match &published.answers {
        Some(answers) => compare(answers)?,
        None => released.clone(),
    };
    let scores = released.longest();
    let named = [
        ("precision", scores.precision),
        ("recall", scores.recall),
        ("f1", scores.f1),
        ("query-error", answers.longest().query_error),
        ("bits-up", Some(published.sent.bits_up)),
        ("bits-down", Some(published.sent.bits_down)),
        ("to-find", Some(scores.truth as f64)),
    ];
    put(numbers, &named);
    Ok(())
}

/// Adds the numbers that are defined.
fn put(numbers: &mut BTreeMap<String, f64>, named: &[(&str, Option<f64>)]) {
    let defined = named.iter().filter_map(|&(name, it)| Some((name, it?)));
    numbers.extend(defined.map(|(name, number)| (name.to_owned(), number)));
}

#[cfg(test)]
#[path = "campaign_tests.rs"]
mod tests;
