//! Wang, Zhu, Wang and Han 2022: FASTPub.

use super::series;
use crate::campaigns::Method;
use crate::entry::{Bound, Entry, Form, Made, Paper, Point, Reported, Run, Series, Task};
use crate::examples;
use crate::papers::campaigns::{self, BITS, MEAN, RIGHTLY, TO_FIND};
use crate::papers::town::Town;
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

const NOTE: &str = "The paper takes UCI's MSNBC, the records of three visits and more, 100 clients for each: about 470,000 records, of 8.55 visits on \
                    average. Here stands `stm` with 17 locations and records of these lengths and this number, made up. --data takes other data; \
                    the reduced file of MSNBC that is passed around for mining has 31,790 records, all of nine visits and more, 13.3 on average. \
                    Where there are fewer records each stands for more clients, so that there are 4.7 · 10⁷ as in the paper, a tenth with \
                    --quick, when k is a tenth, too. TrieHH is run as the paper says: a fifth of the clients in each round, and whatever \
                    privacy that leaves. Here θ = 13 follows from δ = 1e-9 alone; a fifth of the clients is more than 1/θ of them, where \
                    TrieHH's own theorem has no ε. It is not locally private either way. SFP answers queries from its whole sketch. \
                    docs/fastpub-figures.md has the improved baselines, TrieHH at a stated ε, and false admissions.";
