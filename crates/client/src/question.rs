//! The question: waiting until its round is announced as open, and asking for it as seldom as can be.
//!
//! Announcement and places are the same for everybody. The question's address is not: it has the place that this client
//! drew, which no other client has, and a request that is made again from another network tells that both were the same
//! client's. So everything else is had first, a round that is not announced as open is not asked about, and each
//! time in vain is followed by a wait that is twice as long. That it is asked for is kept before it is, so that neither
//! a kill nor a restart makes waits short again.

use std::cmp::Ordering;
use std::time::Duration;

use rand_core::Rng;
use wayveil_admission::Admission;
use wayveil_core::Result;
use wayveil_federated::message::Question;

use crate::announcement::Announcement;
use crate::outcome::Outcome;
use crate::places::Places;
use crate::preview::announced;
use crate::spread::Spread;
use crate::state::Joined;
use crate::steps::{MISSED, Run, over, still_good, unchanged};
use crate::talk::{Backoff, Heard, NOT_OPEN, Passing, asked_for};

/// Replies that are longer are not read.
const UNIVERSE: usize = 64 << 20;
const QUESTION: usize = 64 << 10;

/// How long is waited at least where no round is announced as open, in seconds.
const BETWEEN_ROUNDS: u64 = 5;

/// Clients that wait for the same round come in a time of this part of the wait,
const APART: u64 = 4;
/// and of no more milliseconds than these.
const APART_AT_MOST: u64 = 300_000;

impl Run<'_> {
    /// The question of this client, when its time has come, and the places that it is about.
    pub(crate) fn question(
        &mut self,
        mut known: Option<Announcement>,
        joined: &mut Joined,
        admission: &Admission,
        round: u32,
    ) -> Result<Heard<(Question, Places)>> {
        let mut places = None;
        loop {
            let patience = self.talk.patience;
            if let Err(outcome) = self.wait_in_between(joined)? {
                return Ok(Err(outcome));
            }
            known = known.filter(|_| self.talk.patience == patience);
            let ready = self.ready(&mut known, &mut places, joined, admission, round);
            let places = match ready {
                Ok(Some(places)) => places,
                // Something was waited for, and the round may be over.
                Ok(None) => continue,
                Err(outcome) => return Ok(Err(outcome)),
            };
            match self.ask(joined, round)? {
                Ok(Some(question)) => return Ok(Ok((question, places.clone()))),
                Ok(None) => {}
                Err(outcome) => return Ok(Err(outcome)),
            }
        }
    }

    /// The places, if the round is open, the token good, and nothing was waited for since that was announced.
    fn ready<'a>(
        &mut self,
        known: &mut Option<Announcement>,
        places: &'a mut Option<Places>,
        joined: &Joined,
        admission: &Admission,
        round: u32,
    ) -> Heard<Option<&'a Places>> {
        let announcement = self.until_open(known.take(), joined, round)?;
        still_good(&announcement, admission, round)?;
        if places.is_some() {
            return Ok(places.as_ref());
        }
        let patience = self.talk.patience;
        let read = |body: &[u8]| Places::read(body, &joined.universe, joined.terms.locations);
        let url = self.collector.clone() + "/v1/universe";
        let read = self.talk.get(&url, UNIVERSE, read)?;
        let read = places.insert(read);
        Ok((self.talk.patience == patience).then_some(read))
    }

    /// Lets the time pass that lies before the question, or what is left of it. A collector that was asked for the
    /// question at once after the token would know the answer's place by the time of the token.
    fn wait_in_between(&mut self, joined: &mut Joined) -> Result<Heard<()>> {
        while let Some(spread) = &mut joined.spread {
            let before = *spread;
            let left = spread.left(self.talk.sleeper.now());
            if before != *spread {
                self.keep(joined)?;
            }
            if left.is_zero() {
                joined.spread = None;
                self.keep(joined)?;
                break;
            }
            let why = match joined.tries {
                0 => "some time passes between having a token and answering",
                _ => "the question could not be had; some time passes before it is asked for again",
            };
            if let Err(later) = self.talk.wait(left, why.to_owned()) {
                return Ok(Err(later));
            }
        }
        Ok(Ok(()))
    }

    /// Waits until the round is announced as open.
    fn until_open(
        &mut self,
        mut known: Option<Announcement>,
        joined: &Joined,
        round: u32,
    ) -> Heard<Announcement> {
        let mut backoff = Backoff::new();
        loop {
            let announcement = match known.take() {
                Some(announcement) => announcement,
                None => announced(&mut self.talk, &self.collector)?,
            };
            if let Some(why) = &announcement.over {
                return Err(over(why));
            }
            unchanged(&announcement, joined)?;
            // Where none is named none is open: asking for the question to find out would tell the place.
            let least = match announcement.open {
                None => BETWEEN_ROUNDS,
                Some(open) => match open.index.cmp(&round) {
                    Ordering::Equal => return Ok(announcement),
                    Ordering::Greater => return Err(Outcome::stopped("closed", MISSED)),
                    Ordering::Less => open.closes_in_seconds,
                },
            };
            let wait = backoff.next(Some(least), &mut self.talk.random) + self.apart(least);
            self.talk.wait(wait, NOT_OPEN.to_owned())?;
        }
    }

    /// Everybody hears when a round closes; not everybody comes at that second.
    fn apart(&mut self, seconds: u64) -> Duration {
        let most = (asked_for(Some(seconds)) / APART).min(APART_AT_MOST);
        Duration::from_millis(self.talk.random.next_u64() % (most + 1))
    }

    /// Asks for the question, once. If it is not to be had now there is a wait before the next time.
    fn ask(&mut self, joined: &mut Joined, round: u32) -> Result<Heard<Option<Question>>> {
        joined.tries = joined.tries.saturating_add(1);
        let now = self.talk.sleeper.now();
        let again = Spread::again(joined.tries, now, &mut self.talk.random);
        joined.spread = Some(again);
        self.keep(joined)?;
        let place = joined.saved.place();
        let url = format!("{}/v1/rounds/{round}/question/{place:016x}", self.collector);
        match self.talk.get_once(&url, QUESTION, Question::decode) {
            Ok(Ok(question)) => Ok(Ok(Some(question))),
            Ok(Err(Passing { after, .. })) => {
                let lasts = again.lasts.max(asked_for(after));
                if lasts > again.lasts {
                    joined.spread = Some(Spread { lasts, ..again });
                    self.keep(joined)?;
                }
                Ok(Ok(None))
            }
            Err(outcome) => Ok(Err(outcome.closed(MISSED))),
        }
    }
}
