//! What `generalize` claims: its parameters, its limits, and what does not fit.

use std::collections::BTreeMap;

use serde_json::json;
use wayveil_core::{Claim, Cost, Error, Guarantee, PublicInputs, Result};

use super::counting::Counting;
use super::mechanism::Generalize;
use super::options::{Centres, GeneralizeOptions, Noise};
use super::places;
use super::repaired::Plan;
use super::rows::MOST_SYMBOLS;
use super::windows::Choice;

const WHY_NOT: &str = "the noise never lowers a count, and its range, its scale and the centres of \
                       the clusters come from the data. So a release that is possible with a person \
                       in the data is impossible without them, and no epsilon holds";

/// The most rows that decoys may be made into.
const MOST_DECOY_ROWS: f64 = 1e7;
/// From here on a promise is called weak.
const WEAK: f64 = 4.0;

impl Generalize {
    pub(super) fn parameters(&self, plan: &Plan) -> BTreeMap<String, serde_json::Value> {
        let options = &self.options;
        let or_all = |number: Option<u32>| number.map_or(json!("all"), |number| json!(number));
        let mut parameters = BTreeMap::from([
            (
                "epsilon".to_owned(),
                json!(options.epsilon.value().exact_text()),
            ),
            ("clusters".to_owned(), json!(options.clusters)),
            ("noise".to_owned(), json!(options.noise.name())),
            ("window".to_owned(), or_all(options.window)),
            ("collapse".to_owned(), json!(options.collapse)),
            ("bins_together".to_owned(), or_all(options.bins_together)),
            ("near".to_owned(), json!(options.near)),
            ("decoys".to_owned(), json!(options.decoys)),
            ("decoy_style".to_owned(), json!(options.decoy_style.name())),
            ("threshold".to_owned(), json!(plan.counting.threshold)),
            (
                "standard_deviation".to_owned(),
                json!(plan.counting.deviation()),
            ),
            (
                "journeys_of_a_unit".to_owned(),
                json!(plan.counting.by.most()),
            ),
        ]);
        if options.window.is_some() {
            parameters.insert("windows".into(), json!(options.windows));
            parameters.insert("choose".into(), json!(options.choose.name()));
        }
        if !plan.counting.delta.is_zero() {
            let asked = options.delta.value().exact_text();
            parameters.insert("delta".into(), json!(asked));
        }
        match &options.centres {
            Centres::Public => parameters.insert("centres".into(), json!("public")),
            Centres::Private { share, rounds } => {
                parameters.insert("centres_share".into(), json!(share.exact_text()));
                parameters.insert("rounds".into(), json!(rounds));
                parameters.insert("centres".into(), json!("private"))
            }
        };
        parameters
    }

