"""Tables of a release, for whatever reads Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _html, _wayveil
from ._errors import needed


class Table:
    """A table in memory. Anything that takes Arrow's C interface takes it as it is, without a copy."""

    def __init__(self, inner: _wayveil.Table) -> None:
        self._inner = inner

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._inner.__arrow_c_stream__(requested_schema)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _ in self._inner.columns()]

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        yield from _rows(self.to_dict())

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as plain lists; needs nothing installed."""
        return self._inner.to_lists()

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``."""
        return needed("pyarrow").table(self)

    def to_pandas(self) -> Any:
        """A pandas DataFrame."""
        pandas = needed("pandas")
        try:
            return self.to_arrow().to_pandas()
        except ImportError:
            return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        return needed("polars").DataFrame(self)

    def __repr__(self) -> str:
        return f"<table of {len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return _html.page(f"{len(self):,} rows", _html.table(list(_rows(self._inner.to_lists(20)))))


def _rows(columns: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    for row in zip(*columns.values()):
        yield dict(zip(columns, row))
