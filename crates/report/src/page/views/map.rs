//! What maps of visits and of differences have in common.

use wayveil_core::Universe;
use wayveil_evaluate::Portrait;

use crate::page::atlas::{Atlas, Blocks, Shape};
use crate::page::figure::{Figure, Layer, Table};
use crate::page::html::Html;
use crate::page::wording::{counted, grouped};

/// A map as far as it is drawn.
pub(super) struct Map<'a> {
    pub(super) universe: &'a Universe,
    pub(super) atlas: Atlas,
    /// Squares, where cells are too many.
    pub(super) blocks: Option<Blocks>,
    /// The locations that are shown, the most important first.
    pub(super) order: Vec<u32>,
}

impl<'a> Map<'a> {
    /// Places locations, the most important first.
    pub(super) fn of(universe: &'a Universe, order: Vec<u32>, portrait: &Portrait) -> Self {
        let flows = portrait.flows.strongest.iter();
        let flows: Vec<(u32, u32)> = flows.map(|it| (it.from, it.to)).collect();
        let atlas = Atlas::of(universe, &order, &flows);
        Self {
            universe,
            blocks: Blocks::of(&atlas, &order),
            atlas,
            order,
        }
    }

    pub(super) fn has_cells(&self) -> bool {
        self.atlas.shape != Shape::Circle
    }

    /// Whether names help: those of cells are but numbers, unless they were given.
    pub(super) fn has_names(&self) -> bool {
        let given = || self.universe.locations().iter().any(|it| it.name.is_some());
        self.blocks.is_none() && (!self.has_cells() || given())
    }

    /// What is drawn and what is not: `own` places with their numbers, `common` ones without.
    pub(super) fn in_words(&self, (own, common): (usize, usize)) -> String {
        let kind = match &self.atlas.shape {
            Shape::Circle => "locations",
            Shape::Cell(corners) if corners.len() == 6 => "hexagons",
            Shape::Cell(_) => "cells",
        };
        let visited = grouped(self.order.len() as u64);
        let mut text = match &self.blocks {
            Some(blocks) => format!(
                "{visited} visited {kind}, gathered in {} squares.",
                grouped(blocks.blocks.len() as u64)
            ),
            None => {
                let drawn = grouped((own + common) as u64);
                let all = format!("{drawn} of {visited} visited {kind} are drawn");
                match common {
                    0 => format!("{all}."),
                    _ => format!(
                        "{all}, the {} most visited of them with their numbers.",
                        grouped(own as u64)
                    ),
                }
            }
        };
        if self.atlas.without_place > 0 {
            let without = counted(self.atlas.without_place, "location has", "locations have");
            text += &format!(" {without} no coordinates.");
        }
        text
    }

    /// The figure of the map.
    pub(super) fn figure(
        &self,
        id: &str,
        words: (&str, String),
        drawing: Html,
        table: Table,
    ) -> Figure {
        let mut figure = Figure::new(id, words.0, words.1, drawing, table).wide();
        figure.map = true;
        let places = if self.has_cells() { "cells" } else { "places" };
        figure.layers = vec![Layer {
            name: "places",
            words: places.into(),
        }];
        figure
    }
}

/// The layer of names.
pub(super) fn names_layer() -> Layer {
    Layer {
        name: "names",
        words: "names".into(),
    }
}

/// How many rows of a table are left out.
pub(super) fn rows_note(shown: usize, all: usize) -> String {
    match shown < all {
        true => format!("The first {shown} of {} rows.", grouped(all as u64)),
        false => String::new(),
    }
}
