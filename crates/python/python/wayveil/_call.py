"""A call becomes the words of a command; what the command answers becomes a value."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from . import _commands, _frames, _reading, _wayveil, _words, _wording
from ._advice import Advice
from ._answer import Answer, Count, Listing
from ._commands import Argument
from ._data import Data
from ._elsewhere import Elsewhere
from ._errors import Error, InputError, UsageError
from ._mechanism import Mechanism
from ._page import Page
from ._progress import Ear
from ._ledger import LedgerFile
from ._release import Release, Temporary

_FILES = ("output", "plot", "ledger", "taxonomy", "taxonomy_gtfs", "settings")
"""Keywords that take the path of a file and nothing else, but for what is written down for them."""
_process: list[int] = []


def check_process() -> None:
    """The threads that do the work do not survive a fork: what would hang is refused."""
    if not _process:
        _process.append(os.getpid())
    if _process[0] != os.getpid():
        raise Error(
            "this process was forked from one that had used wayveil, and has none of its threads",
            advice='begin processes anew: multiprocessing.get_context("spawn")',
        )


@contextmanager
def in_words_of(verb: str, hidden: Mapping[str, str] | None = None) -> Iterator[None]:
    """Failures within speak of this function's keywords."""
    try:
        yield
    except Error as error:
        raise _wording.reworded(error, verb, dict(hidden or {})) from None


