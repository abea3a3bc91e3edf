//! Chen, Fung and Desai 2011: the noisy prefix tree.

use wayveil_io::generate::Preset;

use super::trees::{Trees, WEAVE, Way, way};
use crate::entry::{Bound, Entry, Form, Made, Paper, Point, Reported};
use crate::examples;
use crate::measure::LENGTHS;
use crate::scale::Scale;

const TREES: Trees = Trees {
    ways: &WAYS,
    presets: &[(Preset::Stm, 20_000)],
    tops: &[50, 100, 150, 200, 250],
    shortest: 1,
};

const WAYS: [Way; 5] = [
    way(
        "as published, without a cap",
        Form::AsPublished,
        None,
        "prefix-tree as-published",
    ),
    way(
        "Basic as published, capped at 50,000 nodes",
        Form::AsPublished,
        Some("Basic"),
        "prefix-tree as-published inference=none node-cap=50000",
    ),
    way(
        "Full as published, capped at 50,000 nodes",
        Form::AsPublished,
        Some("Full"),
        "prefix-tree as-published node-cap=50000",
    ),
    way("repaired", Form::Repaired, Some("Full"), "prefix-tree"),
    WEAVE,
];

/// What is to be said of most entries, and what of one of them alone.
macro_rules! note {
    ($($own:literal)?) => {
        concat!(
            "The STM data is not public: `stm` is made up with its numbers of records and locations, its mean and \
             greatest length; what people do on it is ours, so that only the order of methods can be compared. As \
             published the tree explodes on so many locations (erratum 1): without a cap it is refused, with one \
             it keeps the nodes with the greatest noisy counts."
            $(, " ", $own)?
        )
    };
}

const PATTERNS: &str =
    "The paper does not say how long patterns may be; here they have 1 to 5 locations.";

