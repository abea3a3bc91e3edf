//! The one door from raw data to a release.
//!
//! ```text
//!  Raw<Dataset> ─▶ terms ─▶ claim (public inputs only) ─▶ bound by unit ─▶ charge ─▶ run ─▶ Release
//! ```
//! Answers that were private before they arrived come in by a side of it ([`publish_collected`]), where there are no
//! records at all; records that stay elsewhere and are only counted by another ([`publish_counted`]).
//!
//! What a mechanism lies about, the door cannot see: that is the auditor's work. What it can see,
//! it enforces: no release without a charge, none that can be written without an entry in the books,
//! no universe from the data without consent, no publishable release from a seeded generator, no
//! code outside the universe, no column beside the trajectory under differential privacy, no records
//! that break a promise about records, and no counts beside them.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_noise::RandomSource;

use crate::books::{Books, Spend};
use crate::budget::{Budget, Cost};
use crate::canonical::canonical;
use crate::counting::{Counted, OnCounts};
use crate::dataset::{Dataset, Owners};
use crate::error::{Error, Result};
use crate::guarantee::Model;
use crate::labels::Labels;
use crate::manifest::{
    FORMAT, FORMAT_VERSION, Manifest, Method, NoiseRecord, PublicInputsRecord, Tool, UniverseRecord,
};
use crate::mechanism::{Claim, Mechanism, Output};
use crate::progress::Progress;
use crate::raw::Raw;
use crate::release::{Booked, Release};
use crate::sequences::Sequences;
use crate::unit::{PrivacyUnit, Records, bound, bound_with, public_inputs};
use crate::universe::{Origin, Universe, hex};
use crate::verify::check_promise;

/// What the publisher asks for and accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// Whose presence is hidden.
    pub unit: PrivacyUnit,
    /// Whether public inputs that were read off the data are accepted, and with them a guarantee
    /// that holds only given that they are public.
    pub universe_from_data: bool,
    /// Whether parameters were chosen after looking at the raw data or at an evaluation of it.
    pub chosen_after_looking: bool,
}

/// Publishes in memory: charges the budget and runs the mechanism on records bounded by the unit of
/// privacy. For trials, sweeps and audits: the result cannot be written.
///
/// The charge is made before the mechanism runs and stays made when it fails: a failure may
/// depend on the data.
pub fn publish(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    budget: &mut Budget,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Release> {
    let charge = |spend: &Spend<'_>| {
        budget.charge(spend.cost)?;
        random_id()
    };
    let asked = Asked::Here(&raw.inner);
    pass(asked, mechanism, terms, charge, random, progress)
}

/// Publishes for good: as [`publish`], but the spend is recorded in the books before the mechanism
/// sees the data, and the result is the only kind of value that can be written as a release. What
/// the books warn of is told to `progress` before the mechanism runs, and kept in the result.
pub fn publish_booked(
    raw: &Raw<Dataset>,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    books: &mut dyn Books,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Booked> {
    let mut warnings = Vec::new();
    let charge = |spend: &Spend<'_>| book(spend, books, progress, &mut warnings);
    let asked = Asked::Here(&raw.inner);
    let release = pass(asked, mechanism, terms, charge, random, progress)?;
    Ok(Booked::new(release, warnings))
}

/// People who were asked, each of whom answered with noise of their own: no record of theirs ever came into the house.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The public set of locations.
    pub universe: Arc<Universe>,
    /// The name under which spending on these people is kept.
    pub population: String,
    /// How many were asked; public.
    pub units: u64,
    /// Names these answers in the books: a hash of what was asked of whom, when and on what terms, all of it public. The
    /// same campaign has the same name wherever it runs, and a person gives one answer to it
    /// ([`Books::book`] says what follows from that).
    pub answers: [u8; 32],
}

