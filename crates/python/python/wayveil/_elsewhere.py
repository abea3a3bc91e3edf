"""Records that stay elsewhere and are only counted there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ._data import Data


class Elsewhere(ABC):
    """Records that are not here: what is public of them, and a way to have them counted where they are.

    They can be published from by methods that need nothing but exact counts. What comes here is tables of counts.
    """

    def __init__(self, public: Data) -> None:
        self.public = public
        """What is public: data without a record."""

    @abstractmethod
    def _ask(self, question: str) -> Any:
        """For the door alone, which charges first: the counts are exact, hence raw.

        Has every part of the records tallied by ``_wayveil.Tallier(question)``, and adds up the tallies.

        Returns an Arrow table with the columns first, second and count. Every person must be in exactly one part, with
        all that belongs to them in one row.
        """

    def __repr__(self) -> str:
        return f"<records that stay elsewhere, of which this is public: {self.public!r}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("records that stay elsewhere are not pickled")
