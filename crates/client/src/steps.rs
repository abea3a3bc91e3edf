//! The steps of taking part, in the order that makes them safe; the crate's page says why it is.

use rand_core::Rng;
use serde::Deserialize;
use wayveil_admission::{Admission, Code, Submission, TokenRequest};
use wayveil_core::{Error, RandomSource, Result};
use wayveil_federated::client::Client;

use crate::announcement::{Announcement, Who};
use crate::disk::Disk;
use crate::ledger::Ledger;
use crate::outcome::Outcome;
use crate::preview::announced;
use crate::settings::Settings;
use crate::spread::Spread;
use crate::state::{Joined, Pass, Stage, State};
use crate::talk::{Heard, Talk};
use crate::tokens::Asked;
use crate::transport::{Sleeper, Transport};
use crate::{tokens, url};

/// For people, where a round is over.
pub(crate) const MISSED: &str =
    "the round of this client is over; it was not answered, and nothing was spent on it";
const EXPIRED: &str = "the key of this client's token is not good in its round any more; nothing was answered, and nothing was spent on it";
const TOO_LATE: &str =
    "the round or the campaign is over; if the answer was sent before, it may have been counted";

/// What is handed in.
pub struct Tools<'a> {
    /// Where everything that must not be forgotten is kept.
    pub disk: &'a mut dyn Disk,
    /// What carries requests.
    pub transport: &'a mut dyn Transport,
    /// Who waits.
    pub sleeper: &'a mut dyn Sleeper,
    /// Where noise comes from; [`RandomSource::os`] outside of tests.
    pub random: &'a mut RandomSource,
}

/// Takes part in a campaign, from wherever an earlier call left it.
///
/// `trajectory` are the labels of places in the order of visits. An error is about the owner's limits,
/// the settings, or the disk; what the network and the services do is an [`Outcome`].
pub fn take_part<S: AsRef<str>>(
    settings: &Settings,
    trajectory: &[S],
    tools: Tools<'_>,
) -> Result<Outcome> {
    let collector = url::checked(&settings.collector)?;
    let issuer = (settings.issuer.as_deref()).map(url::checked).transpose()?;
    if settings.code.is_some() && issuer.is_none() {
        return Err(no_issuer());
    }
    let talk = Talk {
        transport: tools.transport,
        sleeper: tools.sleeper,
        random: tools.random.stream(),
        patience: settings.patience,
    };
    let run = Run {
        settings,
        collector,
        issuer,
        talk,
        disk: tools.disk,
        random: tools.random,
    };
    run.all(trajectory)
}

pub(crate) struct Run<'a> {
    settings: &'a Settings,
    pub(crate) collector: String,
    /// Whom the owner's code is shown to, as the owner says.
    issuer: Option<String>,
    pub(crate) talk: Talk<'a>,
    disk: &'a mut dyn Disk,
    random: &'a mut RandomSource,
}

