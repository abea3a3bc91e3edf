//! What an app calls.

use std::path::PathBuf;
use std::sync::Arc;

use wayveil_client::https::Https;
use wayveil_client::{Folder, History, Tools, Transport};
use wayveil_core::error::Kind;
use wayveil_core::{Error, RandomSource};

use crate::error::in_words;
use crate::stop::Stoppable;
use crate::transport::OfTheApp;
use crate::{Campaign, HttpTransport, Outcome, Settings, Spending, StopSignal, WayveilError};

/// One person's part in campaigns, kept in one folder of the app.
///
/// Calls block: make them from a thread of your own. Two calls that need the folder at once do not mix;
/// the second fails with `Busy`.
#[derive(uniffi::Object)]
pub struct Participant {
    folder: PathBuf,
    carrier: Carrier,
}

/// What carries requests.
enum Carrier {
    Ours(Https),
    OfTheApp(Arc<dyn HttpTransport>),
}

#[uniffi::export]
impl Participant {
    /// With the HTTPS that comes along. `folder` is the app's own and **out of backups**
    /// (`noBackupFilesDir` on Android, `isExcludedFromBackup` on iOS): a backup that is restored is
    /// an old memory, and an old memory can answer again. With `root_certificates`, one or more
    /// certificates in PEM, these are trusted instead of Mozilla's list.
    #[uniffi::constructor(default(root_certificates = None))]
    pub fn new(
        folder: String,
        root_certificates: Option<String>,
    ) -> Result<Arc<Self>, WayveilError> {
        let https = match root_certificates {
            Some(pem) => Https::with_roots(pem.as_bytes())?,
            None => Https::new(),
        };
        Ok(Arc::new(Self {
            folder: folder.into(),
            carrier: Carrier::Ours(https),
        }))
    }

    /// With a transport of the app. `folder` is as above.
    #[uniffi::constructor]
    pub fn with_transport(folder: String, transport: Arc<dyn HttpTransport>) -> Arc<Self> {
        Arc::new(Self {
            folder: folder.into(),
            carrier: Carrier::OfTheApp(transport),
        })
    }

    /// What a campaign asks, before anything is decided. The collector learns that somebody read it,
    /// as anyone may. The folder is not touched.
    pub fn preview(&self, collector: String) -> Result<Campaign, WayveilError> {
        let settings = wayveil_client::Settings::new(collector);
        let signal = StopSignal::default();
        let mut transport = self.transport();
        let heard =
            wayveil_client::preview(&settings, &mut *transport, &mut &signal, &mut random()?)?;
        match heard {
            Ok(announced) => Ok(announced.into()),
            Err(wayveil_client::Outcome::Later { why, .. }) => Err(WayveilError::Unavailable(why)),
            Err(wayveil_client::Outcome::Stopped { code, why }) => {
                Err(WayveilError::Unavailable(format!("{why} ({code})")))
            }
            Err(outcome) => Err(WayveilError::Unavailable(format!("{outcome:?}"))),
        }
    }

    /// Takes part in a campaign, from wherever an earlier call left it. `trajectory` is the places
    /// that were visited, in order, as the campaign's labels; it is read and not kept. Places that the
    /// campaign does not know match nothing, and do not change whether there is an answer.
    ///
    /// On `Later` call again after so many seconds, with the same folder.
    #[uniffi::method(default(signal = None))]
    pub fn take_part(
        &self,
        settings: Settings,
        trajectory: Vec<String>,
        signal: Option<Arc<StopSignal>>,
    ) -> Result<Outcome, WayveilError> {
        let settings = settings.checked()?;
        let signal = signal.unwrap_or_default();
        let mut transport = self.transport();
        let outcome = wayveil_client::take_part(
            &settings,
            &trajectory,
            Tools {
                disk: &mut self.open()?,
                transport: &mut Stoppable {
                    transport: &mut *transport,
                    signal: &signal,
                },
                sleeper: &mut &*signal,
                random: &mut random()?,
            },
        )?;
        Ok(outcome.into())
    }

    /// What was spent on the owner of this phone, and on which campaigns.
    pub fn spending(&self) -> Result<Spending, WayveilError> {
        Ok(History::read(&self.open()?)?.into())
    }
}

impl Participant {
    fn transport(&self) -> Box<dyn Transport> {
        match &self.carrier {
            Carrier::Ours(https) => Box::new(https.clone()),
            Carrier::OfTheApp(transport) => Box::new(OfTheApp(transport.clone())),
        }
    }

    fn open(&self) -> Result<Folder, WayveilError> {
        Folder::open(&self.folder).map_err(|error| match error.kind() {
            Kind::Refused => WayveilError::Busy(in_words(&error)),
            _ => error.into(),
        })
    }
}

fn random() -> Result<RandomSource, WayveilError> {
    let source = RandomSource::os();
    source.map_err(|error| Error::system("reading the system's randomness", error).into())
}