class Call:
    """A call on its way to the program, with everything that it brings along in memory or in temporary files."""

    def __init__(self, verb: str, progress: Any = None, universe: Any = None) -> None:
        self.verb = verb
        self.progress = progress
        self.universe = universe
        self.held: dict[str, _wayveil.Data] = {}
        self.tables: dict[str, tuple[_wayveil.Table, int | None]] = {}
        self.counted: dict[str, tuple[_wayveil.Data, Any]] = {}
        self.mechanisms: dict[str, Mechanism] = {}
        self.population: str | None = None
        self.hidden: dict[str, str] = {}
        self.first: Any = None
        self._takes_universe = False
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def folder(self) -> Path:
        """A folder for what the program reads from files; gone after the call."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="wayveil-")
        return Path(self._folder.name)

    def file(self, name: str, stands_for: str) -> Path:
        """A file in that folder, which errors call by another name."""
        path = self.folder() / name
        self.hidden[str(path)] = f"<{stands_for}>"
        return path

    def run(
        self, words: list[str], *, keep: str | None = None, audited: str | None = None
    ) -> tuple[bool, Any, str, _wayveil.Data | None]:
        """Runs the words: whether the answer is a yes, the object, the text, and data that was kept."""
        check_process()
        ear = Ear(self.progress, self._said)
        try:
            with in_words_of(self.verb, self.hidden):
                ok, object_, text, kept = _wayveil.run(
                    words,
                    held=self.held,
                    tables=self.tables,
                    counted=self.counted,
                    keep=keep,
                    mechanisms=self.mechanisms,
                    audited=audited,
                    ear=ear,
                )
        except BaseException:
            # The failure is what counts, also where warnings are errors.
            with suppress(Warning):
                ear.give_warnings()
            raise
        finally:
            if self._folder is not None:
                self._folder.cleanup()
        ear.give_warnings()
        return ok, json.loads(object_), self._said(text), kept

    def _said(self, text: str) -> str:
        """What the program says, in Python's words."""
        for path, name in self.hidden.items():
            text = text.replace(path, name)
        return _wording.in_python(text, self.verb)

    def words_of(self, arguments: Mapping[str, Argument], given: Mapping[str, Any]) -> tuple[list[str], list[str]]:
        """Flags and positional words."""
        flags: list[str] = []
        positions: list[str] = []
        for keyword, argument in arguments.items():
            value = self._prepared(argument, given.get(keyword))
            (positions if argument.positional else flags).extend(_words.words(argument, value))
        return flags, positions

    def _prepared(self, argument: Argument, value: Any) -> Any:
        if value is None:
            return None
        if self.verb == "evaluate" and argument.long == "publish":
            several = value if isinstance(value, list) else [value]
            return [self.known(it) if isinstance(it, Mechanism) else _words.candidate(it) for it in several]
        if self.verb == "evaluate" and argument.long == "sweep":
            return _words.sweep(value)
        if argument.type != "path":
            return value
        if isinstance(value, LedgerFile):
            return value.path
        if argument.several:
            several = [value] if _is_one_source(value) else list(value)
            names = [argument.keyword.removesuffix("s") + f" {at}" for at in range(1, len(several) + 1)]
            return [self.source(it, name) for it, name in zip(several, names)]
        if isinstance(value, Mapping):
            return str(self._written(argument, value))
        if not argument.positional and argument.keyword in _FILES and not isinstance(value, (str, os.PathLike)):
            raise UsageError(f"{argument.keyword} is a path, not {type(value).__name__}")
        return self.source(value, argument.keyword)

    def _written(self, argument: Argument, value: Mapping[str, Any]) -> Path:
        """A mapping as the file that the program wants."""
        if argument.keyword == "taxonomy":
            path = self.file("taxonomy.csv", "taxonomy")
            with path.open("w", newline="", encoding="utf-8") as lines:
                csv.writer(lines).writerows([("label", "parent"), *value.items()])
        else:
            path = self.file(f"{argument.keyword}.json", argument.keyword)
            path.write_text(json.dumps(value), encoding="utf-8")
        return path

    def source(self, value: Any, name: str) -> str:
        """The name under which the program finds this: a path, or data in memory."""
        if self.first is None:
            self.first = value
        if isinstance(value, Mechanism):
            return self.known(value)
        if isinstance(value, Release):
            return os.fspath(value.path)
        if isinstance(value, (str, os.PathLike)):
            return os.fspath(value)
        if isinstance(value, Elsewhere):
            self.counted[f"<{name}>"] = (value.public._inner, value._ask)
            return f"<{name}>"
        if not isinstance(value, Data) and hasattr(value, "path"):
            return "" if value.path is None else os.fspath(value.path)
        if isinstance(value, type) and issubclass(value, Mechanism):
            raise UsageError(f"{value.__name__} is a class", advice=f"give an object of it: {value.__name__}()")
        if not isinstance(value, Data):
            value = self._read(value, name)
        self.held[f"<{name}>"] = value._inner
        return f"<{name}>"

    def known(self, mechanism: Mechanism) -> str:
        """The name under which the program finds a mechanism."""
        name = "-".join(mechanism.name.split()) or "python"
        listed = {it["name"] for it in _commands.methods(_commands.verbs()["publish"])}
        while name in listed or self.mechanisms.get(name, mechanism) is not mechanism:
            name += "'"
        self.mechanisms[name] = mechanism
        return name

    def _read(self, frame: Any, name: str) -> Data:
        """A table of another package: with the universe that was given, or that of the data before it."""
        if not _frames.is_frame(frame) and not _frames.is_lists(frame):
            raise UsageError(
                f"{type(frame).__name__} is neither data nor a release, a path or a table",
                advice="wayveil.read takes pandas, polars, pyarrow, DuckDB and lists of labels",
            )
        universe = self.universe
        self._takes_universe = True
        if universe is None and self.first is not frame:
            universe = self._universe_of_first()
        given = {"source": frame, "universe": universe, "population": self.population}
        try:
            return _reading.read(given, name=f"<{name}>", progress=self.progress)
        except InputError as error:
            if error.advice and "=" in error.advice and not isinstance(error, UsageError):
                error.advice += "; such things are said to wayveil.read, whose data goes in here"
            raise

    def check_universe(self) -> None:
        """Whoever says what the locations are, of data that has its own, expects something that does not happen."""
        for name, value in (("universe", self.universe), ("population", self.population)):
            if value is not None and not self._takes_universe:
                raise UsageError(
                    f"{name} is for tables of other packages; this data has its own", advice=f"leave out {name}"
                )

    def _universe_of_first(self) -> Any:
        first = self.first
        if isinstance(first, (str, os.PathLike)):
            opened = _wayveil.Data.open(os.fspath(first))
            first = Release(first) if opened is None else Data(opened)
        if not isinstance(first, Data):
            return first if isinstance(first, Release) else None
        # For a comparison in memory it does not matter where the locations come from.
        path = self.folder() / "locations.csv"
        first._inner.save_universe(str(path))
        return path


def _is_one_source(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(each, (list, tuple)) for each in value)
    return True


def _perform(name: str, given: dict[str, Any], **more: Any) -> tuple[Call, bool, Any, str, _wayveil.Data | None]:
    verb = _commands.verbs()[name]
    arguments = _commands.arguments(name)
    call = Call(name, given.get("progress"), None if "universe" in arguments else given.get("universe"))
    call.population = None if "population" in arguments else given.get("population")
    path = list(verb.path)
    audited = None
    if verb.by_method:
        method = given["method"]
        if isinstance(method, Mechanism):
            audited = _audited(call, name, method, given)
            arguments = {key: it for key, it in arguments.items() if not it.methods}
            path = []
        else:
            known = [it["name"] for it in _commands.methods(verb)]
            if isinstance(method, type) and issubclass(method, Mechanism):
                raise UsageError(f"{method.__name__} is a class", advice=f"give an object of it: {method.__name__}()")
            if method not in known:
                said = json.dumps(method) if isinstance(method, str) else repr(method)
                raise UsageError(f"there is no method {said}", advice=f"choose one of: {', '.join(known)}")
            path.append(method)
    flags, positions = call.words_of(arguments, given)
    call.check_universe()
    flags += more.pop("flags", [])
    words = [*path, *flags, *(["--", *positions] if positions else [])]
    ok, object_, text, kept = call.run(words, audited=audited, **more)
    return call, ok, object_, text, kept


