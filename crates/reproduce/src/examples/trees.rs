//! The sample database of the papers about trees.

use wayveil_core::{
    Dataset, NonPrivate, Origin, RandomSource, Raw, Rehearsal, Rehearsed, Result, Terms, Universe,
};
use wayveil_evaluate::evaluation::Candidate;
use wayveil_io::{Input, SeqOptions, UniverseChoice, read_seq_from};
use wayveil_mechanisms::tree::Inference;
use wayveil_mechanisms::{Parameters, find};

use crate::entry::Check;

pub(super) const LOCATIONS: usize = 4;

/// As a file has it.
const SAMPLE: &str = "\
L1 L2 L3
L1 L2
L3 L2 L1
L1 L2 L4
L1 L2 L3
L3 L2
L1 L2 L4 L1
L3 L1
";

/// The sample, read from a file of the form `seq`, among so many locations.
fn sample(locations: usize) -> Result<Raw<Dataset>> {
    let labels = (1..=locations).map(|number| format!("L{number}"));
    let universe = Universe::from_labels(labels, Origin::Declared("the paper".into()))?;
    let options = SeqOptions::new(UniverseChoice::Declared(universe), "the papers' sample");
    let input = Input::from_reader("sample.seq", SAMPLE.as_bytes())?;
    Ok(read_seq_from(input, &options)?.0)
}

/// Does something with a method before it has seen the sample among so many locations.
pub(super) fn rehearse<T>(
    method: &str,
    locations: usize,
    with: impl FnOnce(&Rehearsal<'_>, &mut RandomSource) -> Result<T>,
) -> Result<T> {
    let candidate: Candidate = method.parse()?;
    let entry = find(&candidate.method)?;
    let given = candidate.parameters.iter();
    let given = given.map(|(name, value)| (name, value.as_str()));
    let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
    let raw = sample(locations)?;
    let because = NonPrivate::because("works out a paper's example");
    let mut random = RandomSource::insecure_seed(1);
    let terms = Terms::default();
    let rehearsal = Rehearsal::new(&raw, mechanism.as_ref(), &terms, &random, because)?;
    with(&rehearsal, &mut random)
}

/// What a method makes of the sample.
pub(super) fn run(method: &str, locations: usize) -> Result<Rehearsed> {
    rehearse(method, locations, |rehearsal, random| {
        rehearsal.run(random).for_publisher_only()
    })
}

/// Prefixes with their noisy counts.
pub(super) fn prefixes(made: &Rehearsed) -> Vec<(String, i64)> {
    let Some(counts) = &made.counts else {
        return Vec::new();
    };
    let words = |codes: &[u32]| {
        let labels = codes.iter().map(|code| format!("L{}", code + 1));
        labels.collect::<Vec<_>>().join(" ")
    };
    let prefixes = counts.prefixes.iter().zip(&counts.noisy);
    let mut all: Vec<(String, i64)> = prefixes.map(|(codes, &n)| (words(codes), n)).collect();
    all.sort();
    all
}

fn tree(method: &str, locations: usize) -> Result<Vec<(String, i64)>> {
    Ok(prefixes(&run(method, locations)?))
}

/// The sample, read and counted.
pub(crate) fn sample_database() -> Result<Vec<Check>> {
    let because = NonPrivate::because("counts a paper's example");
    let (records, visits, locations) = sample(LOCATIONS)?
        .inspect(because, |data| {
            let trips = data.trips();
            (trips.len(), trips.symbols(), data.universe().len())
        })
        .for_publisher_only();
    Ok(vec![
        Check::new("records", "8", records.to_string()),
        Check::new("visits", "22", visits.to_string()),
        Check::new("locations", "4", locations.to_string()),
    ])
}

/// Noise of scale 1/250 is zero but for one draw in 10^108.
const EXACT: &str = "prefix-tree epsilon=1000 height=4 threshold=1 inference=none";

/// The exact counts of every prefix.
pub(crate) fn sample_tree() -> Result<Vec<Check>> {
    const PAPER: [(&str, i64); 9] = [
        ("L1", 5),
        ("L1 L2", 5),
        ("L1 L2 L3", 2),
        ("L1 L2 L4", 2),
        ("L1 L2 L4 L1", 1),
        ("L3", 3),
        ("L3 L1", 1),
        ("L3 L2", 2),
        ("L3 L2 L1", 1),
    ];
    let found = tree(EXACT, LOCATIONS)?;
    let mut checks = vec![Check::new(
        "prefixes",
        PAPER.len().to_string(),
        found.len().to_string(),
    )];
    for (prefix, count) in PAPER {
        let ours = found.iter().find(|(known, _)| known == prefix);
        let ours = ours.map_or("none".into(), |(_, count)| count.to_string());
        checks.push(Check::new(prefix, count.to_string(), ours));
    }
    Ok(checks)
}

/// How many false children a node has on average, and what is done about it.
pub(crate) fn explosion() -> Result<Vec<Check>> {
    let passes = (-2.0 * 2f64.sqrt()).exp() / 2.0;
    let mut checks = vec![Check::new(
        "an empty child passes",
        "0.0296",
        format!("{passes:.4}"),
    )];
    for (locations, children) in [(17, "0.5"), (68, "2.0"), (944, "27.9"), (1012, "29.9")] {
        let what = format!("false children per node, |L| = {locations}");
        let found = passes * f64::from(locations);
        checks.push(Check::new(what, children, format!("{found:.1}")));
    }
    let what = "false nodes at the last of 12 levels, |L| = 1,012";
    let found = (passes * 1012.0).powi(12);
    checks.push(Check::new(what, "5e17", format!("{found:.0e}")));
    let published = "prefix-tree epsilon=1 height=12 as-published";
    for (locations, expected) in [(17, "runs"), (68, "refused"), (1012, "refused")] {
        let found = match tree(published, locations) {
            Ok(_) => "runs",
            Err(error) if error.exit_code() == 1 => "refused",
            Err(error) => return Err(error),
        };
        let what = format!("`{published}`, |L| = {locations}");
        checks.push(Check::new(what, expected, found));
    }
    let repaired = tree("prefix-tree epsilon=1 height=12", 1012).map(|_| "runs");
    let what = "repaired, |L| = 1012";
    checks.push(Check::new(what, "runs", repaired?));
    Ok(checks)
}

/// What both inferences make of A:10 with B:8 and C:6, B with D:9 and E:1.
pub(crate) fn inference() -> Result<Vec<Check>> {
    let (noisy, children) = (vec![10, 8, 6, 9, 1], vec![2, 2, 0, 0, 0]);
    let words = |inference: Inference| {
        let estimates = inference.estimates(1, noisy.clone(), children.clone());
        let named = ["A", "B", "C", "D", "E"].iter().zip(&estimates);
        let words: Vec<String> = named
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        (words.join(", "), estimates)
    };
    let consistent = |counts: &[f64]| {
        let kept = counts.iter().all(|&count| count >= 0.0)
            && counts[1] + counts[2] <= counts[0]
            && counts[3] + counts[4] <= counts[1];
        (if kept { "yes" } else { "no" }).to_owned()
    };
    let (paper, published) = words(Inference::Paper);
    let (ours, repaired) = words(Inference::Projected);
    Ok(vec![
        Check::new(
            "as published",
            "A 10, B 6.125, C 3.875, D 6.8125, E -0.6875",
            paper,
        ),
        Check::new("as published: consistent", "no", consistent(&published)),
        Check::new("repaired", "A 10, B 6, C 4, D 6, E 0", ours),
        Check::new("repaired: consistent", "yes", consistent(&repaired)),
    ])
}
