//! What `generalize` is told: one struct, read from names and texts.

use wayveil_core::{Delta, Epsilon, Error, Rational, Result};

use super::kmeans::MAX_CLUSTERS;
use super::windows::Choice;
use crate::parameters::{DELTA, Parameter, Parameters};

/// What `generalize` is told; all of it public.
#[derive(Clone, Debug)]
pub struct GeneralizeOptions {
    /// The whole budget.
    pub epsilon: Epsilon,
    /// The δ that may be spent at most.
    pub delta: Delta,
    /// How many clusters places are put into.
    pub clusters: usize,
    /// Where the clusters come from.
    pub centres: Centres,
    /// What is added to counts.
    pub noise: Noise,
    /// The points of a window; none for whole records.
    pub window: Option<u32>,
    /// The most windows of one record.
    pub windows: u32,
    /// Which of its windows, where it has more.
    pub choose: Choice,
    /// Whether points in a row that lie in one cluster become one.
    pub collapse: bool,
    /// How many time bins make one; none where time is left out.
    pub bins_together: Option<u32>,
    /// Released journeys within this edit distance become one.
    pub near: u32,
    /// How many journeys are made up.
    pub decoys: u32,
    /// How they are made up.
    pub decoy_style: DecoyStyle,
    /// Whether the published form was asked for.
    pub as_published: bool,
}

/// Where the clusters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Centres {
    /// From the public set of locations, at no cost.
    Public,
    /// From the records.
    Private {
        /// The share of ε that it takes, above 0 and below 1.
        share: Rational,
        /// How often the centres are moved.
        rounds: u32,
    },
}

/// What is added to counts, and which are released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Discrete Laplace noise on journeys that occur, released from a threshold on; δ.
    Laplace,
    /// The same within ±B, released above B; δ.
    Truncated,
    /// Discrete Laplace noise on every journey that there could be; no δ.
    Pure,
}

impl Noise {
    /// Its name, as given.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Laplace => "laplace",
            Self::Truncated => "truncated",
            Self::Pure => "pure",
        }
    }
}

/// How decoys are made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoyStyle {
    /// From a Markov chain of the released journeys.
    Markov,
    /// Any cluster at each point.
    Uniform,
}

impl DecoyStyle {
    /// Its name, as given.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Markov => "markov",
            Self::Uniform => "uniform",
        }
    }
}

/// The most points of a window.
const LONGEST_WINDOW: u64 = 1000;
/// The most windows of a record, and rounds of private k-means.
const MOST: u64 = 1000;
/// The most decoys.
const MOST_DECOYS: u64 = 1_000_000;

