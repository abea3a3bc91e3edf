//! Markup that is ready to stand in a page.

use std::fmt;

use askama::Template;
use wayveil_core::{Error, Result};

/// Markup whose text is escaped. Templates put it in as it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Takes markup that was made of numbers, constants and escaped text.
    pub(super) fn trusted(markup: String) -> Self {
        Self(markup)
    }

    /// Fills a template, which escapes what it is given.
    pub(super) fn of(template: &impl Template) -> Result<Self> {
        let rendered = template.render();
        rendered
            .map(Self)
            .map_err(|cause| Error::system("cannot write the page", cause))
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
