"""Commands that the program advises, as calls of functions."""

from __future__ import annotations

import re

from . import _commands

_BEGIN = re.compile(r"`?\bwayveil (?=[a-z])")
_WORD = re.compile(r"(?:[ ]|[ ]?\\\n[ ]*)?('[^']*'|\"[^\"]*\"|[^\s`]+)")
_LISTS = {"evaluate": "wayveil.metrics()", "attack": "wayveil.attacks()"}


def literal(value: str) -> str:
    """A word as Python writes it."""
    if value[0] in "<'\"":
        value = value[1:-1]
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?", value):
        return value
    return '"' + value.replace('"', '\\"') + '"'


def in_python(text: str) -> str:
    """The text with commands as calls."""
    said, at = [], 0
    while found := _BEGIN.search(text, at):
        said.append(text[at : found.start()])
        call, end = _call(text, found.end())
        if call is None:
            said.append(found.group(0))
            at = found.end()
            continue
        said.append(call)
        at = end + 1 if found.group(0)[0] == "`" and text[end : end + 1] == "`" else end
    return "".join([*said, text[at:]])


class _Words:
    """The words of a command within a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at, self.over = text, at, False

    def next(self) -> tuple[str, int] | None:
        """The next word and where it ends; punctuation after it ends the command."""
        found = None if self.over else _WORD.match(self.text, self.at)
        if found is None:
            return None
        word = found.group(1)
        bare = word.rstrip(".,;:)") if word[0] not in "'\"" and not word.endswith("...") else word
        return (bare, found.end() - (len(word) - len(bare))) if bare else None

    def flag_follows(self, end: int) -> bool:
        """Whether a flag stands after a word, which then is one of the command's."""
        return self.text[end : end + 3] == " --"

    def take(self, end: int) -> None:
        """Goes on after a word."""
        self.at = end
        self.over = self.text[end : end + 1] in tuple(".,;:)`\n") and self.text[end : end + 1] != ""


def _call(text: str, at: int) -> tuple[str | None, int]:
    words = _Words(text, at)
    verb = _verb(words)
    if verb is None:
        return None, at
    name = verb.name
    methods = {method["name"] for method in _commands.methods(verb)}
    flags = {f"--{it.long}": it for it in _commands.arguments(name).values() if it.long}
    given: list[str] = []
    named: list[str] = []
    while word := words.next():
        said, end = word
        if said == "--list" and name in _LISTS:
            return _LISTS[name], end
        if said in methods or said == "METHOD":
            given.append(literal(said) if said in methods else said)
        elif said.startswith("-") and (argument := flags.get("--output" if said == "-o" else said)):
            words.take(end)
            value = words.next() if argument.takes_value else None
            if argument.takes_value and value is None:
                break
            named.append(f"{argument.keyword}={literal(value[0]) if value else 'True'}")
            end = value[1] if value else end
        elif re.fullmatch(r"[A-Z][A-Z_]*(\.\.\.)?", said):
            given.append(said)
        elif re.fullmatch(r"'?<[^<>]+>'?", said):
            given.append(said.strip("'")[1:-1].replace(" ", "_"))
        elif not said.startswith("-") and (re.search(r"[/.]", said) or words.flag_follows(end)):
            given.append(literal(said))
        else:
            break
        words.take(end)
    if methods and len(given) > 1 and given[0].strip('"') in (*methods, "METHOD"):
        given[0], given[1] = given[1], given[0]
    books = [it for it in named if it.startswith("ledger=")] if verb.path[0] == "ledger" else []
    named = [it for it in named if it not in books]
    return f"wayveil.{_named(verb, books)}({', '.join([*given, *named])})", words.at


def _verb(words: _Words) -> _commands.Verb | None:
    """The command, of one word or of two."""
    known = {verb.path: verb for verb in _commands.verbs().values()}
    path: tuple[str, ...] = ()
    for _ in range(2):
        word = words.next()
        if word is None:
            return None
        path += (word[0],)
        words.take(word[1])
        if path in known:
            return known[path]
    return None


def _named(verb: _commands.Verb, books: list[str]) -> str:
    if verb.path[0] == "ledger":
        file = "".join(it.removeprefix("ledger=") for it in books)
        return f"Ledger({file}).{verb.path[1]}"
    return f"federated.{verb.name}" if verb.path[0] == "federate" else verb.name
