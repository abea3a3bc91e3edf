//! What the site holds, in the order of its table of contents.

/// A page of the project as it is, or the documentation at the head of a file of code.
pub(super) enum From {
    Page(&'static str),
    Code(&'static str),
}

/// A part of the table of contents: its heading, and its pages with their names there.
pub(super) struct Part {
    pub(super) heading: &'static str,
    pub(super) pages: &'static [(&'static str, From)],
}

/// Folders whose pages are reached from one that is listed.
pub(super) const FOLDERS: &[&str] = &["docs/reproduced"];

pub(super) const PARTS: &[Part] = &[
    Part {
        heading: "Begin",
        pages: &[
            ("Wayveil", From::Page("README.md")),
            ("For stewards", From::Page("docs/concepts.md")),
            ("Cookbook", From::Page("docs/cookbook.md")),
            ("Questions", From::Page("docs/faq.md")),
            ("Reading a manifest", From::Page("docs/manifest.md")),
        ],
    },
    Part {
        heading: "Data in, releases out",
        pages: &[
            ("Inputs", From::Page("docs/inputs.md")),
            ("Odd input", From::Page("docs/bad-input.md")),
            ("Which method, which ε", From::Page("docs/advise.md")),
            ("The books", From::Page("docs/ledger.md")),
            ("Reports", From::Page("docs/report.md")),
            ("Python", From::Page("docs/python.md")),
            ("Apache Spark", From::Page("docs/spark.md")),
            ("Python, every name", From::Page("docs/python-api.md")),
        ],
    },
    Part {
        heading: "Methods: what they release, what they promise, and why it holds",
        pages: &[
            ("weave", From::Code("crates/mechanisms/src/weave/mod.rs")),
            (
                "prefix-tree",
                From::Code("crates/mechanisms/src/prefix_tree/mod.rs"),
            ),
            (
                "hybrid-tree",
                From::Code("crates/mechanisms/src/hybrid_tree/mod.rs"),
            ),
            (
                "What both trees share",
                From::Code("crates/mechanisms/src/tree/mod.rs"),
            ),
            (
                "generalize",
                From::Code("crates/mechanisms/src/generalize/mod.rs"),
            ),
            (
                "fastpub",
                From::Code("crates/mechanisms/src/fastpub/mod.rs"),
            ),
            ("sfp", From::Code("crates/mechanisms/src/sfp/mod.rs")),
            ("triehh", From::Code("crates/mechanisms/src/triehh/mod.rs")),
            (
                "suppress",
                From::Code("crates/mechanisms/src/suppress/mod.rs"),
            ),
        ],
    },
    Part {
        heading: "Guides to methods",
        pages: &[
            ("weave", From::Page("docs/weave.md")),
            ("weave with times", From::Page("docs/weave-times.md")),
            ("weave on GPS points", From::Page("docs/weave-gps.md")),
            (
                "What weave says of its error",
                From::Page("docs/weave-errors.md"),
            ),
            ("prefix-tree, hybrid-tree", From::Page("docs/trees.md")),
            ("generalize", From::Page("docs/generalize.md")),
            ("suppress", From::Page("docs/suppress.md")),
            ("Federated campaigns", From::Page("docs/federated.md")),
            ("Running a campaign", From::Page("docs/collector.md")),
            (
                "What a client sends",
                From::Page("docs/collector-client.md"),
            ),
            ("The phone's side", From::Page("docs/phone.md")),
        ],
    },
    Part {
        heading: "Proof and attack",
        pages: &[
            ("Every guarantee", From::Page("docs/guarantees.md")),
            ("Who is trusted", From::Page("docs/threat-model.md")),
            ("One door", From::Code("crates/core/src/door.rs")),
            (
                "The wall around raw data",
                From::Code("crates/core/src/raw.rs"),
            ),
            (
                "Records elsewhere",
                From::Code("crates/core/src/counting/mod.rs"),
            ),
            (
                "weave on a grid",
                From::Code("crates/mechanisms/src/weave/ground/mod.rs"),
            ),
            (
                "Counts of unknown keys",
                From::Code("crates/noise/src/thresholded.rs"),
            ),
            (
                "Private centres",
                From::Code("crates/mechanisms/src/generalize/private_kmeans/mod.rs"),
            ),
            (
                "Why generalize as published promises nothing",
                From::Code("crates/mechanisms/src/generalize/as_published.rs"),
            ),
            (
                "When a suppression is valid",
                From::Code("crates/mechanisms/src/suppress/validity.rs"),
            ),
            (
                "Answers of clients",
                From::Code("crates/federated/src/client/mod.rs"),
            ),
            ("One answer, ever", From::Code("crates/client/src/lib.rs")),
            ("Tokens", From::Code("crates/admission/src/lib.rs")),
            (
                "The test behind k and ξ",
                From::Code("crates/federated/src/decide/sequential.rs"),
            ),
            (
                "SFP",
                From::Code("crates/federated/src/baselines/sfp/mod.rs"),
            ),
            (
                "TrieHH, and its counterexample",
                From::Code("crates/federated/src/baselines/triehh/mod.rs"),
            ),
            ("The auditor", From::Page("docs/audit.md")),
            (
                "How the auditor is sure",
                From::Code("crates/evaluate/src/audit/mod.rs"),
            ),
            ("Attacks", From::Page("docs/attacks.md")),
            ("Fuzzing", From::Page("docs/fuzzing.md")),
        ],
    },
    Part {
        heading: "The papers",
        pages: &[
            ("Tables and figures", From::Page("docs/reproduce.md")),
            ("What came of them", From::Page("docs/reproduced/index.md")),
            ("Errata", From::Page("docs/errata.md")),
            (
                "Suppression measured",
                From::Page("docs/suppress-figures.md"),
            ),
            ("Taxis measured", From::Page("docs/generalize-taxis.md")),
            ("FASTPub measured", From::Page("docs/fastpub-figures.md")),
            ("weave measured", From::Page("docs/weave-measured.md")),
            ("Benchmarks", From::Page("docs/benchmarks.md")),
        ],
    },
    Part {
        heading: "Working on it",
        pages: &[
            ("Contributing", From::Page("CONTRIBUTING.md")),
            ("Architecture", From::Page("ARCHITECTURE.md")),
            (
                "A mechanism, a metric, an attack",
                From::Page("docs/extending.md"),
            ),
            ("Changes", From::Page("CHANGELOG.md")),
        ],
    },
];

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_page_of_docs_is_on_the_site() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let listed: Vec<&str> = PARTS
            .iter()
            .flat_map(|part| part.pages)
            .filter_map(|(_, source)| match source {
                From::Page(path) => path.strip_prefix("docs/"),
                From::Code(_) => None,
            })
            .collect();
        let left_out: Vec<String> = fs::read_dir(docs)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".md") && !listed.contains(&name.as_str()))
            .collect();
        assert_eq!(left_out, Vec::<String>::new());
    }
}