impl Run<'_> {
    fn all<S: AsRef<str>>(mut self, trajectory: &[S]) -> Result<Outcome> {
        let announcement = match announced(&mut self.talk, &self.collector) {
            Ok(announcement) => announcement,
            Err(outcome) => return Ok(outcome),
        };
        let campaign = announcement.terms.campaign;
        let mut ledger = Ledger::read(self.disk)?;
        let kept = State::read(self.disk, campaign)?;
        if let Some(kept) = &kept {
            self.check_collector(campaign, &kept.collector)?;
        }
        let mut joined = match kept.map(|kept| kept.stage) {
            Some(Stage::Ended(outcome)) => return Ok(outcome),
            Some(Stage::Joined(joined)) => *joined,
            None if ledger.has(campaign) => return Ok(lost()),
            None => match &announcement.over {
                Some(why) => return Ok(over(why)),
                None => self.join(&announcement, &ledger)?,
            },
        };
        match self.go_on(&announcement, &mut joined, &mut ledger, trajectory)? {
            Ok(()) => self.end(campaign, Outcome::Counted),
            Err(outcome) if outcome.is_final() => self.end(campaign, outcome),
            Err(outcome) => Ok(outcome),
        }
    }

    /// Checks the terms, draws round and place, and keeps them.
    fn join(&mut self, announcement: &Announcement, ledger: &Ledger) -> Result<Joined> {
        let terms = &announcement.terms;
        ledger.check(&terms.epsilon, &self.settings.total)?;
        let mut rng = self.random.stream();
        let limits = &self.settings.limits;
        let client = Client::join_for_good(terms.clone(), limits, Vec::new(), &mut rng)?;
        let pass = match announcement.admission.issuer() {
            None => Pass::Had(Admission::Ticket(drawn(&mut rng))),
            Some(issuer) => {
                self.code()?;
                self.check_issuer(issuer)?;
                Pass::Needed
            }
        };
        let joined = Joined {
            terms: terms.clone(),
            universe: announcement.universe.clone(),
            issuer: announcement.admission.issuer().map(str::to_owned),
            saved: client.save(),
            nonce: drawn(&mut rng),
            pass,
            spread: None,
            tries: 0,
            submission: None,
        };
        self.keep(&joined)?;
        Ok(joined)
    }

    /// From being joined to being counted.
    fn go_on<S: AsRef<str>>(
        &mut self,
        announcement: &Announcement,
        joined: &mut Joined,
        ledger: &mut Ledger,
        trajectory: &[S],
    ) -> Result<Heard<()>> {
        let campaign = joined.terms.campaign;
        // Until it is booked nothing left, and the owner can still say no.
        if !ledger.has(campaign) {
            let round = match still_wanted(announcement, joined) {
                Ok(round) => round,
                Err(outcome) => return Ok(Err(outcome)),
            };
            self.settings.limits.check(&joined.terms)?;
            ledger.check(&joined.terms.epsilon, &self.settings.total)?;
            let ready = match &joined.submission {
                Some(submission) => still_good(announcement, &submission.admission, round),
                None => self.prepare(announcement, joined, round, trajectory)?,
            };
            if let Err(outcome) = ready {
                return Ok(Err(outcome));
            }
            ledger.book(self.disk, campaign, &joined.terms.epsilon)?;
        }
        match &joined.submission {
            Some(submission) => Ok(self.send(submission)),
            None => Ok(Err(lost())),
        }
    }

    /// From being joined to an answer that is kept.
    fn prepare<S: AsRef<str>>(
        &mut self,
        announcement: &Announcement,
        joined: &mut Joined,
        round: u32,
        trajectory: &[S],
    ) -> Result<Heard<()>> {
        let patience = self.talk.patience;
        let admission = match self.admission(announcement, joined, round)? {
            Ok(admission) => admission,
            Err(outcome) => return Ok(Err(outcome)),
        };
        // What was announced before anything was waited for may have passed.
        let fresh = (self.talk.patience == patience).then(|| announcement.clone());
        let (question, places) = match self.question(fresh, joined, &admission, round)? {
            Ok(both) => both,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let codes = places.codes(trajectory);
        let mut client = Client::restore(joined.terms.clone(), codes, joined.saved.clone())?;
        let answer = match client.answer(&question, &mut self.random.stream()) {
            Ok(answer) => answer,
            Err(refused) => return Ok(Err(Outcome::stopped("question", refused.message()))),
        };
        joined.saved = client.save();
        joined.spread = None;
        joined.submission = Some(Submission {
            answer,
            nonce: joined.nonce,
            admission,
        });
        self.keep(joined)?;
        Ok(Ok(()))
    }

    /// What admits the answer: the ticket, or a token that is asked for now.
    fn admission(
        &mut self,
        announcement: &Announcement,
        joined: &mut Joined,
        round: u32,
    ) -> Result<Heard<Admission>> {
        if let Pass::Had(admission) = &joined.pass {
            return Ok(Ok(admission.clone()));
        }
        let Who::WithToken { issuer, keys } = &announcement.admission else {
            let why = "the collector asks for no token any more";
            return Ok(Err(Outcome::stopped("changed", why)));
        };
        let code = self.code()?;
        self.check_issuer(issuer)?;
        let request = match &joined.pass {
            Pass::Asked(request) => request.clone(),
            Pass::Needed | Pass::Had(_) => {
                let Some(key) = keys.for_round(round) else {
                    let why = "no key of the issuer is good in the round of this client";
                    return Ok(Err(Outcome::stopped("issuer", why)));
                };
                if let Err(outcome) = tokens::check_key(&mut self.talk, issuer, key) {
                    return Ok(Err(outcome));
                }
                let request = TokenRequest::new(key, &mut self.random.stream())?;
                joined.pass = Pass::Asked(request.clone());
                self.keep(joined)?;
                request
            }
        };
        let signature = match tokens::ask(&mut self.talk, issuer, &code, &request)? {
            Ok(Asked::Signed(signature)) => signature,
            Ok(Asked::Retired) => {
                // Nothing was signed for this person: another request may be made, of another key.
                joined.pass = Pass::Needed;
                self.keep(joined)?;
                return match keys.for_round(round) == Some(request.key()) {
                    true => Ok(Err(tokens::changing())),
                    false => self.admission(announcement, joined, round),
                };
            }
            Ok(Asked::UnknownCode) => {
                return Err(
                    Error::refused("the issuer has given this code to nobody").hint(
                        "ask its operator; nothing was answered, and another code can be given",
                    ),
                );
            }
            Err(outcome) => return Ok(Err(outcome)),
        };
        let token = match request.finish(&signature) {
            Ok(token) => token,
            Err(refused) => return Ok(Err(Outcome::stopped("issuer", refused.message()))),
        };
        let admission = Admission::Token(token);
        let now = self.talk.sleeper.now();
        joined.pass = Pass::Had(admission.clone());
        joined.spread = Spread::draw(self.settings.spread, now, &mut self.random.stream());
        self.keep(joined)?;
        Ok(Ok(admission))
    }

    fn send(&mut self, submission: &Submission) -> Heard<()> {
        #[derive(Deserialize)]
        struct Taken {
            status: String,
        }
        let read = |body: &[u8]| {
            let taken = serde_json::from_slice::<Taken>(body).map(|taken| taken.status);
            match taken.as_deref() {
                Ok("counted" | "repeated") => Ok(()),
                _ => Err(Error::input("the collector's reply cannot be read")),
            }
        };
        let url = self.collector.clone() + "/v1/answers";
        let body = submission.encode();
        let sent = (self.talk).post(&url, "application/octet-stream", &body, read);
        sent.map_err(|outcome| outcome.closed(TOO_LATE))
    }

    /// The owner's code. One that was mistyped is sent to nobody.
    fn code(&self) -> Result<Code> {
        let code = self.settings.code.as_ref().ok_or_else(|| {
            Error::input("this campaign admits those only who were given a code")
                .hint("ask its operator for a code and give it")
        })?;
        code.parse()
    }

    /// Whether the code may be shown to an issuer that a collector names. One that named itself, or a
    /// friend, would learn whose answer comes with the token that it signs.
    fn check_issuer(&self, announced: &str) -> Result<()> {
        let known = self.issuer.as_deref().ok_or_else(no_issuer)?;
        if known == announced {
            return Ok(());
        }
        Err(Error::refused(format!(
            "the collector names the issuer {announced}, and the code is one of {known}"
        ))
        .hint("nothing was sent; ask whoever handed out the code, and nobody else, for the address that goes with it"))
    }

    pub(crate) fn keep(&mut self, joined: &Joined) -> Result<()> {
        self.state(Stage::Joined(Box::new(joined.clone())))
            .keep(self.disk, joined.terms.campaign)
    }

    /// Keeps the outcome and forgets everything else.
    fn end(&mut self, campaign: u64, outcome: Outcome) -> Result<Outcome> {
        self.state(Stage::Ended(outcome.clone()))
            .keep(self.disk, campaign)?;
        Ok(outcome)
    }

    fn state(&self, stage: Stage) -> State {
        State {
            collector: self.collector.clone(),
            stage,
        }
    }

    /// What was kept for one collector is not for another that uses the same number.
    fn check_collector(&self, campaign: u64, kept: &str) -> Result<()> {
        if kept == self.collector {
            return Ok(());
        }
        Err(Error::refused(format!(
            "the campaign {campaign} was joined at {kept}, and {} uses the same number",
            self.collector
        ))
        .hint("take part at the address where it was joined"))
    }
}

