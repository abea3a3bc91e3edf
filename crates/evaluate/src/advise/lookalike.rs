//! Made-up people who could be the ones of a file, from public facts alone.
//!
//! Nobody knows what the people of a file do without looking. So several kinds are made up, which differ
//! in what decides how well a method does: how popular places are, how far one place tells the next,
//! how many people share a route. A setting that is good for all kinds is likely to be good for the
//! file; how much its error differs between kinds tells how little is known. No kind imitates a data set
//! that this project measures itself by.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{
    Attribute, Coordinate, Dataset, Error, Labels, Owners, PrivacyUnit, RandomSource, Raw, Result,
    Sequences,
};

use super::arena::{Arena, factor_for};
use super::facts::Facts;
use super::places::{Nearness, neighbours, squared};
use super::truthful::Sensitive;

/// People made from one random stream.
const CHUNK: usize = 4096;
/// How often a walker leaves the neighbourhood.
const STRAY: f64 = 0.1;
/// How often a commuter is at one of the two usual places.
const USUAL: f64 = 0.85;
/// How often a stop of a shared route is left out for another place.
const DETOUR: f64 = 0.1;
/// Shared routes, for each place.
const ROUTES_PER_PLACE: usize = 2;
/// How many destinations are weighed before one is taken whatever its distance.
const WEIGHED: usize = 30;
/// The distance at which half as many go, in distances between neighbours.
const REACH: f64 = 3.0;

/// Above so many records there are three kinds only: runs take long.
const MANY: u64 = 200_000;

/// A kind of made-up people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Visits independent of each other, popularity nearly even.
    Even,
    /// Visits independent of each other, popularity skewed.
    Skewed,
    /// From place to neighbouring place.
    Walkers,
    /// To popular places that are not far.
    Gravity,
    /// Between two usual places.
    Commuters,
    /// Along routes that many share.
    Routes,
}

impl Kind {
    fn words(self, nearness: Nearness) -> &'static str {
        match (self, nearness) {
            (Self::Even, _) => "independent visits, popularity nearly even",
            (Self::Skewed, _) => "independent visits, popularity skewed",
            (Self::Walkers, Nearness::Distance) => "walks between near places",
            (Self::Walkers, Nearness::Group) => "walks within groups of the taxonomy",
            (Self::Walkers, Nearness::Order) => "walks along the list of places",
            (Self::Gravity, _) => "trips to popular places that are not far",
            (Self::Commuters, _) => "commuters between two usual places",
            (Self::Routes, _) => "routes that many share",
        }
    }
}

/// Data sets that resemble what the facts tell, one of each kind. `most` bounds the records of each;
/// where there are more people, each record stands for several (see [`super::Arena`]).
///
/// Only `facts` and `seed` decide: there is no way in for a raw row.
pub fn lookalikes(
    facts: &Facts,
    sensitive: Option<&Sensitive>,
    most: u64,
    seed: u64,
) -> Result<Vec<Arena>> {
    facts.check()?;
    let people = facts.sizes.people.ok_or_else(|| {
        Error::input("advice without a look needs to know about how many people there are").hint(
            "give --people N, a number that you would say in public; or --like RELEASE, an earlier \
             release; or --look, which makes the guarantee conditional; or --pay EPSILON -o FOLDER",
        )
    })?;
    let trips = u64::from(facts.unit.records());
    let factor = factor_for(people.saturating_mul(trips), most);
    let town = Town::new(facts);
    let mut kinds = vec![Kind::Even, Kind::Skewed, Kind::Walkers];
    if town.nearness == Nearness::Distance {
        kinds.push(Kind::Gravity);
    }
    kinds.extend([Kind::Commuters, Kind::Routes]);
    if people.saturating_mul(trips) > MANY {
        kinds.retain(|kind| [Kind::Skewed, Kind::Walkers, Kind::Routes].contains(kind));
    }
    kinds
        .into_iter()
        .map(|kind| {
            let purpose = format!("look-alike {kind:?}");
            let mut random = RandomSource::insecure_seed_for(&purpose, seed);
            let habits = Habits::new(&town, kind, &mut random.stream());
            let rows = (people / factor).max(1).saturating_mul(trips);
            let rows = usize::try_from(rows).map_err(|_| Error::input("too many people"))?;
            let records = records(&town, &habits, rows, &mut random);
            let attributes = sensitive.map(|it| it.columns(rows, &mut random.stream()));
            let data = dataset(facts, records, attributes.unwrap_or_default())?;
            let name = kind.words(town.nearness);
            Ok(Arena::new(name.into(), data, factor))
        })
        .collect()
}

