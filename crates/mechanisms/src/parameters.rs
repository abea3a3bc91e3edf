//! Parameters as names and texts, so that flags, files and keywords are read by the same code.

use std::collections::BTreeMap;
use std::str::FromStr;

use wayveil_core::{Error, Result};

/// One parameter of a mechanism, as documented and offered everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name: `--name` on the command line, `name` in a file.
    pub name: &'static str,
    /// What stands for its value in help texts; empty for a switch, which has no value.
    pub value: &'static str,
    /// What it means.
    pub help: &'static str,
    /// The value when it is left out; none where it must be given, empty where it depends.
    pub default: Option<&'static str>,
    /// A value that works, for examples and tests.
    pub example: &'static str,
}

/// δ, for methods whose promise has one; the others do not take it. Its default is public, as
/// everything about it must be: it is far below one over the number of people of any city.
pub const DELTA: Parameter = Parameter {
    name: "delta",
    value: "D",
    help: "The probability with which the promise of epsilon may fail: above 0, and far below one \
           over the number of people",
    default: Some("1e-9"),
    example: "1e-9",
};

/// Values of parameters, checked against what the mechanism knows.
#[derive(Clone, Debug)]
pub struct Parameters {
    values: BTreeMap<&'static str, String>,
}

impl Parameters {
    /// Takes values by name, fills in defaults, and refuses unknown and missing names.
    pub fn new<N: AsRef<str>, V: Into<String>>(
        known: &'static [Parameter],
        given: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self> {
        let mut values = BTreeMap::new();
        for (name, value) in given {
            let name = name.as_ref();
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                let names: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
                return Err(Error::input(format!("there is no parameter {name:?}"))
                    .hint(format!("the parameters are: {}", names.join(", "))));
            };
            values.insert(parameter.name, value.into());
        }
        for parameter in known {
            if values.contains_key(parameter.name) {
                continue;
            }
            let Some(default) = parameter.default else {
                return Err(
                    Error::input(format!("--{} is missing", parameter.name)).hint(format!(
                        "add it, for instance --{} {}",
                        parameter.name, parameter.example
                    )),
                );
            };
            values.insert(parameter.name, default.to_owned());
        }
        Ok(Self { values })
    }

    /// The text of a parameter; asking for an unknown one is a bug and panics.
    pub fn text(&self, name: &str) -> &str {
        &self.values[name]
    }

    /// A parameter read as a value whose own parser explains failures.
    pub fn read<T: FromStr<Err = Error>>(&self, name: &str) -> Result<T> {
        self.text(name).parse()
    }

    /// A switch: `true` or `false`.
    pub fn switch(&self, name: &str) -> Result<bool> {
        let text = self.text(name);
        text.parse().map_err(|_| {
            Error::input(format!(
                "invalid {name} (got {text:?}): must be true or false"
            ))
        })
    }

    /// A parameter read as names separated by commas; none where it is empty.
    pub fn names(&self, name: &str) -> Vec<&str> {
        let parts = self.text(name).split(',').map(str::trim);
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// A parameter read as a whole number within a range.
    pub fn whole(&self, name: &str, range: std::ops::RangeInclusive<u64>) -> Result<u64> {
        let text = self.text(name);
        text.trim()
            .parse::<u64>()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (low, high) = (range.start(), range.end());
                Error::input(format!(
                    "invalid {name} (got {text:?}): must be a whole number from {low} to {high}"
                ))
            })
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::Delta;

    use super::*;

    static KNOWN: &[Parameter] = &[
        Parameter {
            name: "size",
            value: "N",
            help: "",
            default: None,
            example: "3",
        },
        Parameter {
            name: "mode",
            value: "M",
            help: "",
            default: Some("slow"),
            example: "fast",
        },
    ];

    #[test]
    fn fills_in_defaults_and_refuses_strangers() {
        let values = Parameters::new(KNOWN, [("size", "7")]).unwrap();
        assert_eq!(values.whole("size", 1..=9).unwrap(), 7);
        assert_eq!(values.text("mode"), "slow");
        assert!(Parameters::new(KNOWN, [("colour", "red")]).is_err());
        let lists = Parameters::new(KNOWN, [("size", "age, job,"), ("mode", "")]).unwrap();
        assert_eq!(lists.names("size"), ["age", "job"]);
        assert!(lists.names("mode").is_empty());
        let missing = Parameters::new(KNOWN, [("mode", "x")]).unwrap_err();
        assert!(missing.to_string().contains("--size"), "{missing}");
    }

    #[test]
    fn a_delta_has_a_public_default_and_pure_methods_take_none() {
        static WITH_DELTA: &[Parameter] = &[DELTA];
        let delta = |given: &[(&str, &str)]| {
            Parameters::new(WITH_DELTA, given.iter().copied())?.read::<Delta>("delta")
        };
        assert_eq!(delta(&[]).unwrap().to_string(), "1e-9");
        assert_eq!(delta(&[("delta", "2.5e-7")]).unwrap().to_string(), "2.5e-7");
        assert!(delta(&[("delta", "1")]).is_err());
        for method in ["prefix-tree", "hybrid-tree"] {
            let pure = crate::find(method).unwrap().parameters;
            let refusal = Parameters::new(pure, [("delta", "1e-9")]).unwrap_err();
            assert!(
                refusal.to_string().contains("no parameter \"delta\""),
                "{refusal}"
            );
        }
    }

    #[test]
    fn whole_numbers_have_a_range() {
        for bad in ["0", "10", "-1", "1.5", "", "seven", "18446744073709551616"] {
            let values = Parameters::new(KNOWN, [("size", bad)]).unwrap();
            assert!(values.whole("size", 1..=9).is_err(), "{bad:?} was accepted");
        }
    }
}