    pub(super) fn limits(&self, plan: &Plan, timed: bool) -> Vec<String> {
        let options = &self.options;
        let threshold = plan.counting.threshold;
        let rows = match options.noise {
            Noise::Laplace | Noise::Truncated => {
                "Rows are copies of coarse journeys, as many as a noisy count says: each journey that is \
                 no decoy was made by at least one person."
            }
            Noise::Pure => {
                "Rows are copies of coarse journeys, as many as a noisy count says: of those that are no \
                 decoys nearly all were made by people."
            }
        };
        let mut limits = vec![
            rows.to_owned(),
            format!(
                "Places are coarse: each location stands for the cluster around it, one of {} at \
                 most.",
                plan.clusters
            ),
            format!(
                "A journey is there as often as its noisy count says, and only where that reaches \
                 {threshold}: journeys that few people share are missing."
            ),
        ];
        if let Some(points) = options.window {
            limits.push(format!(
                "Rows are not whole trips: records were cut into journeys of {points} points, of \
                 which at most {} of a record count, {}; what is left at its end does not.",
                options.windows,
                match options.choose {
                    Choice::Usual => "those that it has most often",
                    Choice::First => "those that come first",
                    Choice::Random => "drawn by how often it has them",
                }
            ));
        }
        if options.noise == Noise::Pure {
            limits.push(
                "Journeys that nobody made are released by chance, one or fewer on average.".into(),
            );
        }
        if options.decoys > 0 {
            limits.push(format!(
                "Up to {} of the different journeys are decoys, made up from the released ones: each \
                 with a count from {threshold} on and nobody behind it. There are as many where as \
                 many could be made, and none where nothing else is released.",
                options.decoys
            ));
        }
        if options.near > 0 {
            limits.push(format!(
                "Journeys within {} changes of a more frequent one were counted as that one.",
                options.near
            ));
        }
        if options.collapse {
            limits.push("How long somebody stayed in a cluster is left out.".into());
        }
        match (timed, options.bins_together) {
            (true, None) => limits.push("Times are left out: every time bin is the first.".into()),
            (true, Some(together)) => limits.push(format!(
                "Times are coarse: {together} bins are one, shown as its first."
            )),
            (false, _) => {}
        }
        if options.epsilon.to_f64() > WEAK {
            limits.push(format!(
                "Epsilon {} is a weak promise: much of what single people did may show.",
                options.epsilon
            ));
        }
        let delta = &plan.counting.delta;
        if delta.is_weak() {
            limits.push(format!(
                "Delta {delta} is a weak promise: with that probability a person may be given away \
                 altogether."
            ));
        }
        limits
    }

    pub(super) fn claim_as_published(&self, public: &PublicInputs<'_>) -> Result<Claim> {
        places(public.universe)?;
        Ok(Claim {
            cost: Cost::NotComposing,
            guarantee: Guarantee::none(WHY_NOT, public.unit),
            variant: "as-published",
            parameters: BTreeMap::from([
                (
                    "epsilon".to_owned(),
                    json!(self.options.epsilon.value().exact_text()),
                ),
                ("clusters".to_owned(), json!(self.options.clusters)),
                ("decoys".to_owned(), json!(self.options.decoys)),
            ]),
            limits: vec![
                "Rows are journeys of people between clusters, with decoys among them: a journey that \
                 is no decoy was made by at least one person."
                    .into(),
                "Places are coarse: each location stands for a cluster of visited ones.".into(),
                format!(
                    "{} of the journeys are decoys, made up, in place of as many records.",
                    self.options.decoys
                ),
                "A journey is there as often as its noisy count says, rounded.".into(),
                "Times are left out, and epsilon plays no part.".into(),
            ],
            noise: "Laplace in floating point about the mean count, between 0 and twice that"
                .into(),
            columns: Vec::new(),
        })
    }
}

/// Refuses rows with nobody behind them that would not fit: decoys, and what passes by chance. Where
/// records stay whole their lengths are not public; then there are fewer decoys.
pub(super) fn check_size(options: &GeneralizeOptions, counting: &Counting) -> Result<()> {
    let count = counting.of_decoy_about();
    let rows = f64::from(options.decoys) * count;
    let with_chance = rows + f64::from(u8::from(options.noise == Noise::Pure)) * count;
    let symbols = with_chance * f64::from(options.window.unwrap_or(1));
    let threshold = counting.threshold;
    if rows > MOST_DECOY_ROWS {
        return Err(Error::refused(format!(
            "{} decoys would be about {rows:.0} rows, more than {MOST_DECOY_ROWS:.0}: each stands \
             for a count from the threshold of {threshold} on",
            options.decoys
        ))
        .hint("ask for fewer --decoys, or choose a larger epsilon"));
    }
    if symbols > MOST_SYMBOLS {
        return Err(Error::refused(format!(
            "rows with nobody behind them would have about {symbols:.0} points, more than \
             {MOST_SYMBOLS:.0}: each decoy, and a journey that passes by chance, stands for a count \
             from the threshold of {threshold} on"
        ))
        .hint("ask for fewer --decoys, choose a smaller --window or a larger epsilon"));
    }
    Ok(())
}
