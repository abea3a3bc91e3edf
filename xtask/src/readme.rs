//! The commands that a page of Markdown shows.
//!
//! A reader copies them, so a check runs them: each `sh` block as it stands, and what follows
//! `$` in each `console` block. A block that sets up the project (cargo, git, cd) is not run.

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// The line of its opening fence, from 1.
    pub(crate) line: usize,
    tag: &'a str,
    body: Vec<&'a str>,
}

/// All fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in page.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => found.push(block),
            (Some(tag), None) => {
                open = Some(Block {
                    line: index + 1,
                    tag: tag.trim(),
                    body: Vec::new(),
                });
            }
            (None, Some(mut block)) => {
                block.body.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    found
}

/// The Python that a page shows, block by block.
pub(crate) fn python_blocks(page: &str) -> Vec<String> {
    blocks_of(page, "python")
}

/// The blocks of one language.
pub(crate) fn blocks_of(page: &str, tag: &str) -> Vec<String> {
    let text = |block: &Block<'_>| (block.tag == tag).then(|| block.body.join("\n") + "\n");
    blocks(page).iter().filter_map(text).collect()
}

/// The script that runs a block, if it is one to run.
pub(crate) fn script(block: &Block<'_>) -> Result<Option<String>, String> {
    let lines = match block.tag {
        "sh" | "bash" | "shell" => block.body.clone(),
        "console" => typed(&block.body),
        _ => return Ok(None),
    };
    let statements = statements(&lines);
    let starts = |words: &[&str]| {
        statements.iter().any(|s| {
            s.split_whitespace()
                .next()
                .is_some_and(|w| words.contains(&w))
        })
    };
    match (
        starts(&["wayveil"]),
        starts(&["cargo", "cd", "git", "pip", "rustup"]),
    ) {
        (false, true) => Ok(None),
        (true, true) => Err(format!(
            "line {}: split set-up from use of wayveil",
            block.line
        )),
        (_, false) => Ok(Some(
            statements
                .iter()
                .map(|statement| checked(statement))
                .collect(),
        )),
    }
}

/// What was typed in a recorded session: the lines after `$`, and how they go on.
fn typed<'a>(body: &[&'a str]) -> Vec<&'a str> {
    let mut goes_on = false;
    let mut lines = Vec::new();
    for line in body {
        let command = line.strip_prefix("$ ").or(goes_on.then_some(*line));
        goes_on = command.is_some_and(|command| command.ends_with('\\'));
        lines.extend(command);
    }
    lines
}

/// Joins lines that belong together: after a backslash, and up to the end of a here-document.
fn statements(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut until: Option<&str> = None;
    for line in lines {
        current.push_str(line);
        current.push('\n');
        match until {
            Some(end) if *line == end => until = None,
            Some(_) => continue,
            None => until = here_document(line),
        }
        if until.is_none() && !line.ends_with('\\') {
            found.push(std::mem::take(&mut current));
        }
    }
    found.extend((!current.is_empty()).then_some(current));
    found
}

fn here_document(line: &str) -> Option<&str> {
    let word = line.split_once("<<")?.1.split_whitespace().next()?;
    Some(word.trim_matches(['\'', '"']))
}

/// A statement that stops the script unless it exits as promised: 0, or what `# exit N` says.
fn checked(statement: &str) -> String {
    let promised = statement
        .trim_end()
        .rsplit_once("# exit ")
        .and_then(|(_, n)| n.parse::<u8>().ok());
    match promised {
        None => statement.to_owned(),
        Some(code) => format!(
            "set +e\n{statement}code=$?\nset -e\n\
             test $code -eq {code} || {{ echo \"exit code $code, not {code}\" >&2; exit 70; }}\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_is_told_from_the_rest() {
        let page = "```sh\nls\n```\n```python\nimport a\n\na.b()\n```\n```r\nx\n```\n";
        assert_eq!(python_blocks(page), ["import a\n\na.b()\n"]);
    }

    fn scripts(page: &str) -> Vec<Result<Option<String>, String>> {
        blocks(page).iter().map(script).collect()
    }

    #[test]
    fn blocks_of_other_languages_and_set_up_are_left_alone() {
        let page = "```rust\nwayveil();\n```\n```sh\ngit clone x\ncd x\ncargo xtask test\n```\n";
        assert_eq!(scripts(page), [Ok(None), Ok(None)]);
    }

    #[test]
    fn a_block_that_mixes_set_up_and_use_is_refused() {
        let found = scripts("Text\n\n```sh\ncargo install x\nwayveil demo\n```\n");
        assert!(
            found[0]
                .as_ref()
                .is_err_and(|why| why.starts_with("line 3")),
            "{found:?}"
        );
    }

    #[test]
    fn a_session_gives_what_was_typed() {
        let page = "```console\n$ wayveil info a \\\n    --json\n{}\n$ ls\na\n```\n";
        assert_eq!(
            scripts(page),
            [Ok(Some("wayveil info a \\\n    --json\nls\n".into()))]
        );
    }

    #[test]
    fn a_here_document_is_not_read_as_commands() {
        let page = "```sh\ncat > f <<'EOF'\ncargo x # exit 1\nEOF\nwayveil info f\n```\n";
        let text = "cat > f <<'EOF'\ncargo x # exit 1\nEOF\nwayveil info f\n";
        assert_eq!(scripts(page), [Ok(Some(text.into()))]);
    }

    #[test]
    fn a_promised_exit_code_is_checked() {
        let found = scripts("```sh\nwayveil verify s  # exit 1\n```\n");
        let text = found[0]
            .as_ref()
            .expect("one kind")
            .as_ref()
            .expect("to run");
        assert!(text.contains("$code -eq 1"), "{text}");
    }
}
