//! What both trees are told: one struct, read from names and texts.

use wayveil_core::{Epsilon, Error, Rational, Result};

use super::inference::Inference;
use super::plan::Threshold;
use crate::parameters::{Parameter, Parameters};

/// What both trees are told; all of it public.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The whole budget.
    pub epsilon: Epsilon,
    /// The parts of the budget, one per level; their sum is one.
    pub split: Vec<Rational>,
    /// How thresholds are chosen.
    pub threshold: Threshold,
    /// How noisy counts are made into estimates.
    pub inference: Inference,
    /// The most nodes that the tree may have, where a cap was asked for.
    pub node_cap: Option<usize>,
    /// Whether the published form was asked for.
    pub as_published: bool,
}

/// The tallest tree.
const MAX_HEIGHT: u64 = 1000;
/// The largest cap: such a tree still fits a large machine's memory.
const MAX_NODES: u64 = 100_000_000;

impl TreeOptions {
    /// The parameters, as offered everywhere.
    pub(crate) const PARAMETERS: [Parameter; 8] = [
        Parameter {
            name: "epsilon",
            value: "E",
            help: "Privacy budget of the whole release, above 0; smaller is more private",
            default: None,
            example: "1",
        },
        Parameter {
            name: "height",
            value: "H",
            help: "How many locations of a trajectory count; the budget is split over so many levels",
            default: None,
            example: "3",
        },
        Parameter {
            name: "split",
            value: "PARTS",
            help: "How the budget is split over levels: uniform, or a number per level such as 4,2,1",
            default: Some("uniform"),
            example: "3,2,1",
        },
        Parameter {
            name: "threshold",
            value: "T",
            help: "Least noisy count that is kept: auto, paper (two standard deviations), or a \
                   number [default: auto; paper if --as-published]",
            default: Some(""),
            example: "auto",
        },
        Parameter {
            name: "rho",
            value: "R",
            help: "For threshold auto: how many empty candidates may pass on average, above 0 and \
                   below 1",
            default: Some("1/2"),
            example: "1/2",
        },
        Parameter {
            name: "inference",
            value: "HOW",
            help: "How noisy counts become estimates: none, paper, projected or least-squares \
                   [default: projected; paper if --as-published]",
            default: Some(""),
            example: "least-squares",
        },
        Parameter {
            name: "node-cap",
            value: "N",
            help: "Stop growing at this many nodes; needed where thresholds let the tree explode",
            default: Some(""),
            example: "1000",
        },
        Parameter {
            name: "as-published",
            value: "",
            help: "The method as the paper has it, for comparison",
            default: Some("false"),
            example: "false",
        },
    ];

    /// Reads and checks the options.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        let as_published = parameters.switch("as-published")?;
        let height = parameters.whole("height", 1..=MAX_HEIGHT)?;
        Ok(Self {
            epsilon: parameters.read("epsilon")?,
            split: read_split(parameters.text("split"), height)?,
            threshold: read_threshold(parameters, as_published)?,
            inference: match (parameters.text("inference"), as_published) {
                ("", true) => Inference::Paper,
                ("", false) => Inference::Projected,
                (text, _) => text.parse()?,
            },
            node_cap: match parameters.text("node-cap") {
                "" => None,
                _ => Some(parameters.whole("node-cap", 1..=MAX_NODES)? as usize),
            },
            as_published,
        })
    }

    /// How many symbols of a record count.
    pub fn height(&self) -> u32 {
        self.split.len() as u32
    }
}

fn read_split(text: &str, height: u64) -> Result<Vec<Rational>> {
    if text == "uniform" {
        return vec![Rational::new(1, height); height as usize]
            .into_iter()
            .collect();
    }
    let weights = text
        .split(',')
        .map(|part| {
            part.parse().map_err(|error: Error| {
                Error::input(format!("invalid split (got {text:?}): {}", error.message()))
                    .hint("give one number per level, or uniform")
            })
        })
        .collect::<Result<Vec<Rational>>>()?;
    if weights.len() as u64 != height {
        return Err(Error::input(format!(
            "invalid split (got {} parts): there are {height} levels",
            weights.len()
        ))
        .hint("give one number per level, or uniform"));
    }
    if weights.iter().any(Rational::is_zero) {
        return Err(
            Error::input("invalid split: a level without budget has no counts")
                .hint("give every level a number above 0, or choose a smaller height"),
        );
    }
    let total = weights
        .iter()
        .fold(Rational::zero(), |sum, weight| sum.plus(weight));
    weights.iter().map(|weight| weight.over(&total)).collect()
}

fn read_threshold(parameters: &Parameters, as_published: bool) -> Result<Threshold> {
    match (parameters.text("threshold"), as_published) {
        ("paper", _) | ("", true) => Ok(Threshold::Paper),
        ("auto", _) | ("", false) => {
            let rho: Rational = parameters.read("rho")?;
            if rho.is_zero() || rho >= Rational::new(1, 1)? || rho.to_u64_parts().is_none() {
                return Err(Error::input(format!(
                    "invalid rho (got {rho}): must be above 0 and below 1"
                ))
                .hint("with 1 or more false children per node the tree would never end"));
            }
            Ok(Threshold::Auto(rho))
        }
        (text, _) => {
            // Noise below the threshold must be hidden for both signs: counts from 1 on.
            let number = parameters.whole("threshold", 1..=u64::from(u32::MAX)).map_err(|_| {
                Error::input(format!(
                    "invalid threshold (got {text:?}): must be auto, paper or a number from 1 on"
                ))
            })?;
            Ok(Threshold::Fixed(number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KNOWN: [Parameter; 8] = TreeOptions::PARAMETERS;

    fn options(given: &[(&str, &str)]) -> Result<TreeOptions> {
        let mut all = vec![("epsilon", "1"), ("height", "3")];
        all.extend_from_slice(given);
        TreeOptions::read(&Parameters::new(&KNOWN, all)?)
    }

    #[test]
    fn the_published_form_has_its_own_defaults() {
        let repaired = options(&[]).unwrap();
        assert_eq!(repaired.inference, Inference::Projected);
        assert!(matches!(repaired.threshold, Threshold::Auto(_)));
        let published = options(&[("as-published", "true")]).unwrap();
        assert_eq!(published.inference, Inference::Paper);
        assert_eq!(published.threshold, Threshold::Paper);
        let basic = options(&[("as-published", "true"), ("inference", "none")]).unwrap();
        assert_eq!(basic.inference, Inference::None);
    }

    #[test]
    fn parts_of_the_budget_sum_to_exactly_one() {
        for split in ["uniform", "4,2,1", "0.5,0.3,0.2", "1/3,1/7,9"] {
            let parts = options(&[("split", split)]).unwrap().split;
            let total = parts
                .iter()
                .fold(Rational::zero(), |sum, part| sum.plus(part));
            assert_eq!((parts.len(), total), (3, Rational::new(1, 1).unwrap()));
        }
        for bad in ["", "1,2", "1,2,3,4", "1,0,1", "1,-1,1", "a,b,c"] {
            assert!(options(&[("split", bad)]).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn thresholds_are_a_rule_or_a_number() {
        assert_eq!(
            options(&[("threshold", "7")]).unwrap().threshold,
            Threshold::Fixed(7)
        );
        for bad in ["0", "-3", "1.5", "high"] {
            assert!(
                options(&[("threshold", bad)]).is_err(),
                "{bad:?} was accepted"
            );
        }
        for bad in ["0", "1", "2", "x"] {
            assert!(
                options(&[("rho", bad)]).is_err(),
                "rho {bad:?} was accepted"
            );
        }
    }
}
