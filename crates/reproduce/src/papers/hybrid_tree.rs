//! Chen, Fung, Desai and Sossou 2012: the hybrid-granularity prefix tree.

use wayveil_io::generate::Preset;

use super::trees::{Trees, WEAVE, Way, way};
use crate::entry::{Bound, Entry, Form, Made, Paper, Point, Reported};
use crate::examples;
use crate::scale::Scale;

const PRESETS: &[(Preset, u64)] = &[(Preset::Metro, 50_000), (Preset::Bus, 50_000)];

const TREES: Trees = Trees {
    ways: &WAYS,
    presets: PRESETS,
    tops: &[100, 150, 200, 250, 300],
    shortest: 2,
};

const WAYS: [Way; 6] = [
    way(
        "Simple as published, without a cap",
        Form::AsPublished,
        None,
        "prefix-tree as-published",
    ),
    way(
        "Simple as published, capped at 50,000 nodes",
        Form::AsPublished,
        Some("Simple"),
        "prefix-tree as-published node-cap=50000",
    ),
    way(
        "Hybrid as published",
        Form::AsPublished,
        Some("Hybrid"),
        "hybrid-tree as-published",
    ),
    way(
        "Simple, repaired",
        Form::Repaired,
        Some("Simple"),
        "prefix-tree",
    ),
    way(
        "Hybrid, repaired",
        Form::Repaired,
        Some("Hybrid"),
        "hybrid-tree",
    ),
    WEAVE,
];

/// What is to be said of most entries, and what of one of them alone.
macro_rules! note {
    ($($own:literal)?) => {
        concat!(
            "The Metro and Bus data is not public: `metro` and `bus` are made up with its numbers of records and locations, \
             its mean and greatest length; what people do on it is ours, so that only the order of methods can be \
             compared. The simple tree as published explodes on both (000/erratum-1) and is capped. Patterns have 2 to 5 \
             locations; the paper states no greatest length."
            $(, " ", $own)?
        )
    };
}

