//! Where a person is, hour by hour, and at which of these hours they are seen.
//!
//! Most people work by day: out in the morning, back in the afternoon, perhaps lunch elsewhere or
//! an evening out. Some run errands, as most do on weekends, and some work at night. A person is
//! followed for two days, or for as long as the axis is.

use rand_core::Rng;

use super::Town;
use crate::generate::draw;
use crate::generate::route::Route;

/// Hours of a day.
const DAY: u32 = 24;
/// The longest time that one person is followed.
const FOLLOWED: u32 = 2 * DAY;
/// How readily somebody is seen at either end of a move, and on the way.
pub(super) const MOVING: u64 = 60;
const ON_THE_WAY: u64 = 40;
/// And asleep.
const ASLEEP: u64 = 1;

/// When people leave in the morning and in the afternoon, with weights.
const OUT: &[(u32, u64)] = &[(5, 4), (6, 12), (7, 32), (8, 34), (9, 14), (10, 4)];
const BACK: &[(u32, u64)] = &[(14, 4), (15, 10), (16, 26), (17, 36), (18, 18), (19, 6)];

/// A place at an hour where a person could be seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sighting {
    pub(super) place: u32,
    pub(super) hour: u32,
    weight: u64,
}

/// The days of one person after another; buffers are kept.
#[derive(Default)]
pub(super) struct Person {
    sightings: Vec<Sighting>,
    chosen: Vec<usize>,
    moves: Vec<(u32, Route)>,
}

/// What a person does again and again.
struct Habits {
    home: u32,
    to_work: Route,
    evening: Route,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Commuter,
    NightWorker,
    AtHome,
}

impl Habits {
    fn draw<T: Town, R: Rng>(town: &T, rng: &mut R) -> Self {
        let home = town.home(rng);
        Self {
            home,
            to_work: town.way(home, rng),
            evening: town.way(home, rng),
            kind: match draw::below(100, rng) {
                0..68 => Kind::Commuter,
                68..73 => Kind::NightWorker,
                _ => Kind::AtHome,
            },
        }
    }
}

impl Person {
    /// Makes somebody else of this person and lists where they could be seen: at least once every
    /// hour, no place twice within an hour.
    pub(super) fn live<T: Town, R: Rng>(&mut self, town: &T, bins: u32, rng: &mut R) {
        let habits = Habits::draw(town, rng);
        let days = bins.div_ceil(DAY);
        let first_day = draw::below(u64::from(days.saturating_sub(1)), rng) as u32;
        let first = if bins > FOLLOWED { first_day * DAY } else { 0 };
        let end = bins.min(first + FOLLOWED);

        self.sightings.clear();
        let mut here = match habits.kind {
            Kind::NightWorker => habits.to_work.end(),
            _ => habits.home,
        };
        for day in first / DAY..end.div_ceil(DAY) {
            self.plan(&habits, town, day, rng);
            for hour in 0..DAY.min(end - day * DAY) {
                here = self.spend::<T>(here, day, hour);
            }
        }
    }

    /// Spends an hour where the plan says; returns where it ends.
    fn spend<T: Town>(&mut self, here: u32, day: u32, hour: u32) -> u32 {
        let at = day * DAY + hour;
        let planned = self.moves.iter().find(|(when, _)| *when == hour);
        let Some((_, route)) = planned else {
            let weight = if hour < 6 { ASLEEP } else { T::STAYING };
            self.sightings.push(Sighting {
                place: here,
                hour: at,
                weight,
            });
            return here;
        };
        let last = route.stops().len() - 1;
        for (position, &place) in route.stops().iter().enumerate() {
            let weight = match position {
                0 => MOVING,
                position if position == last => MOVING,
                _ => ON_THE_WAY,
            };
            self.sightings.push(Sighting {
                place,
                hour: at,
                weight,
            });
        }
        route.end()
    }

    /// The moves of a day, at most one an hour. It begins and ends at home, or at work for who
    /// works at night.
    fn plan<T: Town, R: Rng>(&mut self, habits: &Habits, town: &T, day: u32, rng: &mut R) {
        self.moves.clear();
        // The axis begins on a Monday.
        let weekend = day % 7 >= 5;
        match habits.kind {
            Kind::Commuter if !weekend => self.commute(habits, town, rng),
            Kind::NightWorker => {
                let back = 5 + draw::below(3, rng) as u32;
                self.moves.push((back, habits.to_work.reversed()));
                let out = 20 + draw::below(3, rng) as u32;
                self.moves.push((out, habits.to_work));
            }
            _ => self.run_errands(habits, town, rng),
        }
    }

