"""Advice: which method and parameters would serve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _calls, _commands, _html
from ._answer import Answer
from ._errors import InputError


class Advice(Answer):
    """What to publish, and how wrong it would be.

    ``wayveil.publish(data, **advice.parameters)`` follows it; ``ok`` is false where nothing meets what was asked for.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        *,
        svg: str,
        given: Mapping[str, Any],
        ok: bool = True,
        text: str = "",
        verb: str = "",
    ) -> None:
        super().__init__(values, ok=ok, text=text, verb=verb)
        self._svg = svg
        self._given = given

    @property
    def svg(self) -> str:
        """Error against epsilon, as a picture."""
        return self._svg

    @property
    def call(self) -> str:
        """What to type; empty where nothing could be advised."""
        return _calls.in_python(str(self._values.get("command") or ""))

    @property
    def parameters(self) -> dict[str, Any]:
        """What :func:`publish` is to be given: the method and its parameters, without an output."""
        known = {f"--{it.long}": it for it in _commands.arguments("publish").values() if it.long}
        words = list(self._values.get("arguments") or [])
        if not words:
            raise InputError("nothing that was tried could be advised", advice="the text says why: print(advice)")
        words = words[words.index("publish") + 1 :]
        found: dict[str, Any] = {"method": words.pop(0)}
        while words:
            argument = known.get(words.pop(0))
            if argument is None:
                continue
            value = words.pop(0) if argument.takes_value else True
            if argument.several:
                found.setdefault(argument.keyword, []).append(value)
            elif argument.keyword != "output":
                # What was handed in as a table or a dictionary has no file.
                found[argument.keyword] = self._given.get(argument.keyword) or value
        return found

    def _repr_html_(self) -> str:
        picture = f'<div style="background:white;max-width:46em">{self._svg}</div>' if self._svg else ""
        # Sentences are broken where the page ends, rows of the table are not.
        before, head, table = self._text.partition("\nmethod ")
        said = f'<pre style="white-space:pre-wrap">{_html.cell(before)}</pre>'
        if table:
            said += f'<pre style="white-space:pre;overflow-x:auto">{_html.cell((head + table).strip())}</pre>'
        internal = self._values.get("note") if self._values.get("internal") else None
        return _html.page("advice", _html.warning(str(internal)) if internal else "", picture, said)
