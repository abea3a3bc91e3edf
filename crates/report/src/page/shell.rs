//! What every page has around its content: style, script, contents, and a policy that forbids the network.

use std::sync::LazyLock;

use askama::Template;
use sha2::{Digest, Sha256};
use wayveil_core::Result;

use super::html::Html;

const LIGHT: &str = include_str!("../../assets/light.css");
const DARK: &str = include_str!("../../assets/dark.css");
const STYLES: [&str; 3] = [
    include_str!("../../assets/page.css"),
    include_str!("../../assets/figures.css"),
    include_str!("../../assets/print.css"),
];
const SCRIPTS: [&str; 3] = [
    include_str!("../../assets/tips.js"),
    include_str!("../../assets/map.js"),
    include_str!("../../assets/tables.js"),
];
/// The last script: says that the page is ready.
const READY: &str = include_str!("../../assets/page.js");

/// What a page adds that is served and asks for news.
const LIVE_STYLE: &str = include_str!("../../assets/live.css");
const LIVE_SCRIPT: &str = include_str!("../../assets/live.js");

/// Style and script of a page.
struct Looks {
    style: String,
    script: String,
}

static STILL: LazyLock<Looks> = LazyLock::new(|| Looks::new("", ""));
static LIVE: LazyLock<Looks> = LazyLock::new(|| Looks::new(LIVE_STYLE, LIVE_SCRIPT));

impl Looks {
    /// Dark is for screens only: paper is light.
    fn new(more_style: &str, more_script: &str) -> Self {
        let (styles, scripts) = (STYLES.concat(), SCRIPTS.concat());
        Self {
            style: format!(
                ":root{{{LIGHT}}}\n\
                 @media screen and (prefers-color-scheme: dark){{:root:not([data-theme=light]){{{DARK}}}}}\n\
                 @media screen{{:root[data-theme=dark]{{{DARK}}}}}\n{styles}{more_style}"
            ),
            script: format!("(() => {{\n\"use strict\";\n{scripts}{more_script}{READY}}})();"),
        }
    }

    fn of(live: bool) -> &'static Self {
        if live { &LIVE } else { &STILL }
    }
}

/// A page.
pub(super) struct Shell<'a> {
    pub(super) title: &'a str,
    pub(super) heading: &'a str,
    /// Ids of sections with what they are called.
    pub(super) contents: &'a [(&'static str, &'static str)],
    pub(super) foot: &'a str,
    pub(super) body: Html,
    /// Whether it asks the service that it came from for news.
    pub(super) live: bool,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    policy: String,
    title: &'a str,
    heading: &'a str,
    contents: &'a [(&'static str, &'static str)],
    foot: &'a str,
    body: Html,
    style: &'a str,
    script: &'a str,
}

/// What a page may load and do: its own style and script; nothing from elsewhere.
pub(super) fn policy(live: bool) -> String {
    let looks = Looks::of(live);
    let connect = if live { " connect-src 'self';" } else { "" };
    format!(
        "default-src 'none'; img-src data:;{connect} style-src 'sha256-{}'; script-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(looks.style.as_bytes())),
        base64(&Sha256::digest(looks.script.as_bytes()))
    )
}

/// Writes a page.
pub(super) fn page(shell: Shell<'_>) -> Result<String> {
    let looks = Looks::of(shell.live);
    let page = Page {
        policy: policy(shell.live),
        title: shell.title,
        heading: shell.heading,
        contents: shell.contents,
        foot: shell.foot,
        body: shell.body,
        style: &looks.style,
        script: &looks.script,
    };
    Html::of(&page).map(Html::into_text)
}

/// Bytes in base 64, as policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = (bits >> (18 - 6 * place)) & 63;
            text.push(if place <= group.len() {
                DIGITS[digit as usize] as char
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_base_64() {
        let written = ["", "f", "fo", "foo", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(written, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy"]);
    }

    #[test]
    fn nothing_ends_the_style_or_the_script_early() {
        for text in [&STILL, &LIVE].map(|it| format!("{}{}", it.style, it.script)) {
            assert!(!text.contains("</") && !text.contains("<!--"));
        }
    }
}
