//! `hybrid-tree`: a prefix tree that asks for lines before it asks for stations.
//!
//! # What it releases
//! As `prefix-tree`: noisy counts of how trajectories begin, and trajectories drawn to match them.
//! Below each node it first asks for the top groups of a taxonomy of locations, and only under a
//! group that passes for what lies in it, down to locations. Fewer empty locations are asked for,
//! and fewer pass by chance. Counts of groups are used to decide and then forgotten, as published.
//!
//! # Guarantee
//! Pure ε-differential privacy under adding or removing one unit of privacy, as `prefix-tree`.
//! The taxonomy is a public input as well, and must be a tree.
//!
//! # Why it holds
//! The share of a level's budget that a candidate has follows from its place in the taxonomy
//! alone, and the shares on every way from the top to a location sum to one. A record's next
//! location lies on one such way, because the taxonomy is a tree. The argument stands in full in
//! [`crate::tree`].
//!
//! The split: a quarter of what is left asks for a group, the rest for what lies in it; a group
//! that holds a single branch is not asked for. The published split, 2/f for a group of f, is to
//! be had as group share `paper` (halves where f ≤ 2).
//!
//! # What it costs
//! Asking for groups takes a share of the budget; a station whose line fails is lost with it.
//!
//! # Repaired
//! As published, one fan-out f for all groups splits the budget, which leaves nothing for
//! stations where f = 2 and too little for lines where f is large, and the taxonomy has two
//! levels. Here any tree works, and lines have a share that does not vanish. Thresholds keep the
//! expected number of false candidates of every step at ρ < 1; inference yields consistent
//! counts. The published form, to be had with `as-published`, takes f from the largest group.
//!
//! # Reference
//! R. Chen, B. C. M. Fung, B. C. Desai, N. M. Sossou: Differentially private transit data
//! publication: a case study on the Montreal transportation system, 2012.

use std::borrow::Cow;

use serde_json::json;
use wayveil_core::{
    Claim, Counting, Error, Group, Mechanism, OnCounts, Output, Progress, PublicInputs,
    RandomSource, Rational, Records, Result, Taxonomy,
};

use crate::here::Here;
use crate::parameters::{Parameter, Parameters};
use crate::tree::{GroupShare, Planned, TreeOptions};

/// The hybrid tree with its options.
#[derive(Clone, Debug)]
pub struct HybridTree {
    /// What it is told.
    pub options: TreeOptions,
    /// Build a taxonomy of groups of so many locations, in the universe's order, instead of
    /// taking the universe's own.
    pub fan_out: Option<u32>,
    /// How much of a level's budget asks for groups.
    pub group_share: GroupShare,
}

const COMMON: [Parameter; 8] = TreeOptions::PARAMETERS;

impl HybridTree {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: &'static [Parameter] = &[
        COMMON[0],
        COMMON[1],
        Parameter {
            name: "fan-out",
            value: "F",
            help: "Build the taxonomy: groups of F locations in the order of the universe, instead \
                   of the universe's own taxonomy",
            default: Some(""),
            example: "2",
        },
        Parameter {
            name: "group-share",
            value: "PART",
            help: "Part of what is left of a level's budget that asks for a group: a fraction, or \
                   paper for 2/f in a group of f [default: 1/4; paper if --as-published]",
            default: Some(""),
            example: "1/3",
        },
        COMMON[2],
        COMMON[3],
        COMMON[4],
        COMMON[5],
        COMMON[6],
        COMMON[7],
    ];

    /// Builds the mechanism from parameter values.
    pub fn build(parameters: &Parameters) -> Result<Box<dyn Mechanism>> {
        let fan_out = match parameters.text("fan-out") {
            "" => None,
            _ => Some(parameters.whole("fan-out", 2..=1_000_000)? as u32),
        };
        let options = TreeOptions::read(parameters)?;
        let group_share = match (parameters.text("group-share"), options.as_published) {
            ("paper", _) | ("", true) => GroupShare::Paper,
            ("", false) => GroupShare::Part(Rational::new(1, 4)?),
            (text, _) => GroupShare::Part(text.parse()?),
        };
        Ok(Box::new(Self {
            options,
            fan_out,
            group_share,
        }))
    }

    fn taxonomy<'a>(&self, public: &PublicInputs<'a>) -> Result<Cow<'a, Taxonomy>> {
        if let Some(fan_out) = self.fan_out {
            return by_fan_out(public.universe.len(), fan_out).map(Cow::Owned);
        }
        public
            .universe
            .taxonomy()
            .map(Cow::Borrowed)
            .ok_or_else(|| {
                Error::input("hybrid-tree needs a taxonomy, and these locations have none").hint(
                    "give one with --taxonomy FILE or --taxonomy-gtfs FEED, or build one with \
                 --fan-out 20",
                )
            })
    }

    fn plan(&self, public: &PublicInputs<'_>) -> Result<(Planned, usize)> {
        let taxonomy = self.taxonomy(public)?;
        let share = match &self.group_share {
            GroupShare::Paper if self.options.as_published => {
                &GroupShare::PaperWith(published_fan_out(&taxonomy)?)
            }
            share => share,
        };
        let planned = Planned::new(&self.options, public, Some((&taxonomy, share)))?;
        Ok((planned, taxonomy.groups().len()))
    }
}

