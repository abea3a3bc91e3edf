"""What the package knows of the program's commands: their arguments, and what Python calls them.

Everything is read from the program itself; the tables below only rename, hide and say what is answered. A command
that no table names becomes a function under its own name, which answers with an ``Answer``.
"""

from __future__ import annotations

import json
import keyword
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from . import _wayveil

HIDDEN_COMMANDS = {
    ("completions",),
    ("demo",),
    ("man",),
    ("schema",),
    ("federate", "serve"),
    ("federate", "status"),
    ("federate", "join"),
    ("federate", "keygen"),
    ("federate", "enrol"),
    ("federate", "issue"),
}
"""Commands for a shell, and a campaign over the network, which the package is built without: no functions."""


@dataclass(frozen=True)
class Argument:
    """An argument of a command."""

    id: str
    keyword: str
    long: str | None
    short: str | None
    help: str
    value: str | None
    takes_value: bool
    several: bool
    required: bool
    choices: tuple[str, ...]
    defaults: tuple[str, ...]
    type: str
    methods: tuple[str, ...] = ()

    @property
    def positional(self) -> bool:
        """Whether it has no flag."""
        return self.long is None


@dataclass(frozen=True)
class Verb:
    """A function of the package: a command with Python's names."""

    name: str
    path: tuple[str, ...]
    result: str = "Answer"
    renamed: dict[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    by_method: bool = False
    also: tuple[str, ...] = ()


_DATA = {"input": "data", "raw": "data"}
_IN_MEMORY = frozenset({"output", "force", "dry-run"})

_VERBS = (
    Verb(
        "read",
        ("import",),
        "Data",
        {
            "input": "source",
            "uid-column": "uid",
            "trip-column": "tid",
            "location-column": "location",
            "lat-column": "lat",
            "lng-column": "lng",
            "datetime-column": "datetime",
            "trajectory-column": "trajectory",
            "attribute": "attributes",
            "attribute-name": "attribute_names",
        },
        _IN_MEMORY | {"universe-from-data"},
    ),
    Verb("generate", ("generate",), "Data", {"insecure-seed": "seed"}, _IN_MEMORY),
    Verb("publish", ("publish",), "Release", _DATA, by_method=True),
    Verb("audit", ("audit",), by_method=True),
    Verb("evaluate", ("evaluate",), renamed=_DATA | {"metric": "metrics"}, hidden=frozenset({"list"})),
    Verb("attack", ("attack",), renamed=_DATA | {"attack": "attacks"}, hidden=frozenset({"list"})),
    Verb("mine", ("mine",), "Listing", _DATA, frozenset({"csv"})),
    Verb("query", ("query",), "Count", _DATA),
    Verb("advise", ("advise",), "Advice", _DATA),
    Verb("report", ("report",), "Page", _DATA),
    Verb("compare", ("compare",), "Page", _DATA),
    Verb("simulate", ("federate", "simulate"), "Release", _DATA),
)


@cache
def _tree() -> dict[str, Any]:
    return {command["name"]: command for command in json.loads(_wayveil.command_line())}


def _found(path: tuple[str, ...]) -> dict[str, Any]:
    commands = _tree()
    command: dict[str, Any] = {}
    for name in path:
        command = commands[name]
        commands = {inner["name"]: inner for inner in command["commands"]}
    return command


@cache
def verbs() -> dict[str, Verb]:
    """Every function by its name; those of a command with further commands are called by both."""
    known = {verb.path: verb for verb in _VERBS}
    found: dict[str, Verb] = {}
    for name, command in _tree().items():
        paths: list[tuple[str, ...]] = [(name,)]
        if command["commands"] and not (known.get((name,)) or Verb("", ())).by_method:
            paths = [(name, inner["name"]) for inner in command["commands"]]
        for path in paths:
            if path in HIDDEN_COMMANDS:
                continue
            verb = known.get(path) or Verb("_".join(path).replace("-", "_"), path, renamed=_DATA)
            found[verb.name] = verb
    return found


def about(verb: Verb) -> str:
    """What the command does, in one sentence."""
    return str(_found(verb.path)["about"] or "")


def methods(verb: Verb) -> list[dict[str, Any]]:
    """The methods of a command that has one subcommand for each."""
    return list(_found(verb.path)["commands"]) if verb.by_method else []


def _argument(raw: dict[str, Any], verb: Verb, only: tuple[str, ...]) -> Argument:
    name = raw["long"] or raw["id"]
    word = verb.renamed.get(name, name.replace("-", "_"))
    return Argument(
        id=raw["id"],
        keyword=f"{word}_" if keyword.iskeyword(word) else word,
        long=raw["long"],
        short=raw["short"],
        help=raw["help"] or "",
        value=raw["value"],
        takes_value=raw["takes_value"],
        several=raw["several"],
        required=raw["required"],
        choices=tuple(raw["choices"]),
        defaults=tuple(raw["defaults"]),
        type=raw["type"],
        methods=only,
    )


@cache
def arguments(name: str) -> dict[str, Argument]:
    """The arguments of a function by their keywords, positional ones first; of all methods where it has such."""
    verb = verbs()[name]
    command = _found(verb.path)
    inner = command["commands"] if verb.by_method else []
    found: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for source in inner or [command]:
        for raw in source["arguments"]:
            known = found.setdefault(raw["long"] or raw["id"], (raw, []))
            known[1].append(source["name"])
    made = []
    for key, (raw, of) in found.items():
        if key not in verb.hidden:
            everywhere = not inner or len(of) == len(inner)
            made.append(_argument(raw, verb, () if everywhere else tuple(of)))
    made.sort(key=lambda it: not it.positional)
    return {argument.keyword: argument for argument in made}
