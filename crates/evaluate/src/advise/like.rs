//! Arenas drawn from trajectories that were released already.
//!
//! A release of last month's taps is public, and so is whatever is computed from it. It says which places
//! are popular and where people go next. It does not show what its method could not keep: long records,
//! and all that is rare. Its trajectories as they are would be too easy to publish again. So there are two
//! arenas, both with records as long as typical ones are said to be: a Markov chain of the release, which
//! keeps what follows what and forgets routes; and its trajectories, drawn with replacement, in which some
//! visits are replaced by others and which go on as the chain does.

use rand_core::Rng;
use wayveil_core::{Error, RandomSource, Released, Result, Sequences};

use super::arena::{Arena, factor_for};
use super::facts::Facts;
use super::lookalike::{Popularity, dataset, index, part};
use super::truthful::Sensitive;

/// How often a visit of a released trajectory is replaced.
const REPLACED: f64 = 0.2;
/// How often a made-up trajectory goes where no released one went: any place, once in so often.
const ELSEWHERE: f64 = 0.01;

/// Arenas from a release, for as many people as the facts say or the release has rows.
///
/// Only a release can be given (see [`Released`]), so that everything here is post-processing.
pub fn like_release(
    facts: &Facts,
    sensitive: Option<&Sensitive>,
    release: &dyn Released,
    most: u64,
    seed: u64,
) -> Result<(u64, Vec<Arena>)> {
    facts.check()?;
    let released = in_codes_of(facts, release)?;
    if released.symbols() == 0 {
        return Err(Error::input("the release has no visits to learn from")
            .hint("name another release, or leave --like out and give --people N"));
    }
    let trips = u64::from(facts.unit.records());
    let people = facts
        .sizes
        .people
        .unwrap_or(released.len() as u64 / trips)
        .max(1);
    let factor = factor_for(people.saturating_mul(trips), most);
    let rows = (people / factor).max(1).saturating_mul(trips);
    let rows = usize::try_from(rows).map_err(|_| Error::input("too many people"))?;
    let mut random = RandomSource::insecure_seed_for("like a release", seed);
    let chain = Chain::of(facts, &released);
    let chained = chain.records(rows, None, &mut random.stream());
    let going_on = chain.records(rows, Some(&released), &mut random.stream());
    let mut values = random.stream();
    let mut arena = |name: &str, records| -> Result<Arena> {
        let attributes = sensitive.map(|it| it.columns(rows, &mut values));
        let data = dataset(facts, records, attributes.unwrap_or_default())?;
        Ok(Arena::new(name.into(), data, factor))
    };
    let arenas = vec![
        arena("a Markov chain of the release", chained)?,
        arena(
            "the release's trajectories, with others among them, going on",
            going_on,
        )?,
    ];
    Ok((people, arenas))
}

/// The release's trajectories in the codes of the file's universe.
fn in_codes_of(facts: &Facts, release: &dyn Released) -> Result<Sequences> {
    let bins = |axis: Option<&wayveil_core::TimeAxis>| axis.map(|it| it.bins);
    if bins(release.time()) != bins(facts.time.as_ref()) {
        return Err(
            Error::input("the release has other time bins than the data")
                .hint("name a release of data that was imported in the same way"),
        );
    }
    let codes: Vec<Option<u32>> = release
        .universe()
        .locations()
        .iter()
        .map(|it| facts.universe.code(&it.label))
        .collect();
    let released = release.trajectories();
    let translated = released.codes().iter().map(|&code| {
        codes[code as usize].ok_or_else(|| {
            Error::input(format!(
                "the data's universe does not know {:?}, which the release visits",
                release.universe().label(code)
            ))
            .hint("name a release of data with the same locations")
        })
    });
    Sequences::new(
        released.offsets().to_vec(),
        translated.collect::<Result<_>>()?,
        released.bins().map(<[u32]>::to_vec),
    )
}

/// A Markov chain of the released trajectories.
struct Chain {
    first: Popularity,
    /// Where released trajectories go next, by place, and how often; empty where none goes on.
    next: Vec<(Vec<u32>, Popularity)>,
    /// When released visits are.
    bins: Option<Vec<u32>>,
    /// The share of trajectories that end after a visit.
    stop: f64,
    longest: usize,
    places: usize,
}

impl Chain {
    fn of(facts: &Facts, released: &Sequences) -> Self {
        let places = facts.universe.len();
        let mut first = vec![0.0; places];
        let mut next: Vec<(Vec<u32>, Vec<f64>)> = vec![Default::default(); places];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for record in released.iter() {
            if let Some(&code) = record.first() {
                first[code as usize] += 1.0;
            }
            pairs.extend(record.windows(2).map(|pair| (pair[0], pair[1])));
        }
        pairs.sort_unstable();
        for run in pairs.chunk_by(|a, b| a == b) {
            let (to, weights) = &mut next[run[0].0 as usize];
            to.push(run[0].1);
            weights.push(run.len() as f64);
        }
        let visited = released.iter().filter(|it| !it.is_empty()).count();
        let seen = released.symbols() as f64 / visited.max(1) as f64;
        // A tree cuts records: they are at least as long as it shows, and as long as is said.
        let typical = match facts.sizes.typical_length {
            Some(said) => said,
            None => seen.max(facts.typical_length()),
        };
        Self {
            first: Popularity::new(first),
            next: next
                .into_iter()
                .map(|(to, weights)| (to, Popularity::new(weights)))
                .collect(),
            bins: released.bins().map(<[u32]>::to_vec),
            stop: 1.0 / typical.max(1.0),
            longest: facts.longest().max(1) as usize,
            places,
        }
    }

    /// Made-up records; those that begin like released ones, where these are given.
    fn records(
        &self,
        rows: usize,
        released: Option<&Sequences>,
        random: &mut impl Rng,
    ) -> Sequences {
        let mut all = Sequences::empty(self.bins.is_some());
        for _ in 0..rows {
            let begun = released.map_or(&[][..], |it| it.codes_of(index(it.len(), random)));
            let mut codes: Vec<u32> = Vec::new();
            while codes.len() < self.longest {
                let next = match begun.get(codes.len()) {
                    Some(_) if part(random) < REPLACED => self.after(codes.last(), random),
                    Some(&visit) => visit,
                    None if !codes.is_empty() && part(random) < self.stop => break,
                    None => self.after(codes.last(), random),
                };
                codes.push(next);
            }
            let mut bins: Vec<u32> = match &self.bins {
                None => Vec::new(),
                Some(bins) => codes
                    .iter()
                    .map(|_| bins[index(bins.len(), random)])
                    .collect(),
            };
            bins.sort_unstable();
            all.push(&codes, &bins);
        }
        all
    }

    /// Where one goes from a place, or begins.
    fn after(&self, last: Option<&u32>, random: &mut impl Rng) -> u32 {
        match last.map(|&last| &self.next[last as usize]) {
            _ if part(random) < ELSEWHERE => index(self.places, random) as u32,
            Some((to, weights)) if !to.is_empty() => to[weights.draw(random) as usize],
            _ => self.first.draw(random),
        }
    }
}
