//! What `fastpub` is told: one struct, read from names and texts.

use wayveil_core::{Error, Result};
use wayveil_federated::campaign::{Control, MAX_PER_CLIENT};

use crate::fragments::Asked;
use crate::parameters::{Parameter, Parameters};

/// What `fastpub` is told; all of it public.
#[derive(Clone, Debug)]
pub struct FastpubOptions {
    /// What it shares with other methods.
    pub asked: Asked,
    /// The level of false admissions.
    pub xi: f64,
    /// The most fragments in one question; none for what the form has.
    pub per_client: Option<u32>,
    /// How far below k a Markov chain may expect a candidate; none for what the form has.
    pub lambda: Option<f64>,
    /// Over what the level is promised.
    pub control: Control,
    /// How the campaign is simulated.
    pub engine: Engine,
    /// The share of clients that do not answer.
    pub drop_out: f64,
    /// The share of the answering clients that lie.
    pub poison: f64,
    /// Whether the published form was asked for.
    pub as_published: bool,
}

/// How a campaign is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Every client by its own code.
    Clients,
    /// Numbers of clients, for experiments.
    Numbers,
}

impl Engine {
    /// Its name, as given.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Clients => "clients",
            Self::Numbers => "numbers",
        }
    }
}

/// Its name, as given.
pub(super) fn control_name(control: Control) -> &'static str {
    match control {
        Control::PerCandidate => "per-candidate",
        Control::FamilyWise => "family-wise",
        Control::FalseDiscovery => "false-discovery",
    }
}

impl FastpubOptions {
    /// The parameters, as offered everywhere.
    pub(crate) const PARAMETERS: [Parameter; 13] = [
        Asked::EPSILON,
        Asked::K,
        Asked::LENGTH,
        Parameter {
            name: "xi",
            value: "X",
            help: "The level of publishing a fragment that fewer than k clients have, between 0 and 1",
            default: Some("0.01"),
            example: "0.05",
        },
        Parameter {
            name: "control",
            value: "WHAT",
            help: "Over what xi is promised: per-candidate (each such fragment), family-wise (any of \
                   one length) or false-discovery (their share among the published)",
            default: Some("per-candidate"),
            example: "family-wise",
        },
        Parameter {
            name: "per-client",
            value: "C",
            help: "The most fragments that one client is asked about; 1 unless given, 5 as published",
            default: Some(""),
            example: "1",
        },
        Parameter {
            name: "lambda",
            value: "L",
            help: "Do not ask about fragments of which a Markov chain expects fewer than lambda times \
                   k; 0.5 unless given, 0.8 as published",
            default: Some(""),
            example: "0.5",
        },
        Asked::CLIENTS_PER_RECORD,
        Asked::LONGEST,
        Parameter {
            name: "engine",
            value: "HOW",
            help: "clients (each client by its own code) or numbers (how many say yes is drawn: for \
                   experiments, promises nothing)",
            default: Some("clients"),
            example: "clients",
        },
        Parameter {
            name: "drop-out",
            value: "SHARE",
            help: "The share of clients that do not answer, from 0 to 1",
            default: Some("0"),
            example: "0.1",
        },
        Parameter {
            name: "poison",
            value: "SHARE",
            help: "The share of the answering clients that say yes to everything, from 0 to 1",
            default: Some("0"),
            example: "0",
        },
        Parameter {
            name: "as-published",
            value: "",
            help: "The campaign as the paper has it, for comparison; clients are as private",
            default: Some("false"),
            example: "false",
        },
    ];

