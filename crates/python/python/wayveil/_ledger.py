"""The file of a ledger."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


class LedgerFile:
    """A ledger by its file; none for the one that WAYVEIL_LEDGER names or that lies in the user's data folder."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._path = None if path is None else Path(path)

    @property
    def path(self) -> Path | None:
        """The file, where one was named."""
        return self._path

    def __repr__(self) -> str:
        return "<the ledger of this user>" if self._path is None else f"<ledger in {str(self._path)!r}>"


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a method, with the ledger's own file."""
    arguments = dict(arguments)
    arguments["ledger"] = arguments.pop("self").path
    return arguments
