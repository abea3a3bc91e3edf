//! `wayveil federate serve`: a campaign as a service.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::books::LedgerFile;
use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
The campaign file says what is asked of whom, when rounds close, who may answer, and where the
service listens. It can be stopped and started again at any time; nothing that was counted is lost.
When the last round is closed, what was found is published: booked in the ledger, and written to
the folder.

Example:
  wayveil federate serve campaign.toml -o fragments/";

#[derive(clap::Args)]
pub(crate) struct ServeArguments {
    /// The campaign file (TOML).
    campaign: PathBuf,

    /// The release folder that is written when the campaign is complete.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,

    /// The name under which spending on these people is kept in the ledger; the campaign's name
    /// unless given.
    #[arg(long, value_name = "NAME")]
    population: Option<String>,

    #[command(flatten)]
    ledger: LedgerFile,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &ServeArguments, _: &Terminal) -> Result<()> {
    let _ = (&arguments.campaign, &arguments.output);
    let _ = (&arguments.population, &arguments.ledger);
    Err(super::not_built_in("serve"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &ServeArguments, terminal: &Terminal) -> Result<()> {
    use wayveil_collector::program::{Stop, serve};

    // Asked before anything is spent.
    match super::release::is_there(&arguments.output) {
        false => wayveil_io::check_release_target(&arguments.output, false)?,
        true => terminal.warn(&format!(
            "there is a release at {} already: what this campaign finds will not be published again",
            arguments.output.display()
        )),
    }
    let target = super::release::Target {
        folder: arguments.output.clone(),
        // Opened once, so that a ledger that cannot be written is found out now.
        ledger: arguments.ledger.open(terminal)?.path().to_owned(),
        population: arguments.population.clone(),
    };
    let stop = Stop::default();
    let stopper = stop.clone();
    crate::interrupt::instead(move || stopper.now());
    let publish = Box::new(move |ended: &_| target.publish(ended));
    serve(&arguments.campaign, publish, &stop, |address, operator| {
        terminal.say(&format!("listening at https://{address}"));
        if let Some(operator) = operator {
            terminal.say(&format!("watch it at http://{operator}"));
        }
    })
}
