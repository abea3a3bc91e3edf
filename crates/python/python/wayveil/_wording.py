"""The program's advice speaks of flags and commands; here it is put into keywords and functions."""

from __future__ import annotations

import re

from . import _calls, _commands
from ._calls import literal
from ._commands import Argument
from ._errors import Error

_FLAG = re.compile(r"(?<![\w-])(--[a-z0-9][a-z0-9-]*|-o)(?![\w-])")
# What may follow a flag as its value: a placeholder, a number, something quoted, or something with a sign in it.
_VALUE = re.compile(
    r"""[ =](
        <[^<>]+>
      | '[^']*'
      | "[^"]*"
      | [A-Z][A-Z0-9,|x_=…\[\]%-]*(?![a-z])
      | -?[0-9][0-9A-Za-z.,:/%x_-]*
      | [A-Za-z0-9_…\[\]-]*[=,./][A-Za-z0-9_=,./…\[\]-]*
    )""",
    re.VERBOSE,
)


def reworded(error: Error, verb: str, hidden: dict[str, str]) -> Error:
    """The error in Python's words; ``hidden`` are names of temporary files and what they stand for."""
    known = [error.message, error.advice, error.file]
    for path, name in hidden.items():
        known = [None if text is None else text.replace(path, name) for text in known]
    message, advice, error.file = known
    error.message = in_python(message or "", verb)
    error.advice = None if advice is None else in_python(advice, verb)
    error.args = (error.message,)
    return error


def in_python(text: str, verb: str) -> str:
    """A sentence of the program, for who calls this function."""
    text = _calls.in_python(text)
    arguments = _commands.arguments(verb).values()
    for it in arguments:
        if it.positional and it.value:
            # As a parser writes what has no flag: <INPUT>, [RELEASE], <LOCATION>...
            text = re.sub(rf"'?[<\[]{re.escape(it.value)}[>\]](?:\.\.\.)?'?", it.keyword, text)
    return _flags(text, {f"--{it.long}": it for it in arguments if it.long}, verb)


def _flags(text: str, flags: dict[str, Argument], verb: str) -> str:
    said = []
    at = 0
    while found := _FLAG.search(text, at):
        said.append(text[at : found.start()])
        flag, at = found.group(1), found.end()
        flag = "--output" if flag == "-o" else flag
        argument = flags.get(flag) or _elsewhere(flag)
        if argument is None:
            said.append(flag.removeprefix("--").replace("-", "_"))
            continue
        value = None
        if argument.takes_value and (after := _VALUE.match(text, at)):
            value = after.group(1)
        if value is None and argument.takes_value:
            for choice in argument.choices:
                if re.match(rf" {re.escape(choice)}\b", text[at:]):
                    value = choice
        if value is not None:
            value = value.rstrip(".,;:")
            at = at + 1 + len(value)
            said.append(f"{argument.keyword}={literal(value)}")
        elif argument.takes_value:
            said.append(argument.keyword)
        elif argument.long == "universe-from-data" and verb == "read":
            said.append('universe="from-data"')
        else:
            said.append(f"{argument.keyword}=True")
    said.append(text[at:])
    return "".join(said)


def _elsewhere(flag: str) -> Argument | None:
    """A flag of another function, under that one's name; the first that has it."""
    long = flag.removeprefix("--")
    if long == "universe-from-data":
        return _commands.arguments("publish").get("universe_from_data")
    for name in _commands.verbs():
        for argument in _commands.arguments(name).values():
            if argument.long == long:
                return argument
    return None
