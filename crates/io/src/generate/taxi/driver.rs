//! What one taxi does in a week.

use rand_core::Rng;

use super::Fix;
use super::streets::{Crossing, Place, Way, degrees};
use crate::generate::axis::STARTS_SECONDS;
use crate::generate::draw;

/// Seconds of an hour, a day and a week.
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;
pub(super) const WEEK_SECONDS: u32 = WEEK as u32;
/// The shortest time between two fixes in seconds, and how much longer it can be.
const SHORTEST: i64 = 30;
const LONGER: u64 = 90;

/// A shift that is being driven.
struct Shift<'a, R> {
    rng: &'a mut R,
    fixes: &'a mut Vec<Fix>,
    taxi: u32,
    trip: u32,
    /// Seconds of the week: now, at the next fix, and at the end.
    now: i64,
    next_fix: i64,
    end: i64,
    at: Crossing,
}

/// All fixes of a taxi, in order of time.
pub(super) fn week<R: Rng>(taxi: u32, rng: &mut R) -> Vec<Fix> {
    let mut fixes = Vec::with_capacity(3_600);
    let by_night = draw::percent(35, rng);
    let day_off = draw::below(7, rng) as i64;
    let mut at = Crossing::draw(rng);
    let mut trip = 0;
    for day in (0..7).filter(|&day| day != day_off) {
        let earliest = if by_night { 15 } else { 5 };
        let begin = day * DAY + earliest * HOUR + draw::below(3 * HOUR as u64, rng) as i64;
        let end = begin + 8 * HOUR + draw::below(3 * HOUR as u64, rng) as i64;
        let mut shift = Shift {
            now: begin,
            next_fix: begin,
            end: end.min(WEEK),
            rng: &mut *rng,
            fixes: &mut fixes,
            taxi,
            trip,
            at,
        };
        while shift.now < shift.end {
            shift.serve();
        }
        (trip, at) = (shift.trip, shift.at);
    }
    fixes
}

impl<R: Rng> Shift<'_, R> {
    /// Waits, fetches a passenger and takes them where they want to go.
    fn serve(&mut self) {
        if draw::percent(60, self.rng) {
            self.stand(60, 900);
        }
        // A call from the nearer of two places.
        let [one, other] = [0; 2].map(|_: u8| Crossing::draw(self.rng));
        let call = match self.at.blocks_to(one) <= self.at.blocks_to(other) {
            true => one,
            false => other,
        };
        self.drive(call);
        self.stand(20, 120);
        let to = Crossing::draw(self.rng);
        self.drive(to);
        self.stand(20, 60);
        self.trip += 1;
    }

    fn stand(&mut self, least: i64, more: u64) {
        let here = Way::draw(self.at, self.at, self.rng);
        let seconds = least + draw::below(more, self.rng) as i64;
        self.spend(&here, seconds);
    }

    /// At 25 to 50 km/h, slower at rush hours and faster on a long way.
    fn drive(&mut self, to: Crossing) {
        let way = Way::draw(self.at, to, self.rng);
        let mut speed = 700 + draw::below(700, self.rng) as i64;
        if matches!(self.now % DAY / HOUR, 7..=8 | 16..=17) {
            speed = speed * 3 / 4;
        }
        if way.length() > 800_000 {
            speed = speed * 3 / 2;
        }
        self.spend(&way, way.length() / speed + 1);
        self.at = to;
    }

    /// Lets so many seconds pass on a way, telling positions when they are due.
    fn spend(&mut self, way: &Way, seconds: i64) {
        let until = (self.now + seconds).min(self.end);
        while self.next_fix < until {
            let gone = way.length() * (self.next_fix - self.now) / seconds;
            self.fix(way.at(gone));
        }
        self.now = until;
    }

    /// One word of randomness decides how far off the fix is and when the next one is due.
    fn fix(&mut self, Place { x, y }: Place) {
        let word = self.rng.next_u64();
        let byte = |number: u32| ((word >> (8 * number)) & 0xff) as i64;
        // The sum of two uniform numbers, at most 5.1 m to either side.
        let place = Place {
            x: x + 2 * (byte(0) + byte(1) - 255),
            y: y + 2 * (byte(2) + byte(3) - 255),
        };
        let (lat_micro, lng_micro) = degrees(place);
        self.fixes.push(Fix {
            taxi: self.taxi,
            trip: self.trip,
            lat_micro,
            lng_micro,
            seconds: STARTS_SECONDS + self.next_fix,
        });
        // The upper half of the word, scaled; the bias is below one in 2²⁵.
        self.next_fix += SHORTEST + (((word >> 32) * (LONGER + 1)) >> 32) as i64;
    }
}