impl GeneralizeOptions {
    /// The parameters, as offered everywhere.
    pub const PARAMETERS: [Parameter; 16] = [
        Parameter {
            name: "epsilon",
            value: "E",
            help: "Privacy budget of the whole release, above 0; smaller is more private",
            default: None,
            example: "1",
        },
        DELTA,
        Parameter {
            name: "clusters",
            value: "K",
            help: "Into how many clusters places are put",
            default: Some("20"),
            example: "20",
        },
        Parameter {
            name: "centres",
            value: "FROM",
            help: "Where clusters come from: public (the set of locations, at no cost), or private \
                   (the records, for a share of epsilon)",
            default: Some("public"),
            example: "private",
        },
        Parameter {
            name: "centres-share",
            value: "S",
            help: "For private centres: their share of epsilon, above 0 and below 1",
            default: Some("0.3"),
            example: "1/4",
        },
        Parameter {
            name: "rounds",
            value: "N",
            help: "For private centres: how often they are moved",
            default: Some("3"),
            example: "3",
        },
        Parameter {
            name: "noise",
            value: "KIND",
            help: "laplace (with a threshold, for a delta), truncated (never beyond a bound, for a \
                   delta) or pure (no delta: every journey that there could be gets noise)",
            default: Some("laplace"),
            example: "truncated",
        },
        Parameter {
            name: "window",
            value: "N",
            help: "Records are cut into journeys of so many points, or all for whole records",
            default: Some("4"),
            example: "3",
        },
        Parameter {
            name: "windows",
            value: "M",
            help: "The most windows of one record; each needs its share of epsilon",
            default: Some("1"),
            example: "2",
        },
        Parameter {
            name: "choose",
            value: "HOW",
            help: "Which windows of a record, where it has more: usual (those that it has most often), \
                   first (those that come first) or random (drawn by how often it has them)",
            default: Some("usual"),
            example: "first",
        },
        Parameter {
            name: "collapse",
            value: "",
            help: "Points in a row that lie in one cluster become one",
            default: Some("false"),
            example: "true",
        },
        Parameter {
            name: "bins-together",
            value: "N",
            help: "Keep time, with so many bins made one, or all to leave time out",
            default: Some("all"),
            example: "all",
        },
        Parameter {
            name: "near",
            value: "D",
            help: "Released journeys within this edit distance of a more frequent one go into it",
            default: Some("0"),
            example: "1",
        },
        Parameter {
            name: "decoys",
            value: "N",
            help: "How many journeys are made up and put among the released ones",
            default: Some("50"),
            example: "5",
        },
        Parameter {
            name: "decoy-style",
            value: "HOW",
            help: "markov (like the released journeys) or uniform (any cluster at each point)",
            default: Some("markov"),
            example: "uniform",
        },
        Parameter {
            name: "as-published",
            value: "",
            help: "The method as the paper has it, for comparison: it promises nothing, and of these \
                   parameters takes clusters and decoys",
            default: Some("false"),
            example: "false",
        },
    ];

    /// Reads and checks the options.
    pub fn read(parameters: &Parameters) -> Result<Self> {
        let number = |name: &str, most: u64| {
            let read = parameters.whole(name, 1..=most)?;
            Ok::<u32, Error>(u32::try_from(read).unwrap_or(u32::MAX))
        };
        let or_all = |name: &str, most: u64| match parameters.text(name).trim() {
            "all" => Ok(None),
            _ => number(name, most)
                .map(Some)
                .map_err(|error| error.hint(format!("give --{name} a number, or all"))),
        };
        let whole = |name: &str, least: u64, most: u64, hint: &str| {
            let read = parameters.whole(name, least..=most);
            read.map_err(|error| {
                error.hint(format!(
                    "give --{name} a number from {least} to {most}; {hint}"
                ))
            })
        };
        Ok(Self {
            epsilon: parameters.read("epsilon")?,
            delta: parameters.read("delta")?,
            clusters: whole("clusters", 1, MAX_CLUSTERS as u64, "20 is usual")? as usize,
            centres: match parameters.text("centres") {
                "public" => {
                    private_only(parameters)?;
                    Centres::Public
                }
                "private" => Centres::Private {
                    share: share(parameters)?,
                    rounds: number("rounds", MOST)?,
                },
                other => return Err(unknown("centres", other, "public or private")),
            },
            noise: match parameters.text("noise") {
                "laplace" => Noise::Laplace,
                "truncated" => Noise::Truncated,
                "pure" => Noise::Pure,
                other => return Err(unknown("noise", other, "laplace, truncated or pure")),
            },
            window: or_all("window", LONGEST_WINDOW)?,
            windows: number("windows", MOST)?,
            choose: choice(parameters.text("choose"))?,
            collapse: parameters.switch("collapse")?,
            bins_together: or_all("bins-together", u64::from(u32::MAX))?,
            near: whole("near", 0, LONGEST_WINDOW, "0 merges only equal journeys")? as u32,
            decoys: whole("decoys", 0, MOST_DECOYS, "0 makes none")? as u32,
            decoy_style: match parameters.text("decoy-style") {
                "markov" => DecoyStyle::Markov,
                "uniform" => DecoyStyle::Uniform,
                other => return Err(unknown("decoy-style", other, "markov or uniform")),
            },
            as_published: parameters.switch("as-published")?,
        })
    }
}