    /// Reads and checks the options.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        let if_given = |name: &str| !parameters.text(name).trim().is_empty();
        let options = Self {
            asked: Asked::read(parameters)?,
            xi: number(
                parameters,
                "xi",
                |xi| xi > 0.0 && xi < 1.0,
                "above 0 and below 1",
            )?,
            per_client: match if_given("per-client") {
                true => {
                    let read = parameters.whole("per-client", 1..=MAX_PER_CLIENT.into())?;
                    Some(u32::try_from(read).unwrap_or(MAX_PER_CLIENT))
                }
                false => None,
            },
            lambda: match if_given("lambda") {
                true => Some(number(parameters, "lambda", |it| it >= 0.0, "0 or above")?),
                false => None,
            },
            control: match parameters.text("control") {
                "per-candidate" => Control::PerCandidate,
                "family-wise" => Control::FamilyWise,
                "false-discovery" => Control::FalseDiscovery,
                other => {
                    return Err(Error::input(format!(
                        "invalid control (got {other:?}): must be per-candidate, family-wise or \
                         false-discovery"
                    ))
                    .hint("give --control one of these"));
                }
            },
            engine: match parameters.text("engine") {
                "clients" => Engine::Clients,
                "numbers" => Engine::Numbers,
                other => {
                    return Err(Error::input(format!(
                        "invalid engine (got {other:?}): must be clients or numbers"
                    ))
                    .hint("give --engine one of these"));
                }
            },
            drop_out: share(parameters, "drop-out")?,
            poison: share(parameters, "poison")?,
            as_published: parameters.switch("as-published")?,
        };
        options.check_published()?;
        Ok(options)
    }

    /// The published form asks a fifth of the clients about each length, and judges each fragment by
    /// itself.
    fn check_published(&self) -> Result<()> {
        if self.as_published && self.asked.length > LONGEST_PUBLISHED {
            return Err(Error::input(format!(
                "as published a fifth of the clients is asked about each length, which is enough for \
                 {LONGEST_PUBLISHED} lengths (got {})",
                self.asked.length
            ))
            .hint(format!(
                "give --length at most {LONGEST_PUBLISHED}, or leave out --as-published"
            )));
        }
        if self.as_published && self.control != Control::PerCandidate {
            return Err(
                Error::input("as published each fragment is judged by itself")
                    .hint("leave out --control, or --as-published"),
            );
        }
        Ok(())
    }
}

/// The longest fragments that the published form can find.
const LONGEST_PUBLISHED: u32 = 5;

fn share(parameters: &Parameters, name: &str) -> Result<f64> {
    number(
        parameters,
        name,
        |it| (0.0..=1.0).contains(&it),
        "from 0 to 1",
    )
}

fn number(
    parameters: &Parameters,
    name: &str,
    fits: impl Fn(f64) -> bool,
    range: &str,
) -> Result<f64> {
    let text = parameters.text(name);
    let read = text.trim().parse::<f64>().ok();
    read.filter(|&it| it.is_finite() && fits(it))
        .ok_or_else(|| {
            Error::input(format!("invalid {name} (got {text:?}): must be {range}"))
                .hint(format!("give --{name} a number {range}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<FastpubOptions> {
        static KNOWN: &[Parameter] = &FastpubOptions::PARAMETERS;
        let mut all = vec![("epsilon", "2"), ("k", "100")];
        all.extend_from_slice(given);
        FastpubOptions::read(&Parameters::new(KNOWN, all)?)
    }

    #[test]
    fn defaults_are_the_documented_ones() {
        let options = read(&[]).unwrap();
        let asked = &options.asked;
        assert_eq!((asked.k, asked.length, options.xi), (100, 3, 0.01));
        assert_eq!((options.per_client, options.lambda), (None, None));
        assert_eq!((asked.clients_per_record, asked.longest), (1, 64));
        assert_eq!((options.drop_out, options.poison), (0.0, 0.0));
        assert_eq!(options.engine, Engine::Clients);
        assert!(!options.as_published);
        assert_eq!(read(&[("per-client", "2")]).unwrap().per_client, Some(2));
    }

    #[test]
    fn what_the_published_form_does_not_have_is_refused() {
        for given in [("length", "6"), ("control", "family-wise")] {
            let error = read(&[given, ("as-published", "true")]).unwrap_err();
            assert!(error.to_string().contains("as published"), "{error}");
            assert!(read(&[given]).is_ok());
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (name, value) in [
            ("epsilon", "0"),
            ("k", "0"),
            ("length", "65"),
            ("xi", "1"),
            ("xi", "NaN"),
            ("control", "none"),
            ("per-client", "65"),
            ("lambda", "-1"),
            ("lambda", "inf"),
            ("clients-per-record", "0"),
            ("longest", "0"),
            ("engine", "steam"),
            ("drop-out", "1.1"),
            ("poison", "x"),
        ] {
            let error = read(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains(name), "{name} {value}: {error}");
        }
    }
}
