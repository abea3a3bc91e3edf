//! The texts of items, from the header's `@ITEM` lines.

use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::{Error, Result};

use crate::lines::{excerpt, whole_number};
use crate::universe::check_label;

/// How a line that names an item begins.
pub(super) const ITEM: &str = "@ITEM=";

/// Which text stands for which item.
#[derive(Default)]
pub(super) struct Names {
    of_item: FxHashMap<u64, String>,
    taken: FxHashSet<String>,
}

impl Names {
    /// Reads what follows `@ITEM=`. SPMF names the separators, too; these are no items.
    pub(super) fn add(&mut self, definition: &str) -> Result<()> {
        let malformed = || {
            Error::input(format!(
                "invalid name of an item (got {:?})",
                excerpt(definition)
            ))
            .hint("write @ITEM=number=text")
        };
        let (number, text) = definition.split_once('=').ok_or_else(malformed)?;
        if number == "-1" || number == "-2" {
            return Ok(());
        }
        let number = whole_number(number).ok_or_else(malformed)?;
        check_label(text, "name of the item")?;
        if !self.taken.insert(text.to_owned()) {
            return Err(
                Error::input(format!("two items are called {:?}", excerpt(text)))
                    .hint("give every item a text of its own, or they would become one location"),
            );
        }
        if self.of_item.insert(number, text.to_owned()).is_some() {
            return Err(Error::input(format!("the item {number} is named twice"))
                .hint("remove one of the two @ITEM lines"));
        }
        Ok(())
    }

    /// The label of an item that is written as `word`; none if the header forgot it.
    pub(super) fn label<'a>(&'a self, number: u64, word: &'a str) -> Option<&'a str> {
        if self.of_item.is_empty() {
            let digits = word.trim_start_matches('0');
            return Some(if digits.is_empty() { "0" } else { digits });
        }
        self.of_item.get(&number).map(String::as_str)
    }
}