def _audited(call: Call, name: str, mechanism: Mechanism, given: dict[str, Any]) -> str:
    if name != "audit":
        raise InputError(
            f"{mechanism.name} is written in Python, and nobody here has checked what it promises: it is never published",
            advice="try it out: wayveil.evaluate(data, publish=[mechanism]), and wayveil.audit(mechanism)",
        )
    foreign = [key for key, it in _commands.arguments(name).items() if it.methods and given.get(key) not in (None, False)]
    foreign = [key for key in foreign if key != "epsilon"]
    if foreign:
        raise UsageError(f"{mechanism.name} takes no {foreign[0]}: its parameters are its own")
    if given.get("against") is None:
        given["against"] = given.get("epsilon") or mechanism.epsilon
    return call.known(mechanism)


def answer(name: str, given: dict[str, Any]) -> Answer:
    """The object that a command answers with."""
    _, ok, object_, text, _ = _perform(name, given)
    values = object_ if isinstance(object_, dict) else {"text": object_}
    return Answer(values, ok=ok, text=text, verb=name)


def listing(name: str, given: dict[str, Any]) -> Listing:
    """The objects that a command answers with."""
    _, _, object_, text, _ = _perform(name, given)
    return Listing(object_, text=text, title=name)


def count(name: str, given: dict[str, Any]) -> Count:
    """The number that a command answers with."""
    _, _, object_, text, _ = _perform(name, given)
    return Count._of(object_, text)


def release(name: str, given: dict[str, Any]) -> Release:
    """The release that a command writes; in a temporary folder where no other is named."""
    temporary = None
    if given.get("output") is None:
        temporary = Temporary("wayveil-release-")
        given["output"] = os.path.join(temporary.name, "release")
    try:
        _, ok, object_, text, _ = _perform(name, given)
    except BaseException as raised:
        if temporary is not None and os.path.exists(os.path.join(given["output"], "manifest.json")):
            # A warning that is an error, or a function for progress: the release is complete and paid for.
            temporary.keep()
            _add_note(raised, f"the release is complete all the same, and lies in {given['output']}")
        raise
    made = Answer(object_, ok=ok, text=text, verb=name)
    return Release(given["output"], answer=made, temporary=temporary)


def _add_note(raised: BaseException, text: str) -> None:
    """A line under an error, where Python can."""
    if hasattr(raised, "add_note"):
        raised.add_note(text)


def page(name: str, given: dict[str, Any]) -> Page:
    """The page that a command draws; it stays in memory where no file is named."""
    (ok, object_, text), html = _with_file(name, given, "output", "page.html")
    return Page(object_, html=html, ok=ok, text=text, verb=name)


def advice(name: str, given: dict[str, Any]) -> Advice:
    """Advice, with the picture that the program draws of it."""
    (ok, object_, text), svg = _with_file(name, given, "plot", "plot.svg")
    return Advice(object_, svg=svg, given=given, ok=ok, text=text, verb=name)


def _with_file(name: str, given: dict[str, Any], keyword: str, file: str) -> tuple[tuple[bool, Any, str], str]:
    """An answer, and the text of a file that comes with it: a temporary one where none is named."""
    with tempfile.TemporaryDirectory(prefix="wayveil-") as folder:
        named = given.get(keyword)
        path = Path(folder, file) if named is None else Path(named)
        _, ok, object_, text, _ = _perform(name, {**given, keyword: path})
        drawn = path.read_text(encoding="utf-8") if path.exists() else ""
    if named is None:
        object_.pop(keyword, None)
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("wrote "))
    return (ok, object_, text), drawn


def data(name: str, given: dict[str, Any]) -> Data:
    """The data that a command makes; it stays in memory."""
    if name == "read":
        return _reading.read(given, progress=given.pop("progress", None))
    output = _reading.nowhere()
    _, _, object_, text, kept = _perform(name, given, keep=output, flags=[f"--output={output}", "--force"])
    if kept is None:
        raise InputError("no data was made")
    return Data(kept, _reading.summary(object_, text, name))


def listed(name: str) -> Listing:
    """What a command lists."""
    call = Call(name)
    _, object_, text, _ = call.run([name, "--list"])
    return Listing(object_, text=text, title=name)
