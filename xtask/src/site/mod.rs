//! The documentation as a site: plain files that need no network, made from the pages of the project and from
//! the documentation beside the code.

mod list;

use std::fs;
use std::io;
use std::path::Path;

use crate::markdown::{headings, links, to_html};
use crate::tidy::links::from;
use list::{FOLDERS, From, PARTS};

/// Where code is shown to readers of the site.
const REPOSITORY: &str = "https://github.com/wayveil/wayveil/blob/main";
const STYLE: &str = include_str!("style.css");

/// A page on its way: where it stands in the project, its name in the table of contents, its Markdown.
struct Page {
    path: String,
    name: String,
    text: String,
}

/// Makes the site of the project at `root` in a folder, and says how many pages it has.
pub(crate) fn make(root: &Path, folder: &Path) -> io::Result<usize> {
    let pages = pages(root)?;
    fs::create_dir_all(folder)?;
    for page in &pages {
        fs::write(folder.join(file_name(&page.path)), html(page, &pages))?;
        for link in links(&page.text) {
            copy_picture(root, folder, &page.path, &link.to)?;
        }
    }
    Ok(pages.len())
}

fn pages(root: &Path) -> io::Result<Vec<Page>> {
    let mut all = Vec::new();
    for (name, source) in PARTS.iter().flat_map(|part| part.pages) {
        let read = |path: &str| {
            fs::read_to_string(root.join(path))
                .map_err(|cause| io::Error::new(cause.kind(), format!("{path}: {cause}")))
        };
        let (path, text) = match source {
            From::Page(path) => (*path, read(path)?),
            From::Code(path) => (*path, format!("# {name}\n\n{}", comment(&read(path)?))),
        };
        let (path, name) = (path.to_owned(), (*name).to_owned());
        all.push(Page { path, name, text });
    }
    for folder in FOLDERS {
        all.extend(more_pages(root, folder, &all)?);
    }
    Ok(all)
}

/// The pages of a folder that the table of contents does not name: another page leads to them.
fn more_pages(root: &Path, folder: &str, known: &[Page]) -> io::Result<Vec<Page>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            paths.push(format!("{folder}/{name}"));
        }
    }
    paths.retain(|path| known.iter().all(|page| page.path != *path));
    paths.sort();
    let page = |path: String| {
        let text = fs::read_to_string(root.join(&path))?;
        let name = path.clone();
        Ok(Page { path, name, text })
    };
    paths.into_iter().map(page).collect()
}

/// The documentation at the head of a file of code, its headings one level down. Links to code become code.
fn comment(code: &str) -> String {
    let lines = code.lines().map_while(|line| line.strip_prefix("//!"));
    let mut fenced = false;
    let mut text = String::new();
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        fenced ^= line.starts_with("```");
        if line.starts_with('#') && !fenced {
            text.push('#');
        }
        text += &without_code_links(line);
        text.push('\n');
    }
    text
}

/// Links in comments to names of code, which has no page here, become those names.
fn without_code_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("[`") {
        text += &rest[..at];
        rest = &rest[at + 1..];
        let Some(end) = rest.find("`]") else {
            text.push('[');
            break;
        };
        text += &rest[..=end];
        rest = &rest[end + 2..];
        if rest.starts_with('(') {
            rest = rest.find(')').map_or(rest, |end| &rest[end + 1..]);
        }
    }
    text + rest
}

/// One folder holds all pages.
fn file_name(path: &str) -> String {
    match path {
        "README.md" => "index.html".into(),
        path => {
            let stem = path.trim_end_matches(".md").trim_end_matches(".rs");
            let stem = stem.trim_start_matches("docs/").trim_end_matches("/mod");
            format!("{}.html", stem.replace('/', "-").to_lowercase())
        }
    }
}

fn is_picture(path: &str) -> bool {
    path.ends_with(".svg") || path.ends_with(".png")
}

/// Where a link of a page leads on the site.
fn link(page: &str, to: &str, pages: &[Page]) -> String {
    if to.contains("://") || to.starts_with('#') || to.starts_with("mailto:") {
        return to.to_owned();
    }
    let (file, anchor) = match to.split_once('#') {
        Some((file, anchor)) => (file, format!("#{anchor}")),
        None => (to, String::new()),
    };
    let target = from(page, file);
    if pages.iter().any(|page| page.path == target) {
        return file_name(&target) + &anchor;
    }
    match is_picture(&target) {
        true => picture_name(&target),
        false => format!("{REPOSITORY}/{target}{anchor}"),
    }
}

