//! What the owner agrees to.

use std::time::Duration;

use wayveil_core::Epsilon;

use crate::WayveilError;

/// Longer waits belong to the phone's scheduler.
const LONGEST_WAIT: u32 = 86_400;

/// Where to take part, and what the owner of the phone agrees to. The defaults let a person deny an
/// answer.
#[derive(Clone, Debug, uniffi::Record)]
pub struct Settings {
    /// The address of the collector, with `https://`.
    pub collector: String,
    /// The address of the issuer, with `https://`, as it was handed to this person together with the code.
    /// Never fill it in from `preview`: what stands there comes from the collector, which could name
    /// itself and learn who answered. A campaign that names another issuer is declined.
    #[uniffi(default = None)]
    pub issuer: Option<String>,
    /// The code that the issuer's operator handed to this person, where a campaign asks for one; it goes
    /// with `issuer`, is shown to that issuer alone and never kept.
    #[uniffi(default = None)]
    pub code: Option<String>,
    /// The largest ε that one campaign may ask, exactly: "2", "0.5" or "1/3".
    #[uniffi(default = "2")]
    pub accept_epsilon: String,
    /// The largest ε of all campaigns together that are answered from one folder.
    #[uniffi(default = "4")]
    pub accept_total: String,
    /// The most fragments in one question.
    #[uniffi(default = 1)]
    pub accept_fragments: u32,
    /// The most visits in a fragment.
    #[uniffi(default = 5)]
    pub accept_length: u32,
    /// How many seconds a call may wait in all before it says `Later`, up to a day. With 0 it does what can
    /// be done now, which suits the schedulers of phones.
    #[uniffi(default = 0)]
    pub wait_seconds: u32,
    /// Where a token admits the answer, a random time up to this passes from having the token to asking
    /// for the question, so that who sees both cannot match them by their times. With `wait_seconds` at 0
    /// the call says `Later`, and one that comes too early is told the rest. A round that closes in this time
    /// is missed.
    #[uniffi(default = 600)]
    pub spread_seconds: u32,
}

impl Settings {
    pub(crate) fn checked(self) -> Result<wayveil_client::Settings, WayveilError> {
        if self.wait_seconds > LONGEST_WAIT {
            return Err(WayveilError::InvalidInput(format!(
                "invalid time to wait (got {} seconds): at most {LONGEST_WAIT} (call again later instead)",
                self.wait_seconds
            )));
        }
        let mut settings = wayveil_client::Settings::new(self.collector);
        settings.limits.epsilon = epsilon(&self.accept_epsilon)?;
        settings.limits.per_client = self.accept_fragments;
        settings.limits.length = self.accept_length;
        settings.total = epsilon(&self.accept_total)?;
        settings.issuer = self.issuer;
        settings.code = self.code;
        settings.patience = Duration::from_secs(self.wait_seconds.into());
        settings.spread = Duration::from_secs(self.spread_seconds.into());
        Ok(settings)
    }
}

fn epsilon(text: &str) -> Result<Epsilon, WayveilError> {
    Ok(text.parse::<Epsilon>()?)
}
