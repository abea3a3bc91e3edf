//! The command line as data: the package makes its functions, their words and their types of it.

use std::any::TypeId;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Every command with its arguments, as JSON.
#[pyfunction]
pub(crate) fn command_line() -> String {
    let mut program = wayveil::command_line();
    program.build();
    Value::Array(commands(&program)).to_string()
}

fn commands(of: &Command) -> Vec<Value> {
    let all = of.get_subcommands().filter(|it| it.get_name() != "help");
    all.map(command).collect()
}

fn command(command_: &Command) -> Value {
    let arguments = command_.get_arguments().filter(|argument| {
        !argument.is_global_set() && !argument.is_hide_set() && !is_help(argument)
    });
    json!({
        "name": command_.get_name(),
        "about": command_.get_about().map(ToString::to_string),
        "arguments": arguments.map(argument).collect::<Vec<_>>(),
        "commands": commands(command_),
    })
}

fn is_help(argument: &Arg) -> bool {
    matches!(
        argument.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    )
}

fn argument(argument: &Arg) -> Value {
    let takes_value = !matches!(argument.get_action(), ArgAction::SetTrue);
    let several = matches!(argument.get_action(), ArgAction::Append)
        || argument
            .get_num_args()
            .is_some_and(|range| range.max_values() > 1);
    let choices = argument.get_possible_values();
    let choices: Vec<&str> = choices.iter().map(|choice| choice.get_name()).collect();
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|it| it.to_string_lossy()).collect();
    json!({
        "id": argument.get_id().as_str(),
        "long": argument.get_long(),
        "short": argument.get_short(),
        "help": argument.get_help().map(ToString::to_string),
        "heading": argument.get_help_heading(),
        "value": argument.get_value_names().and_then(|names| names.first()).map(|it| it.as_str()),
        "takes_value": takes_value,
        "several": several,
        "required": argument.is_required_set(),
        "choices": if takes_value { choices } else { Vec::new() },
        "defaults": if takes_value { defaults } else { Vec::new() },
        "type": if takes_value { kind(argument.get_value_parser()) } else { "switch" },
    })
}

/// The type of a value, as far as Python tells them apart.
fn kind(parser: &ValueParser) -> &'static str {
    let of = parser.type_id();
    let is = |types: &[TypeId]| types.iter().any(|known| of == *known);
    if is(&[TypeId::of::<PathBuf>()]) {
        "path"
    } else if is(&[
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
        TypeId::of::<std::num::NonZeroU32>(),
    ]) {
        "whole"
    } else if is(&[TypeId::of::<f64>()]) {
        "number"
    } else {
        "text"
    }
}
