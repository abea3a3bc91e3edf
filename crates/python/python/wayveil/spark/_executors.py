"""What runs on executors: rows of events become rows of people, and these are tallied.

Each function is given one partition as an iterator of batches. Nothing here imports pyspark or knows of it.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

PEOPLE = "lengths array<int>, codes array<int>, bins array<int>, values array<string>"
"""A person a row, without a name: how long each trip is, all locations, all time bins, each trip's further values. A row
without a trip is nobody's: its values are the figures of a partition."""
TALLY = "first bigint, second bigint, count bigint"
"""What leaves an executor: how often a pair of numbers was counted."""
FIGURES = (
    "rows",
    "records",
    "owners",
    "symbols",
    "unknown_visits",
    "outside_area",
    "invalid_points",
    "outside_axis",
    "owners_without_known_location",
    "duplicates",
    "stays_collapsed",
)
"""What reading tells of itself and can be added up."""

Batches = Iterator[Any]


def reading(given: dict[str, Any], tables: dict[str, bytes], locations: str) -> Callable[[Batches], Batches]:
    """Makes people of a partition's events, which must hold all events of a person.

    ``tables`` are keywords that take a file, with what is in it; ``locations`` is what :func:`digest_of` says of them.
    """
    return _there("people", given, tables, locations)


def tallying(question: str) -> Callable[[Batches], Batches]:
    """Tallies a partition's people: a row for each pair that occurs in it, however often."""
    return _there("tally", question)


def checking(question: str) -> Callable[[Batches], Batches]:
    """Reads a partition's people as every question will: (0, ·) is the tally, (1, place) each of the figures."""
    return _there("check", question)


def _there(name: str, *given: Any) -> Callable[[Batches], Batches]:
    """A function of this module for executors. What is returned is sent as a whole, so that it compares versions also where
    the executor has another one of this module."""
    ours = import_module("wayveil").__version__

    def run(batches: Batches) -> Batches:
        import wayveil

        if wayveil.__version__ != ours:
            raise RuntimeError(
                f"an executor has wayveil {wayveil.__version__} and the driver {ours}; use one version everywhere on the cluster"
            )
        from wayveil.spark import _executors

        yield from getattr(_executors, name)(batches, *given)

    return run


def people(batches: Batches, given: dict[str, Any], tables: dict[str, bytes], locations: str) -> Batches:
    """Reads events as on one machine, and gives the people back."""
    pyarrow = import_module("pyarrow")

    from .. import _reading, _wayveil

    _one_thread()
    first = next((batch for batch in batches if batch.num_rows), None)
    if first is None:
        return
    rows = pyarrow.RecordBatchReader.from_batches(first.schema, _after(first, batches))
    with tempfile.TemporaryDirectory(prefix="wayveil-", dir=_local_folder()) as folder:
        given = dict(given, source=rows)
        for keyword, content in tables.items():
            given[keyword] = Path(folder, f"{keyword}.csv")
            given[keyword].write_bytes(content)
        data = _reading.read(given, name="<events>", progress=False, scratch=folder)
        if digest_of(data) != locations:
            raise RuntimeError("the locations of an executor differ from the driver's; use one version of wayveil everywhere")
    found = pyarrow.table(_wayveil.people_of(data._inner))
    told: Mapping[str, Any] = data.summary or {}
    figures = [str(told.get(name) or 0) for name in FIGURES]
    nobodys = {**{name: [[]] for name in found.column_names}, "values": [figures]}
    yield pyarrow.RecordBatch.from_pydict(nobodys, schema=found.schema)
    yield from found.to_batches()


def tally(batches: Batches, question: str) -> Batches:
    """Adds up what the question asks for, over the whole partition."""
    yield from _tallied(batches, question).to_batches()


def check(batches: Batches, question: str) -> Batches:
    """Tallies, and adds up what reading told."""
    pyarrow, compute = import_module("pyarrow"), import_module("pyarrow.compute")

    figures = [0] * len(FIGURES)

    def heard() -> Batches:
        for batch in batches:
            nobodys = compute.equal(compute.list_value_length(batch.column("lengths")), 0)
            for told in batch.column("values").filter(nobodys).to_pylist():
                figures[:] = [sum(pair) for pair in zip(figures, map(int, told))]
            yield batch

    counted = _tallied(heard(), question)
    yield from counted.to_batches()
    columns = [[1] * len(figures), range(len(figures)), figures]
    yield pyarrow.record_batch([pyarrow.array(column, pyarrow.int64()) for column in columns], schema=counted.schema)


def _tallied(batches: Batches, question: str) -> Any:
    """A partition's tally as a table of Arrow."""
    pyarrow = import_module("pyarrow")

    from .. import _wayveil

    _one_thread()
    tallier = _wayveil.Tallier(question)
    for batch in batches:
        tallier.add(batch)
    return pyarrow.table(tallier.table())


def universe_of(data: Any) -> bytes:
    """The locations of data as a table."""
    with tempfile.TemporaryDirectory(prefix="wayveil-", dir=_local_folder()) as folder:
        path = Path(folder, "universe.csv")
        data._inner.save_universe(str(path))
        return path.read_bytes()


def digest_of(data: Any) -> str:
    """What tells the locations of data from others."""
    return hashlib.sha256(universe_of(data)).hexdigest()


def _after(first: Any, batches: Batches) -> Batches:
    yield first
    yield from batches


def _local_folder() -> str | None:
    """Where Spark keeps what does not fit memory, if that is said; rows are raw, and long."""
    # YARN tells it to everything in a container by a name of its own, which is Spark's choice there, too.
    listed = os.environ.get("LOCAL_DIRS" if "CONTAINER_ID" in os.environ else "SPARK_LOCAL_DIRS", "")
    for folder in listed.split(","):
        if folder and os.path.isdir(folder) and os.access(folder, os.W_OK):
            return folder
    return None


def _one_thread() -> None:
    """Spark has a task for each core already."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
