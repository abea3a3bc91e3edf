"""What answers look like in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _html


def answer_page(verb: str, values: Mapping[str, Any], ok: bool) -> str:
    """An answer with a picture where there is one, and all its values."""
    title = verb.replace("_", " ") or "answer"
    if not ok:
        title += ": no"
    draw = {"audit": _audit, "evaluate": _evaluation, "attack": _attack, "info": _info}.get(verb)
    parts = draw(values) if draw else [_html.facts(values)]
    if values.get("internal"):
        said = values.get("note") or "internal: computed from raw data, not for publication"
        parts.insert(0, _html.warning(str(said)))
    return _html.page(title, *parts)


def overview(values: Mapping[str, Any]) -> list[str]:
    """Pictures of what data or a release holds."""
    lengths = values.get("lengths") or []
    most_visited = values.get("top_locations") or []
    return [
        _html.bars([(str(length), count) for length, count in enumerate(lengths)][:20], "records by length"),
        _html.bars([(str(it["location"]), it["visits"]) for it in most_visited], "visits"),
    ]


def _info(values: Mapping[str, Any]) -> list[str]:
    shown = ("population", "universe", "records", "locations", "symbols", "mean_length", "time_bins")
    return [_html.facts({name: values[name] for name in shown if name in values}), *overview(values)]


def _audit(values: Mapping[str, Any]) -> list[str]:
    bounds = [("at least (found)", values.get("epsilon_lower")), ("claimed", values.get("epsilon_claimed"))]
    verdict = "refuted" if values.get("refuted") else "not refuted"
    shown = ("method", "variant", "epsilon_lower", "epsilon_claimed", "confidence", "runs")
    return [
        _html.note(f"{verdict}: {values.get('note', '')}"),
        _html.bars([(name, float(value)) for name, value in bounds if value is not None], "epsilon"),
        _html.facts({name: values[name] for name in shown if values.get(name) is not None}),
    ]


def _evaluation(values: Mapping[str, Any]) -> list[str]:
    if "metrics" in values:
        rows = [{"metric": name, "value": value} for name, value in values["metrics"].items()]
        groups: dict[str, list[tuple[str, float]]] = {}
        for name, value in values["metrics"].items():
            if isinstance(value, (int, float)):
                metric, _, part = name.partition(".")
                groups.setdefault(metric, []).append((part or metric, float(value)))
        pictures = [_html.bars(of, metric) for metric, of in groups.items() if len(of) > 1]
        return [*pictures, _html.table(rows)]
    candidates = values.get("candidates", [])
    names = dict.fromkeys(name for it in candidates for name in it.get("metrics", {}))
    rows = []
    for candidate in candidates:
        row: dict[str, Any] = {"candidate": candidate["candidate"]}
        if "refused" in candidate:
            row["refused"] = candidate["refused"]
        for name in names:
            row[name] = _mean(candidate.get("metrics", {}).get(name))
        rows.append(row)
    pictures = []
    for name in list(names)[:6]:
        measured = [(row["candidate"], row[name]) for row in rows if row[name] is not None]
        pictures.append(_html.bars(measured, name))
    return [*pictures, _html.table(rows)]


def _mean(value: Any) -> Any:
    return value.get("mean") if isinstance(value, Mapping) else value


def _attack(values: Mapping[str, Any]) -> list[str]:
    parts = []
    for attack in values.get("attacks", []):
        rows = []
        kind = None
        for result in attack["results"]:
            for found in result.get("found", []):
                if found.get("rate") is not None:
                    named = f"{found['name']} {Path(str(result['published'])).name}"
                    control = found.get("control") or {}
                    kind = control.get("kind") or kind
                    rows.append((named, found["low"], found["rate"], found["high"], control.get("rate")))
        parts.append(_html.ranges(rows, f"{attack['name']}: successes" + (f"; rings: {kind}" if kind else "")))
    answers = [{"question": it["question"], "published": Path(str(it["published"])).name, "answer": it["text"]} for it in values.get("answers", [])]
    return [*parts, _html.table(answers)]
