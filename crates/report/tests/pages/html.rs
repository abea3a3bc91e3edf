//! Just enough HTML to say whether a page is well-formed, and which elements it has.

/// An element as it begins.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|it| it.0 == name);
        found.map(|it| it.1.as_str())
    }

    /// The level of a heading.
    pub(crate) fn heading(&self) -> Option<u8> {
        let level = self.name.strip_prefix('h')?;
        level.parse().ok()
    }
}

/// Elements that never have an end.
const VOID: [&str; 4] = ["meta", "link", "input", "br"];
/// Elements whose content is no markup.
const PLAIN: [&str; 2] = ["style", "script"];

/// All elements, or what is wrong: elements nest, attributes are quoted and unique, text is escaped.
pub(crate) fn parse(page: &str) -> Result<Vec<Element>, String> {
    let mut rest = page.strip_prefix("<!doctype html>").ok_or("no doctype")?;
    let (mut open, mut elements) = (Vec::<String>::new(), Vec::new());
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start])?;
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").ok_or("a comment does not end")?.1;
            continue;
        }
        let end = rest.find('>').ok_or("an element does not end")?;
        let (tag, after) = (&rest[1..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened.as_deref() != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            continue;
        }
        let element = element(tag.strip_suffix('/').unwrap_or(tag))?;
        if PLAIN.contains(&element.name.as_str()) {
            let close = format!("</{}>", element.name);
            rest = rest.split_once(&close).ok_or("a script does not end")?.1;
        } else if !VOID.contains(&element.name.as_str()) && !tag.ends_with('/') {
            open.push(element.name.clone());
        }
        elements.push(element);
    }
    check_text(rest)?;
    match open.is_empty() {
        true => Ok(elements),
        false => Err(format!("left open: {open:?}")),
    }
}

fn element(tag: &str) -> Result<Element, String> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    if !name.starts_with(|c: char| c.is_ascii_lowercase())
        || !name.chars().all(|c| c.is_ascii_alphanumeric())
    {
        return Err(format!("strange element {tag:?}"));
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    while !rest.is_empty() {
        let length = rest.find([' ', '=']).unwrap_or(rest.len());
        let key = rest[..length].to_owned();
        let known = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if key.is_empty() || !key.chars().all(known) || attributes.iter().any(|it| it.0 == key) {
            return Err(format!("strange attribute {key:?} in {tag:?}"));
        }
        rest = &rest[length..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let (inside, after) = quoted
                .split_once('"')
                .ok_or(format!("open quote in {tag:?}"))?;
            check_text(inside)?;
            (value, rest) = (inside.to_owned(), after);
        }
        attributes.push((key, value));
        rest = match rest.strip_prefix(' ') {
            Some(after) => after,
            None if rest.is_empty() => rest,
            None => return Err(format!("no space after an attribute in {tag:?}")),
        };
    }
    Ok(Element {
        name: name.to_owned(),
        attributes,
    })
}

fn check_text(text: &str) -> Result<(), String> {
    for (start, _) in text.match_indices('&') {
        let entity = text[start + 1..].split(';').next().unwrap_or_default();
        let number = entity
            .strip_prefix('#')
            .is_some_and(|it| it.parse::<u32>().is_ok());
        if !number && !["lt", "gt", "amp", "quot"].contains(&entity) {
            return Err(format!("a bare & in {text:?}"));
        }
    }
    let control = |c: char| c.is_control() && c != '\n';
    match text.contains(control) || text.contains(['<', '>']) {
        true => Err(format!("not escaped: {text:?}")),
        false => Ok(()),
    }
}

#[test]
fn the_checker_catches_faults() {
    assert!(parse("<!doctype html>\n<p a=\"1\" b>x &lt; y</p><br>").is_ok());
    for fault in [
        "<p><b></p></b>",
        "<p>",
        "<p a=1></p>",
        "<p a=\"1\" a=\"2\"></p>",
        "<p>&</p>",
        "<p a=\"<\"></p>",
        "<p a=\"1\"b=\"2\"></p>",
        "<!-- x",
        "<script>",
        "a > b",
    ] {
        assert!(
            parse(&format!("<!doctype html>{fault}")).is_err(),
            "{fault}"
        );
    }
}
