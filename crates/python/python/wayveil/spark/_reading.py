"""From events on Spark to people on Spark."""

from __future__ import annotations

import json
import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from .. import _call, _commands, _reading
from .._answer import Answer
from .._data import Data
from .._errors import InputError, UsageError
from . import _executors
from ._people import People, sums

_OF_FEEDS = ("level", "label", "route_type")
"""What shapes a universe when it is made, which executors are sent ready."""
_OF_FILES = ("format", "delimiter", "attribute_names", "itemsets")


def read(
    events: Any,
    *,
    partitions: int | None = None,
    keep: bool = True,
    order: str | list[str] | tuple[str, ...] | None = None,
    **how: Any,
) -> People:
    """Makes people of events: grouped by person, sorted by time, cut into trips, put into time bins, on the executors.

    Parameters:
        events: A DataFrame of Spark with one visit a row, or with a column of lists, as :func:`wayveil.read` has them.
            It must hold the same rows whenever it is computed: what was lost with an executor is computed again.
        partitions: Into how many parts people are put; Spark decides unless given. Where no column names the person, equal
            rows go to one part.
        keep: Whether people are read now, and kept by the executors in memory or on disk. Otherwise they are read anew at
            every question, and what cannot be read is found out after a release was paid for.
        order: Columns by which a person's rows follow each other, since rows have no order on a cluster: for whole
            trajectories, such as the number or the start of a trip; for visits, where several are of one instant, which
            otherwise come in the order of their other columns.
        how: The keywords of :func:`wayveil.read`, with the same meaning: universe, uid, location, datetime, tid, lat,
            lng, nearest, bin_width, max_gap, population and so on.
    """
    given = {keyword: value for keyword, value in how.items() if value is not None and value is not False}
    _check(given)
    _check_frame(events)
    present = list(events.columns)
    columns, owner = _columns(given, present)
    sorting = _order(given, order, present, owner)
    rows = events.select(*[_column(events, name) for name in dict.fromkeys([*columns, *sorting])])
    bare = rows.select(*[_column(rows, name) for name in columns])
    public = _reading.read(dict(given, source=_nothing(bare)), name="<events>", progress=False)
    # What was read here is no row at all.
    public._summary = None
    tables = _tables(given, public)
    if owner is not None:
        rows = rows.repartition(*([partitions] if partitions else []), _column(rows, owner))
        # Whatever way rows took, a person's come in one order, also when they are computed again.
        rows = rows.sortWithinPartitions(*[_column(rows, name) for name in [owner, *sorting, *columns]])
        rows = rows.select(*[_column(rows, name) for name in columns])
    elif partitions:
        # By what a row holds, never by turns: where a part is computed again, turns can give a row to two parts or to none.
        rows = rows.repartition(partitions, *[_column(rows, name) for name in columns])
    given = {keyword: value for keyword, value in given.items() if keyword not in ("universe", *_OF_FEEDS)}
    make = _executors.reading(given, tables, _executors.digest_of(public))
    people = rows.mapInArrow(make, _executors.PEOPLE)
    if not keep:
        return People(people, public)
    people = people.persist()
    try:
        # What cannot be read is said now, before anything is spent.
        summary = _summary(people, public)
    except BaseException:
        people.unpersist()
        raise
    return People(people, public, summary)


def _check(given: dict[str, Any]) -> None:
    known = [keyword for keyword in _commands.arguments("read") if keyword != "source"]
    if wrong := [keyword for keyword in given if keyword not in (*known, "progress")]:
        raise UsageError(f"read has no {wrong[0]}", advice=f"it has {', '.join(known)}")
    if wrong := [keyword for keyword in _OF_FILES if keyword in given]:
        raise UsageError(f"{wrong[0]} is for files; a DataFrame has its own types", advice="leave it out")
    if given.get("universe") == "from-data":
        raise InputError(
            "the locations of records that stay on a cluster cannot be read off them: no label leaves it",
            advice="give the public list: universe=stops",
        )
    given.pop("progress", None)


def _check_frame(events: Any) -> None:
    if not hasattr(events, "mapInArrow"):
        raise UsageError(
            f"{type(events).__name__} is no DataFrame of Spark",
            advice="wayveil.read takes the tables of other packages",
        )


