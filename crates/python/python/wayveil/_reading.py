"""Reading raw data: files by the program's readers, tables of other packages where they lie."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from . import _commands, _frames, _wayveil
from ._answer import Answer
from ._data import Data
from ._errors import Error, InputError, UsageError
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


def read(given: dict[str, Any], *, name: str = "<data>", progress: Any = None, scratch: str | None = None) -> Data:
    """Reads what :func:`wayveil.read` is given; ``name`` is what errors call a table, ``scratch`` the folder in which
    what is too long for memory is sorted. ``aliases`` among the given is a table of other names of the locations, for
    executors, who do not have the feed."""
    from ._call import Call, in_words_of

    source = _frames.listed(given["source"])
    given = {keyword: value for keyword, value in given.items() if value is not None and value is not False}
    given["source"] = source
    more = [keyword for keyword in given if keyword != "source"]
    if isinstance(source, Data):
        if more:
            raise UsageError(f"this was read already, and takes no {more[0]}", advice="read the table or file anew")
        return source
    call = Call("read", progress)
    if isinstance(source, Release):
        raise _released(os.fspath(source.path))
    if isinstance(source, (str, os.PathLike)):
        if not more:
            return _opened(source)
        if "format" not in given and _is_data_file(source):
            raise UsageError(f"{os.fspath(source)} is a data file, and takes no {more[0]}", advice="wayveil.read(path)")
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
    aliases = given.pop("aliases", None)
    if aliases is not None:
        flags.append(f"--aliases={os.fspath(aliases)}")
    words, positions = call.words_of(_commands.arguments("read"), given)
    output = nowhere() if scratch is None else os.path.join(scratch, "<data>")
    flags += [f"--output={output}", "--force"]
    try:
        _, object_, text, kept = call.run(["import", *words, *flags, "--", *positions], keep=output)
    except InputError as error:
        if name in call.tables and error.column and "type Float" in error.message:
            # Whole numbers with gaps become fractions in pandas.
            column = error.column
            error.advice = f'{error.advice}: frame = frame.dropna(subset=["{column}"]).astype({{"{column}": "Int64"}})'
        raise
    if kept is None:
        raise InputError("there are no trajectories in it", file=str(given["source"]))
    if name in call.tables and call.tables[name][1] is None and not _rows(object_):
        raise InputError("there are no rows in it", file=name, advice="a reader or stream can be read once: make it anew")
    return Data(kept, summary(object_, text, "read"))


def _opened(source: str | os.PathLike[str]) -> Data:
    from ._call import in_words_of

    with in_words_of("read"):
        opened = _wayveil.Data.open(os.fspath(source))
    if opened is None:
        raise _released(os.fspath(source))
    return Data(opened)


def _is_data_file(source: str | os.PathLike[str]) -> bool:
    try:
        return _wayveil.Data.open(os.fspath(source)) is not None
    except Error:
        return False


def _rows(object_: dict[str, Any]) -> int:
    return int(object_.get("rows") or object_.get("records") or 0)


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
    if _frames.is_geopandas(source):
        # The geometry is what counts, also beside columns of degrees that nobody has named.
        source = source.drop(columns=[it for it in ("lat", "lng") if it in source.columns and it not in given])
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
    present = getattr(source, "column_names", getattr(source, "columns", ()))
    points = any(cell in given for cell in _CELLS)
    wanted = [given.get("uid", "uid")]
    wanted += [given.get("lat", "lat"), given.get("lng", "lng")] if points else [given.get("location", "location")]
    if "tid" in given or "tid" in present:
        wanted.append(given.get("tid", "tid"))
    for keyword, usual in (("datetime", "datetime"), ("attributes", None)):
        value = given.get(keyword, usual)
        if isinstance(value, (list, tuple)):
            wanted += value
        elif value is not None:
            wanted += str(value).split(",")
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
