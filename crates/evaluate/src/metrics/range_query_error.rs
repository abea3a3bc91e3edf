//! How well the release answers how many people pass through an area.

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{Coordinate, RandomSource, Result, Sequences};

use super::counting::visits;
use super::ground::{EARTH_RADIUS, Ground, chord, direction};
use super::{Better, Metric, Value};
use crate::compared::Compared;
use crate::settings::Settings;

/// Relative error of spatial range queries.
pub(super) static METRIC: Metric = Metric {
    name: "range-query-error",
    about: "relative error of how many trajectories pass through random circles and squares",
    definition: "Mean of |Q(released) − Q(raw)| / max(Q(raw), s) over `range-queries` (500) areas of \
                 each shape, drawn with `seed`: their centres are uniform in the universe's box of \
                 latitudes and longitudes, of sides w and h metres through its middle. Circles have \
                 radius max(w, h)/3, squares have sides √(w·h)/3 along the meridians and parallels. \
                 `circles` and `squares`: Q is the number of records that visit a location in the \
                 area, s is 1 % of the raw records. `square-visits`: Q is the number of visits in \
                 the square, s is 1 % of the raw visits. Counts are not scaled by the number of \
                 records. What lies between two visits does not count. Undefined where the raw side \
                 has no record (`square-visits`: no visit), a location has no coordinates, there are \
                 no queries, or (squares) the box has no area. Not meant for data on both sides of \
                 the 180th meridian.",
    source: "Circles as in AdaTrace's code (Gursoy et al., CCS 2018), which also counts straight \
             lines between visits; `square-visits` as in LDPTrace's (Du et al., PVLDB 16, 2023).",
    better: Better::Lower,
    spatial: true,
    run,
};

const NAMES: [&str; 3] = ["circles", "squares", "square-visits"];
/// Sanity bound as a share of the raw records or visits.
const SANITY: f64 = 0.01;
/// Queries answered in one pass over the records: the bits of a mask.
const PASS: usize = 64;
/// Records per piece of parallel work.
const CHUNK: usize = 1 << 14;
/// Bits of a counter that a chunk cannot overflow.
const PLANES: usize = CHUNK.ilog2() as usize + 1;

fn run(compared: &Compared<'_>, settings: &Settings) -> Result<Vec<Value>> {
    let ground = Ground::of(compared)?;
    let queries = settings.range_queries;
    let (Some(ground), true) = (ground, queries > 0 && !compared.raw.is_empty()) else {
        return Ok(NAMES.map(Value::undefined).to_vec());
    };
    let area = Area::of(&ground.coordinates);
    let mut random = RandomSource::insecure_seed(settings.seed).stream();
    let mut draw = || -> Vec<Coordinate> { (0..queries).map(|_| area.draw(&mut random)).collect() };
    let (circles, squares) = (draw(), draw());

    let centres: Vec<_> = circles.into_iter().map(direction).collect();
    let reach = 4.0 * (area.radius() / (2.0 * EARTH_RADIUS)).sin().powi(2);
    let circles = regions(&centres, ground.directions.len(), |centre, code| {
        chord(*centre, ground.directions[code]) <= reach
    });
    let mut values = vec![Value::new(NAMES[0], records_error(compared, &circles))];
    if area.side() > 0.0 {
        let squares = regions(&squares, ground.coordinates.len(), |centre, code| {
            area.in_square(*centre, ground.coordinates[code])
        });
        values.push(Value::new(NAMES[1], records_error(compared, &squares)));
        values.push(Value::of(NAMES[2], visits_error(compared, &squares)?));
    } else {
        values.extend(NAMES[1..].iter().copied().map(Value::undefined));
    }
    Ok(values)
}

/// The universe's box.
struct Area {
    low: Coordinate,
    high: Coordinate,
    /// Metres per degree of longitude and of latitude, in the middle of the box.
    scale: (f64, f64),
}

