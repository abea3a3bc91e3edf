"""Raw data: held, never shown."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _html, _wayveil
from ._answer import Answer


class Data:
    """Data about people, behind a wall: it can be published from, measured with and saved, but not looked at.

    Made by :func:`read` and :func:`generate`. What it shows of itself is public: the name under which spending is
    kept, the locations, and the axis of time. :meth:`info` is for the publisher's own eyes.
    """

    def __init__(self, inner: _wayveil.Data, summary: Answer | None = None) -> None:
        self._inner = inner
        self._summary = summary
        self._facts: dict[str, Any] = json.loads(inner.facts())

    @property
    def population(self) -> str:
        """The name under which spending on these people is kept."""
        return str(self._facts["population"])

    @property
    def locations(self) -> int:
        """How many locations the universe has."""
        return int(self._facts["locations"])

    @property
    def bins(self) -> int | None:
        """How many time bins there are; none where trajectories have no times."""
        bins: int | None = self._facts["bins"]
        return bins

    @property
    def columns(self) -> list[str]:
        """The names of the columns beside the trajectories."""
        return list(self._facts["columns"])

    @property
    def universe_from_data(self) -> bool:
        """Whether the locations were read off the data, so that publishing needs a word of consent."""
        return self._facts["universe"] is None

    @property
    def summary(self) -> Answer | None:
        """What reading did, with everything that was left out, counted. Internal: not for publication."""
        return self._summary

    def info(self) -> Answer:
        """Looks at the raw data, for the publisher's own eyes."""
        from ._call import answer

        return answer("info", {"data": self})

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a data file, which ``wayveil.read`` and the program open; ``force`` replaces one that is there."""
        from ._call import in_words_of

        with in_words_of("convert"):
            self._inner.save(os.fspath(path), force)

    def _universe(self) -> str:
        return str(self._facts["universe"] or "read off the data")

    def _time(self) -> str:
        return "no times" if self.bins is None else f"{self.bins} time bins"

    def __repr__(self) -> str:
        return (
            f"<data of the population {self.population!r}: {self.locations:,} locations ({self._universe()}), "
            f"{self._time()}>"
        )

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("raw data is not pickled; save it to a data file with .save(path)")

    def _repr_html_(self) -> str:
        shown = {
            "population": self.population,
            "locations": self.locations,
            "universe": self._universe(),
            "time": self._time(),
            "further columns": ", ".join(self.columns) or "none",
        }
        return _html.page("data, behind the wall", _html.facts(shown))