/// The round of this client, if the campaign still has a use for its answer.
fn still_wanted(announcement: &Announcement, joined: &Joined) -> Heard<u32> {
    if let Some(why) = &announcement.over {
        return Err(over(why));
    }
    unchanged(announcement, joined)?;
    let round = joined.saved.round().ok_or(Outcome::NotDrawn)?;
    match announcement.open {
        Some(open) if open.index > round => Err(Outcome::stopped("closed", MISSED)),
        _ => Ok(round),
    }
}

/// Whether the token is still one that is taken in its round: if not, an answer would be given away and not be counted.
/// A key that is not announced at all may be a slip of the operator's, and come back.
pub(crate) fn still_good(
    announcement: &Announcement,
    admission: &Admission,
    round: u32,
) -> Heard<()> {
    let (Admission::Token(token), Who::WithToken { keys, .. }) =
        (admission, &announcement.admission)
    else {
        return Ok(());
    };
    match keys.get(token.key) {
        Some(key) if key.is_good_in(round) => Ok(()),
        Some(_) => Err(Outcome::stopped("expired", EXPIRED)),
        None => Err(tokens::missing()),
    }
}

/// Whether the collector still announces what the owner agreed to.
pub(crate) fn unchanged(announcement: &Announcement, joined: &Joined) -> Heard<()> {
    let changed = |why: &str| Err(Outcome::stopped("changed", why));
    if announcement.terms != joined.terms || announcement.universe != joined.universe {
        return changed("the collector announces other terms or locations than were agreed to");
    }
    match announcement.admission.issuer() == joined.issuer.as_deref() {
        true => Ok(()),
        false => changed("the collector names another issuer than when it was joined"),
    }
}

fn no_issuer() -> Error {
    Error::input("a code is for one issuer, and the issuer's address is missing").hint(
        "give the address that was handed out with the code, never one that a collector names",
    )
}

fn drawn<const N: usize>(rng: &mut impl Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

fn lost() -> Outcome {
    let why = "this campaign was answered, and what was answered is not kept any more";
    Outcome::stopped("lost", why)
}

pub(crate) fn over(why: &str) -> Outcome {
    Outcome::stopped("over", format!("the campaign is over: {why}"))
}
