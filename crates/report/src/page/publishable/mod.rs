//! The part of a page that recipients may see: a function of a release and of nothing else.

mod made;
mod own_error;
mod precision;
mod promise;
mod shows;

use askama::Template;
use wayveil_core::{Manifest, Result};

pub(super) use self::promise::in_short;
use super::figure::Table;
use super::html::Html;
use super::model::ReleasePart;
use super::wording::{grouped, number};
use crate::words::harmless;

/// A figure that stands out.
pub(super) struct Tile {
    pub(super) value: String,
    pub(super) words: String,
    /// Whether it is a warning.
    pub(super) alarm: bool,
}

impl Tile {
    pub(super) fn new(value: impl Into<String>, words: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            words: words.into(),
            alarm: false,
        }
    }
}

/// A term with what is said of it.
pub(super) struct Fact {
    pub(super) term: String,
    pub(super) words: String,
}

impl Fact {
    pub(super) fn new(term: impl Into<String>, words: impl AsRef<str>) -> Self {
        Self {
            term: term.into(),
            words: harmless(words.as_ref()),
        }
    }
}

#[derive(Template)]
#[template(path = "release.html")]
struct Publishable {
    not_publishable: Option<String>,
    lead: String,
    tiles: Vec<Tile>,
    promise: promise::Promise,
    limits: Vec<String>,
    precision: precision::Precision,
    own_error: Option<own_error::OwnError>,
    remarks: Vec<String>,
    figures: Vec<Html>,
    columns: Option<Table>,
    made: Vec<Fact>,
    parameters: Table,
    manifest: String,
}

/// The publishable part, between the comments that mark it.
pub(super) fn render(part: &ReleasePart<'_>) -> Result<Html> {
    let release = part.release;
    let manifest = release.manifest();
    let portrait = &part.portrait;
    let shows = shows::figures(release.universe(), release.time(), portrait)?;
    Html::of(&Publishable {
        not_publishable: not_publishable(manifest),
        lead: lead(manifest),
        tiles: tiles(part),
        promise: promise::of(&manifest.guarantee)?,
        limits: manifest.limits.iter().map(|it| harmless(it)).collect(),
        precision: precision::of(release)?,
        own_error: manifest.expected_error.as_ref().map(own_error::of),
        remarks: shows.remarks,
        figures: shows.figures,
        columns: made::columns(release),
        made: made::facts(manifest),
        parameters: made::parameters(manifest),
        manifest: made::document(manifest)?,
    })
}

fn not_publishable(manifest: &Manifest) -> Option<String> {
    let why = manifest.not_publishable_because.as_deref();
    (!manifest.publishable).then(|| harmless(why.unwrap_or("no reason is given")))
}

fn lead(manifest: &Manifest) -> String {
    let rows = match manifest.rows_are_true() {
        true => {
            "Rows are truthful: what people did, with visits and whole rows left out, and nothing made up."
        }
        false => "What the rows are made of, and what they are not, stands under the limits.",
    };
    harmless(&format!(
        "Made by the method {} ({}) on {}. {rows} Release {}.",
        manifest.method.name, manifest.method.variant, manifest.date, manifest.id
    ))
}

fn tiles(part: &ReleasePart<'_>) -> Vec<Tile> {
    let (portrait, manifest) = (&part.portrait, part.release.manifest());
    let visited = portrait.visits.iter().filter(|&&visits| visits > 0).count();
    let mut tiles = vec![
        Tile {
            alarm: manifest.guarantee.model.name() == "none",
            ..Tile::new(in_short(&manifest.guarantee.model), "promised")
        },
        Tile {
            alarm: portrait.records == 0,
            ..Tile::new(
                grouped(portrait.records),
                if portrait.records == 1 {
                    "record"
                } else {
                    "records"
                },
            )
        },
        Tile::new(
            grouped(portrait.symbols),
            if portrait.symbols == 1 {
                "visit"
            } else {
                "visits"
            },
        ),
        Tile::new(
            number(portrait.mean_length()),
            "visits in a record, on average",
        ),
        Tile::new(
            grouped(part.release.universe().len() as u64),
            format!(
                "public locations, {} of them visited",
                grouped(visited as u64)
            ),
        ),
    ];
    if portrait.records == 0 {
        // An empty release says so first.
        tiles.swap(0, 1);
    }
    if let Some(fragments) = part.release.fragments() {
        tiles.push(Tile::new(
            grouped(fragments.len() as u64),
            "fragments with counts",
        ));
    }
    tiles
}
