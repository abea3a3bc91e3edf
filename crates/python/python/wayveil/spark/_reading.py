"""From events on Spark to people on Spark."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import _reading
from .._errors import InputError, UsageError
from . import _executors
from ._people import People

_OF_FEEDS = ("level", "label", "route_type")
"""What shapes a universe when it is made, which executors are sent ready."""
_OF_FILES = ("format", "delimiter", "attribute_names", "itemsets")


def read(
    events: Any,
    *,
    partitions: int | None = None,
    keep: bool = True,
    **how: Any,
) -> People:
    """Makes people of events: grouped by person, sorted by time, cut into trips, put into time bins, on the executors.

    Parameters:
        events: A DataFrame of Spark with one visit a row, or with a column of lists, as :func:`wayveil.read` has them.
            It must hold the same rows whenever it is computed: what was lost with an executor is computed again.
        partitions: Into how many parts people are put; Spark decides unless given.
        keep: Whether people are read now, and kept by the executors in memory or on disk. Otherwise they are read anew at
            every question, and what cannot be read is found out after a release was paid for.
        how: The keywords of :func:`wayveil.read`, with the same meaning: universe, uid, location, datetime, tid, lat,
            lng, nearest, bin_width, max_gap, population and so on. Visits of a person at one instant come in the order of
            their other columns, since rows have no order on a cluster.
    """
    given = {keyword: value for keyword, value in how.items() if value is not None and value is not False}
    _check(given)
    _check_frame(events)
    columns, owner = _columns(given, list(events.columns))
    rows = events.select(*[_column(events, name) for name in columns])
    public = _reading.read(dict(given, source=_nothing(rows)), name="<events>", progress=False)
    universe = None
    if "universe" in given:
        universe = _executors.universe_of(public)
        given = {keyword: value for keyword, value in given.items() if keyword not in ("universe", *_OF_FEEDS)}
    if owner is not None:
        rows = rows.repartition(*([partitions] if partitions else []), _column(rows, owner))
        # Whatever way rows took, a person's come in one order, also when they are computed again.
        rows = rows.sortWithinPartitions(*[_column(rows, name) for name in columns])
    elif partitions:
        rows = rows.repartition(partitions)
    people = rows.mapInArrow(_executors.reading(given, universe), _executors.PEOPLE)
    if keep:
        people = people.persist()
        # What cannot be read is said now, before anything is spent.
        people.mapInArrow(_executors.nothing, _executors.TALLY).collect()
    return People(people, public)


def _check(given: dict[str, Any]) -> None:
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
    for name in columns:
        if present.count(name) != 1:
            raise InputError(
                f"the column {name!r} is {'missing' if name not in present else 'there more than once'}",
                file="<events>",
                advice=f"it has {', '.join(present)}",
            )
    return columns, owner


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
