//! Chen, Fung, Mohammed, Desai and Wang 2013: (K, C)_L-privacy by local suppression.

use super::suppression_times::times;
use super::suppressions::{PRESETS, by_c, by_k, by_support};
use crate::entry::{Bound, Entry, Made, Paper, Point, Reported};
use crate::examples;
use crate::scale::Scale;

/// What is to be said of most entries, and what of one of them alone.
macro_rules! note {
    ($($own:literal)?) => {
        concat!(
            "City80K and STM460K are not public: `city` and `stm-hours` are made up with their numbers of records, places, \
             hours and sensitive values; the paper does not say how long records are, here they have 5 visits on average. With \
             fewer records K is a tenth of what is written and K′ the same share of the records, both at least 2. \
             Local suppression as published is written down plainly here and is \
             left out above 1,000 records; repaired, it makes the same choices with checks that hold. As published, an output \
             may break its promise (errata 1 and 2). The paper counts how many fewer maximal frequent sequences there are \
             afterwards; where a long one is lost its parts become maximal, so that this can be below 0. Beside it stands how \
             many of the raw data's own are lost. On given data no value is sensitive, so that C has no effect."
            $(, " ", $own)?
        )
    };
}

pub(super) const PAPER: Paper = Paper {
    id: "002",
    cited: "Chen, Fung, Mohammed, Desai and Wang 2013",
    title: "(K, C)_L-privacy by local suppression",
    method: "suppress",
    entries: &[
        Entry {
            name: "table-1",
            title: "the raw table of eight patients, and what violates (2, 50 %)_2-privacy in it",
            says: "The text names two attacks, example 4.3 the minimal violating sequences, example 4.4 a local suppression that makes no \
                   new one, and the text before definition 4.3 one that does.",
            reported: &[],
            note: "By the verifier, which shares no code with the method.",
            made: Made::Checked(examples::hospital),
        },
        Entry {
            name: "table-2",
            title: "a table of the same patients that meets (2, 50 %)_2-privacy",
            says: "One valid output.",
            reported: &[],
            note: "The paper's table is verified, and ours keep at least as many visits.",
            made: Made::Checked(examples::protected),
        },
        Entry {
            name: "figure-1",
            title: "the tree of maximal frequent sequences of the raw table (K′ = 2)",
            says: "Only drawn.",
            reported: &[],
            note: "The number of sequences, by the method and by trying all.",
            made: Made::Checked(examples::frequent_sequences),
        },
        Entry {
            name: "table-3",
            title: "the two data sets in numbers",
            says: "Of five and 24 values one and six are sensitive; \"approximately 20 % of the records of City80K and 25 % of the records of \
                   STM460K contain a sensitive value\". Files of 2,297 and 9,810 kilobytes.",
            reported: &[
                Reported {
                    panel: "city",
                    series: "City80K",
                    bound: Bound::Is,
                    values: &[
                        ("records", 80_000.0),
                        ("doublets", 624.0),
                        ("values", 5.0),
                        ("sensitive-values", 1.0),
                        ("sensitive-share", 0.20),
                    ],
                },
                Reported {
                    panel: "stm-hours",
                    series: "STM460K",
                    bound: Bound::Is,
                    values: &[
                        ("records", 462_483.0),
                        ("doublets", 3_264.0),
                        ("values", 24.0),
                        ("sensitive-values", 6.0),
                        ("sensitive-share", 0.25),
                    ],
                },
            ],
            note: "Of the made-up data. The sensitive column is a diagnosis in both; STM460K has fare types.",
            made: Made::Measured {
                parameter: "number",
                points: sizes,
            },
        },
        Entry {
            name: "figure-2",
            title: "what is lost against K (L = 3, C = 60 %, K′ = 800)",
            says: "Only drawn, for K from 10 to 50. On STM460K local suppression loses 75 % fewer instances than global suppression and \
                   68 % fewer maximal frequent sequences, as the paper counts them; there L = 3 and k-anonymity lose nearly the same.",
            reported: &[],
            note: note!("The values of K between 10 and 50 are ours."),
            made: Made::Measured {
                parameter: "K",
                points: by_k,
            },
        },
        Entry {
            name: "figure-3",
            title: "what is lost against C (L = 3, K = 30, K′ = 800)",
            says: "Only drawn. The text says that losses are high where C is small and hardly change where it is large.",
            reported: &[],
            note: note!("The text states no values of C; these are ours."),
            made: Made::Measured {
                parameter: "C",
                points: by_c,
            },
        },
        Entry {
            name: "figure-4",
            title: "maximal frequent sequences lost against K′ (L = 3, K = 30, C = 60 %)",
            says: "Only drawn. The text says that less is lost the greater K′ is, and that local suppression changes less.",
            reported: &[],
            note: note!(
                "The text states no values of K′ but 800; the others are ours. With --quick `stm-hours` has 5,000 records here, of \
                 which K′ is more than 2."
            ),
            made: Made::Measured {
                parameter: "K′",
                points: by_support,
            },
        },
        Entry {
            name: "figure-5",
            title: "run time against the number of records and of doublets (L = 3, K = 30, C = 60 %, K′ = 800)",
            says: "Less than 300 s for 1,000,000 records with 8,000 doublets. The rest is only drawn.",
            reported: &[Reported {
                panel: "doublets",
                series: "KCL-Local",
                bound: Bound::Below,
                values: &[("8000", 300.0)],
            }],
            note: "The paper's seconds include reading and writing, ours do not; its machine is not ours. docs/benchmarks.md has \
                   ratios. The text has 400,000 and 1,200,000 records, 4,000 doublets for them, and 8,000; 800,000 records and 2,000 doublets are \
                   ours. With --quick there is a twentieth of the records, and K′ = 40 and K = 2 for all of them.",
            made: Made::Measured {
                parameter: "size",
                points: times,
            },
        },
        Entry {
            name: "erratum-1",
            title: "the published validity check is unsound for L ≥ 3",
            says: "A local suppression that passes the check is said to create no new violation.",
            reported: &[],
            note: "Four records, L = 3, K = 2: {b1 a2 a3}, {b1 a3}, {a1 a2 a3}, {b1 a2}.",
            made: Made::Checked(examples::unsound_check),
        },
        Entry {
            name: "erratum-2",
            title: "results of the published check go stale, for L = 2 already",
            says: "Validity is looked up in a table that is renewed only for doublets of the sequences just removed.",
            reported: &[],
            note: "Five records, L = 2, K = 2: {b1 a3 b4}, {b1 b4}, {a3 b4}, {b1 b3}, {b1 b3 b4}.",
            made: Made::Checked(examples::stale_check),
        },
    ],
};

fn sizes(scale: &Scale) -> Vec<Point> {
    let numbers = [
        "records",
        "doublets",
        "mean-length",
        "longest",
        "values",
        "sensitive-values",
        "sensitive-share",
    ];
    let of = |(panel, source)| {
        let all = numbers.map(|number| (panel, number.to_owned(), number.to_owned()));
        let series = if panel == "city" {
            "City80K"
        } else {
            "STM460K"
        };
        super::described(&super::describe(source), series, all.into_iter())
    };
    scale.sources(PRESETS).into_iter().flat_map(of).collect()
}
