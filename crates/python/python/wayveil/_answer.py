"""What commands answer: the program's objects as Python's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from . import _html
from ._errors import needed


def _wrapped(value: Any) -> Any:
    if isinstance(value, dict):
        return Answer(value)
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return Listing(value)
    return value


class Answer(Mapping[str, Any]):
    """An object of the program: a mapping whose values are attributes too.

    ``ok`` says whether the answer is a yes, and is what the object is worth in a condition; ``text`` is what the
    program prints for people.
    """

    def __init__(self, values: Mapping[str, Any], *, ok: bool = True, text: str = "", verb: str = "") -> None:
        self._values = dict(values)
        self._ok = ok
        self._text = text
        self._verb = verb

    @property
    def ok(self) -> bool:
        """Whether the answer is a yes."""
        return self._ok

    @property
    def text(self) -> str:
        """What the program prints for people."""
        return self._text

    def __bool__(self) -> bool:
        return self._ok

    def __getitem__(self, name: str) -> Any:
        return _wrapped(self._values[name])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._values:
            return self[name]
        raise AttributeError(f"the answer has no {name!r}; it has {', '.join(self._values)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return self._text.rstrip() or f"Answer({self._values!r})"

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary."""
        return dict(self._values)

    def _repr_html_(self) -> str:
        from ._pictures import answer_page

        return answer_page(self._verb, self._values, self._ok)


class Listing(Sequence[Answer]):
    """A list of objects of the program, such as patterns."""

    def __init__(self, values: Sequence[Mapping[str, Any]], *, text: str = "", title: str = "") -> None:
        self._items = [Answer(value) for value in values]
        self._text = text
        self._title = title

    @property
    def text(self) -> str:
        """What the program prints for people."""
        return self._text

    @overload
    def __getitem__(self, at: int) -> Answer: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Answer]: ...

    def __getitem__(self, at: int | slice) -> Answer | Sequence[Answer]:
        return self._items[at]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return self._text.rstrip() or f"Listing({[item.to_dict() for item in self._items]!r})"

    def to_dicts(self) -> list[dict[str, Any]]:
        """Plain dictionaries."""
        return [item.to_dict() for item in self._items]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each object."""
        return needed("pandas").DataFrame(self.to_dicts())

    def _repr_html_(self) -> str:
        rows = self.to_dicts()
        picture = ""
        if rows and all("pattern" in row and "support" in row for row in rows):
            top = [(" → ".join(row["pattern"]), float(row["support"])) for row in rows[:15]]
            picture = _html.bars(top, "support")
        return _html.page(self._title or "answers", picture, _html.table(rows))


class Count(int):
    """A number of records: a plain ``int`` that also knows of how many (``records``), the ``share``, and whether it
    was counted in raw data and so is not for publication (``internal``)."""

    records: int
    share: float | None
    internal: bool
    text: str

    @classmethod
    def _of(cls, values: Mapping[str, Any], text: str) -> Count:
        made = cls(values["count"])
        made.records = values["records"]
        made.share = values["share"]
        made.internal = values["internal"]
        made.text = text
        return made
