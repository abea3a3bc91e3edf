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
            note: "The five trajectories are merged and given noise by the published form itself, 400 times, without decoys; what the printed \
                   counts show is checked beside it.",
            made: Made::Checked(examples::picture),
        },
        Entry {
            name: "figure-2",
            title: "the beginning of a file of T-Drive",
            says: "Rows of taxi, time, longitude and latitude.",
            reported: &[],
            note: "The eight printed rows are read as `wayveil import --format tdrive` reads files, to the second and to the printed digit.",
            made: Made::Checked(examples::taxi_file),
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
            says: "Noise from (0, 2μ) of scale Δf/μ, both taken from the counts. Lines 01 and 02 end it where α < β.",
            reported: &[],
            note: "2,000 draws on the counts of figure-1, by `generalize` as published. With α = 0 and β = 2μ it would always end: α < β must \
                   be meant the other way round. `wayveil audit generalize --as-published` refutes what is promised of it.",
            made: Made::Checked(examples::bounded_sampler),
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
            says: "Only drawn, as a bar diagram that is to compare \"our algorithm of data publication with other\", without a scale that the \
                   text would state: \"the less MI, the better algorithm\".",
            reported: &[],
            note: "Lower is more private, not more useful. The paper does not say how trajectories are paired: here each raw track \
                   with what the release shows of it. Taxis are made up (`taxi`, over a grid), or given with --data; \
                   docs/generalize-taxis.md has T-Drive's. Repaired, journeys are windows of two points. The paper states no ε, \
                   and the published form has none: it is the same at all three, which are ours.",
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
            made: Made::Checked(examples::neighbours),
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
