"""Types of parameters."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from ._data import Data
from ._elsewhere import Elsewhere
from ._mechanism import Mechanism
from ._release import Release


class ArrowStream(Protocol):
    """A table that speaks Arrow's C interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class HasPath(Protocol):
    """Something with a path, such as a ledger."""

    @property
    def path(self) -> Any: ...


Path: TypeAlias = str | os.PathLike[str]
Lists: TypeAlias = Sequence[Sequence[str | int]]
Source: TypeAlias = Data | Elsewhere | Release | Path | ArrowStream | Lists
Sources: TypeAlias = Data | Release | Path | ArrowStream | Mechanism | Sequence[Any]
Universe: TypeAlias = Path | Sequence[str | int] | set[str] | frozenset[str] | ArrowStream | Data | Release
Number: TypeAlias = int | float | str | Decimal | Fraction
Text: TypeAlias = int | float | str | Decimal | Fraction | Sequence[Any] | Mapping[str, Any]
Length: TypeAlias = str | int | datetime.timedelta
Moment: TypeAlias = str | datetime.date | datetime.time
Texts: TypeAlias = str | int | Sequence[str | int]
Settings: TypeAlias = Path | Mapping[str, Any]
Candidates: TypeAlias = str | Mapping[str, Any] | Mechanism | Sequence[str | Mapping[str, Any] | tuple[str, Mapping[str, Any]] | Mechanism]
Sweep: TypeAlias = str | Mapping[str, Sequence[Any]]
Progress: TypeAlias = bool | Callable[..., Any] | None