    fn commute<T: Town, R: Rng>(&mut self, habits: &Habits, town: &T, rng: &mut R) {
        let out = draw::weighted(OUT.iter().copied(), rng).unwrap_or(8);
        let back = draw::weighted(BACK.iter().copied(), rng).unwrap_or(17);
        self.moves.push((out, habits.to_work));
        if draw::percent(15, rng) {
            let lunch = town.way(habits.to_work.end(), rng);
            self.moves.push((12, lunch));
            self.moves.push((13, lunch.reversed()));
        }
        self.moves.push((back, habits.to_work.reversed()));
        if draw::percent(25, rng) {
            self.moves.push((back + 1, habits.evening));
            let late = back + 2 + draw::below(2, rng) as u32;
            self.moves.push((late, habits.evening.reversed()));
        }
    }

    /// Once or twice from home to a place and back after an hour or two.
    fn run_errands<T: Town, R: Rng>(&mut self, habits: &Habits, town: &T, rng: &mut R) {
        for (from, hours) in [(9, 3), (14, 6)] {
            if !draw::percent(75, rng) {
                continue;
            }
            let out = from + draw::below(hours, rng) as u32;
            let route = match draw::percent(50, rng) {
                true => habits.evening,
                false => town.way(habits.home, rng),
            };
            self.moves.push((out, route));
            let back = out + 1 + draw::below(2, rng) as u32;
            self.moves.push((back, route.reversed()));
        }
    }

    /// So many of the possible sightings, in order; the likelier ones by their weights.
    pub(super) fn seen<R: Rng>(
        &mut self,
        count: usize,
        rng: &mut R,
    ) -> impl Iterator<Item = Sighting> {
        self.chosen.clear();
        for _ in 0..count.min(self.sightings.len()) {
            let weights = self.sightings.iter().map(|sighting| sighting.weight);
            let drawn = draw::weighted(weights.enumerate(), rng);
            if let Some(position) = drawn {
                self.sightings[position].weight = 0;
                self.chosen.push(position);
            }
        }
        self.chosen.sort_unstable();
        self.chosen.iter().map(|&position| self.sightings[position])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::blocks::Blocks;
    use super::super::stations::Stations;
    use super::*;
    use wayveil_core::RandomSource;

    fn check<T: Town>(town: &T) {
        let mut rng = RandomSource::insecure_seed(3).stream();
        let mut person = Person::default();
        for bins in [12, 13, 24, 25, 40, 48, 49, 72, 1_000] {
            for _ in 0..300 {
                person.live(town, bins, &mut rng);
                let hours: HashSet<u32> = person.sightings.iter().map(|s| s.hour).collect();
                let followed = hours.len() as u32;
                assert!(followed > bins.min(DAY) || followed == bins, "{bins} bins");
                assert!(followed <= FOLLOWED && person.sightings.len() >= hours.len());
                let distinct: HashSet<(u32, u32)> =
                    person.sightings.iter().map(|s| (s.hour, s.place)).collect();
                assert_eq!(distinct.len(), person.sightings.len(), "{bins} bins");
                assert!(person.sightings.is_sorted_by_key(|s| s.hour));
                assert!(person.sightings.iter().all(|s| s.hour < bins));
                assert_eq!(person.seen(10, &mut rng).count(), 10);
            }
        }
    }

    #[test]
    fn everybody_is_somewhere_at_every_hour() {
        for places in [2, 3, 26] {
            check(&Blocks::new(places));
            check(&Stations::new(places));
        }
    }

    #[test]
    fn nobody_moves_but_along_their_plan() {
        let town = Stations::new(68);
        let mut rng = RandomSource::insecure_seed(4).stream();
        let mut person = Person::default();
        for _ in 0..500 {
            person.live(&town, 48, &mut rng);
            for pair in person.sightings.windows(2) {
                let same_place = pair[0].place == pair[1].place;
                let same_hour = pair[0].hour == pair[1].hour;
                assert!(same_place || same_hour, "jumps: {pair:?}");
            }
        }
    }
}
