//! The way from one client to the collector, with what can go wrong on it.

use serde_json::Value;
use wayveil_admission::Submission;
use wayveil_client::https::Https;
use wayveil_client::{Failure, Method, Reply, Request, Transport};
use wayveil_federated::message::Answer;

/// How a person behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Asks and answers.
    Plain,
    /// Sends every answer twice.
    Twice,
    /// Asks, and is never heard of again.
    Vanishes,
    /// Asks, and answers when the round is over.
    Late,
}

impl Role {
    /// Six in a hundred are trouble, of three kinds.
    pub(super) fn of(person: u64) -> Self {
        match person.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 0xffff {
            0..1311 => Self::Twice,
            1311..2622 => Self::Vanishes,
            2622..3932 => Self::Late,
            _ => Self::Plain,
        }
    }

    /// Whether this person's answer is counted in the end.
    pub(super) fn is_counted(self) -> bool {
        matches!(self, Self::Plain | Self::Twice)
    }
}

/// Carries one person's requests, and remembers what was sent.
pub(super) struct Line {
    pub(super) https: Https,
    pub(super) role: Role,
    /// Whether answers go through now.
    pub(super) open: bool,
    /// The answer that left, or would have.
    pub(super) answer: Option<Answer>,
    /// What must not be, if it was.
    pub(super) fault: Option<String>,
    pub(super) requests: u64,
}

impl Line {
    fn note(&mut self, body: &[u8]) {
        match Submission::decode(body) {
            Ok(submission) => {
                let first = *self.answer.get_or_insert(submission.answer);
                if first != submission.answer {
                    self.fault = Some("a client sent two different answers".into());
                }
            }
            Err(error) => self.fault = Some(format!("a client sent garbage: {error}")),
        }
    }

    fn carry(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        self.requests += 1;
        self.https.send(request)
    }
}

impl Transport for Line {
    fn send(&mut self, request: &Request<'_>) -> Result<Reply, Failure> {
        let answers = request.method == Method::Post && request.url.ends_with("/v1/answers");
        if !answers {
            return self.carry(request);
        }
        self.note(request.body);
        if !self.open {
            return Err(Failure("the line is cut".into()));
        }
        let reply = self.carry(request)?;
        if self.role == Role::Twice
            && reply.status == 200
            && let Ok(second) = self.carry(request)
        {
            let said: Value = serde_json::from_slice(&second.body).unwrap_or_default();
            // 410: it was the campaign's last answer, after which receipts are gone.
            let away = [410, 429, 503].contains(&second.status);
            if !away && (second.status != 200 || said["status"] != "repeated") {
                self.fault = Some(format!(
                    "a repeat was answered with {} {said}",
                    second.status
                ));
            }
        }
        Ok(reply)
    }
}
