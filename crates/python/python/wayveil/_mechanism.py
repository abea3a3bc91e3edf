"""Mechanisms written in Python: to be measured beside ours, never to be published."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any


class Records(list[Any]):
    """What a mechanism is given: for each person a list of locations' numbers, or of (location, bin) pairs where the
    mechanism is ``timed``. The lists are copies."""

    locations: Sequence[str]
    """The labels of all locations; a location's number is its place here. Public."""
    bins: int | None
    """How many time bins there are. Public."""

    def __repr__(self) -> str:
        # A traceback with its variables is not to show anyone.
        return f"<records of {len(self):,} people>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("raw records are not pickled")


class Mechanism(ABC):
    """A way to make trajectories from records, written in Python.

    It can be tried out (:func:`evaluate`), attacked (:func:`attack`) and audited (:func:`audit`) beside the package's
    own. It is never published: nobody here has checked what it promises.
    """

    name: str = "python"
    """What it is called in results."""
    epsilon: float | None = None
    """The epsilon that it claims, which an audit holds against it."""
    timed: bool = False
    """Whether it is for trajectories with time bins."""

    @abstractmethod
    def run(self, records: Records, rng: random.Random) -> Iterable[Iterable[Any]]:
        """Makes trajectories from records, in the same form, with randomness from ``rng`` alone.

        It may be called from several threads at once.
        """


def _run(mechanism: Mechanism, rows: list[Any], locations: list[str], bins: int | None, seed: int) -> Iterable[Any]:
    records = Records(rows)
    records.locations = locations
    records.bins = bins
    return mechanism.run(records, random.Random(seed))
