//! A subcommand for each method, with flags for its parameters, made from the list of mechanisms.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use wayveil_core::{Mechanism, Result};
use wayveil_mechanisms::{ALL, Entry, Parameter, Parameters};

/// What a command takes with every method.
pub(crate) trait WithEveryMethod: Args {
    /// Examples for its help.
    const EXAMPLE: &'static str;
    /// Values for parameters that would have to be given, or would be larger.
    const DEFAULTS: &'static [(&'static str, &'static str)];
}

/// A method with its parameters as given, and what the command takes with every method.
pub(crate) struct MethodArguments<C> {
    pub(crate) chosen: Chosen,
    pub(crate) common: C,
}

impl<C: WithEveryMethod> Args for MethodArguments<C> {
    fn augment_args(command: Command) -> Command {
        subcommands(command, C::DEFAULTS, |method| {
            C::augment_args(method).after_help(C::EXAMPLE)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: WithEveryMethod> FromArgMatches for MethodArguments<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (chosen, matches) = Chosen::from_matches(matches)?;
        Ok(Self {
            chosen,
            common: C::from_arg_matches(matches)?,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A method with its parameters as given.
pub(crate) struct Chosen {
    pub(crate) entry: &'static Entry,
    pub(crate) given: Vec<(&'static str, String)>,
}

impl Chosen {
    /// The mechanism, with its parameters checked.
    pub(crate) fn build(&self) -> Result<Box<dyn Mechanism>> {
        let values = Parameters::new(self.entry.parameters, self.given.clone())?;
        (self.entry.build)(&values)
    }

    /// The method that was chosen, and the matches of its subcommand.
    fn from_matches(matches: &ArgMatches) -> Result<(Self, &ArgMatches), clap::Error> {
        let no_method = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(no_method)?;
        let entry = ALL
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(no_method)?;
        let given = entry
            .parameters
            .iter()
            .filter_map(|parameter| {
                let value = if parameter.value.is_empty() {
                    matches.get_flag(parameter.name).to_string()
                } else {
                    matches.get_one::<String>(parameter.name)?.clone()
                };
                Some((parameter.name, value))
            })
            .collect();
        Ok((Self { entry, given }, matches))
    }
}

/// A flag for a parameter, without help or default.
pub(super) fn flag(parameter: &'static Parameter) -> Arg {
    let flag = Arg::new(parameter.name).long(parameter.name);
    match parameter.value {
        "" => flag.action(ArgAction::SetTrue),
        value => flag.value_name(value).allow_negative_numbers(true),
    }
}

/// Adds the methods to a command. `defaults` stand for parameters that are not given;
/// `common` adds what every method takes.
fn subcommands(
    command: Command,
    defaults: &'static [(&'static str, &'static str)],
    common: impl Fn(Command) -> Command,
) -> Command {
    let methods = ALL.iter().map(|entry| {
        let flags = entry.parameters.iter().map(|parameter| {
            let arg = flag(parameter).help(parameter.help);
            let stands_in = defaults.iter().find(|(name, _)| *name == parameter.name);
            match (parameter.default, stands_in) {
                _ if parameter.value.is_empty() => arg,
                (_, Some((_, value))) => arg.default_value(*value),
                (Some(""), _) => arg,
                (Some(default), _) => arg.default_value(default),
                (None, None) => arg.required(true),
            }
        });
        let method = Command::new(entry.name).about(entry.about).args(flags);
        // The common arguments bring a description of their own; the method's is wanted.
        common(method).about(entry.about).long_about(entry.about)
    });
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("METHOD")
        .subcommand_help_heading("Methods")
        .disable_help_subcommand(true)
        .subcommands(methods)
}

/// Where a flag is not known to the method that was asked for but to others, says so, instead of
/// offering a flag that happens to be spelt alike; and where no method is named, which one to begin with.
pub(crate) fn another_methods_flag(mut error: clap::Error, words: &[String]) -> clap::Error {
    if let Some(tip) = no_method(&error, words) {
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
        return error;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let asked = ALL
        .iter()
        .find(|entry| words.iter().any(|word| word == entry.name));
    if let (ErrorKind::UnknownArgument, Some(tip)) =
        (error.kind(), asked.and_then(|asked| tip(asked, flag)))
    {
        error.remove(ContextKind::SuggestedArg);
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// Where a file stands in the place of a method, the method to begin with.
fn no_method(error: &clap::Error, words: &[String]) -> Option<String> {
    let ContextValue::String(given) = error.get(ContextKind::InvalidSubcommand)? else {
        return None;
    };
    let is_file = given.contains(['.', '/', '\\']);
    let publishing = words.iter().any(|word| word == "publish");
    let first = ALL.first()?.name;
    (is_file && publishing).then(|| {
        format!("a method comes first; the one to begin with: 'wayveil publish {first} {given}'")
    })
}

fn tip(asked: &Entry, flag: &str) -> Option<String> {
    let knows = |entry: &Entry| {
        entry
            .parameters
            .iter()
            .any(|it| flag == format!("--{}", it.name))
    };
    let others: Vec<&str> = ALL
        .iter()
        .filter(|it| knows(it))
        .map(|it| it.name)
        .collect();
    let own: Vec<String> = asked
        .parameters
        .iter()
        .map(|it| format!("--{}", it.name))
        .collect();
    (!others.is_empty() && !knows(asked)).then(|| {
        format!(
            "'{flag}' belongs to {}; {} has {}",
            others.join(" and "),
            asked.name,
            own.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use wayveil_mechanisms::find;

    use super::*;

    #[test]
    fn flags_of_other_methods_are_named() {
        let suppress = find("suppress").unwrap();
        let word = tip(suppress, "--epsilon").unwrap();
        assert!(
            word.contains("prefix-tree and hybrid-tree and generalize and fastpub"),
            "{word}"
        );
        assert!(word.contains("; suppress has --k, --c"), "{word}");
        assert_eq!(tip(suppress, "--k"), None);
        assert_eq!(tip(suppress, "--colour"), None);
        assert!(tip(find("prefix-tree").unwrap(), "--k").is_some());
    }
}
