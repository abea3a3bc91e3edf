"""Pages for a browser, which notebooks show in a frame."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from ._answer import Answer
from ._errors import InputError


class Page(Answer):
    """An answer with a page of its own: ``html`` is the whole of it, with its scripts and pictures inside."""

    def __init__(self, values: Mapping[str, Any], *, html: str, ok: bool = True, text: str = "", verb: str = "") -> None:
        super().__init__(values, ok=ok, text=text, verb=verb)
        self._html = html

    @property
    def html(self) -> str:
        """The page."""
        return self._html

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Writes the page into a file; ``force`` replaces one that is there."""
        target = Path(path)
        if target.exists() and not (force and target.is_file()):
            raise InputError(
                "this exists already", file=str(target), advice="choose another name, or replace it with force=True"
            )
        if any((folder / "manifest.json").is_file() for folder in target.absolute().parents):
            raise InputError("this page is not for recipients of the release", file=str(target), advice="save it elsewhere")
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.absolute().parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self._html)
            os.replace(beside, target)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
        return target

    def _repr_html_(self) -> str:
        title = escape(self._verb or "page")
        return (
            f'<iframe title="{title}" srcdoc="{escape(self._html)}" sandbox="allow-scripts" '
            'style="width:100%;height:40em;border:1px solid #8888"></iframe>'
        )
