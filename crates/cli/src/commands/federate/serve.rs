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
    use wayveil_collector::campaign_file::CampaignFile;
    use wayveil_collector::program::{Stop, serve};

    let file = CampaignFile::read(&arguments.campaign)?;
    // Opened now, so that a ledger that cannot be written is found out before anybody has answered.
    let ledger = arguments.ledger.open(terminal)?;
    let target = super::release::Target {
        folder: arguments.output.clone(),
        ledger: ledger.path().to_owned(),
        population: arguments.population.clone(),
        answers: file.digest,
    };
    match target.found(&ledger.chain()?)? {
        None => wayveil_io::check_release_target(&target.folder, false)?,
        Some(_) => terminal.warn(&format!(
            "this campaign is published already: its release is at {}",
            target.folder.display()
        )),
    }
    drop(ledger);
    let stop = Stop::default();
    let stopper = stop.clone();
    crate::interrupt::instead(move || stopper.now());
    let publish = Box::new(move |ended: &_| target.publish(ended));
    serve(file, publish, &stop, |address, operator| {
        terminal.say(&format!("listening at https://{address}"));
        if let Some(operator) = operator {
            terminal.say(&format!("watch it at http://{operator}"));
        }
    })
}
