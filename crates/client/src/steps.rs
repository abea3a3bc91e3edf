//! The steps of taking part, in the order that makes them safe; the crate's page says why it is.

use std::time::Duration;

use rand_core::Rng;
use serde::Deserialize;
use wayveil_admission::{Admission, Code, Submission, TokenRequest};
use wayveil_core::{Error, RandomSource, Result};
use wayveil_federated::client::Client;
use wayveil_federated::message::Question;

use crate::announcement::{Announcement, Who};
use crate::disk::Disk;
use crate::ledger::Ledger;
use crate::outcome::Outcome;
use crate::places::Places;
use crate::preview::announced;
use crate::settings::Settings;
use crate::state::{Joined, Pass, Stage, State};
use crate::talk::{Heard, Talk};
use crate::tokens::Asked;
use crate::transport::{Sleeper, Transport};
use crate::{tokens, url};

/// Replies that are longer are not read.
const UNIVERSE: usize = 64 << 20;
const QUESTION: usize = 64 << 10;

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
    let talk = Talk {
        transport: tools.transport,
        sleeper: tools.sleeper,
        random: tools.random.stream(),
        patience: settings.patience,
    };
    let run = Run {
        settings,
        collector,
        talk,
        disk: tools.disk,
        random: tools.random,
    };
    run.all(trajectory)
}

struct Run<'a> {
    settings: &'a Settings,
    collector: String,
    talk: Talk<'a>,
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
        let pass = match announcement.admission {
            Who::Anyone => Pass::Had(Admission::Ticket(drawn(&mut rng))),
            Who::WithToken { .. } => {
                self.code()?;
                Pass::Needed
            }
        };
        let joined = Joined {
            terms: terms.clone(),
            universe: announcement.universe.clone(),
            saved: client.save(),
            nonce: drawn(&mut rng),
            pass,
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
        if joined.submission.is_none() {
            if ledger.has(campaign) {
                return Ok(Err(lost()));
            }
            if let Some(why) = &announcement.over {
                return Ok(Err(over(why)));
            }
            if announcement.terms != joined.terms || announcement.universe != joined.universe {
                let why = "the collector announces other terms than those that were agreed to";
                return Ok(Err(Outcome::stopped("changed", why)));
            }
            let Some(round) = joined.saved.round() else {
                return Ok(Err(Outcome::NotDrawn));
            };
            let admission = match self.admission(announcement, joined, round)? {
                Ok(admission) => admission,
                Err(outcome) => return Ok(Err(outcome)),
            };
            if let Err(outcome) = self.answer(joined, round, admission, trajectory)? {
                return Ok(Err(outcome));
            }
        }
        let Some(submission) = &joined.submission else {
            return Ok(Err(lost()));
        };
        if !ledger.has(campaign) {
            if let Err(refused) = ledger.check(&joined.terms.epsilon, &self.settings.total) {
                return Ok(Err(Outcome::stopped("budget", refused.message())));
            }
            ledger.book(self.disk, campaign, &joined.terms.epsilon)?;
        }
        Ok(self.send(submission))
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
        joined.pass = Pass::Had(admission.clone());
        self.keep(joined)?;
        Ok(Ok(admission))
    }

    /// Waits for the round, answers, and keeps the answer.
    fn answer<S: AsRef<str>>(
        &mut self,
        joined: &mut Joined,
        round: u32,
        admission: Admission,
        trajectory: &[S],
    ) -> Result<Heard<()>> {
        let (question, places) = match self.asked(joined, round) {
            Ok(both) => both,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let codes = places.codes(trajectory);
        let mut client = Client::restore(joined.terms.clone(), codes, joined.saved.clone())?;
        let answer = match client.answer(&question, &mut self.random.stream()) {
            Ok(answer) => answer,
            Err(refused) => return Ok(Err(Outcome::stopped("question", refused.message()))),
        };
        let by_token = matches!(admission, Admission::Token(_));
        joined.saved = client.save();
        joined.submission = Some(Submission {
            answer,
            nonce: joined.nonce,
            admission,
        });
        self.keep(joined)?;
        match by_token {
            true => Ok(self.spread()),
            false => Ok(Ok(())),
        }
    }

    /// The question of this client, and the locations that it is about.
    fn asked(&mut self, joined: &Joined, round: u32) -> Heard<(Question, Places)> {
        let place = joined.saved.place();
        let url = format!("{}/v1/rounds/{round}/question/{place:016x}", self.collector);
        let question = self.talk.get(&url, QUESTION, Question::decode)?;
        let read = |body: &[u8]| Places::read(body, &joined.universe, joined.terms.locations);
        let url = self.collector.clone() + "/v1/universe";
        let places = self.talk.get(&url, UNIVERSE, read)?;
        Ok((question, places))
    }

    /// Lets some time pass between token and answer.
    fn spread(&mut self) -> Heard<()> {
        let most = u64::try_from(self.settings.spread.as_millis()).unwrap_or(u64::MAX);
        if most == 0 {
            return Ok(());
        }
        let drawn = Duration::from_millis(self.random.stream().next_u64() % most);
        self.talk.wait(
            drawn,
            "the answer is sent later, at a random time".to_owned(),
        )
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
        self.talk
            .post(&url, "application/octet-stream", &body, read)
    }

    /// The owner's code. One that was mistyped is sent to nobody.
    fn code(&self) -> Result<Code> {
        let code = self.settings.code.as_ref().ok_or_else(|| {
            Error::input("this campaign admits those only who were given a code")
                .hint("ask its operator for a code and give it")
        })?;
        code.parse()
    }

    fn keep(&mut self, joined: &Joined) -> Result<()> {
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

fn drawn<const N: usize>(rng: &mut impl Rng) -> [u8; N] {
    let mut bytes = [0; N];
    rng.fill_bytes(&mut bytes);
    bytes
}

fn lost() -> Outcome {
    let why = "this campaign was answered, and what was answered is not kept any more";
    Outcome::stopped("lost", why)
}

fn over(why: &str) -> Outcome {
    Outcome::stopped("over", format!("the campaign is over: {why}"))
}
