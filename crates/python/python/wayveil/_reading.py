"""Reading raw data: files by the program's readers, tables of other packages where they lie."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from . import _commands, _frames, _wayveil
from ._answer import Answer
from ._data import Data
from ._errors import InputError, UsageError
from ._release import Release

POPULATION = "data"
"""The account of people whose data has no file's name."""

_CELLS = ("area", "grid", "h3", "nearest")


def nowhere() -> str:
    """The name of an output that stays in memory; what is too long for that is sorted beside it."""
    return os.path.join(tempfile.gettempdir(), "<data>")


def summary(object_: dict[str, Any], text: str, verb: str) -> Answer:
    """What was read or made, without the output that was not written."""
    values = {name: value for name, value in object_.items() if name != "output"}
    lines = [line for line in text.splitlines() if not line.startswith("wrote ")]
    return Answer(values, text="\n".join(lines), verb=verb)


def read(given: dict[str, Any], *, name: str = "<data>", progress: Any = None) -> Data:
    """Reads what :func:`wayveil.read` is given; ``name`` is what errors call a table."""
    from ._call import Call, in_words_of

    source = given["source"]
    if isinstance(source, Data):
        return source
    given = {keyword: value for keyword, value in given.items() if value is not None and value is not False}
    call = Call("read", progress)
    if isinstance(source, Release):
        raise _released(os.fspath(source.path))
    if isinstance(source, (str, os.PathLike)):
        if list(given) == ["source"]:
            with in_words_of("read"):
                opened = _wayveil.Data.open(os.fspath(source))
            if opened is None:
                raise _released(os.fspath(source))
            return Data(opened)
        given["source"] = os.fspath(source)
    else:
        _take_over(call, given, name)
    flags = []
    universe = given.pop("universe", None)
    if isinstance(universe, str) and universe == "from-data":
        flags.append("--universe-from-data")
    elif universe is not None:
        path = _frames.universe_file(universe, call.folder())
        if not isinstance(universe, (str, os.PathLike)):
            call.hidden[path] = "<universe>"
        flags.append(f"--universe={path}")
    words, positions = call.words_of(_commands.arguments("read"), given)
    output = nowhere()
    flags += [f"--output={output}", "--force"]
    try:
        _, object_, text, kept = call.run(["import", *words, *flags, "--", *positions], keep=output)
    except InputError as error:
        if name in call.tables and error.column and "type Float" in error.message:
            # Whole numbers with gaps become fractions in pandas.
            column = error.column
            error.advice = f'{error.advice}: frame["{column}"] = frame["{column}"].astype("Int64")'
        raise
    if kept is None:
        raise InputError("there are no trajectories in it", file=str(given["source"]))
    return Data(kept, summary(object_, text, "read"))


def _released(path: str) -> InputError:
    return InputError("this is a release, not raw data", file=path, advice="wayveil.open(folder)")


def _take_over(call: Any, given: dict[str, Any], name: str) -> None:
    """Hands a table over, and says which of its columns are what where that was left open."""
    source = given["source"]
    if "format" in given:
        raise UsageError(f"format={given['format']!r} is for files; a table has its own types", advice="leave it out")
    if not _frames.is_frame(source) and not _frames.is_lists(source):
        raise UsageError(
            f"{type(source).__name__} is no path, table or list of trajectories",
            advice="tables of pandas, polars, pyarrow and DuckDB are taken as they are",
        )
    table, rows = _frames.table_of(source, name, _wanted(given, source))
    columns = dict(table.columns())
    given.setdefault("population", POPULATION)
    given["format"] = "parquet"
    if "trajectory" not in given and (lists := _list_column(columns, given)):
        given["trajectory"] = lists
    if "trajectory" in given:
        if "uid" not in given and "uid" not in columns:
            given.setdefault("without_uid", True)
    else:
        if "tid" not in given and "tid" in columns:
            given["tid"] = "tid"
        points = {"lat", "lng"} <= set(columns) or "binary" in columns.values()
        asked = any(cell in given for cell in _CELLS)
        if "location" not in given and "location" not in columns and points and not asked:
            # The program then says what turns points into locations.
            given["format"] = "gps"
    given["source"] = name
    call.tables[name] = (table, rows)


def _wanted(given: dict[str, Any], source: Any) -> list[str]:
    """The columns that will be read, where that can be told before."""
    if "trajectory" in given:
        return []
    present = source.columns if _frames.is_pandas(source) else ()
    points = any(cell in given for cell in _CELLS)
    wanted = [given.get("uid", "uid")]
    wanted += [given.get("lat", "lat"), given.get("lng", "lng")] if points else [given.get("location", "location")]
    if "tid" in given or "tid" in present:
        wanted.append(given.get("tid", "tid"))
    for keyword, usual in (("datetime", "datetime"), ("attributes", None)):
        value = given.get(keyword, usual)
        wanted += value.split(",") if isinstance(value, str) else list(value or ())
    return [str(name) for name in wanted]


def _list_column(columns: dict[str, str], given: dict[str, Any]) -> str | None:
    """The column of lists that is a trajectory: by its usual name, or the only one; none beside a location."""
    lists = [name for name, kind in columns.items() if kind == "list" and name != given.get("bins_column")]
    if "location" in given or "location" in columns:
        return None
    usual = [name for name in ("trajectory", "locations") if name in lists]
    if usual:
        return usual[0]
    return lists[0] if len(lists) == 1 else None
