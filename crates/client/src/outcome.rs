//! How it ended, or where it stands.

use serde::{Deserialize, Serialize};

/// How a call of [`crate::take_part`] ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// The answer was counted. There is nothing left to do.
    Counted,
    /// This client is not among those drawn: nothing was asked of it and nothing left it.
    NotDrawn,
    /// Not yet: the round is not open, nobody was reached, a key is not announced, or time passes between
    /// token and answer.
    /// Call again after so many seconds.
    Later {
        /// When to call again.
        seconds: u64,
        /// What is waited for.
        why: String,
    },
    /// It ends here for good.
    Stopped {
        /// Why, for machines: a code of the collector or the issuer, or one of this client's own
        /// (`lost`, `changed`, `question`, `issuer`, `expired`, `over`). After `closed` an answer that was
        /// sent before may have been counted: the reply was lost, and the round is over now.
        code: String,
        /// Why, for people.
        why: String,
    },
}

impl Outcome {
    pub(crate) fn stopped(code: &str, why: impl Into<String>) -> Self {
        Self::Stopped {
            code: code.to_owned(),
            why: why.into(),
        }
    }

    /// The same, with other words for people where a round is over.
    pub(crate) fn closed(self, why: &str) -> Self {
        match self {
            Self::Stopped { code, .. } if code == "closed" => Self::stopped("closed", why),
            other => other,
        }
    }

    /// Whether calling again can change it.
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Later { .. })
    }
}