impl Area {
    fn of(coordinates: &[Coordinate]) -> Self {
        let extreme = |part: fn(&Coordinate) -> f64, pick: fn(f64, f64) -> f64| {
            coordinates.iter().map(part).reduce(pick).unwrap_or(0.0)
        };
        let corner = |pick: fn(f64, f64) -> f64| Coordinate {
            lat: extreme(|at| at.lat, pick),
            lng: extreme(|at| at.lng, pick),
        };
        let (low, high) = (corner(f64::min), corner(f64::max));
        let degree = EARTH_RADIUS.to_radians();
        let middle = ((low.lat + high.lat) / 2.0).to_radians();
        Self {
            low,
            high,
            scale: (degree * middle.cos(), degree),
        }
    }

    fn width(&self) -> f64 {
        (self.high.lng - self.low.lng) * self.scale.0
    }

    fn height(&self) -> f64 {
        (self.high.lat - self.low.lat) * self.scale.1
    }

    fn radius(&self) -> f64 {
        self.width().max(self.height()) / 3.0
    }

    fn side(&self) -> f64 {
        (self.width() * self.height()).sqrt() / 3.0
    }

    fn in_square(&self, centre: Coordinate, at: Coordinate) -> bool {
        let half = self.side() / 2.0;
        ((at.lng - centre.lng) * self.scale.0).abs() <= half
            && ((at.lat - centre.lat) * self.scale.1).abs() <= half
    }

    fn draw(&self, random: &mut impl Rng) -> Coordinate {
        let mut between = |low: f64, high: f64| {
            let unit = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            low + unit * (high - low)
        };
        Coordinate {
            lat: between(self.low.lat, self.high.lat),
            lng: between(self.low.lng, self.high.lng),
        }
    }
}

/// For up to 64 queries at a time: by location, the bits of the queries whose area it lies in.
struct Regions {
    queries: usize,
    masks: Vec<u64>,
}

fn regions<C: Sync>(
    centres: &[C],
    locations: usize,
    inside: impl Fn(&C, usize) -> bool + Sync,
) -> Vec<Regions> {
    let mask = |centres: &[C], code: usize| {
        let bits = centres.iter().enumerate();
        bits.fold(0, |mask, (bit, centre)| {
            mask | u64::from(inside(centre, code)) << bit
        })
    };
    centres
        .chunks(PASS)
        .map(|centres| Regions {
            queries: centres.len(),
            masks: (0..locations)
                .into_par_iter()
                .map(|code| mask(centres, code))
                .collect(),
        })
        .collect()
}

impl Regions {
    /// By query, how many records visit its area.
    fn records(&self, sequences: &Sequences) -> [u64; PASS] {
        let of_chunk = |chunk: usize| {
            // Sixty-four counters side by side: plane p holds their bits of value 2^p.
            let mut planes = [0u64; PLANES];
            for record in chunk * CHUNK..((chunk + 1) * CHUNK).min(sequences.len()) {
                let codes = sequences.codes_of(record).iter();
                let mut carry = codes.fold(0, |hit, &code| hit | self.masks[code as usize]);
                for plane in &mut planes {
                    (*plane, carry) = (*plane ^ carry, *plane & carry);
                    if carry == 0 {
                        break;
                    }
                }
            }
            std::array::from_fn(|bit| {
                let bits = planes.iter().enumerate();
                bits.map(|(p, plane)| (plane >> bit & 1) << p).sum()
            })
        };
        let chunks = sequences.len().div_ceil(CHUNK);
        (0..chunks).into_par_iter().map(of_chunk).reduce(
            || [0; PASS],
            |a, b| std::array::from_fn(|bit| a[bit] + b[bit]),
        )
    }
}

fn relative_error(raw: u64, released: u64, all: usize) -> f64 {
    raw.abs_diff(released) as f64 / (raw as f64).max(SANITY * all as f64)
}

fn mean(errors: &[f64]) -> f64 {
    errors.iter().sum::<f64>() / errors.len() as f64
}

fn records_error(compared: &Compared<'_>, regions: &[Regions]) -> f64 {
    let mut errors = Vec::new();
    for region in regions {
        let raw = region.records(compared.raw);
        let released = region.records(&compared.released);
        let counts = raw.into_iter().zip(released).take(region.queries);
        errors.extend(counts.map(|(a, b)| relative_error(a, b, compared.raw.len())));
    }
    mean(&errors)
}

