//! Points as text: `uid,lat,lng,datetime`, a row each, as fast as they come.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;
use wayveil_core::{Error, Progress, RandomSource, Result, Silent};

use super::{BATCH, Fix, driver};
use crate::generate::axis::STARTS_SECONDS;
use crate::generate::{Preset, check};
use crate::output::{cannot_write, write_file};

const HEADER: &[u8] = b"uid,lat,lng,datetime\n";

/// Writes the points of so many taxis, and stops after `points` rows where that is given. Returns
/// the number of points written.
///
/// Memory does not grow with the number of taxis.
pub fn write_points_csv(
    out: impl Write,
    taxis: u64,
    points: Option<u64>,
    random: &mut RandomSource,
) -> Result<u64> {
    check_taxis(taxis)?;
    write(out, taxis, points, random, &Silent)
        .map_err(|cause| Error::system("cannot write the points", cause))
}

/// Writes the points of so many taxis to a file, compressed if its name ends in `.gz`. Returns the
/// number of points.
pub fn save_points_csv(
    path: &Path,
    taxis: u64,
    random: &mut RandomSource,
    overwrite: bool,
    progress: &dyn Progress,
) -> Result<u64> {
    check_taxis(taxis)?;
    write_file(path, overwrite, |out| {
        let written = if path.extension().is_some_and(|ending| ending == "gz") {
            let mut packed = GzEncoder::new(out, Compression::fast());
            write(&mut packed, taxis, None, random, progress)
                .and_then(|points| packed.finish().map(|_| points))
        } else {
            write(out, taxis, None, random, progress)
        };
        written.map_err(|cause| cannot_write(path, cause))
    })
}

fn check_taxis(taxis: u64) -> Result<()> {
    let info = Preset::Taxi.info();
    check("records", taxis, 1..=info.most_records, &info.records)
}

fn write(
    mut out: impl Write,
    taxis: u64,
    points: Option<u64>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> std::io::Result<u64> {
    progress.begin("driving taxis", Some(taxis));
    out.write_all(HEADER)?;
    let mut left = points.unwrap_or(u64::MAX);
    let mut written = 0;
    let mut first = 0;
    while first < taxis && left > 0 {
        let batch = BATCH.min(taxis - first);
        let streams = random.streams(batch as usize);
        let texts: Vec<(Vec<u8>, u64)> = streams
            .into_par_iter()
            .zip(first as u32..(first + batch) as u32)
            .map(|(mut rng, taxi)| {
                let fixes = driver::week(taxi, &mut rng);
                let mut text = Vec::with_capacity(fixes.len() * 56);
                fixes.iter().for_each(|fix| row(&mut text, fix));
                (text, fixes.len() as u64)
            })
            .collect();
        for (text, rows) in texts {
            let wanted = rows.min(left);
            out.write_all(first_rows(&text, rows, wanted))?;
            left -= wanted;
            written += wanted;
        }
        progress.advance(batch);
        first += batch;
    }
    out.flush()?;
    progress.end();
    Ok(written)
}

/// The beginning of a text of so many rows.
fn first_rows(text: &[u8], rows: u64, wanted: u64) -> &[u8] {
    if wanted == rows {
        return text;
    }
    let mut ends = memchr::memchr_iter(b'\n', text);
    let end = match wanted.checked_sub(1) {
        Some(last) => ends.nth(last as usize).map_or(text.len(), |end| end + 1),
        None => 0,
    };
    &text[..end]
}

fn row(text: &mut Vec<u8>, fix: &Fix) {
    text.push(b't');
    digits::<7>(text, u64::from(fix.taxi) + 1);
    text.push(b',');
    micro_degrees(text, fix.lat_micro);
    text.push(b',');
    micro_degrees(text, fix.lng_micro);
    // The week lies within March.
    text.extend_from_slice(b",2024-03-");
    let seconds = (fix.seconds - STARTS_SECONDS) as u64;
    digits::<2>(text, 4 + seconds / 86_400);
    text.push(b'T');
    digits::<2>(text, seconds / 3_600 % 24);
    text.push(b':');
    digits::<2>(text, seconds / 60 % 60);
    text.push(b':');
    digits::<2>(text, seconds % 60);
    text.extend_from_slice(b"Z\n");
}

fn micro_degrees(text: &mut Vec<u8>, value: i32) {
    if value < 0 {
        text.push(b'-');
    }
    let value = u64::from(value.unsigned_abs());
    digits::<2>(text, value / 1_000_000);
    text.push(b'.');
    digits::<6>(text, value % 1_000_000);
}

/// A number below 10^N with its leading zeros.
fn digits<const N: usize>(text: &mut Vec<u8>, mut value: u64) {
    let mut figures = [b'0'; N];
    for figure in figures.iter_mut().rev() {
        *figure += (value % 10) as u8;
        value /= 10;
    }
    text.extend_from_slice(&figures);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_reads_as_it_was_meant() {
        let mut text = Vec::new();
        row(
            &mut text,
            &Fix {
                taxi: 41,
                trip: 3,
                lat_micro: 45_400_078,
                lng_micro: -73_512_340,
                seconds: STARTS_SECONDS + 6 * 86_400 + 5 * 3_600 + 7 * 60 + 9,
            },
        );
        let wanted = "t0000042,45.400078,-73.512340,2024-03-10T05:07:09Z\n";
        assert_eq!(String::from_utf8(text).unwrap(), wanted);
    }

    #[test]
    fn text_is_cut_at_a_row() {
        let text = b"a\nbc\nd\n";
        let cut = [0, 1, 2, 3].map(|wanted| first_rows(text, 3, wanted).len());
        assert_eq!(cut, [0, 2, 5, 7]);
    }
}
