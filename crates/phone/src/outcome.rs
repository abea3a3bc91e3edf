//! How a call ended.

/// How a call of `takePart` ended. All but `Later` are final, and calling again returns them.
#[derive(Clone, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum Outcome {
    /// The answer was counted. There is nothing left to do.
    Counted,
    /// This phone is not among those drawn: nothing was asked of it and nothing left it.
    NotDrawn,
    /// Not yet: the round is not open, nobody was reached, a key is not announced, time passes between token and
    /// answer, or the call was stopped.
    Later {
        /// When to call again.
        seconds: u64,
        /// What is waited for.
        why: String,
    },
    /// It ends here for good.
    Stopped {
        /// Why, for programs: `used`, `forged`, `closed`, `garbage`, `too-large`, `unknown`, `unknown-key`,
        /// `mistyped`, `upgrade`, `lost`, `changed`, `question`, `issuer`, `expired`, `over`. After `closed` an answer
        /// that was sent before may have been counted; `why` says which it is.
        code: String,
        /// Why, for people.
        why: String,
    },
}

impl From<wayveil_client::Outcome> for Outcome {
    fn from(outcome: wayveil_client::Outcome) -> Self {
        use wayveil_client::Outcome as From;
        match outcome {
            From::Counted => Self::Counted,
            From::NotDrawn => Self::NotDrawn,
            From::Later { seconds, why } => Self::Later { seconds, why },
            From::Stopped { code, why } => Self::Stopped { code, why },
        }
    }
}
