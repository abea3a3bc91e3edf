//! What the page says beside the numbers.

/// A part of the page.
pub(super) struct Section {
    pub(super) heading: &'static str,
    /// What is measured, beside what, and what is aimed at.
    pub(super) words: &'static str,
    pub(super) benchmarks: &'static [&'static str],
    /// What the numbers mean, and why a goal is missed.
    pub(super) after: &'static str,
}

pub(super) const INTRODUCTION: &str = "\
# How fast it is

<!-- made by `cargo xtask bench record` of the files in `benchmarks`; a test compares them -->

Machines are noisy, so every figure is a ratio: ours beside a peer or a floor (the least work that any program must do), in
turn in one run. A ratio above one says that the other takes longer; in brackets are the least and the greatest of the rounds.
*Goal* is what was aimed at before measuring. `cargo xtask bench` measures all of it again, installs the peers from
their registries into an environment of its own, and writes this page; `cargo xtask bench record NAME` does so for
one benchmark, and `--quick` takes less time and is less exact. Numbers for programs are in the folder `benchmarks` beside this page.
";

pub(super) const SECTIONS: &[Section] = &[
    Section {
        heading: "Noise",
        words: "One draw of exact discrete noise: Laplace beside OpenDP's exact sampler (0.16, without its OpenSSL feature, which favours \
                it); Gaussian beside our own Laplace noise of the same deviation; and the empty children of a tree node that pass a \
                threshold, beside drawing noise for each of them with the same sampler.",
        benchmarks: &["laplace", "gaussian", "empty-children"],
        after: "",
    },
    Section {
        heading: "Import",
        words: "Taps in CSV (1.2 million people, 1,000 locations) to a native data file, beside `read_byte_record` of the `csv` crate \
                walking the same file and doing nothing with it; GPS points of 8,000 made-up taxis to cells, sorted by taxi and time, beside \
                a pass that turns the coordinates into numbers and does nothing with them. Memory is beside the size of the file, or \
                beside that of a file half as long: it must not grow with the rows.",
        benchmarks: &["import", "gps"],
        after: "Reading and parsing run on two threads. Up to eight million rows are sorted in memory, and longer inputs in runs of that \
                size on disk. The walk needs one thread, so that other work on the machine, as when this was measured, weighs on the import \
                alone; in an earlier run with less of it the import took 4.0 times as long as the walk.",
    },
    Section {
        heading: "Trees",
        words: "From data in memory to a release in memory (charging, counting, noise, inference, synthetic trajectories) on the generated \
                `stm` data set, ε = 1, height 20 unless that is what grows; beside rayon's `par_sort_unstable` of the same trajectories cut at \
                the same height. The 2011 paper reports 24 s for a data set of this size.",
        benchmarks: &[
            "trees",
            "trees-by-records",
            "trees-by-locations",
            "trees-by-height",
        ],
        after: "Only records below nodes that are still growing are touched again, which is why the trees keep up with a sort although they \
                do more. With more locations time falls: records spread and branches end sooner, and empty locations cost next to nothing.",
    },
    Section {
        heading: "Queries",
        words: "40,000 count queries in the papers' four groups over the generated `stm` data set, building the index included, beside \
                answering each by a parallel scan (measured on 100 of them, on which both must agree).",
        benchmarks: &["queries"],
        after: "",
    },
    Section {
        heading: "Mining",
        words: "Sequential patterns, beside PrefixSpan-py (0.5.2) where the MSNBC data set is there, and beside one pass that counts the pairs \
                of locations of every record. Patterns and supports must agree before anything is timed.",
        benchmarks: &["mine"],
        after: "",
    },
    Section {
        heading: "Suppression",
        words: "Made-up records to (30, 0.6)_3-privacy, from sequences in memory to sequences in memory, beside the exact enumeration of all \
                minimal violating sequences (MVS), and that beside one pass that counts co-occurring pairs of doublets on one thread. Records are \
                parts of common routines in which doublets have strayed: 40 % of them for `record`, 2 % and 0.1 % for `local`, so that about half \
                or more survives. K′ = 800. The 2013 paper needed up to 300 s for a million records on a machine of its time.",
        benchmarks: &["suppress", "suppress-by-records", "suppress-by-doublets"],
        after: "The enumeration misses its goal where there are few doublets: the table of all pairs then fits into the cache, and counting \
                them takes next to no time. With 400,000 records just less than half survives for `record` with frequent sequences spared, and \
                global suppression is tried as well. Memory within one run includes what earlier cases left behind.",
    },
    Section {
        heading: "Clusters of places, and merging journeys",
        words: "k-means of places of a city into 200 clusters, beside scikit-learn (1.9.1): the same start, 20 rounds each, all cores; nearly all \
                places must be in the same cluster on both sides, and the sums of squared distances equal, before anything is timed. And a \
                million journeys merged into the different ones with their counts, beside a plain parallel sort of the same journeys.",
        benchmarks: &["kmeans", "merge"],
        after: "",
    },
    Section {
        heading: "Federated campaigns",
        words: "A whole campaign (l = 5, ε = 2, k one in 470 clients) in which every client is simulated by the client's own code, one process, all \
                cores; beside the same campaign in which every drawn client only looks for what it is asked about, and the noise of a question is \
                added once for all its clients. Page visits of MSNBC where they are there, and generated `oldenburg`.",
        benchmarks: &["federated", "federated-by-clients"],
        after: "Times are for one client, so that an exponent of 0 is linear growth. Clients are never held in memory: those of a record are alike, and \
                of those left a number is drawn for each round. As published a client has five fragments to look for and five bits to turn over.",
    },
    Section {
        heading: "Collector",
        words: "Durable answers, each with a token of 2048 bits, beside a route behind the same TLS that reads the body and says *counted*. Both \
                are processes of their own, and blocks of answers go to one and the other in turn, 32 at a time. The asking side shares the \
                machine, which makes ours look nearer to nothing than it is; the row *processor time* does not have this flaw. Memory, with open \
                admission, is beside what the service held after a twentieth of the answers. In a campaign every client has its own TLS connections, gets a token of a \
                real issuer with its code, asks for its question and answers; two in a hundred each send twice, vanish, or come late; what is \
                published must equal what the protocol core (the simulator's) makes of the answers that clients were told are counted.",
        benchmarks: &[
            "collector-answers",
            "collector-memory",
            "collector-campaign",
            "collector-campaign-postgres",
        ],
        after: "In the campaigns none was lost and none counted twice: rounds have as many answers as clients were told are counted, and the counts are theirs. The \
                ordinary tests do this with 3,000 clients under 50 kills of the collector (SQLite) and 1,000 under kills and restarts of the \
                database (PostgreSQL).",
    },
    Section {
        heading: "Elsewhere",
        words: "Frames from Python: [python.md](python.md#how-fast-data-passes-over). Apache Spark: [spark.md](spark.md#measured). Reports of a \
                million records: [report.md](report.md). What releases are good for, which is measured by other numbers than seconds: \
                [weave.md](weave.md), [trees.md](trees.md), [suppress-figures.md](suppress-figures.md), \
                [fastpub-figures.md](fastpub-figures.md), [reproduce.md](reproduce.md).",
        benchmarks: &[],
        after: "",
    },
];
