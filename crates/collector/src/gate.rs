//! What can be told of a submission without the store: whether it is one, and whether it is admitted.
//!
//! Many requests are checked at once; what is left is decided in order, by the one writer.

use wayveil_admission::{Admission, Keys, Submission};
use wayveil_core::Error;
use wayveil_federated::campaign::Campaign;
use wayveil_federated::message::Answer;

/// Who may answer, with the keys read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Admit {
    /// Everybody.
    Open,
    /// Whoever has a token of one of these keys.
    Tokens(Keys),
}

/// Why an answer is not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no answer of this campaign.
    Garbage(String),
    /// Its token is not one of the issuer's.
    Forged(String),
    /// Its token was used with anything else.
    Used,
    /// Its round is over.
    Closed,
    /// Its round has not begun.
    Early,
}

/// A submission that is whole and admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    pub(crate) answer: Answer,
    pub(crate) token: [u8; 32],
    pub(crate) receipt: [u8; 32],
}

/// Checks the bytes of a submission.
pub fn check(bytes: &[u8], campaign: &Campaign, admit: &Admit) -> Result<Checked, Refusal> {
    let garbage = |error: Error| Refusal::Garbage(error.message().to_owned());
    let submission = Submission::decode(bytes).map_err(garbage)?;
    let answer = submission.answer;
    if answer.campaign != campaign.parameters().id {
        return Err(Refusal::Garbage("it belongs to another campaign".into()));
    }
    if answer.round as usize >= campaign.schedule().rounds() {
        return Err(Refusal::Garbage("there is no such round".into()));
    }
    match (admit, &submission.admission) {
        (Admit::Open, Admission::Ticket(_)) => {}
        (Admit::Tokens(keys), Admission::Token(token)) => (keys.verify(token, answer.round))
            .map_err(|error| Refusal::Forged(error.message().to_owned()))?,
        (Admit::Open, Admission::Token(_)) => {
            return Err(Refusal::Garbage("this campaign takes no tokens".into()));
        }
        (Admit::Tokens(_), Admission::Ticket(_)) => {
            return Err(Refusal::Forged("this campaign asks for a token".into()));
        }
    }
    Ok(Checked {
        answer,
        token: submission.spent_key(),
        receipt: submission.receipt(),
    })
}
