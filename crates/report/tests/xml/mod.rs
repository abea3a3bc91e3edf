//! Just enough XML to say whether a picture is well-formed.

/// Elements nest, attributes are quoted and unique, text is escaped, there is one root.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut roots = 0;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start], !open.is_empty())?;
        let inside = &rest[start + 1..];
        let end = inside.find('>').ok_or("an element does not end")?;
        let (tag, after) = (&inside[..end], &inside[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("</{name}> closes {opened:?}"));
            }
            continue;
        }
        roots += usize::from(open.is_empty());
        let body = tag.strip_suffix('/').unwrap_or(tag);
        let name = check_tag(body)?;
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    check_text(rest, false)?;
    match (open.as_slice(), roots) {
        ([], 1) => Ok(()),
        _ => Err(format!("{roots} roots, left open: {open:?}")),
    }
}

fn check_tag(tag: &str) -> Result<&str, String> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    if !is_name(name) {
        return Err(format!("strange element {tag:?}"));
    }
    let mut seen = Vec::new();
    while !rest.trim().is_empty() {
        let (key, value) = rest
            .split_once("=\"")
            .ok_or(format!("strange attribute in {tag:?}"))?;
        let (value, after) = value
            .split_once('"')
            .ok_or(format!("open quote in {tag:?}"))?;
        let key = key.trim();
        let clean = key.strip_prefix("view").unwrap_or(key);
        if !is_name(clean.trim_end_matches(|c: char| c.is_ascii_digit())) || seen.contains(&key) {
            return Err(format!("strange attribute {key:?} in {tag:?}"));
        }
        if !after.is_empty() && !after.starts_with(' ') {
            return Err(format!("no space between attributes in {tag:?}"));
        }
        check_text(value, true)?;
        seen.push(key);
        rest = after;
    }
    Ok(name)
}

fn check_text(text: &str, allowed: bool) -> Result<(), String> {
    if !allowed && !text.trim().is_empty() {
        return Err(format!("text outside the root: {text:?}"));
    }
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(control) || text.contains(['\u{fffe}', '\u{ffff}']) {
        return Err(format!("a character that XML has not: {text:?}"));
    }
    if text.contains('<') {
        return Err(format!("a bare < in {text:?}"));
    }
    for (start, _) in text.match_indices('&') {
        let known = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"];
        if !known.iter().any(|entity| text[start..].starts_with(entity)) {
            return Err(format!("a bare & in {text:?}"));
        }
    }
    Ok(())
}

/// All values of an attribute, as numbers.
pub(crate) fn values_of(text: &str, attribute: &str) -> Vec<f64> {
    let start = format!(" {attribute}=\"");
    text.split(&start)
        .skip(1)
        .map(|rest| rest.split('"').next().and_then(|value| value.parse().ok()))
        .map(|value| value.expect("the attribute is a number"))
        .collect()
}

#[test]
fn the_checker_catches_faults() {
    assert_eq!(check("<a b=\"c\"><d/>&lt;</a>\n"), Ok(()));
    for fault in [
        "<a><b></a></b>",
        "<a>",
        "<a/><a/>",
        "<a b=c/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a>&</a>",
        "<a b=\"<\"/>",
        "x<a/>",
        "<a>\u{0}</a>",
        "",
        "<a b=\"1\"c=\"2\"/>",
    ] {
        assert!(check(fault).is_err(), "{fault:?} passed");
    }
}