pub(super) const PAPER: Paper = Paper {
    id: "004",
    cited: "Chen, Fung, Desai and Sossou 2012",
    title: "differentially private transit data by a tree of lines and stations",
    method: "hybrid-tree",
    entries: &[
        Entry {
            name: "table-1",
            title: "the sample database of eight sequences",
            says: "The same as 000/table-2.",
            reported: &[],
            note: "Read as a data file of the form `seq`, and counted.",
            made: Made::Checked(examples::sample_database),
        },
        Entry {
            name: "figure-1",
            title: "the exact prefix tree of the sample database",
            says: "The counts of all prefixes.",
            reported: &[],
            note: "By `prefix-tree` itself, with an ε so large that its noise is zero.",
            made: Made::Checked(examples::sample_tree),
        },
        Entry {
            name: "figure-2",
            title: "one possible hybrid tree of the sample database (h = 2, θ = 3)",
            says: "One outcome of many, with the sequences behind each node.",
            reported: &[],
            note: "The noise is chance; checked are the numbers of sequences at groups and locations, as `hybrid-tree` itself counts them \
                   with an ε so large that its noise is zero.",
            made: Made::Checked(examples::hybrid_tree),
        },
        Entry {
            name: "table-2",
            title: "the Metro and Bus data in numbers",
            says: "",
            reported: &[
                Reported {
                    panel: "metro",
                    series: "Metro",
                    bound: Bound::Is,
                    values: &[
                        ("records", 847_668.0),
                        ("locations", 68.0),
                        ("longest", 90.0),
                        ("mean-length", 4.21),
                    ],
                },
                Reported {
                    panel: "bus",
                    series: "Bus",
                    bound: Bound::Is,
                    values: &[
                        ("records", 778_724.0),
                        ("locations", 944.0),
                        ("longest", 121.0),
                        ("mean-length", 5.67),
                    ],
                },
            ],
            note: "Of the made-up data.",
            made: Made::Measured {
                parameter: "number",
                points: sizes,
            },
        },
        Entry {
            name: "figure-3",
            title: "relative error of count queries against ε, by the length of queries",
            says: "Less than 8.2 % with Hybrid on both data sets in the worst case (ε = 0.5, up to 3 locations); 33 to 48 % better \
                   than Simple. The rest is only drawn.",
            reported: &[
                Reported {
                    panel: "metro",
                    series: "Hybrid",
                    bound: Bound::Below,
                    values: &[("0.5", 0.082)],
                },
                Reported {
                    panel: "bus",
                    series: "Hybrid",
                    bound: Bound::Below,
                    values: &[("0.5", 0.082)],
                },
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "ε",
                points: |scale| TREES.errors_by_epsilon(scale),
            },
        },
        Entry {
            name: "figure-4",
            title: "relative error of count queries of up to 6 locations against the height, by ε",
            says: "Only drawn. The text says that heights from 10 to 16 serve.",
            reported: &[],
            note: note!(),
            made: Made::Measured {
                parameter: "h",
                points: |scale| TREES.errors_by_height(scale),
            },
        },
        Entry {
            name: "table-3",
            title: "frequent sequential patterns found among the top k (ε = 1, h = 12)",
            says: "",
            reported: &[
                line(
                    "metro",
                    "Simple",
                    &[
                        ("100", 99.0),
                        ("150", 143.0),
                        ("200", 178.0),
                        ("250", 209.0),
                        ("300", 241.0),
                    ],
                ),
                line(
                    "metro",
                    "Hybrid",
                    &[
                        ("100", 100.0),
                        ("150", 149.0),
                        ("200", 185.0),
                        ("250", 220.0),
                        ("300", 257.0),
                    ],
                ),
                line(
                    "bus",
                    "Simple",
                    &[
                        ("100", 97.0),
                        ("150", 139.0),
                        ("200", 168.0),
                        ("250", 195.0),
                        ("300", 212.0),
                    ],
                ),
                line(
                    "bus",
                    "Hybrid",
                    &[
                        ("100", 100.0),
                        ("150", 144.0),
                        ("200", 177.0),
                        ("250", 209.0),
                        ("300", 233.0),
                    ],
                ),
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "k",
                points: |scale| TREES.by_top(scale),
            },
        },
        Entry {
            name: "table-4",
            title: "frequent sequential patterns found among the top 300 against ε (h = 12)",
            says: "",
            reported: &[
                line(
                    "metro",
                    "Simple",
                    &[
                        ("0.5", 227.0),
                        ("0.75", 239.0),
                        ("1", 241.0),
                        ("1.25", 243.0),
                        ("1.5", 248.0),
                    ],
                ),
                line(
                    "metro",
                    "Hybrid",
                    &[
                        ("0.5", 244.0),
                        ("0.75", 253.0),
                        ("1", 257.0),
                        ("1.25", 259.0),
                        ("1.5", 261.0),
                    ],
                ),
                line(
                    "bus",
                    "Simple",
                    &[
                        ("0.5", 194.0),
                        ("0.75", 206.0),
                        ("1", 212.0),
                        ("1.25", 216.0),
                        ("1.5", 224.0),
                    ],
                ),
                line(
                    "bus",
                    "Hybrid",
                    &[
                        ("0.5", 215.0),
                        ("0.75", 224.0),
                        ("1", 233.0),
                        ("1.25", 238.0),
                        ("1.5", 242.0),
                    ],
                ),
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "ε",
                points: |scale| TREES.found_by_epsilon(scale, 300),
            },
        },
        Entry {
            name: "table-5",
            title: "frequent sequential patterns found among the top 300 against the height (ε = 1)",
            says: "",
            reported: &[
                line(
                    "metro",
                    "Simple",
                    &[
                        ("6", 234.0),
                        ("8", 240.0),
                        ("10", 241.0),
                        ("12", 241.0),
                        ("14", 241.0),
                        ("16", 240.0),
                        ("18", 240.0),
                        ("20", 238.0),
                    ],
                ),
                line(
                    "metro",
                    "Hybrid",
                    &[
                        ("6", 241.0),
                        ("8", 254.0),
                        ("10", 255.0),
                        ("12", 257.0),
                        ("14", 258.0),
                        ("16", 258.0),
                        ("18", 255.0),
                        ("20", 254.0),
                    ],
                ),
                line(
                    "bus",
                    "Simple",
                    &[
                        ("6", 212.0),
                        ("8", 217.0),
                        ("10", 215.0),
                        ("12", 212.0),
                        ("14", 212.0),
                        ("16", 210.0),
                        ("18", 209.0),
                        ("20", 206.0),
                    ],
                ),
                line(
                    "bus",
                    "Hybrid",
                    &[
                        ("6", 221.0),
                        ("8", 232.0),
                        ("10", 236.0),
                        ("12", 233.0),
                        ("14", 233.0),
                        ("16", 231.0),
                        ("18", 230.0),
                        ("20", 228.0),
                    ],
                ),
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "h",
                points: |scale| TREES.found_by_height(scale, 300),
            },
        },
        Entry {
            name: "figure-5",
            title: "run time against the number of records and of locations (ε = 1, h = 20)",
            says: "Less than 22 s for either data set in all experiments, on a Core 2 Duo with 2.26 GHz and 2 GB; linear in both. The \
                   rest is only drawn.",
            reported: &[Reported {
                panel: "records",
                series: "Hybrid",
                bound: Bound::Below,
                values: &[("350000", 22.0), ("550000", 22.0), ("750000", 22.0)],
            }],
            note: "Seconds of other machines and years prove nothing about a method; docs/benchmarks.md has ratios. The figure's axes have \
                   350,000 to 750,000 records and 500 to 900 locations in steps of 100,000 and 100; every second one is run here. With \
                   --quick there is a twentieth of the records.",
            made: Made::Measured {
                parameter: "size",
                points: |scale| {
                    let sizes = [350_000, 550_000, 750_000];
                    let universes = (Preset::Bus, 600_000, &[500, 700, 900][..]);
                    TREES.times(scale, &[Preset::Metro, Preset::Bus], &sizes, universes)
                },
            },
        },
        Entry {
            name: "erratum-1",
            title: "a group of two leaves nothing for its stations",
            says: "Of a level's budget 2/f asks for groups of f stations and (f − 2)/f for stations.",
            reported: &[],
            note: "With f = 2 stations get a budget of zero, and f = 1 a negative one. Repaired, shares are functions of the \
                   taxonomy that leave something for everybody and add up to no more than the level has; they are worked out from the \
                   thresholds that `hybrid-tree` states.",
            made: Made::Checked(examples::group_of_two),
        },
    ],
};

const fn line(
    panel: &'static str,
    series: &'static str,
    values: &'static [(&'static str, f64)],
) -> Reported {
    Reported {
        panel,
        series,
        bound: Bound::Is,
        values,
    }
}

fn sizes(scale: &Scale) -> Vec<Point> {
    let numbers = ["records", "locations", "longest", "mean-length"];
    let of = |(panel, source)| {
        let all = numbers.map(|number| (panel, number.to_owned(), number.to_owned()));
        let series = if panel == "metro" { "Metro" } else { "Bus" };
        super::described(&super::describe(source), series, all.into_iter())
    };
    scale.sources(PRESETS).into_iter().flat_map(of).collect()
}
