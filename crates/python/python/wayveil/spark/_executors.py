"""What runs on executors: rows of events become rows of people, and these are tallied.

Each function is given one partition as an iterator of batches. Nothing here imports pyspark or knows of it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

PEOPLE = "lengths array<int>, codes array<int>, bins array<int>, values array<string>"
"""A person a row, without a name: how long each trip is, all locations, all time bins, each trip's further values."""
TALLY = "first bigint, second bigint, count bigint"
"""What leaves an executor: how often a pair of numbers was counted."""

Batches = Iterator[Any]


def reading(given: dict[str, Any], universe: bytes | None) -> Callable[[Batches], Batches]:
    """Makes people of a partition's events, which must hold all events of a person."""

    def read(batches: Batches) -> Batches:
        from wayveil.spark import _executors

        yield from _executors.people(batches, given, universe)

    return read


def tallying(question: str) -> Callable[[Batches], Batches]:
    """Tallies a partition's people: a row for each pair that occurs in it, however often."""

    def tally(batches: Batches) -> Batches:
        from wayveil.spark import _executors

        yield from _executors.tally(batches, question)

    return tally


def nothing(batches: Batches) -> Batches:
    """Takes every row, and gives none."""
    for _ in batches:
        pass
    yield from ()


def people(batches: Batches, given: dict[str, Any], universe: bytes | None) -> Batches:
    """Reads events as on one machine, and gives the people back."""
    pyarrow = import_module("pyarrow")

    from .. import _reading, _wayveil

    _one_thread()
    first = next((batch for batch in batches if batch.num_rows), None)
    if first is None:
        return
    rows = pyarrow.RecordBatchReader.from_batches(first.schema, _after(first, batches))
    with tempfile.TemporaryDirectory(prefix="wayveil-") as folder:
        given = dict(given, source=rows)
        if universe is not None:
            given["universe"] = Path(folder, "universe.csv")
            given["universe"].write_bytes(universe)
        data = _reading.read(given, name="<events>", progress=False)
        if universe is not None and universe_of(data) != universe:
            raise RuntimeError("the locations of an executor differ from the driver's; use one version of wayveil everywhere")
    yield from pyarrow.table(_wayveil.people_of(data._inner)).to_batches()


def tally(batches: Batches, question: str) -> Batches:
    """Adds up what the question asks for, over the whole partition."""
    pyarrow = import_module("pyarrow")

    from .. import _wayveil

    _one_thread()
    tallier = _wayveil.Tallier(question)
    for batch in batches:
        tallier.add(batch)
    yield from pyarrow.table(tallier.table()).to_batches()


def universe_of(data: Any) -> bytes:
    """The locations of data as a table."""
    with tempfile.TemporaryDirectory(prefix="wayveil-") as folder:
        path = Path(folder, "universe.csv")
        data._inner.save_universe(str(path))
        return path.read_bytes()


def _after(first: Any, batches: Batches) -> Batches:
    yield first
    yield from batches


def _one_thread() -> None:
    """Spark has a task for each core already."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
