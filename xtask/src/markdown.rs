//! Pages of Markdown: their headings, their links, and how they look in a browser.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A heading with the anchor by which it can be linked to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) text: String,
    pub(crate) anchor: String,
}

/// A link or a picture, and the line in which it stands, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) line: usize,
    pub(crate) to: String,
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH
}

/// All headings of a page.
pub(crate) fn headings(page: &str) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut open: Option<(u8, String)> = None;
    for event in Parser::new_ext(page, options()) {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { level, .. }), _) => {
                open = Some((depth(level), String::new()));
            }
            (Event::Text(text) | Event::Code(text), Some((_, words))) => words.push_str(&text),
            (Event::End(TagEnd::Heading(_)), Some(_)) => {
                if let Some((level, text)) = open.take() {
                    let anchor = anchor(&text, &mut seen);
                    found.push(Heading {
                        level,
                        text,
                        anchor,
                    });
                }
            }
            _ => {}
        }
    }
    found
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        _ => 4,
    }
}

/// As code forges make them: letters, digits, `_` and `-` stay, blanks become `-`, a repeated one gets a number.
fn anchor(text: &str, seen: &mut BTreeMap<String, usize>) -> String {
    let kept = text.to_lowercase();
    let kept = kept.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    let base: String = kept.collect();
    let times = seen.entry(base.clone()).or_insert(0);
    *times += 1;
    match *times {
        1 => base,
        more => format!("{base}-{}", more - 1),
    }
}

/// All links and pictures of a page.
pub(crate) fn links(page: &str) -> Vec<Link> {
    let parser = Parser::new_ext(page, options()).into_offset_iter();
    parser
        .filter_map(|(event, place)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(Link {
                line: 1 + page[..place.start].matches('\n').count(),
                to: dest_url.into_string(),
            }),
            _ => None,
        })
        .collect()
}

/// A page as HTML, its links changed by `to`, its headings with anchors.
pub(crate) fn to_html(page: &str, to: impl Fn(&str) -> String) -> String {
    let mut anchors = headings(page).into_iter().map(|heading| heading.anchor);
    let changed = |link: CowStr<'_>| CowStr::from(to(&link));
    let events = Parser::new_ext(page, options()).map(|event| match event {
        Event::Start(Tag::Heading {
            level,
            classes,
            attrs,
            ..
        }) => Event::Start(Tag::Heading {
            level,
            id: anchors.next().map(CowStr::from),
            classes,
            attrs,
        }),
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: changed(dest_url),
            title,
            id,
        }),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Image {
            link_type,
            dest_url: changed(dest_url),
            title,
            id,
        }),
        other => other,
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `b` c!\n\n## Same\n\ntext [x](y.md#z)\n\n## Same\n\n![p](p.svg)\n\n```sh\n# no [heading](x)\n```\n";

    #[test]
    fn headings_have_anchors_as_forges_make_them() {
        let found = headings(PAGE);
        let anchors: Vec<&str> = found.iter().map(|it| it.anchor.as_str()).collect();
        assert_eq!(anchors, ["a-b-c", "same", "same-1"]);
        assert_eq!((found[0].level, found[0].text.as_str()), (1, "A b c!"));
    }

    #[test]
    fn links_and_pictures_are_found_outside_of_code() {
        let found = links(PAGE);
        let to: Vec<(usize, &str)> = found.iter().map(|it| (it.line, it.to.as_str())).collect();
        assert_eq!(to, [(5, "y.md#z"), (9, "p.svg")]);
    }

    #[test]
    fn pages_become_html_with_other_links() {
        let html = to_html(PAGE, |link| link.replace(".md", ".html"));
        assert!(html.contains("<h1 id=\"a-b-c\">"), "{html}");
        assert!(html.contains("href=\"y.html#z\""), "{html}");
        assert!(html.contains("<code class=\"language-sh\">"), "{html}");
    }
}