fn visits_error(compared: &Compared<'_>, regions: &[Regions]) -> Result<Option<f64>> {
    let counts = visits(compared)?;
    let all = compared.raw.symbols();
    if all == 0 {
        return Ok(None);
    }
    let mut errors = Vec::new();
    for region in regions {
        for bit in 0..region.queries {
            let inside = counts.iter().zip(&region.masks);
            let (raw, released) = inside
                .filter(|(_, mask)| **mask >> bit & 1 == 1)
                .fold((0, 0), |sum, (pair, _)| (sum.0 + pair.0, sum.1 + pair.1));
            errors.push(relative_error(raw, released, all));
        }
    }
    Ok(Some(mean(&errors)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lat: f64, lng: f64) -> Coordinate {
        Coordinate { lat, lng }
    }

    #[test]
    fn shapes_have_their_sizes() {
        // At the equator, two degrees by one.
        let area = Area::of(&[at(-0.5, 10.0), at(0.5, 12.0), at(0.0, 11.0)]);
        let degree = EARTH_RADIUS.to_radians();
        assert!((area.radius() - 2.0 * degree / 3.0).abs() < 1e-6);
        assert!((area.side() - 2.0_f64.sqrt() * degree / 3.0).abs() < 1e-6);
        let half = 2.0_f64.sqrt() / 6.0;
        assert!(area.in_square(at(0.0, 11.0), at(half - 1e-9, 11.0 - half + 1e-9)));
        assert!(!area.in_square(at(0.0, 11.0), at(half + 1e-9, 11.0)));
        assert!(!area.in_square(at(0.0, 11.0), at(0.0, 11.0 + half + 1e-9)));
    }

    #[test]
    fn centres_lie_in_the_box_and_follow_the_seed() {
        let area = Area::of(&[at(45.0, -73.0), at(46.0, -70.0)]);
        let centres = |seed| -> Vec<Coordinate> {
            let mut random = RandomSource::insecure_seed(seed).stream();
            (0..100).map(|_| area.draw(&mut random)).collect()
        };
        let first = centres(1);
        assert_eq!(first, centres(1));
        assert_ne!(first, centres(2));
        assert!(first.iter().all(|c| (45.0..46.0).contains(&c.lat)));
        assert!(first.iter().all(|c| (-73.0..-70.0).contains(&c.lng)));
    }

    #[test]
    fn records_are_counted_once_in_each_area() {
        // Query q holds the locations whose code leaves no remainder by q + 1.
        let centres: Vec<Coordinate> = (1..=70).map(|n| at(f64::from(n), 0.0)).collect();
        let inside = |centre: &Coordinate, code: usize| code.is_multiple_of(centre.lat as usize);
        let found = regions(&centres, 80, inside);
        let records: Vec<Vec<u32>> = (0..200u32)
            .map(|r| (0..r % 5).map(|i| (r * 7 + i * 13) % 79 + 1).collect())
            .collect();
        let sequences = Sequences::from_codes(&records);
        let counts: Vec<u64> = found
            .iter()
            .flat_map(|region| region.records(&sequences)[..region.queries].to_vec())
            .collect();
        let expected: Vec<u64> = (1..=70)
            .map(|q| {
                let hit = |record: &&Vec<u32>| record.iter().any(|code| code.is_multiple_of(q));
                records.iter().filter(hit).count() as u64
            })
            .collect();
        assert_eq!(counts, expected);
    }

    #[test]
    fn counters_hold_more_than_a_chunk() {
        let found = regions(&[()], 1, |(), _| true);
        for records in [CHUNK - 1, CHUNK, 2 * CHUNK + 1] {
            let sequences = Sequences::from_codes(vec![[0]; records]);
            assert_eq!(found[0].records(&sequences)[0], records as u64);
        }
    }

    #[test]
    fn the_sanity_bound_holds() {
        assert_eq!(relative_error(100, 50, 1000), 0.5);
        assert_eq!(relative_error(0, 5, 1000), 0.5);
        assert_eq!(relative_error(0, 0, 1000), 0.0);
    }
}