/// Publishes for good what was private before it arrived: as [`publish_booked`], for a mechanism that holds nothing
/// but answers. It is given no records, must promise differential privacy *locally*, and is charged like
/// any other: whoever answers two campaigns gives away both. Publication that a crash or a full disk has stopped after
/// the entry was made can be done again on the same entry ([`Books::book`]).
pub fn publish_collected(
    collected: &Collected,
    mechanism: &dyn Mechanism,
    books: &mut dyn Books,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Booked> {
    let mut warnings = Vec::new();
    let charge = |spend: &Spend<'_>| {
        if !spend.guarantee.model.is_local() {
            return Err(Error::refused(format!(
                "{} does not promise that answers were private before they were sent",
                spend.method
            )));
        }
        book(spend, books, progress, &mut warnings)
    };
    // Who answered is known to nobody: an owner for each of no records.
    let owners = Owners::Known {
        of_record: Vec::new(),
        labels: Labels::default(),
    };
    let nothing = Dataset::new(
        Arc::clone(&collected.universe),
        None,
        Sequences::empty(false),
        owners,
        Vec::new(),
        collected.population.clone(),
    )?;
    let asked = Asked::Elsewhere(&nothing, collected);
    let terms = Terms::default();
    let release = pass(asked, mechanism, &terms, charge, random, progress)?;
    Ok(Booked::new(release, warnings))
}

/// Publishes for good from records that stay elsewhere: as [`publish_booked`], for a mechanism that needs nothing of
/// them but exact counts. Nothing is counted before the spend is in the books, and a count that fails leaves it there.
///
/// # What the caller must ensure
/// The engine counts every owner once, with all their rows; [`crate::counting`] says why that is enough.
pub fn publish_counted(
    counted: &Counted,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    books: &mut dyn Books,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Booked> {
    let mut warnings = Vec::new();
    let charge = |spend: &Spend<'_>| book(spend, books, progress, &mut warnings);
    let asked = Asked::Counted(counted);
    let release = pass(asked, mechanism, terms, charge, random, progress)?;
    Ok(Booked::new(release, warnings))
}

/// Books a spend and passes on what the books warn of.
fn book(
    spend: &Spend<'_>,
    books: &mut dyn Books,
    progress: &dyn Progress,
    warnings: &mut Vec<String>,
) -> Result<String> {
    let booking = books.book(spend)?;
    for warning in &booking.warnings {
        progress.warn(warning);
    }
    *warnings = booking.warnings;
    Ok(booking.entry)
}

/// Where people are asked.
#[derive(Clone, Copy)]
enum Asked<'a> {
    /// Of their records, in the house.
    Here(&'a Dataset),
    /// On their own devices; the data set has no record.
    Elsewhere(&'a Dataset, &'a Collected),
    /// Of their records, which stay where they are and are counted there.
    Counted(&'a Counted),
}

impl<'a> Asked<'a> {
    fn data(self) -> &'a Dataset {
        match self {
            Self::Here(data) | Self::Elsewhere(data, _) => data,
            Self::Counted(counted) => counted.data(),
        }
    }

    /// The name of answers that were private before they arrived. Records in the house have none.
    fn answers(self) -> Option<&'a [u8; 32]> {
        match self {
            Self::Here(_) | Self::Counted(_) => None,
            Self::Elsewhere(_, collected) => Some(&collected.answers),
        }
    }

    /// Where noise comes from.
    fn randomness(self, random: &RandomSource) -> &'static str {
        match (self, random.is_secure()) {
            (_, false) => "ChaCha20 keyed by a fixed seed",
            (Self::Here(_) | Self::Counted(_), true) => {
                "ChaCha20 keyed by the operating system's generator"
            }
            (Self::Elsewhere(..), true) => {
                "ChaCha20 keyed by the generator of each client's operating system"
            }
        }
    }
}