/// Rows as a data set of this universe. Where a person keeps several trips, as many as are kept belong
/// to one owner.
pub(super) fn dataset(
    facts: &Facts,
    records: Sequences,
    attributes: Vec<Attribute>,
) -> Result<Raw<Dataset>> {
    let owners = match facts.unit {
        PrivacyUnit::Owner | PrivacyUnit::Trip => Owners::EachRecord,
        PrivacyUnit::OwnerBounded(trips) => {
            let of_record: Vec<u32> = (0..records.len() as u32).map(|it| it / trips).collect();
            let owners = of_record.last().map_or(0, |last| last + 1);
            let labels: Labels = (0..owners).map(|owner| owner.to_string()).collect();
            Owners::Known { of_record, labels }
        }
    };
    let universe = facts.universe.clone();
    let population = "look-alike".to_owned();
    Dataset::new(
        universe,
        facts.time.clone(),
        records,
        owners,
        attributes,
        population,
    )
    .map(Raw::new)
}

/// What all kinds share.
struct Town {
    places: usize,
    at: Option<Vec<Coordinate>>,
    nearness: Nearness,
    near: Vec<Vec<u32>>,
    /// Squared distance at which half as many go.
    reach: f64,
    typical: f64,
    longest: usize,
    bins: Option<u32>,
}

impl Town {
    fn new(facts: &Facts) -> Self {
        let (nearness, near) = neighbours(&facts.universe);
        let at: Option<Vec<Coordinate>> =
            facts.universe.locations().iter().map(|it| it.at).collect();
        let step = |at: &Vec<Coordinate>| {
            let pairs = near.iter().enumerate();
            let mut steps: Vec<f64> = pairs
                .filter_map(|(from, near)| Some(squared(at[from], at[*near.first()? as usize])))
                .collect();
            steps.sort_by(f64::total_cmp);
            steps.get(steps.len() / 2).copied().unwrap_or(1.0)
        };
        let reach = at.as_ref().map_or(1.0, step) * REACH * REACH;
        Self {
            places: facts.universe.len(),
            reach: reach.max(f64::MIN_POSITIVE),
            at,
            nearness,
            near,
            typical: facts.typical_length(),
            longest: facts.longest() as usize,
            bins: facts.time.as_ref().map(|axis| axis.bins),
        }
    }

    /// Lengths fall off evenly from one visit on, with the typical one as their mean but for the cut.
    fn length(&self, random: &mut impl Rng) -> usize {
        let stop = 1.0 / self.typical.max(1.0);
        if stop >= 1.0 {
            return 1;
        }
        let more = (1.0 - part(random)).ln() / (1.0 - stop).ln();
        // A float beyond the range becomes the greatest number.
        (more as usize).saturating_add(1).min(self.longest.max(1))
    }

    /// A neighbour, or the place itself where it has none.
    fn neighbour(&self, of: u32, random: &mut impl Rng) -> u32 {
        let near = &self.near[of as usize];
        near.get(index(near.len(), random)).copied().unwrap_or(of)
    }

    fn times(&self, kind: Kind, visits: usize, random: &mut impl Rng) -> Vec<u32> {
        let Some(bins) = self.bins else {
            return Vec::new();
        };
        let bin = |random: &mut _| match kind {
            // Around a third and two thirds of the axis.
            Kind::Commuters => {
                let peak = if part(random) < 0.5 { 1.0 } else { 2.0 } / 3.0;
                let off = (part(random) + part(random) - 1.0) / 6.0;
                ((peak + off) * f64::from(bins)) as u32
            }
            _ => (part(random) * f64::from(bins)) as u32,
        };
        let mut times: Vec<u32> = (0..visits).map(|_| bin(random).min(bins - 1)).collect();
        times.sort_unstable();
        times
    }
}

/// What people of one kind do.
struct Habits {
    kind: Kind,
    popular: Popularity,
    routes: Vec<Vec<u32>>,
    route: Popularity,
}

