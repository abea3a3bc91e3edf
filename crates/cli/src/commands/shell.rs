//! `wayveil completions` and `wayveil man`: for the user's shell.

use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;
use serde_json::json;
use wayveil_core::{Error, Result};

use crate::arguments::Arguments;
use crate::terminal::Terminal;

pub(crate) const COMPLETIONS_EXAMPLE: &str = "\
Example:
  wayveil completions bash > ~/.local/share/bash-completion/completions/wayveil";

pub(crate) const MAN_EXAMPLE: &str = "\
Example:
  wayveil man ~/.local/share/man/man1";

#[derive(clap::Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(clap::Args)]
pub(crate) struct ManArguments {
    /// The folder to write into; made where it is missing.
    folder: PathBuf,
}

pub(crate) fn completions(arguments: &CompletionsArguments, terminal: &Terminal) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "wayveil",
        &mut script,
    );
    terminal.print(&String::from_utf8_lossy(&script))
}

pub(crate) fn man(arguments: &ManArguments, terminal: &Terminal) -> Result<()> {
    let folder = &arguments.folder;
    let cannot = |cause: std::io::Error| {
        Error::system("cannot write the manual pages", cause).in_file(folder.display().to_string())
    };
    std::fs::create_dir_all(folder).map_err(cannot)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(cannot)?;
    let path = folder.display().to_string();
    terminal.result(
        || json!({ "output": path }),
        &format!("wrote manual pages to {path}; read them with: man {path}/wayveil.1\n"),
    )
}
