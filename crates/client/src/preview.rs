//! What a collector announces, read before anything is decided.

use wayveil_core::{RandomSource, Result};

use crate::announcement::Announcement;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::talk::{Heard, Talk};
use crate::transport::{Sleeper, Transport};
use crate::url;

/// Announcements that are longer are not read.
const LONGEST: usize = 256 << 10;

/// Reads what a collector announces, and does nothing about it: for the owner to decide on. The
/// collector learns that somebody read it, as anyone may.
///
/// In place of an announcement there is how it ended: nobody was reached, or the collector refused.
pub fn preview(
    settings: &Settings,
    transport: &mut dyn Transport,
    sleeper: &mut dyn Sleeper,
    random: &mut RandomSource,
) -> Result<std::result::Result<Announcement, Outcome>> {
    let collector = url::checked(&settings.collector)?;
    let mut talk = Talk {
        transport,
        sleeper,
        random: random.stream(),
        patience: settings.patience,
    };
    Ok(announced(&mut talk, &collector))
}

/// The announcement of a collector.
pub(crate) fn announced(talk: &mut Talk<'_>, collector: &str) -> Heard<Announcement> {
    let url = format!("{collector}/v1/campaign");
    talk.get(&url, LONGEST, Announcement::read)
}
