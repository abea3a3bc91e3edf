//! How a release is opened with the tools that recipients have. Every block runs as it stands, in the
//! release's folder.

use wayveil_core::{Clock, Manifest};

use super::super::{COUNTS, FRAGMENTS};

/// The section of the page for a release with these files.
pub(super) fn loading(manifest: &Manifest, names: &[&str]) -> String {
    let time = manifest.public_inputs.time.as_ref();
    let counts = names.contains(&COUNTS);
    let lists = match time {
        Some(_) => "[\"locations\", \"bins\"]",
        None => "\"locations\"",
    };
    let mut text = String::from(
        "## Loading it\n\nEvery block runs as it stands, in this folder. `visits` has a row for each visit, with the \
         name and\nthe coordinates of its location where `locations.parquet` has them.\n\n",
    );
    text += &pandas(lists, time.and_then(|axis| axis.clock.as_ref()), counts);
    text += &polars(lists, counts);
    text += &duckdb(counts);
    text += &r(counts);
    if names.contains(&FRAGMENTS) {
        text += FRAGMENTS_BLOCK;
    }
    text
}

fn pandas(lists: &str, clock: Option<&Clock>, counts: bool) -> String {
    let mut text = format!(
        r#"With pandas:

```python
import pandas
trajectories = pandas.read_parquet("trajectories.parquet")
locations = pandas.read_parquet("locations.parquet")
visits = trajectories.explode({lists}).merge(locations, left_on="locations", right_on="label")
print(visits["locations"].value_counts().head())
"#
    );
    if let Some(clock) = clock.filter(|clock| plain(&clock.starts) && plain(&clock.zone)) {
        let Clock {
            starts,
            bin_seconds,
            zone,
        } = clock;
        text += &format!(
            r#"# When each visit's time bin begins.
since = pandas.to_timedelta(visits["bins"].astype("int64") * {bin_seconds}, unit="s")
visits["begins"] = (pandas.Timestamp("{starts}").tz_convert("UTC") + since).dt.tz_convert("{zone}")
"#
        );
    }
    if counts {
        text += r#"# How many trajectories begin where: 95 % intervals of these counts reach two standard errors to either side.
counts = pandas.read_parquet("counts.parquet")
first = counts[counts["prefix"].str.len() == 1]
first = first.assign(label=first["prefix"].str[0]).merge(locations, on="label")
print(first.sort_values("estimate", ascending=False)[["label", "estimate", "standard_error"]].head())
"#;
    }
    text + "```\n\n"
}

fn polars(lists: &str, counts: bool) -> String {
    let mut text = format!(
        r#"With polars:

```python
import polars
trajectories = polars.read_parquet("trajectories.parquet")
locations = polars.read_parquet("locations.parquet")
visits = trajectories.explode({lists}).join(locations, left_on="locations", right_on="label")
print(visits["locations"].value_counts(sort=True).head())
"#
    );
    if counts {
        text += r#"counts = polars.read_parquet("counts.parquet").filter(polars.col("prefix").list.len() == 1)
first = counts.with_columns(label=polars.col("prefix").list.first()).join(locations, on="label")
print(first.sort("estimate", descending=True).select("label", "estimate", "standard_error").head())
"#;
    }
    text + "```\n\n"
}

fn duckdb(counts: bool) -> String {
    let mut text = String::from(
        r#"With DuckDB, here from Python:

```python
import duckdb
print(duckdb.sql("""
    SELECT label, name, count(*) AS visits
    FROM (SELECT unnest(locations) AS label FROM 'trajectories.parquet')
    JOIN 'locations.parquet' USING (label)
    GROUP BY label, name ORDER BY visits DESC LIMIT 5
"""))
"#,
    );
    if counts {
        text += r#"print(duckdb.sql("""
    SELECT label, name, estimate, standard_error
    FROM (SELECT prefix[1] AS label, * FROM 'counts.parquet' WHERE len(prefix) = 1)
    JOIN 'locations.parquet' USING (label)
    ORDER BY estimate DESC LIMIT 5
"""))
"#;
    }
    text + "```\n\n"
}

fn r(counts: bool) -> String {
    let mut text = String::from(
        r#"With R and its package arrow:

```r
trajectories <- arrow::read_parquet("trajectories.parquet")
locations <- arrow::read_parquet("locations.parquet")
visits <- data.frame(label = as.character(unlist(lapply(trajectories$locations, as.character))))
visits <- merge(visits, locations, by = "label")
head(sort(table(visits$label), decreasing = TRUE))
"#,
    );
    if counts {
        text += r#"counts <- arrow::read_parquet("counts.parquet")
first <- counts[lengths(counts$prefix) == 1, ]
first$label <- as.character(unlist(lapply(first$prefix, as.character)))
first <- merge(first, locations, by = "label")
head(first[order(-first$estimate), c("label", "estimate", "standard_error")])
"#;
    }
    text + "```\n\n"
}

/// Whether a text can stand between quotes in anyone's code.
fn plain(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || "_+-:./".contains(c))
}

const FRAGMENTS_BLOCK: &str = r#"Fragments are labels separated by blanks; blanks, `@`, `%` and control characters inside a label are
percent-encoded.

```python
import pandas
from urllib.parse import unquote
fragments = pandas.read_csv("fragments.csv", dtype={"fragment": str}, keep_default_na=False)
fragments["locations"] = [[unquote(label) for label in it.split(" ")] for it in fragments["fragment"]]
print(fragments[["locations", "count", "low", "high"]].head())
```

"#;
