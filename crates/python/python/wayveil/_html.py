"""Small pages for notebooks: tables and bars in plain HTML and SVG, for light and dark backgrounds.

Colours are the page's own (``currentColor``) but for one accent; every text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

_ACCENT = "#4c8eda"
_ROWS = 50
_WIDTH, _LINE, _LABEL = 420, 16, 130


def page(title: str, *parts: str) -> str:
    """A titled box."""
    inside = "".join(part for part in parts if part)
    return (
        f'<div style="max-width:46em"><div style="font-weight:bold;margin:.2em 0">{escape(title)}</div>'
        f"{inside}</div>"
    )


def note(text: str) -> str:
    """A small paragraph."""
    return f'<div style="opacity:.75;margin:.3em 0">{escape(text)}</div>'


def warning(text: str) -> str:
    """A paragraph that is not to be missed."""
    return f'<div style="border-left:3px solid #d9822b;padding-left:.6em;margin:.3em 0">{escape(text)}</div>'


def facts(values: Mapping[str, Any]) -> str:
    """Names and values, a line each."""
    rows = "".join(
        f'<tr><td style="text-align:left;opacity:.75;padding-right:1em">{escape(str(name))}</td>'
        f'<td style="text-align:left">{cell(value)}</td></tr>'
        for name, value in values.items()
    )
    return f"<table>{rows}</table>"


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same names."""
    names = list(dict.fromkeys(name for row in rows[:_ROWS] for name in row))
    head = "".join(f"<th>{escape(str(name))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell(row.get(name))}</td>" for name in names) + "</tr>" for row in rows[:_ROWS]
    )
    more = note(f"and {len(rows) - _ROWS} more") if len(rows) > _ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def cell(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return escape(f"{value:.4g}")
    if isinstance(value, Mapping):
        return facts(value)
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(each, Mapping) for each in value):
            return table(value)
        return escape(", ".join(str(each) for each in value[:_ROWS]))
    return escape(str(value))


def bars(values: Iterable[tuple[str, float]], title: str) -> str:
    """A bar for each value, as a small picture."""
    rows = list(values)
    most = max((value for _, value in rows), default=0.0)
    if most <= 0:
        return ""
    height = _LINE * (len(rows) + 1) + 6
    room = _WIDTH - _LABEL - 70
    parts = [_svg(height, title), f'<text x="0" y="12" font-weight="bold">{escape(title)}</text>']
    for at, (label, value) in enumerate(rows):
        top = _LINE * (at + 1) + 2
        length = room * max(value, 0.0) / most
        shown = label if len(label) <= 20 else label[:19] + "…"
        parts.append(
            f'<text x="{_LABEL - 6}" y="{top + 12}" text-anchor="end">{escape(shown)}</text>'
            f'<rect x="{_LABEL}" y="{top + 2}" width="{length:.1f}" height="{_LINE - 4}" fill="{_ACCENT}"/>'
            f'<text x="{_LABEL + length + 4:.1f}" y="{top + 12}" opacity=".75">{value:,.6g}</text>'
        )
    return "".join(parts) + "</svg>"


def ranges(values: Iterable[tuple[str, float, float, float, float | None]], title: str) -> str:
    """Shares between 0 and 1, each with an interval, and as a ring what it is compared with."""
    rows = list(values)
    if not rows:
        return ""
    height = _LINE * (len(rows) + 1) + 6
    room = _WIDTH - _LABEL - 70
    parts = [_svg(height, title), f'<text x="0" y="12" font-weight="bold">{escape(title)}</text>']
    for at, (label, low, middle, high, beside) in enumerate(rows):
        top = _LINE * (at + 1) + 2
        ends = [_LABEL + room * min(max(value, 0.0), 1.0) for value in (low, middle, high)]
        shown = label if len(label) <= 20 else label[:19] + "…"
        parts.append(
            f'<text x="{_LABEL - 6}" y="{top + 12}" text-anchor="end">{escape(shown)}</text>'
            f'<line x1="{ends[0]:.1f}" x2="{ends[2]:.1f}" y1="{top + 8}" y2="{top + 8}" stroke="currentColor"/>'
            f'<circle cx="{ends[1]:.1f}" cy="{top + 8}" r="4" fill="{_ACCENT}"/>{_ring(beside, room, top)}'
            f'<text x="{_LABEL + room + 8}" y="{top + 12}" opacity=".75">{middle:.1%}</text>'
        )
    return "".join(parts) + "</svg>"


def _ring(share: float | None, room: int, top: int) -> str:
    if share is None:
        return ""
    return f'<circle cx="{_LABEL + room * share:.1f}" cy="{top + 8}" r="5" fill="none" stroke="currentColor"/>'


def _svg(height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" role="img" '
        f'aria-label="{escape(title, quote=True)}" font-size="11" font-family="sans-serif" fill="currentColor" '
        'style="display:block;margin:.3em 0">'
    )