/// What is said of private centres plays no part where they are public.
fn private_only(parameters: &Parameters) -> Result<()> {
    for parameter in &GeneralizeOptions::PARAMETERS {
        let of_private = ["centres-share", "rounds"].contains(&parameter.name);
        if of_private && Some(parameters.text(parameter.name)) != parameter.default {
            return Err(Error::input(format!(
                "--{} says nothing about public centres",
                parameter.name
            ))
            .hint("leave it out, or choose --centres private"));
        }
    }
    Ok(())
}

fn share(parameters: &Parameters) -> Result<Rational> {
    let text = parameters.text("centres-share");
    let read: Option<Rational> = text.parse().ok();
    let one = Rational::new(1, 1)?;
    read.filter(|share| !share.is_zero() && *share < one)
        .ok_or_else(|| {
            Error::input(format!(
                "invalid centres-share (got {text:?}): must be above 0 and below 1"
            ))
            .hint("the rest of epsilon is for counts: 0.3 is usual")
        })
}

fn choice(text: &str) -> Result<Choice> {
    let found = Choice::ALL.into_iter().find(|it| it.name() == text);
    found.ok_or_else(|| unknown("choose", text, "usual, first or random"))
}

fn unknown(name: &str, got: &str, known: &str) -> Error {
    Error::input(format!("invalid {name} (got {got:?}): must be {known}"))
        .hint(format!("give --{name} one of these"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<GeneralizeOptions> {
        static KNOWN: &[Parameter] = &GeneralizeOptions::PARAMETERS;
        let mut all = vec![("epsilon", "1")];
        all.extend_from_slice(given);
        GeneralizeOptions::read(&Parameters::new(KNOWN, all)?)
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let options = read(&[]).unwrap();
        assert_eq!((options.clusters, options.decoys), (20, 50));
        assert_eq!((options.window, options.windows), (Some(4), 1));
        assert_eq!(options.centres, Centres::Public);
        assert_eq!(options.choose, Choice::Usual);
        assert_eq!(options.delta.to_string(), "1e-9");
        assert_eq!(read(&[("window", "all")]).unwrap().window, None);
    }

    #[test]
    fn nonsense_is_refused() {
        for (given, says) in [
            (("clusters", "0"), "from 1"),
            (("clusters", "2049"), "to 2048"),
            (("centres", "stolen"), "public or private"),
            (("noise", "gauss"), "laplace, truncated or pure"),
            (("window", "0"), "from 1"),
            (("window", "some"), "from 1"),
            (("windows", "0"), "from 1"),
            (("choose", "best"), "usual, first or random"),
            (("bins-together", "0"), "from 1"),
            (("near", "-1"), "from 0"),
            (("decoy-style", "clever"), "markov or uniform"),
            (("delta", "1"), "below 1"),
            (("epsilon", "0"), "epsilon"),
        ] {
            let error = read(&[given]).unwrap_err();
            assert!(error.to_string().contains(says), "{given:?}: {error}");
        }
        for given in [("centres-share", "0.5"), ("rounds", "5")] {
            let error = read(&[given]).unwrap_err();
            assert!(error.to_string().contains("public centres"), "{error}");
            assert!(read(&[given, ("centres", "private")]).is_ok());
        }
        for given in [("clusters", "0"), ("near", "1000000"), ("decoys", "-1")] {
            let error = read(&[given]).unwrap_err();
            assert!(
                error.advice().is_some_and(|hint| hint.contains("--")),
                "{error}"
            );
        }
        for share in ["0", "1", "x", "-0.1"] {
            let error = read(&[("centres", "private"), ("centres-share", share)]).unwrap_err();
            assert!(error.to_string().contains("above 0 and below 1"), "{error}");
        }
    }
}