def _columns(given: dict[str, Any], present: list[str]) -> tuple[list[str], str | None]:
    """The columns that will be read, the person first, and which names the person."""
    uid = given.get("uid", "uid")
    if "trajectory" in given or "location" not in given and "location" not in present and _lists(given, present):
        given.setdefault("trajectory", _lists(given, present))
        owner = None if given.get("without_uid") or "uid" not in given and "uid" not in present else uid
        named = [owner, given["trajectory"], given.get("bins_column"), *_several(given.get("attributes"))]
    else:
        owner = uid
        named = _reading._wanted(given, _Named(present))
        when = _several(given.get("datetime", "datetime"))
        named = [uid, *when, *named]
    columns = list(dict.fromkeys(str(name) for name in named if name is not None))
    _check_present(columns, present)
    return columns, owner


def _check_present(columns: list[str], present: list[str]) -> None:
    for name in columns:
        if present.count(name) != 1:
            raise InputError(
                f"the column {name!r} is {'missing' if name not in present else 'there more than once'}",
                file="<events>",
                advice=f"it has {', '.join(present)}",
            )


def _order(given: dict[str, Any], order: Any, present: list[str], owner: str | None) -> list[str]:
    """The columns by which a person's rows follow each other. Of whole trajectories nothing else tells that."""
    columns = _several(order)
    _check_present(columns, present)
    if owner is None and columns:
        raise UsageError("order is about the rows of a person, and every row is a person of its own", advice="leave it out")
    if owner is not None and "trajectory" in given and not columns:
        raise InputError(
            f"which of a person's trajectories comes first? Rows have no order on a cluster, and {owner!r} can have several",
            file="<events>",
            advice=f'name the columns that tell: order="start"; or order={owner!r} where every person has one row',
        )
    return columns


def _lists(given: dict[str, Any], present: list[str]) -> str | None:
    named = [given["trajectory"]] if "trajectory" in given else ["trajectory", "locations"]
    return next((name for name in named if name in present), None)


def _several(value: Any) -> list[str]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else str(value).split(",")


class _Named:
    def __init__(self, columns: list[str]) -> None:
        self.columns = columns


def _column(frame: Any, name: str) -> Any:
    return frame["`" + name.replace("`", "``") + "`"]


def _nothing(rows: Any) -> Any:
    """A table without rows and with the types that executors will see."""
    to_arrow_schema = import_module("pyspark.sql.pandas.types").to_arrow_schema

    try:
        schema = to_arrow_schema(rows.schema, timezone="UTC")
    except TypeError:  # before Spark 4 there was nothing to say
        schema = to_arrow_schema(rows.schema)
    return schema.empty_table()


def _tables(given: dict[str, Any], public: Data) -> dict[str, bytes]:
    """What executors are sent of the public list of locations: the list, and by what else a feed calls them."""
    universe = given.get("universe")
    if universe is None:
        return {}
    tables = {"universe": _executors.universe_of(public)}
    points = any(keyword in given for keyword in _reading._CELLS)
    if isinstance(universe, (str, os.PathLike)) and not points:
        aliases = _aliases(given)
        if aliases.count(b"\n") > 1:
            tables["aliases"] = aliases
    return tables


def _aliases(given: dict[str, Any]) -> bytes:
    """Other names of locations as a table: none but the header, unless the universe is a feed."""
    call = _call.Call("universe", False)
    with tempfile.TemporaryDirectory(prefix="wayveil-") as folder:
        path = Path(folder, "aliases.csv")
        asked = {keyword: given[keyword] for keyword in _OF_FEEDS if keyword in given}
        asked.update(source=given["universe"], output=Path(folder, "universe.csv"))
        words, positions = call.words_of(_commands.arguments("universe"), asked)
        call.run(["universe", *words, f"--aliases={path}", "--", *positions])
        return path.read_bytes()


def _summary(people: Any, public: Data) -> Answer:
    """Has people parsed as for every question, and adds up what reading told: sums, as all that comes from there."""
    asked = {"unit": {"unit": "trip"}, "locations": public.locations, "bins": public.bins, "columns": public.columns}
    question = json.dumps({**asked, "what": "records"})
    found = sums(people.mapInArrow(_executors.checking(question), _executors.TALLY)).to_pydict()
    counts = {(first, second): count for first, second, count in zip(found["first"], found["second"], found["count"])}
    figures = {name: counts.get((1, place), 0) for place, name in enumerate(_executors.FIGURES)}
    text = "\n".join(f"{name.replace('_', ' '):<30} {count:,}" for name, count in figures.items() if count)
    if not counts.get((0, 0)):
        raise InputError(
            f"no record is left of {figures['rows']:,} rows",
            file="<events>",
            advice="look at what was left out: " + (", ".join(text.split("\n")) or "nothing; the frame is empty"),
        )
    return Answer({"internal": True, "locations": public.locations, **figures}, text=text, verb="read")