/// Groups of `fan_out` locations in the order of their codes.
fn by_fan_out(locations: usize, fan_out: u32) -> Result<Taxonomy> {
    let groups = locations.div_ceil(fan_out as usize);
    Taxonomy::new(
        (1..=groups)
            .map(|group| Group {
                label: format!("group {group}"),
                parent: None,
            })
            .collect(),
        (0..locations as u32)
            .map(|location| location / fan_out)
            .collect(),
    )
}

/// The one fan-out of the published split: the size of the largest group.
fn published_fan_out(taxonomy: &Taxonomy) -> Result<usize> {
    if taxonomy.groups().iter().any(|group| group.parent.is_some()) {
        return Err(
            Error::input("as published, the taxonomy has two levels: lines and stations")
                .hint("leave out --as-published, or give a taxonomy without nested groups"),
        );
    }
    let mut sizes = vec![0usize; taxonomy.groups().len()];
    for &group in taxonomy.group_of_location() {
        sizes[group as usize] += 1;
    }
    let largest = sizes.into_iter().max().unwrap_or(0);
    if largest <= 2 {
        return Err(Error::input(
            "as published, lines of at most two stations leave no budget for the stations",
        )
        .hint("leave out --as-published"));
    }
    Ok(largest)
}

impl Mechanism for HybridTree {
    fn name(&self) -> &'static str {
        "hybrid-tree"
    }

    fn claim(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        let (planned, groups) = self.plan(public)?;
        let mut claim = planned.claim(public);
        let source = match self.fan_out {
            Some(fan_out) => json!(format!("groups of {fan_out} locations in their order")),
            None => json!("given with the set of locations"),
        };
        let share = match &self.group_share {
            GroupShare::Part(part) => part.exact_text(),
            _ => "paper".into(),
        };
        claim.parameters.insert("taxonomy".to_owned(), source);
        if let Some(fan_out) = self.fan_out {
            claim
                .parameters
                .insert("fan_out".to_owned(), json!(fan_out));
        }
        claim
            .parameters
            .insert("group_share".to_owned(), json!(share));
        claim
            .parameters
            .insert("taxonomy_groups".to_owned(), json!(groups));
        Ok(claim)
    }

    fn run(
        &self,
        records: &Records<'_>,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        self.run_on_counts(&records.public, &Here(records), random, progress)
    }

    fn on_counts(&self) -> Option<&dyn OnCounts> {
        Some(self)
    }
}

impl OnCounts for HybridTree {
    fn run_on_counts(
        &self,
        public: &PublicInputs<'_>,
        counting: &dyn Counting,
        random: &mut RandomSource,
        progress: &dyn Progress,
    ) -> Result<Output> {
        self.plan(public)?
            .0
            .run(counting, public.time.is_some(), random, progress)
    }
}
