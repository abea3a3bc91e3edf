//! The flags of a simulation: those of every simulated method, made from the list of mechanisms.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use wayveil_core::{Error, Result};
use wayveil_mechanisms::{Entry, Parameter, Parameters, SIMULATED, Simulation, find};

use super::super::methods::flag;
use super::super::publish::CommonArguments;

/// A method with its parameters as given, and what `publish` takes with every method.
pub(crate) struct SimulateArguments {
    pub(super) common: CommonArguments,
    pub(super) evaluate: bool,
    method: String,
    given: Vec<(&'static str, String)>,
}

impl Args for SimulateArguments {
    fn augment_args(command: Command) -> Command {
        let names = SIMULATED.join(", ");
        let method = Arg::new("method")
            .long("method")
            .value_name("METHOD")
            .default_value(SIMULATED[0])
            .help(format!("How fragments are found: {names}"));
        let evaluation = Arg::new("no-evaluation")
            .long("no-evaluation")
            .action(ArgAction::SetTrue)
            .help("Do not compare the release with the raw data");
        let flags = parameters().into_iter().map(|(parameter, methods)| {
            flag(parameter).help(format!("{}{}", parameter.help, remark(parameter, &methods)))
        });
        CommonArguments::augment_args(command.arg(method).args(flags).arg(evaluation))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SimulateArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |parameter: &'static Parameter| {
            let value = match parameter.value {
                "" => matches
                    .get_flag(parameter.name)
                    .then(|| "true".to_owned())?,
                _ => matches.get_one::<String>(parameter.name)?.clone(),
            };
            Some((parameter.name, value))
        };
        let method = matches.get_one::<String>("method");
        Ok(Self {
            common: CommonArguments::from_arg_matches(matches)?,
            evaluate: !matches.get_flag("no-evaluation"),
            method: method.map_or(SIMULATED[0], String::as_str).to_owned(),
            given: (parameters().into_iter())
                .filter_map(|(parameter, _)| given(parameter))
                .collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl SimulateArguments {
    /// The method, with its parameters checked.
    pub(super) fn build(&self) -> Result<Simulation> {
        let entry = Simulation::entry(&self.method)?;
        let knows = |name| entry.parameters.iter().any(|it| it.name == name);
        if let Some((name, _)) = self.given.iter().find(|(name, _)| !knows(*name)) {
            let own: Vec<String> = (entry.parameters.iter())
                .map(|it| format!("--{}", it.name))
                .collect();
            return Err(
                Error::input(format!("{} does not know --{name}", entry.name)).hint(format!(
                    "{} has {}",
                    entry.name,
                    own.join(", ")
                )),
            );
        }
        let values = Parameters::new(entry.parameters, self.given.clone())?;
        Simulation::build(entry.name, &values)
    }
}

/// Every parameter of the simulated methods once, and the methods that know it.
fn parameters() -> Vec<(&'static Parameter, Vec<&'static str>)> {
    let mut all: Vec<(&'static Parameter, Vec<&'static str>)> = Vec::new();
    let entries = SIMULATED.iter().filter_map(|name| find(name).ok());
    let of = |entry: &'static Entry| entry.parameters.iter().map(move |it| (it, entry.name));
    for (parameter, method) in entries.flat_map(of) {
        match all
            .iter_mut()
            .find(|(known, _)| known.name == parameter.name)
        {
            Some((_, methods)) => methods.push(method),
            None => all.push((parameter, vec![method])),
        }
    }
    all
}

/// What the method's own help would add: which methods know the flag, and its default.
fn remark(parameter: &Parameter, methods: &[&str]) -> String {
    let known = match methods.len() == SIMULATED.len() {
        true => String::new(),
        false => format!(" ({} only)", methods.join(" and ")),
    };
    match parameter.default {
        None | Some("" | "false") => known,
        Some(default) => format!("{known} [default: {default}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_stands_once_and_says_whose_it_is() {
        let all = parameters();
        for (at, (parameter, methods)) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|(it, _)| it.name != parameter.name));
            assert!(!methods.is_empty());
        }
        let says = |name: &str| {
            let (parameter, methods) = all.iter().find(|(it, _)| it.name == name).unwrap();
            remark(parameter, methods)
        };
        assert_eq!(says("epsilon"), "");
        assert_eq!(says("length"), " [default: 3]");
        assert_eq!(says("xi"), " (fastpub only) [default: 0.01]");
        assert_eq!(says("as-published"), "");
    }
}
