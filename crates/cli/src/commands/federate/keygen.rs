//! `wayveil federate keygen`: a key that signs tokens.

use std::path::PathBuf;

use wayveil_core::Result;

use crate::terminal::Terminal;

pub(super) const EXAMPLE: &str = "\
Two files are written: NAME.secret.pem, which only you can read, for the issuer's file, and NAME.pem
for the collector's campaign file. A key belongs to one campaign.

Example:
  wayveil federate keygen -o issuer-1";

#[derive(clap::Args)]
pub(crate) struct KeygenArguments {
    /// The beginning of the names of both files; neither may be there yet.
    #[arg(long, short, value_name = "NAME")]
    output: PathBuf,

    /// The length of the key: 2048, 3072 or 4096.
    #[arg(long, value_name = "BITS", default_value_t = 3072)]
    bits: usize,
}

#[cfg(not(feature = "collector"))]
pub(super) fn run(arguments: &KeygenArguments, _: &Terminal) -> Result<()> {
    let _ = (&arguments.output, &arguments.bits);
    Err(super::not_built_in("keygen"))
}

#[cfg(feature = "collector")]
pub(super) fn run(arguments: &KeygenArguments, terminal: &Terminal) -> Result<()> {
    use serde_json::json;
    use wayveil_collector::issuer::commands::keygen;

    let made = keygen(&arguments.output, arguments.bits)?;
    let (id, secret, public) = (
        made.id.to_string(),
        made.secret.display().to_string(),
        made.public.display().to_string(),
    );
    let words = format!(
        "The key {id}\n  {secret}  for the issuer; who has it can make tokens\n  \
         {public}  for the collector's campaign file\n"
    );
    terminal.result(
        || json!({ "key": id, "secret": secret, "public": public, "bits": arguments.bits }),
        &words,
    )
}