pub(super) const PAPER: Paper = Paper {
    id: "000",
    cited: "Chen, Fung and Desai 2011",
    title: "differentially private trajectories by a noisy prefix tree",
    method: "prefix-tree",
    entries: &[
        Entry {
            name: "table-1",
            title: "notation",
            says: "A list of symbols.",
            reported: &[],
            note: "",
            made: Made::Drawing,
        },
        Entry {
            name: "table-2",
            title: "the sample database of eight trajectories",
            says: "Eight trajectories over four locations.",
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
            title: "one possible noisy prefix tree of the sample database (h = 3, θ = 2)",
            says: "Only drawn: one outcome of many. The text says of it that on the path L3, L2, L1 the count of L2 is above \
                   that of L3.",
            reported: &[],
            note: "An outcome of chance cannot be made again; figure-1 has the exact counts behind it.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-3",
            title: "how long trajectories of the STM data are",
            says: "1,210,096 records over 1,012 locations, the longest of 121, 6.7 on average. The distribution itself is only \
                   drawn.",
            reported: &[Reported {
                panel: "what there is",
                series: "STM",
                bound: Bound::Is,
                values: &[
                    ("records", 1_210_096.0),
                    ("locations", 1_012.0),
                    ("longest", 121.0),
                    ("mean-length", 6.7),
                ],
            }],
            note: "Of the made-up data.",
            made: Made::Measured {
                parameter: "number",
                points: lengths,
            },
        },
        Entry {
            name: "figure-4",
            title: "relative error of count queries against ε, by the length of queries",
            says: "Less than 12 % with Full in the worst case (ε = 0.5, up to 3 locations), less than 10 % at ε = 1 for all \
                   lengths; inference cuts errors by 30 to 74 %. The rest is only drawn.",
            reported: &[Reported {
                panel: "stm",
                series: "Full",
                bound: Bound::Below,
                values: &[("0.5", 0.12), ("1", 0.10)],
            }],
            note: note!(),
            made: Made::Measured {
                parameter: "ε",
                points: |scale| TREES.errors_by_epsilon(scale),
            },
        },
        Entry {
            name: "figure-5",
            title: "relative error of count queries of up to 6 locations against the height, by ε",
            says: "Only drawn, with \"query length fixed to 6\". The text says that errors first fall and then rise with the height, \
                   and that heights from 10 to 16 serve.",
            reported: &[],
            note: note!(
                "Queries have 1 to 6 locations here, as paper 004 words it (\"maximum query length fixed to 6\"); heights are \
                         those of table-5."
            ),
            made: Made::Measured {
                parameter: "h",
                points: |scale| TREES.errors_by_height(scale),
            },
        },
        Entry {
            name: "table-3",
            title: "frequent sequential patterns found among the top k (ε = 1, h = 12)",
            says: PATTERNS,
            reported: &[
                line(
                    "Basic",
                    &[
                        ("50", 50.0),
                        ("100", 92.0),
                        ("150", 131.0),
                        ("200", 150.0),
                        ("250", 171.0),
                    ],
                ),
                line(
                    "Full",
                    &[
                        ("50", 50.0),
                        ("100", 96.0),
                        ("150", 139.0),
                        ("200", 169.0),
                        ("250", 197.0),
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
            title: "frequent sequential patterns found among the top 200 against ε (h = 12)",
            says: PATTERNS,
            reported: &[
                line(
                    "Basic",
                    &[
                        ("0.5", 145.0),
                        ("0.75", 147.0),
                        ("1", 150.0),
                        ("1.25", 153.0),
                        ("1.5", 153.0),
                    ],
                ),
                line(
                    "Full",
                    &[
                        ("0.5", 160.0),
                        ("0.75", 161.0),
                        ("1", 169.0),
                        ("1.25", 169.0),
                        ("1.5", 170.0),
                    ],
                ),
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "ε",
                points: |scale| TREES.found_by_epsilon(scale, 200),
            },
        },
        Entry {
            name: "table-5",
            title: "frequent sequential patterns found among the top 200 against the height (ε = 1)",
            says: PATTERNS,
            reported: &[
                line(
                    "Basic",
                    &[
                        ("6", 154.0),
                        ("8", 154.0),
                        ("10", 153.0),
                        ("12", 150.0),
                        ("14", 150.0),
                        ("16", 148.0),
                        ("18", 145.0),
                        ("20", 146.0),
                    ],
                ),
                line(
                    "Full",
                    &[
                        ("6", 167.0),
                        ("8", 168.0),
                        ("10", 168.0),
                        ("12", 169.0),
                        ("14", 169.0),
                        ("16", 168.0),
                        ("18", 167.0),
                        ("20", 167.0),
                    ],
                ),
            ],
            note: note!(),
            made: Made::Measured {
                parameter: "h",
                points: |scale| TREES.found_by_height(scale, 200),
            },
        },
        Entry {
            name: "figure-6",
            title: "run time against the number of records and of locations (ε = 1, h = 20)",
            says: "24 s for 1,200,000 records with Full, linear in both; less than 25 s in all experiments, on a Core 2 Duo with \
                   2.26 GHz and 2 GB. The rest is only drawn.",
            reported: &[Reported {
                panel: "records",
                series: "Full",
                bound: Bound::Is,
                values: &[("1200000", 24.0)],
            }],
            note: "Seconds of other machines and years prove nothing about a method; docs/benchmarks.md has ratios. The text has \
                   1,200,000 records, and 800,000 where locations vary; 400,000 and 800,000 records and 400 and 700 locations \
                   are ours. With --quick there is a twentieth of the records. Data in memory to trajectories in memory.",
            made: Made::Measured {
                parameter: "size",
                points: |scale| {
                    let sizes = [400_000, 800_000, 1_200_000];
                    let universes = (Preset::Stm, 800_000, &[400, 700, 1_012][..]);
                    TREES.times(scale, &[Preset::Stm], &sizes, universes)
                },
            },
        },
        Entry {
            name: "erratum-1",
            title: "the published threshold lets a tree explode",
            says: "Runs on |L| = 1,012 and h = 20 are reported; the threshold is two standard deviations of the noise.",
            reported: &[],
            note: "An empty child passes with probability e^(−2√2)/2, so that above 33 locations each node has more than one \
                   false child on average, and theirs have more again.",
            made: Made::Checked(examples::explosion),
        },
        Entry {
            name: "erratum-2",
            title: "constrained inference leaves what it promises to remove",
            says: "That consistent estimates respect both constraints is called easy to see.",
            reported: &[],
            note: "A with noisy count 10 has the children B (8) and C (6), B the children D (9) and E (1).",
            made: Made::Checked(examples::inference),
        },
    ],
};

const fn line(series: &'static str, values: &'static [(&'static str, f64)]) -> Reported {
    Reported {
        panel: "stm",
        series,
        bound: Bound::Is,
        values,
    }
}

/// Sizes and lengths of the data.
fn lengths(scale: &Scale) -> Vec<Point> {
    let source = scale.source(Preset::Stm, 20_000);
    let sizes = ["records", "locations", "longest", "mean-length"];
    let sizes = sizes.map(|number| ("what there is", number.to_owned(), number.to_owned()));
    let shares = LENGTHS.map(|most| {
        let number = format!("share-up-to-{most}");
        ("share of records up to a length", most.to_string(), number)
    });
    let run = super::describe(source);
    super::described(&run, "STM", sizes.into_iter().chain(shares))
}