const OLDENBURG: &str = "Vehicles of `oldenburg` are made up on a made-up road network, with 5.6 visits on average against the paper's 7.96; or \
                         given with --data. Clients are as many as the paper has, a tenth with --quick, when k is a tenth, too. Where \
                         nothing reaches k a number is not defined. TrieHH is run as in figure-4.";

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
            note: "Of the data that stands for them: made up, vehicles with another mean length, or given with --data. A record stands for so many clients that there are as many as in the paper, a tenth with --quick.",
            made: Made::Measured {
                parameter: "number",
                points: sizes,
            },
        },
        Entry {
            name: "figure-4",
            title: "frequent fragments of 3 to 5 locations found, MSNBC (ε = 10)",
            says: "Over the 15 settings FASTPub has a mean precision of 1.00, recall of 0.59 and F1 of 0.72, 1.8 to 2.4 times that of the \
                   baselines (sections 1 and 7 have 2.5 to 6.1 times). The rest is only drawn.",
            reported: &[Reported {
                panel: MEAN,
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
            says: "Over the 15 settings the mean of the median relative errors is 0.09 with FASTPub, 0.66 with TrieHH, 0.74 with SFP, \
                   which is worst at length 4, where it has to cut and to fill up more. The rest is only drawn.",
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
            says: "Only drawn, for the two that are locally private. The text says that FASTPub gets worse with a smaller ε, and than SFP \
                   at ε = 2 in some settings, and that SFP hardly changes.",
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
            says: "Only drawn. The text says that FASTPub needs many participants, and that TrieHH and SFP are not sensitive to M.",
            reported: &[],
            note: "Repaired, every client is asked once, in phases; with a share it has one phase for each length, as published. TrieHH draws \
                   M · N clients for each round, with θ = 13; its own theorem has an ε (3.15, with δ = 1e-9) at M = 0.05 alone. SFP has one round, \
                   of a share M of the clients of each record; what it counts stands for all.",
            made: Made::Measured {
                parameter: "M",
                points: campaigns::by_share,
            },
        },
        Entry {
            name: "figure-8",
            title: "fragments of 3 locations against the most candidates in one question, C",
            says: "Only drawn. The text calls C = 5 the best, and 3 similar; it finds Oldenburg better at C = 20, since fewer candidates than \
                   that were left.",
            reported: &[],
            note: "The text has 3, 5 and 20; C = 1 and 10 are ours. With the exact threshold of the repaired form C = 1 is the best by far.",
            made: Made::Measured {
                parameter: "C",
                points: campaigns::by_per_client,
            },
        },
        Entry {
            name: "figure-9",
            title: "candidates cleaned, and fragments of 4 locations found, against λ (k = 300,000)",
            says: "Only drawn. The text says that less than 5 % of what is cleaned is frequent at every λ, and that F1 rises slightly with λ.",
            reported: &[Reported {
                panel: RIGHTLY,
                series: "FASTPub",
                bound: Bound::Above,
                values: &[
                    ("0.4", 0.95),
                    ("0.6", 0.95),
                    ("0.8", 0.95),
                    ("1.0", 0.95),
                    ("1.2", 0.95),
                ],
            }],
            note: "As the paper defines them: the ratio is the part of the candidates of three and four locations that cleaning removes, \
                   the accuracy the part of those that fewer than k clients have. Candidates that only fill a question up do not count.",
            made: Made::Measured {
                parameter: "λ",
                points: campaigns::by_lambda,
            },
        },
        Entry {
            name: "table-3",
            title: "bits that a client sends and receives",
            says: "\"We encode each location data as an integer (32 bits).\" SFP sends two sketches; the text of section 6.2 gives them 1,024 bits.",
            reported: &[
                sent("FASTPub", &[("bits-down", 400.0), ("bits-up", 5.0)]),
                sent("TrieHH", &[("bits-down", 1680.0), ("bits-up", 64.0)]),
                sent("SFP", &[("bits-down", 0.0), ("bits-up", 4096.0)]),
            ],
            note: "The paper does not say of which setting. 5 · 32 · (1 + 2 + 3 + 4) / 4 = 400, which is l = 4 with five candidates in every \
                   question; so here l = 4, k = 300,000, on MSNBC or what stands for it, and some questions are not full. Averaged over answers. \
                   What a client sends is the information in its answer. Beside it stands the information in questions as well, which is \
                   log₂ 17 bits for a location, and in which round and block they are.",
            made: Made::Measured {
                parameter: "number",
                points: campaigns::bits,
            },
        },
        Entry {
            name: "figure-10",
            title: "frequent fragments of 3 to 5 locations found, Oldenburg (ε = 10)",
            says: "Appendix D: of 5 locations there are 3 fragments to find for k = 400,000 and 1 for k = 500,000, where FASTPub is better again \
                   since fewer candidates than C are left. FASTPub is the best of the three; all do badly at length 5. The rest is only drawn.",
            reported: &[Reported {
                panel: TO_FIND,
                series: "Oldenburg",
                bound: Bound::Is,
                values: &[("400000", 3.0), ("500000", 1.0)],
            }],
            note: OLDENBURG,
            made: Made::Measured {
                parameter: "k",
                points: |scale| campaigns::found(scale, Town::Vehicles),
            },
        },
        Entry {
            name: "figure-11",
            title: "relative error of counts of frequent fragments, Oldenburg (ε = 10)",
            says: "Only drawn. Appendix D says that FASTPub is the best of the three, and that SFP is worse at length 4 than at 3.",
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
        panel: MEAN,
        series,
        bound: Bound::Is,
        values,
    }
}

const fn sent(series: &'static str, values: &'static [(&'static str, f64)]) -> Reported {
    Reported {
        panel: BITS,
        series,
        bound: Bound::Is,
        values,
    }
}

fn sizes(scale: &Scale) -> Vec<Point> {
    let numbers = ["records", "clients", "locations", "mean-length"];
    let towns = match scale.given {
        Some(_) => &Town::ALL[..1],
        None => &Town::ALL[..],
    };
    let of = |town: &Town| {
        let all = numbers.map(|number| (town.name(), number.to_owned(), number.to_owned()));
        let run = Run {
            source: town.source(scale),
            task: Task::Describe {
                per_record: town.per_record(scale),
                sensitive: &[],
            },
        };
        super::described(&run, town.paper(), all.into_iter())
    };
    towns.iter().flat_map(of).collect()
}
