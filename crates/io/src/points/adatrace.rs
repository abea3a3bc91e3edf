//! AdaTrace's text form: points without times.

use std::path::Path;

use wayveil_core::{Error, Progress, Result};

use super::PointOptions;
use super::batch::PointBatch;
use super::polyline::Pair;
use crate::events::Swapped;
use crate::input::Input;
use crate::intern::Key;
use crate::lines::Lines;
use crate::summary::ImportSummary;
use crate::visits::{Gatherer, Imported};

/// The longest line.
const LINE_LIMIT: usize = 1 << 24;
/// Lines after which progress is told.
const NEWS: u64 = 1024;

/// Reads `#id:` and below it the trips of that person, `>0:longitude,latitude;…`.
pub fn import_adatrace(
    path: &Path,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    import_adatrace_from(Input::open(path)?, options, progress)
}

/// Reads the same from any input.
pub fn import_adatrace_from(
    input: Input,
    options: &PointOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    check_untimed(options)?;
    let mut lines = Lines::new(input, LINE_LIMIT);
    let file = lines.name().to_owned();
    let gatherer = Gatherer::new(&options.arrangement.scratch, []);
    let mut reader = Reader {
        batch: PointBatch::new(gatherer, &options.places, options.invalid),
        owner: None,
        points: 0,
        summary: ImportSummary {
            files: 1,
            ..ImportSummary::default()
        },
    };
    progress.begin("reading lines", None);
    while let Some(line) = lines.next_line()? {
        let read = reader.line(line.text.trim());
        read.map_err(|error| error.in_file(&file).at_line(line.number))?;
        if line.number.is_multiple_of(NEWS) {
            progress.advance(NEWS);
        }
    }
    progress.end();
    let Reader { batch, summary, .. } = reader;
    batch.finish(&file, Swapped::Fixed, summary, &options.arrangement)
}

fn check_untimed(options: &PointOptions) -> Result<()> {
    let arrangement = &options.arrangement;
    if arrangement.axis.is_none() && arrangement.max_gap.is_none() && arrangement.days.is_none() {
        return Ok(());
    }
    Err(Error::input("this form has no times").hint(
        "leave out --bins, --bin-width, --bin-origin, --max-gap and --day-starts; \
         trips are cut as the file cuts them",
    ))
}

struct Reader {
    batch: PointBatch,
    owner: Option<u32>,
    /// Stands for the time: it keeps the order.
    points: i64,
    summary: ImportSummary,
}

impl Reader {
    fn line(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            self.summary.blank_lines += 1;
            return Ok(());
        }
        if let Some(id) = text.strip_prefix('#') {
            let id = id.strip_suffix(':').unwrap_or(id);
            self.owner = Some(self.batch.gatherer().owner(id, Key::of(id))?);
            return Ok(());
        }
        let trip = text.strip_prefix('>').and_then(|text| text.split_once(':'));
        let (Some((_, points)), Some(owner)) = (trip, self.owner) else {
            return Err(unexpected(text, self.owner.is_some()));
        };
        let trip = self.batch.gatherer().new_trip()?;
        let before = self.points;
        for (index, pair) in points.split_terminator(';').enumerate() {
            let (lng, lat) = pair
                .split_once(',')
                .ok_or_else(|| no_pair(pair, index + 1))?;
            let pair = Pair {
                lng,
                lat,
                number: index + 1,
            };
            self.batch.push((owner, trip, self.points), pair.point())?;
            self.points += 1;
        }
        self.summary.empty_trips += u64::from(self.points == before);
        Ok(())
    }
}

fn unexpected(text: &str, has_owner: bool) -> Error {
    let start: String = text.chars().take(20).collect();
    let what = if has_owner || !text.starts_with('>') {
        format!("the line begins with {start:?}, not with #id: or >0:")
    } else {
        "a trip comes before the first #id:".into()
    };
    Error::input(what).hint("a person is written as #7: and a trip as >0:116.3,39.9;116.4,39.9;")
}

fn no_pair(text: &str, number: usize) -> Error {
    let start: String = text.chars().take(20).collect();
    Error::input(format!(
        "the point {number} of its list (got {start:?}) is not of the form longitude,latitude"
    ))
    .hint("a trip is written as >0:116.3,39.9;116.4,39.9;")
}