/// The steps themselves. `charge` takes a spend or refuses it, and names the release.
fn pass(
    asked: Asked<'_>,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    charge: impl FnOnce(&Spend<'_>) -> Result<String>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Release> {
    let data = asked.data();
    let Prepared { mut records, claim } = prepare(data, mechanism, terms, random)?;
    if let Asked::Elsewhere(_, collected) = asked {
        records.units = Some(collected.units);
    }
    let name = mechanism.name();
    let on_counts = match asked {
        Asked::Counted(_) => Some(only_counting(mechanism, &claim)?),
        Asked::Here(_) | Asked::Elsewhere(..) => None,
    };
    let (cost, guarantee, variant) = (&claim.cost, &claim.guarantee, claim.variant);
    let spend = Spend::new(cost, guarantee, name, variant, data, asked.answers());
    let id = charge(&spend)?;
    let output = match (asked, on_counts) {
        (Asked::Counted(counted), Some(mechanism)) => {
            let counting = counted.counting(terms.unit);
            mechanism.run_on_counts(&records.public, &counting, random, progress)?
        }
        _ => mechanism.run(&records, random, progress)?,
    };
    let output = as_released(data, &claim, output)?;
    let manifest = manifest(asked, records.units, id, name, claim, &output, random);
    Ok(Release::new(
        output,
        data.universe().clone(),
        data.time().cloned(),
        manifest,
    ))
}

/// A mechanism that needs no more than counts, of which the claim needs no more either.
fn only_counting<'m>(mechanism: &'m dyn Mechanism, claim: &Claim) -> Result<&'m dyn OnCounts> {
    let name = mechanism.name();
    let on_counts = mechanism.on_counts().ok_or_else(|| {
        Error::refused(format!(
            "{name} needs the records themselves, and these stay where they are: only counts of them are to be had"
        ))
        .hint("prefix-tree and hybrid-tree need nothing but counts, nor does fastpub with --engine numbers")
    })?;
    // The number of people and the columns beside the trajectories are with the records.
    let model = &claim.guarantee.model;
    let more = matches!(model, Model::KclPrivacy { .. }) || model.units_are_public();
    match more || !claim.columns.is_empty() {
        true => Err(Error::refused(format!(
            "{name} would promise something about records, and these stay where they are"
        ))),
        false => Ok(on_counts),
    }
}

/// Records bounded by the unit of privacy, and what will be charged and promised for them.
pub(crate) struct Prepared<'a> {
    pub(crate) records: Records<'a>,
    pub(crate) claim: Claim,
}

/// Everything before the charge.
pub(crate) fn prepare<'a>(
    data: &'a Dataset,
    mechanism: &dyn Mechanism,
    terms: &Terms,
    random: &RandomSource,
) -> Result<Prepared<'a>> {
    let conditions = conditions(data, terms)?;
    let mut claim = mechanism.claim(&public_inputs(data, terms.unit))?;
    check_claim(&claim, terms, mechanism.name())?;
    claim.guarantee.rests_on.extend(conditions);
    claim
        .guarantee
        .rests_on
        .extend(about_randomness(&claim, random));
    let records = match &claim.guarantee.model {
        Model::DifferentialPrivacy { .. } => {
            let records = bound(data, terms.unit);
            let units = claim.guarantee.model.units_are_public();
            let units = units.then(|| records.sequences.len() as u64);
            Records { units, ..records }
        }
        Model::KclPrivacy { .. } | Model::None { .. } => {
            bound_with(data, terms.unit, &claim.columns)?
        }
    };
    Ok(Prepared { records, claim })
}

/// What leaves the house of a mechanism's output: checked, rows of people in an order of their own, and
/// in that form held against what is promised.
pub(crate) fn as_released(data: &Dataset, claim: &Claim, mut output: Output) -> Result<Output> {
    check_output(data, claim, &output)?;
    if !claim.guarantee.model.is_differential_privacy() {
        // Rows of people: where they stood in the raw data must not show.
        let (trajectories, attributes) = canonical(output.trajectories, &output.attributes);
        (output.trajectories, output.attributes) = (trajectories, attributes);
    }
    check_promise(&claim.guarantee.model, &output)?;
    Ok(output)
}

