//! The same trips as several metrics see them, so that none depends on one resolution.

use wayveil_core::{Sequences, Silent};
use wayveil_evaluate::evaluation::measure;
use wayveil_evaluate::metrics::{self, Metric};
use wayveil_evaluate::{Compared, Settings, Side};
use wayveil_io::Places;

use super::data::{Data, Point};

/// A way to look at trips.
pub(super) struct View {
    pub(super) about: &'static str,
    /// Cells at each side of the grid; none for the finest.
    side: Option<u32>,
    /// Straight lines between points count, and neighbours that are alike count once: as AdaTrace has it.
    lines: bool,
    /// Numbers of metrics.
    numbers: &'static [&'static str],
}

/// AdaTrace's six metrics first, as it defines them; then the same seen otherwise.
pub(super) const VIEWS: [View; 6] = [
    View {
        about: "256 × 256, lines",
        side: None,
        lines: true,
        numbers: &["range-query-error.circles"],
    },
    View {
        about: "6 × 6, lines",
        side: Some(6),
        lines: true,
        numbers: &[
            "kendall-tau.tau-a",
            "kendall-tau.coverage",
            "pattern-f1",
            "trip-divergence",
        ],
    },
    View {
        about: "256 × 256, points",
        side: None,
        lines: false,
        numbers: &[
            "diameter-divergence",
            "distance-divergence",
            "range-query-error.circles",
            "range-query-error.squares",
        ],
    },
    View {
        about: "6 × 6, points",
        side: Some(6),
        lines: false,
        numbers: &["kendall-tau.tau-a", "pattern-f1"],
    },
    View {
        about: "12 × 12, lines",
        side: Some(12),
        lines: true,
        numbers: &["kendall-tau.coverage", "pattern-f1", "trip-divergence"],
    },
    View {
        about: "20 × 20, lines",
        side: Some(20),
        lines: true,
        numbers: &["kendall-tau.coverage", "pattern-f1", "trip-divergence"],
    },
];

/// The raw trips in one view, to compare others with.
pub(super) struct Seen {
    view: &'static View,
    fine: Places,
    grid: Places,
    raw: Sequences,
    metrics: Vec<&'static Metric>,
}

impl Seen {
    pub(super) fn new(view: &'static View, data: &Data) -> Result<Self, String> {
        let fine = data.fine()?;
        let grid = match view.side {
            Some(side) => data.grid(side)?,
            None => data.fine()?,
        };
        let mut names: Vec<&str> = view
            .numbers
            .iter()
            .map(|number| number.split('.').next().unwrap_or(number))
            .collect();
        names.dedup();
        let metrics = names
            .iter()
            .filter_map(|name| metrics::find(name))
            .collect();
        let mut seen = Self {
            view,
            fine,
            grid,
            raw: Sequences::empty(false),
            metrics,
        };
        seen.raw = seen.look(&data.trips);
        Ok(seen)
    }

    /// The view's numbers by name.
    pub(super) fn names(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let about = self.view.about;
        self.view.numbers.iter().map(move |number| (*number, about))
    }

    /// The view's numbers of some trips, in the same order.
    pub(super) fn numbers(&self, trips: &[Vec<Point>]) -> Result<Vec<Option<f64>>, String> {
        let released = self.look(trips);
        let universe = self.grid.universe();
        let side = |sequences| Side {
            universe,
            time: None,
            sequences,
        };
        let compared =
            Compared::new(side(&self.raw), side(&released)).map_err(|it| it.to_string())?;
        let measured = measure(&compared, &self.metrics, &Settings::default(), &Silent)
            .map_err(|it| it.to_string())?;
        let number = |name: &&str| {
            let found = measured.iter().find(|it| it.name() == **name);
            found.and_then(|it| it.samples.mean())
        };
        Ok(self.view.numbers.iter().map(number).collect())
    }

    fn look(&self, trips: &[Vec<Point>]) -> Sequences {
        let mut seen = Sequences::empty(false);
        let mut codes = Vec::new();
        for trip in trips {
            codes.clear();
            let mut see = |(lat, lng): Point| codes.extend(self.grid.code(lat, lng));
            match (self.view.lines, trip.first()) {
                (true, Some(&first)) => {
                    see(first);
                    trip.windows(2).for_each(|step| self.line(step, &mut see));
                    codes.dedup();
                }
                _ => trip.iter().copied().for_each(see),
            }
            seen.push(&codes, &[]);
        }
        seen
    }

    /// Points along a straight line, about two for each of the finest cells, without its beginning.
    fn line(&self, step: &[Point], see: &mut impl FnMut(Point)) {
        let [from, to] = [step[0], step[1]];
        let cell = self.fine.universe().locations();
        let size = match (
            cell.first().and_then(|it| it.at),
            cell.last().and_then(|it| it.at),
        ) {
            (Some(low), Some(high)) => {
                let side = (cell.len() as f64).sqrt();
                ((high.lat - low.lat) / side, (high.lng - low.lng) / side)
            }
            _ => (1.0, 1.0),
        };
        let cells = ((to.0 - from.0) / size.0)
            .abs()
            .max(((to.1 - from.1) / size.1).abs());
        let parts = (2.0 * cells).ceil().max(1.0);
        for part in 1..=parts as u32 {
            let share = f64::from(part) / parts;
            see((
                from.0 + share * (to.0 - from.0),
                from.1 + share * (to.1 - from.1),
            ));
        }
    }
}
