//! Wang, Zhu, Wang and Han 2022: FASTPub.

use super::series;
use crate::campaigns::Method;
use crate::entry::{Bound, Entry, Form, Made, Paper, Point, Reported, Series};
use crate::examples;
use crate::papers::campaigns::{self, Town};
use crate::scale::Scale;

/// The lines of most figures.
pub(super) const WAYS: [(Series, Method); 5] = [
    (
        series("FASTPub as published", Form::AsPublished, Some("FASTPub")),
        Method::AsPublished,
    ),
    (
        series("repaired, per candidate", Form::Repaired, Some("FASTPub")),
        Method::PerCandidate,
    ),
    (
        series("repaired, family-wise", Form::Repaired, Some("FASTPub")),
        Method::FamilyWise,
    ),
    (
        series("TrieHH as published", Form::Peer, Some("TrieHH")),
        Method::TrieHhPublished,
    ),
    (
        series("SFP as published", Form::Peer, Some("SFP")),
        Method::SfpPublished,
    ),
];

const NOTE: &str = "MSNBC is given with --data, as a data file of the records with at least three visits; without it stands `stm` with 17 \
                    locations and as many records. Clients are as many as the paper has, a tenth with --quick, when k is a \
                    tenth, too. TrieHH is not locally private, and SFP answers queries from its whole sketch. \
                    docs/fastpub-figures.md has the improved baselines and false admissions.";
const OLDENBURG: &str = "Vehicles of `oldenburg` are made up on a made-up road network; or given with --data. Clients are as many as the paper \
                         has, a tenth with --quick, when k is a tenth, too. Where nothing reaches k a number is not defined.";