/// Nothing outside the universe and the axis, no column that was not claimed, and no counts beside
/// records that are promised to be all there is.
fn check_output(data: &Dataset, claim: &Claim, output: &Output) -> Result<()> {
    let (locations, bins) = (data.universe().len(), data.time().map(|axis| axis.bins));
    output.trajectories.check_ranges(locations, bins)?;
    for (at, attribute) in output.attributes.iter().enumerate() {
        let name = &attribute.name;
        let twice = output.attributes[..at].iter().any(|it| it.name == *name);
        if twice || !claim.columns.contains(name) {
            return Err(Error::refused(format!(
                "the method would release the column {name:?}, which it did not claim, or twice"
            )));
        }
        if !attribute.fits(output.trajectories.len()) {
            return Err(Error::input(format!(
                "the released column {name:?} does not fit the trajectories"
            )));
        }
    }
    let counts = output.counts.is_some() || output.fragments.is_some();
    let counts = counts || output.expected_error.is_some();
    if counts && matches!(claim.guarantee.model, Model::KclPrivacy { .. }) {
        return Err(Error::refused(format!(
            "the method would release counts, and {} is about records only",
            claim.guarantee.model.name()
        )));
    }
    if output
        .expected_error
        .as_ref()
        .is_some_and(|it| !it.is_sound())
    {
        return Err(Error::input(
            "the method's estimates of its own error are no numbers",
        ));
    }
    if let Some(counts) = &output.counts {
        counts.prefixes.check_ranges(locations, bins)?;
    }
    if let Some(fragments) = &output.fragments {
        fragments.check(locations)?;
    }
    Ok(())
}

/// A promise must be for the unit that was asked for, and no stronger than what is charged.
fn check_claim(claim: &Claim, terms: &Terms, name: &str) -> Result<()> {
    if claim.guarantee.unit != terms.unit {
        return Err(Error::refused(format!(
            "{name} promises another unit of privacy than was asked for"
        )));
    }
    match &claim.guarantee.model {
        Model::DifferentialPrivacy {
            epsilon_exact,
            delta_exact,
            ..
        } => {
            if let Some(column) = claim.columns.first() {
                return Err(Error::refused(format!(
                    "{name} promises differential privacy but would read the column {column:?}"
                )));
            }
            if claim.guarantee.model.units_are_public() && terms.unit.records() > 1 {
                return Err(Error::refused(format!(
                    "{name} takes the number of people for public, and people with up to {} trips \
                     cannot be counted by their records",
                    terms.unit.records()
                ))
                .hint(
                    "leave out --max-trips: the trips of a person are then joined to one record",
                ));
            }
            check_charge(epsilon_exact, delta_exact, &claim.cost, name)
        }
        Model::KclPrivacy { sensitive, .. } => {
            if claim.cost != Cost::NotComposing {
                return Err(Error::refused(format!(
                    "{name} promises {}, which does not add up, but would charge an epsilon",
                    claim.guarantee.model.name()
                )));
            }
            if terms.unit != PrivacyUnit::Owner {
                return Err(Error::refused(format!(
                    "{name} promises {} about people, and single trips do not say whose they are",
                    claim.guarantee.model.name()
                )));
            }
            match sensitive
                .iter()
                .find(|it| !claim.columns.contains(&it.column))
            {
                Some(unread) => Err(Error::refused(format!(
                    "{name} promises something about the column {:?} but would not read it",
                    unread.column
                ))),
                None => Ok(()),
            }
        }
        Model::None { .. } => Ok(()),
    }
}

fn check_charge(epsilon: &str, delta: &str, cost: &Cost, name: &str) -> Result<()> {
    let charged = match cost.amount() {
        Some(charged)
            if epsilon == charged.epsilon.exact_text() && delta == charged.delta.exact_text() =>
        {
            return Ok(());
        }
        Some(charged) => charged.in_words(),
        None => "nothing".into(),
    };
    let promised = match delta {
        "0" => format!("epsilon {epsilon}"),
        delta => format!("epsilon {epsilon} and delta {delta}"),
    };
    Err(Error::refused(format!(
        "{name} promises {promised} but would charge {charged}"
    )))
}

