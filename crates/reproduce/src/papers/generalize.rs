//! Kulkarni, after Li, Zhu, Zhang and Xu 2017: clusters of places, decoys, bounded noise.

use wayveil_evaluate::Settings;
use wayveil_evaluate::metrics::Better;
use wayveil_io::generate::Preset;

use super::{publish, series};
use crate::entry::{Entry, Form, Made, Panel, Paper, Point};
use crate::examples;
use crate::scale::Scale;

const METRICS: &[&str] = &["mutual-information"];

pub(super) const PAPER: Paper = Paper {
    id: "001",
    cited: "Kulkarni, after Li, Zhu, Zhang and Xu 2017",
    title: "generalised trajectories with decoys and bounded noise",
    method: "generalize",
    entries: &[
        Entry {
            name: "figure-1",
            title: "the general idea, with an example of real and noisy counts",
            says: "The paper does not number its pictures; they are numbered here as they come. Seven trajectories become five, \
                   three decoys are added, and each of the eight has a real and a noisy count.",
            reported: &[],
            note: "Checked is what the counts show: noise never lowers one.",
            made: Made::Checked(examples::bounded_noise),
        },
        Entry {
            name: "figure-2",
            title: "the beginning of a file of T-Drive",
            says: "Rows of taxi, time, longitude and latitude.",
            reported: &[],
            note: "`wayveil import --format tdrive` reads such files.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-3",
            title: "the places of 200 taxis in 20 clusters",
            says: "Only drawn.",
            reported: &[],
            note: "`cargo xtask bench generalize-taxis` draws ours: docs/generalize-clusters.svg.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-4",
            title: "the algorithm that adds bounded noise",
            says: "Noise from (0, 2μ) of scale Δf/μ, both taken from the counts.",
            reported: &[],
            note: "`wayveil publish generalize --as-published` runs it; `wayveil audit generalize --as-published` refutes it.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-5",
            title: "some rows of the released database",
            says: "Rows of clusters with noisy counts between 1 and 3.",
            reported: &[],
            note: "An outcome of chance cannot be made again.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-6",
            title: "mutual information of raw and released trajectories (200 taxis, 20 clusters, 50 decoys)",
            says: "Only drawn, as bars of two methods without a scale that the text would state.",
            reported: &[],
            note: "Lower is more private, not more useful. The paper does not say how trajectories are paired: here each raw track \
                   with what the release shows of it. Taxis are made up (`taxi`, over a grid), or given with --data; \
                   docs/generalize-taxis.md has T-Drive's. Repaired, journeys are windows of two points; the published form has no \
                   ε, and is the same at all of them.",
            made: Made::Measured {
                parameter: "ε",
                points: information,
            },
        },
        Entry {
            name: "erratum-1",
            title: "noise that is never negative gives decoys and absence away",
            says: "Differential privacy is claimed for noise bounded to (0, 2μ).",
            reported: &[],
            note: "Range and scale of the noise come from the data, and what is possible for one data set is impossible for its \
                   neighbour: no ε holds. The auditor finds it: `wayveil audit generalize --epsilon 1 --as-published --against 4`.",
            made: Made::Checked(examples::bounded_noise),
        },
    ],
};

fn information(scale: &Scale) -> Vec<Point> {
    let source = match scale.given {
        Some(_) => scale.source(Preset::Taxi, 0),
        None => crate::scale::Source::generated(Preset::Taxi, scale.sized(200, 200)),
    };
    let ways = [
        (
            series("as published", Form::AsPublished, None),
            "generalize clusters=20 decoys=50 as-published",
        ),
        (
            series("repaired, public centres", Form::Repaired, None),
            "generalize clusters=20 decoys=50 window=2 delta=1e-6",
        ),
        (
            series("repaired, private centres", Form::Repaired, None),
            "generalize clusters=20 decoys=50 window=2 delta=1e-6 centres=private",
        ),
    ];
    let mut points = Vec::new();
    for (number, words) in [
        ("bits", "mutual information, bits"),
        ("share", "mutual information, share of all there is"),
    ] {
        for (line, method) in &ways {
            for epsilon in ["0.5", "1", "2"] {
                let text = format!("{method} epsilon={epsilon}");
                points.push(Point {
                    panel: Panel {
                        title: format!("{}: {words}", source.name()),
                        reported: "",
                        better: Some(Better::Lower),
                    },
                    series: line.clone(),
                    at: epsilon.to_owned(),
                    runs: vec![publish(source, &text, METRICS, &Settings::default())],
                    number: format!("mutual-information.{number}"),
                });
            }
        }
    }
    points
}