fn copy_picture(root: &Path, folder: &Path, page: &str, to: &str) -> io::Result<()> {
    let target = from(page, to);
    if !is_picture(&target) || to.contains("://") {
        return Ok(());
    }
    fs::copy(root.join(&target), folder.join(picture_name(&target))).map(|_| ())
}

/// Pictures of several folders may have one name.
fn picture_name(path: &str) -> String {
    path.trim_start_matches("docs/").replace('/', "-")
}

fn html(page: &Page, pages: &[Page]) -> String {
    let mut contents = String::new();
    let mut at = pages.iter();
    for part in PARTS {
        contents += &format!("<h2>{}</h2>\n<ul>\n", part.heading);
        for other in at.by_ref().take(part.pages.len()) {
            let here = if other.path == page.path {
                " aria-current=\"page\""
            } else {
                ""
            };
            let (file, name) = (file_name(&other.path), &other.name);
            contents += &format!("<li><a href=\"{file}\"{here}>{name}</a></li>\n");
        }
        contents += "</ul>\n";
    }
    let title = headings(&page.text).into_iter().next();
    let title = title.map_or(page.name.clone(), |heading| heading.text);
    let body = to_html(&page.text, |to| link(&page.path, to, pages));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self'; \
         style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <nav>\n{contents}</nav>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// Links within the site that lead nowhere: a file that is not there, or a heading.
pub(crate) fn dead_links(folder: &Path) -> io::Result<Vec<String>> {
    let mut dead = Vec::new();
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "html") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            texts.push((name.into_owned(), fs::read_to_string(&path)?));
        }
    }
    for (name, text) in &texts {
        for attribute in ["href=\"", "src=\""] {
            for (at, _) in text.match_indices(attribute) {
                let to = text[at + attribute.len()..]
                    .split('"')
                    .next()
                    .unwrap_or_default();
                if to.contains("://") || to.starts_with("mailto:") {
                    continue;
                }
                let (file, anchor) = to.split_once('#').unwrap_or((to, ""));
                let file = if file.is_empty() { name } else { file };
                let target = texts.iter().find(|(known, _)| known == file);
                let there = match target {
                    Some((_, text)) => {
                        anchor.is_empty() || text.contains(&format!("id=\"{anchor}\""))
                    }
                    None => anchor.is_empty() && folder.join(file).is_file(),
                };
                if !there {
                    dead.push(format!("{name}: {to}"));
                }
            }
        }
    }
    dead.sort();
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_become_pages() {
        let code = "//! First.\n//!\n//! # Why it holds\n//! See [`Mode`] and [`x`](self), [`a`].\n\nuse x;\n";
        let page = comment(code);
        assert_eq!(
            page,
            "First.\n\n## Why it holds\nSee `Mode` and `x`, `a`.\n"
        );
    }

    #[test]
    fn every_page_has_a_file_of_its_own() {
        let paths = PARTS
            .iter()
            .flat_map(|part| part.pages)
            .map(|(_, source)| match source {
                From::Page(path) | From::Code(path) => *path,
            });
        let mut names: Vec<String> = paths.map(file_name).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
        assert_eq!(file_name("docs/trees.md"), "trees.html");
        assert_eq!(
            file_name("crates/mechanisms/src/weave/mod.rs"),
            "crates-mechanisms-src-weave.html"
        );
    }

    #[test]
    fn a_dead_link_of_the_site_is_found() {
        let folder = crate::scratch::Scratch::new("site").unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "a.html",
            "<a href=\"b.html#x\"></a><img src=\"p.svg\"><a href=\"https://e.org\"></a>",
        );
        write("b.html", "<h2 id=\"x\"></h2>");
        write("p.svg", "");
        assert_eq!(dead_links(folder.path()).unwrap(), Vec::<String>::new());
        write("b.html", "<h2 id=\"y\"></h2><a href=\"c.html\"></a>");
        assert_eq!(
            dead_links(folder.path()).unwrap(),
            ["a.html: b.html#x", "b.html: c.html"]
        );
    }
}
