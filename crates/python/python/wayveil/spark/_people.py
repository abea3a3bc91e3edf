"""People whose trips stay on a cluster."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .._answer import Answer
from .._data import Data
from .._elsewhere import Elsewhere
from . import _executors


class People(Elsewhere):
    """People on Spark, made by :func:`wayveil.spark.read`: a row each, without a name, in a frame that stays there.

    Goes where data goes in :func:`wayveil.publish`. The executors keep the frame, for every level of a tree is
    counted on it; :meth:`forget` lets it go.
    """

    def __init__(self, frame: Any, public: Data, summary: Answer | None = None) -> None:
        super().__init__(public)
        self._frame = frame
        self._summary = summary

    @property
    def summary(self) -> Answer | None:
        """What reading did, with everything that was left out, counted; none where people are not kept. These numbers are
        exact. Internal: not for publication."""
        return self._summary

    def _ask(self, question: str) -> Any:
        """Counts on the executors. A row for each pair and partition is sent between them, a row for each pair here."""
        return sums(self._frame.mapInArrow(_executors.tallying(question), _executors.TALLY))

    def forget(self) -> None:
        """Lets the executors forget what they keep; asking again makes it anew."""
        self._frame.unpersist()

    def __enter__(self) -> People:
        return self

    def __exit__(self, *_: object) -> None:
        self.forget()

    def __repr__(self) -> str:
        return f"<people on Spark, of whom this is public: {self.public!r}>"


def sums(parts: Any) -> Any:
    """The tallies of all partitions, added up on the executors, as an Arrow table."""
    functions = import_module("pyspark.sql.functions")
    pyarrow = import_module("pyarrow")

    frame = parts.groupBy("first", "second").agg(functions.sum("count").alias("count"))
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    rows = frame.collect()
    names = ("first", "second", "count")
    return pyarrow.table({name: pyarrow.array([row[name] for row in rows], pyarrow.int64()) for name in names})