impl Habits {
    fn new(town: &Town, kind: Kind, random: &mut impl Rng) -> Self {
        let exponent = match kind {
            Kind::Even => 0.4,
            Kind::Walkers => 0.7,
            Kind::Skewed => 1.2,
            Kind::Gravity | Kind::Commuters | Kind::Routes => 0.9,
        };
        let popular = Popularity::zipf(town.places, exponent, random);
        let mut routes = Vec::new();
        if kind == Kind::Routes {
            routes.resize_with(town.places * ROUTES_PER_PLACE, || {
                let mut route = vec![popular.draw(random)];
                for _ in 1..town.longest.min(64) {
                    let last = route[route.len() - 1];
                    let before = route.len().checked_sub(2).map(|it| route[it]);
                    let next = town.neighbour(last, random);
                    // Routes seldom turn round.
                    let turns = Some(next) == before;
                    route.push(if turns {
                        town.neighbour(last, random)
                    } else {
                        next
                    });
                }
                route
            });
        }
        let route = Popularity::zipf(routes.len(), 1.0, random);
        Self {
            kind,
            popular,
            routes,
            route,
        }
    }

    fn record(&self, town: &Town, random: &mut impl Rng) -> Vec<u32> {
        let visits = town.length(random);
        match self.kind {
            Kind::Even | Kind::Skewed => (0..visits).map(|_| self.popular.draw(random)).collect(),
            Kind::Walkers => {
                self.chain(visits, random, |last, random| match part(random) < STRAY {
                    true => self.popular.draw(random),
                    false => town.neighbour(last, random),
                })
            }
            Kind::Gravity => self.chain(visits, random, |last, random| {
                let mut next = last;
                for _ in 0..WEIGHED {
                    next = self.popular.draw(random);
                    let far = town.at.as_ref().map_or(0.0, |at| {
                        squared(at[last as usize], at[next as usize]) / town.reach
                    });
                    if next != last && part(random) < 1.0 / (1.0 + far) {
                        break;
                    }
                }
                next
            }),
            Kind::Commuters => {
                let usual = [self.popular.draw(random), self.popular.draw(random)];
                let place = |visit: usize| match part(random) < USUAL {
                    true => usual[visit % 2],
                    false => self.popular.draw(random),
                };
                (0..visits).map(place).collect()
            }
            Kind::Routes => {
                let route = &self.routes[self.route.draw(random) as usize];
                let stop = |visit: usize| match part(random) < DETOUR {
                    true => self.popular.draw(random),
                    false => route[visit % route.len()],
                };
                (0..visits).map(stop).collect()
            }
        }
    }

    fn chain<R: Rng>(
        &self,
        visits: usize,
        random: &mut R,
        next: impl Fn(u32, &mut R) -> u32,
    ) -> Vec<u32> {
        let mut record = vec![self.popular.draw(random)];
        while record.len() < visits {
            let last = record[record.len() - 1];
            record.push(next(last, random));
        }
        record
    }
}

fn records(town: &Town, habits: &Habits, rows: usize, random: &mut RandomSource) -> Sequences {
    let chunks = rows.div_ceil(CHUNK);
    let parts: Vec<Vec<(Vec<u32>, Vec<u32>)>> = random
        .streams(chunks)
        .into_par_iter()
        .enumerate()
        .map(|(at, mut random)| {
            let size = CHUNK.min(rows - at * CHUNK);
            let person = |_| {
                let codes = habits.record(town, &mut random);
                let bins = town.times(habits.kind, codes.len(), &mut random);
                (codes, bins)
            };
            (0..size).map(person).collect()
        })
        .collect();
    let mut all = Sequences::empty(town.bins.is_some());
    for (codes, bins) in parts.iter().flatten() {
        all.push(codes, bins);
    }
    all
}

/// How likely each of several things is.
pub(super) struct Popularity {
    /// Sums of weights up to each.
    sums: Vec<f64>,
}

impl Popularity {
    /// The r-th most popular has weight r^−s; which is which is random.
    fn zipf(count: usize, exponent: f64, random: &mut impl Rng) -> Self {
        let mut weights: Vec<f64> = (1..=count).map(|it| (it as f64).powf(-exponent)).collect();
        for last in (1..count).rev() {
            weights.swap(last, index(last + 1, random));
        }
        Self::new(weights)
    }