/// Refuses public inputs taken from the data unless accepted, and says what the guarantee rests on
/// whatever the mechanism.
fn conditions(data: &Dataset, terms: &Terms) -> Result<Vec<String>> {
    let mut conditions = Vec::new();
    let inputs = [
        ("set of locations", Some(data.universe().origin())),
        (
            "number of time bins",
            data.time().map(|axis| &axis.declared),
        ),
    ];
    for (what, origin) in inputs {
        match origin {
            None => {}
            Some(Origin::Declared(_)) => conditions.push(format!(
                "The {what} is public and was not taken from the data."
            )),
            Some(Origin::FromData) if terms.universe_from_data => conditions.push(format!(
                "The {what} was taken from the raw data; the guarantee holds only if it is public \
                 anyway."
            )),
            Some(Origin::FromData) => {
                return Err(Error::refused(format!(
                    "the {what} was read off the raw data, which reveals what occurs there"
                ))
                .hint(
                    "import again with a public list (--universe FILE), or accept a weaker \
                     guarantee with --universe-from-data",
                ));
            }
        }
    }
    conditions.push(if terms.chosen_after_looking {
        "Parameters were chosen after looking at the raw data or at an evaluation of it; the \
         guarantee holds only given that choice."
            .into()
    } else {
        "All parameters were chosen without looking at the data.".into()
    });
    if terms.unit != PrivacyUnit::Trip && matches!(data.owners(), Owners::EachRecord) {
        conditions.push(
            "The data names no owners: every row is taken to be a different person, and a person \
             with several rows is protected for each alone."
                .into(),
        );
    }
    Ok(conditions)
}

/// What a promise rests on where randomness is part of it: a property of the released records is
/// not.
fn about_randomness(claim: &Claim, random: &RandomSource) -> Option<String> {
    let sound = "The operating system's random generator and ChaCha20 are sound.";
    let seeded = "Nobody knows the seed. It is fixed, so this release must not be published.";
    match &claim.guarantee.model {
        Model::DifferentialPrivacy { .. } if random.is_secure() => Some(sound.into()),
        Model::DifferentialPrivacy { .. } => Some(seeded.into()),
        Model::KclPrivacy { .. } | Model::None { .. } => None,
    }
}

/// Why a release must stay in the house, if it must.
fn not_publishable_because(model: &Model, random: &RandomSource) -> Option<String> {
    match model {
        Model::None { reason } => Some(format!("it promises nothing: {reason}")),
        _ if random.is_secure() => None,
        Model::DifferentialPrivacy { .. } => {
            Some("made with a fixed seed: whoever knows the seed can remove the noise".into())
        }
        Model::KclPrivacy { .. } => Some("made with a fixed seed, for tests and figures".into()),
    }
}

fn manifest(
    asked: Asked<'_>,
    units: Option<u64>,
    id: String,
    name: &'static str,
    claim: Claim,
    output: &Output,
    random: &RandomSource,
) -> Manifest {
    let data = asked.data();
    let not_publishable_because = not_publishable_because(&claim.guarantee.model, random);
    Manifest {
        format: FORMAT.into(),
        format_version: FORMAT_VERSION,
        tool: Tool {
            name: "wayveil".into(),
            version: env!("CARGO_PKG_VERSION").into(),
        },
        id,
        date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        publishable: not_publishable_because.is_none(),
        not_publishable_because,
        method: Method {
            name: name.into(),
            variant: claim.variant.into(),
            parameters: claim.parameters.into_iter().collect::<BTreeMap<_, _>>(),
        },
        guarantee: claim.guarantee,
        limits: claim.limits,
        public_inputs: PublicInputsRecord {
            universe: UniverseRecord {
                origin: data.universe().origin().clone(),
                locations: data.universe().len() as u64,
                sha256: data.universe().digest(),
            },
            time: data.time().cloned(),
            units,
        },
        noise: NoiseRecord {
            distribution: claim.noise,
            randomness: asked.randomness(random).into(),
        },
        attributes: output.attributes.iter().map(|it| it.name.clone()).collect(),
        expected_error: output.expected_error.clone(),
        files: Vec::new(),
    }
}

/// 128 bits from the operating system, unrelated to the noise.
fn random_id() -> Result<String> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|cause| Error::system("cannot read the operating system's generator", cause))?;
    Ok(hex(&bytes))
}
