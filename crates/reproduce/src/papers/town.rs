//! The two populations of the paper about FASTPub.

use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::{Lengths, Preset};

use crate::campaigns::{Method, Setting};
use crate::entry::{Changed, Panel, Run, Task};
use crate::scale::{Scale, Source};

/// Whose fragments are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Town {
    /// MSNBC, or what stands for it.
    Visits,
    /// Oldenburg.
    Vehicles,
}

/// The k of all figures.
pub(super) const KS: [u64; 5] = [100_000, 200_000, 300_000, 400_000, 500_000];

/// The paper's records of MSNBC: three visits and more, 8.55 on average.
const VISITS: Lengths = Lengths::heavy_tailed_from(3, 855, 121);

impl Town {
    pub(super) const ALL: [Self; 2] = [Self::Visits, Self::Vehicles];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Visits => "msnbc",
            Self::Vehicles => "oldenburg",
        }
    }

    /// The paper's name for it.
    pub(super) fn paper(self) -> &'static str {
        match self {
            Self::Visits => "MSNBC",
            Self::Vehicles => "Oldenburg",
        }
    }

    pub(super) fn source(self, scale: &Scale) -> Source {
        if scale.given.is_some() {
            return Source::Given;
        }
        match self {
            Self::Visits => Source::Generated {
                preset: Preset::Stm,
                records: scale.sized(470_000, 10_000),
                locations: Some(17),
                bins: None,
                lengths: Some(VISITS),
            },
            Self::Vehicles => Source::generated(Preset::Oldenburg, scale.sized(200_000, 20_000)),
        }
    }

    /// How many clients the paper has.
    fn clients(self) -> u64 {
        match self {
            Self::Visits => 47_000_000,
            Self::Vehicles => 20_000_000,
        }
    }

    /// How many clients a record stands for: so many that there are as many clients as in the paper.
    pub(super) fn per_record(self, scale: &Scale) -> u64 {
        let records = match self.source(scale) {
            Source::Generated { records, .. } => records,
            Source::Given => scale.given.unwrap_or(1),
        };
        let clients = self.clients() / Self::smaller(scale);
        ((clients + records / 2) / records.max(1)).max(1)
    }

    /// By how much everything is smaller than in the paper.
    fn smaller(scale: &Scale) -> u64 {
        scale.either(1, 10)
    }

    pub(super) fn run(
        self,
        scale: &Scale,
        method: Method,
        (length, k): (u32, u64),
        epsilon: &'static str,
        changed: Changed,
    ) -> Run {
        Run {
            source: self.source(scale),
            task: Task::Campaign {
                method,
                setting: Setting {
                    length,
                    k: k / Self::smaller(scale),
                },
                ks: scale
                    .values(&KS)
                    .iter()
                    .map(|k| k / Self::smaller(scale))
                    .collect(),
                per_record: self.per_record(scale),
                epsilon,
                changed,
            },
        }
    }

    pub(super) fn panel(
        self,
        scale: &Scale,
        words: &str,
        reported: &'static str,
        better: Option<Better>,
    ) -> Panel {
        let name = match self.source(scale) {
            Source::Given => "given data".to_owned(),
            source => match self {
                Self::Visits => format!("{} with 17 locations", source.name()),
                Self::Vehicles => source.name(),
            },
        };
        Panel {
            title: format!("{name}: {words}"),
            reported,
            better,
        }
    }
}