    /// These weights; at least one is above zero wherever something is drawn.
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        let sums = weights.into_iter().map(|weight| {
            sum += weight;
            sum
        });
        Self {
            sums: sums.collect(),
        }
    }

    /// One of them by its weight.
    pub(super) fn draw(&self, random: &mut impl Rng) -> u32 {
        let all = self.sums.last().copied().unwrap_or(0.0);
        let at = part(random) * all;
        let found = self.sums.partition_point(|&sum| sum <= at);
        found.min(self.sums.len().saturating_sub(1)) as u32
    }
}

/// A number from 0 to below 1.
pub(super) fn part(random: &mut impl Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A position below `count`, or 0.
pub(super) fn index(count: usize, random: &mut impl Rng) -> usize {
    ((part(random) * count as f64) as usize).min(count.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wayveil_core::{NonPrivate, Origin, TimeAxis, Universe};

    use super::*;
    use crate::advise::Sizes;

    fn facts(people: Option<u64>, timed: bool, unit: PrivacyUnit) -> Facts {
        let labels = (0..30).map(|it| it.to_string());
        let origin = Origin::Declared("test".into());
        Facts {
            universe: Arc::new(Universe::from_labels(labels, origin.clone()).unwrap()),
            time: timed.then(|| TimeAxis::new(24, origin)),
            columns: Vec::new(),
            unit,
            sizes: Sizes {
                people,
                typical_length: Some(5.0),
                longest: Some(12),
            },
        }
    }

    fn look<R>(arena: &Arena, see: impl FnOnce(&Dataset) -> R) -> R {
        let because = NonPrivate::because("made-up data in a test");
        arena.raw().inspect(because, see).for_publisher_only()
    }

    #[test]
    fn kinds_keep_to_the_facts() {
        let arenas =
            lookalikes(&facts(Some(3000), true, PrivacyUnit::Owner), None, 5000, 1).unwrap();
        assert_eq!(arenas.len(), 5, "no gravity without coordinates");
        for arena in &arenas {
            look(arena, |data| {
                let trips = data.trips();
                assert_eq!(trips.len(), 3000);
                let mean = trips.symbols() as f64 / 3000.0;
                assert!((4.0..5.5).contains(&mean), "{}: {mean}", arena.name());
                for record in 0..trips.len() {
                    assert!((1..=12).contains(&trips.length(record)));
                    assert!(trips.bins_of(record).is_sorted());
                }
            });
        }
    }

    #[test]
    fn more_people_than_wanted_are_scaled_down_by_a_whole_number() {
        let arenas = lookalikes(
            &facts(Some(10_001), false, PrivacyUnit::Owner),
            None,
            3000,
            1,
        );
        for arena in arenas.unwrap() {
            assert_eq!(
                (arena.factor(), look(&arena, |it| it.trips().len())),
                (4, 2500)
            );
        }
    }

    #[test]
    fn the_seed_decides_and_people_must_be_told() {
        let known = facts(Some(500), false, PrivacyUnit::Owner);
        let codes = |seed| {
            let arenas = lookalikes(&known, None, 5000, seed).unwrap();
            let of = |arena| look(arena, |data| data.trips().clone());
            arenas.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(codes(1), codes(1));
        assert_ne!(codes(1), codes(2));
        let error = lookalikes(&facts(None, false, PrivacyUnit::Owner), None, 9, 1)
            .err()
            .unwrap();
        for way in ["--people", "--like", "--look", "--pay"] {
            assert!(error.advice().unwrap().contains(way));
        }
    }

    #[test]
    fn several_trips_have_one_owner() {
        let unit = PrivacyUnit::OwnerBounded(std::num::NonZeroU32::new(3).unwrap());
        for arena in lookalikes(&facts(Some(100), false, unit), None, 5000, 1).unwrap() {
            look(&arena, |data| {
                assert_eq!(data.trips().len(), 300);
                let Owners::Known { labels, .. } = data.owners() else {
                    panic!("nobody's");
                };
                assert_eq!(labels.len(), 100);
            });
        }
    }

    #[test]
    fn weights_are_followed() {
        let mut random = RandomSource::insecure_seed(1).stream();
        let popular = Popularity::new([0.0, 3.0, 0.0, 1.0]);
        let mut seen = [0_u32; 4];
        for _ in 0..4000 {
            seen[popular.draw(&mut random) as usize] += 1;
        }
        assert_eq!((seen[0], seen[2]), (0, 0));
        // Six standard deviations around 3000.
        assert!(seen[1].abs_diff(3000) < 165, "{seen:?}");
    }
}