pub(super) const PAPER: Paper = Paper {
    id: "003",
    cited: "Wang, Zhu, Wang and Han 2022",
    title: "FASTPub: federated, locally private fragments",
    method: "fastpub",
    entries: &[
        Entry {
            name: "table-1",
            title: "what solutions can do, in plus signs",
            says: "A comparison in words.",
            reported: &[],
            note: "Nothing is measured.",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-1",
            title: "publishing with a trusted aggregator, and without",
            says: "A drawing of the setting.",
            reported: &[],
            note: "",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-2",
            title: "an overview of the rounds",
            says: "A drawing of the method.",
            reported: &[],
            note: "",
            made: Made::Drawing,
        },
        Entry {
            name: "figure-3",
            title: "one client's answers to four candidates",
            says: "A trajectory of nine locations; its true answers, and noisy ones of which one is turned over.",
            reported: &[],
            note: "The true answers; the noise is chance.",
            made: Made::Checked(examples::client_response),
        },
        Entry {
            name: "table-2",
            title: "the two data sets in numbers",
            says: "",
            reported: &[
                Reported {
                    panel: "msnbc",
                    series: "MSNBC",
                    bound: Bound::Is,
                    values: &[
                        ("locations", 17.0),
                        ("clients", 4.7e7),
                        ("mean-length", 8.55),
                    ],
                },
                Reported {
                    panel: "oldenburg",
                    series: "Oldenburg",
                    bound: Bound::Is,
                    values: &[
                        ("locations", 64.0),
                        ("clients", 2.0e7),
                        ("mean-length", 7.96),
                    ],
                },
            ],
            note: "Of the data that stands for them; a record stands for so many clients that there are as many as in the paper.",
            made: Made::Measured {
                parameter: "number",
                points: sizes,
            },
        },
        Entry {
            name: "figure-4",
            title: "frequent fragments of 3 to 5 locations found, MSNBC (ε = 10)",
            says: "Over the 15 settings FASTPub has a mean precision of 1.00, recall of 0.59 and F1 of 0.72, 1.8 to 2.4 times that of the \
                   baselines. The rest is only drawn.",
            reported: &[Reported {
                panel: "mean of all settings",
                series: "FASTPub",
                bound: Bound::Is,
                values: &[("precision", 1.0), ("recall", 0.59), ("f1", 0.72)],
            }],
            note: NOTE,
            made: Made::Measured {
                parameter: "k",
                points: |scale| campaigns::found(scale, Town::Visits),
            },
        },
        Entry {
            name: "figure-5",
            title: "relative error of counts of frequent fragments, MSNBC (ε = 10)",
            says: "Over the 15 settings the mean of the median relative errors is 0.09 with FASTPub, 0.66 with TrieHH, 0.74 with SFP. The \
                   rest is only drawn.",
            reported: &[
                errors("FASTPub", &[("query-error", 0.09)]),
                errors("TrieHH", &[("query-error", 0.66)]),
                errors("SFP", &[("query-error", 0.74)]),
            ],
            note: NOTE,
            made: Made::Measured {
                parameter: "k",
                points: |scale| campaigns::errors(scale, Town::Visits),
            },
        },
        Entry {
            name: "figure-6",
            title: "fragments of 3 locations against ε",
            says: "Only drawn. The text says that FASTPub gets worse with a smaller ε, and than SFP at ε = 2 in some settings.",
            reported: &[],
            note: NOTE,
            made: Made::Measured {
                parameter: "ε",
                points: campaigns::by_epsilon,
            },
        },
        Entry {
            name: "figure-7",
            title: "fragments of 3 locations against the share of clients in each round, M",
            says: "Only drawn. The text says that FASTPub needs many participants.",
            reported: &[],
            note: "FASTPub alone: the baselines have no such share here. Repaired, every client is asked once, in phases; with a share it \
                   has one phase for each length, as published.",
            made: Made::Measured {
                parameter: "M",
                points: campaigns::by_share,
            },
        },
        Entry {
            name: "figure-8",
            title: "fragments of 3 locations against the most candidates in one question, C",
            says: "Only drawn. The text calls C = 5 the best, and 3 similar.",
            reported: &[],
            note: "With the exact threshold of the repaired form C = 1 is the best by far.",
            made: Made::Measured {
                parameter: "C",
                points: campaigns::by_per_client,
            },
        },
        Entry {
            name: "figure-9",
            title: "candidates cleaned, and fragments of 4 locations found, against λ (k = 300,000)",
            says: "Only drawn. The text says that fewer than 5 % of what is cleaned is frequent, and that F1 rises slightly with λ.",
            reported: &[],
            note: "What is cleaned is counted and not listed, so that how much of it was frequent is not known here; lost fragments show \
                   in F1.",
            made: Made::Measured {
                parameter: "λ",
                points: campaigns::by_lambda,
            },
        },
        Entry {
            name: "table-3",
            title: "bits that a client sends and receives",
            says: "",
            reported: &[
                sent("FASTPub", &[("bits-down", 400.0), ("bits-up", 5.0)]),
                sent("TrieHH", &[("bits-down", 1680.0), ("bits-up", 64.0)]),
                sent("SFP", &[("bits-down", 0.0), ("bits-up", 4096.0)]),
            ],
            note: "Information in the messages of one answer, averaged over answers; on MSNBC or what stands for it, l = 3, k = 300,000.",
            made: Made::Measured {
                parameter: "number",
                points: campaigns::bits,
            },
        },
        Entry {
            name: "figure-10",
            title: "frequent fragments of 3 to 5 locations found, Oldenburg (ε = 10)",
            says: "Only drawn.",
            reported: &[],
            note: OLDENBURG,
            made: Made::Measured {
                parameter: "k",
                points: |scale| campaigns::found(scale, Town::Vehicles),
            },
        },
        Entry {
            name: "figure-11",
            title: "relative error of counts of frequent fragments, Oldenburg (ε = 10)",
            says: "Only drawn.",
            reported: &[],
            note: OLDENBURG,
            made: Made::Measured {
                parameter: "k",
                points: |scale| campaigns::errors(scale, Town::Vehicles),
            },
        },
    ],
};

const fn errors(series: &'static str, values: &'static [(&'static str, f64)]) -> Reported {
    Reported {
        panel: "mean of all settings",
        series,
        bound: Bound::Is,
        values,
    }
}

const fn sent(series: &'static str, values: &'static [(&'static str, f64)]) -> Reported {
    Reported {
        panel: "bits",
        series,
        bound: Bound::Is,
        values,
    }
}

fn sizes(scale: &Scale) -> Vec<Point> {
    let numbers = ["records", "locations", "mean-length"];
    let towns = match scale.given {
        Some(_) => &Town::ALL[..1],
        None => &Town::ALL[..],
    };
    let of = |town: &Town| {
        let all = numbers.map(|number| (town.name(), number.to_owned(), number.to_owned()));
        super::described(town.source(scale), town.paper(), all.into_iter())
    };
    towns.iter().flat_map(of).collect()
}
