"""Advice, reports and comparisons: what people decide by."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import program

import wayveil

FACTS: dict[str, Any] = {"task": "counts", "people": 400, "typical_length": 3, "longest": 4, "effort": "quick"}
QUICK: dict[str, Any] = {"repeats": 0, "no_attacks": True}


@pytest.fixture
def advice(data: wayveil.Data) -> wayveil.Advice:
    return wayveil.advise(data, tolerance="60%", insecure_seed=1, methods="prefix-tree,hybrid-tree", **FACTS)


@pytest.fixture
def release(data: wayveil.Data) -> wayveil.Release:
    return wayveil.publish(data, "prefix-tree", epsilon=2, height=2, insecure_seed=7)


def test_advice_is_followed_as_it_is(data: wayveil.Data, advice: wayveil.Advice) -> None:
    assert advice.ok is advice.meets and advice.recommended.method == advice.parameters["method"]
    named = {name.replace("-", "_"): value for name, value in advice.recommended.parameters}
    assert named.items() <= {key: str(value) for key, value in advice.parameters.items()}.items()
    release = wayveil.publish(data, **advice.parameters)
    assert release.manifest["method"]["name"] == advice.parameters["method"]
    assert release.guarantee.epsilon == float(advice.recommended.epsilon)


def test_advice_speaks_python(advice: wayveil.Advice) -> None:
    assert advice.call.startswith("wayveil.publish(data, ") and advice.call in advice.text
    assert "--" not in advice.text.replace("-- ", "") and "wayveil publish" not in advice.text
    assert "<svg" in advice.svg and advice.svg in advice._repr_html_()


def test_advice_is_the_programs(data: wayveil.Data, advice: wayveil.Advice, tmp_path: Path) -> None:
    data.save(tmp_path / "data.parquet")
    words = [word for name, value in FACTS.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    answered = program(
        *["advise", str(tmp_path / "data.parquet"), "--tolerance", "60%", "--insecure-seed", "1", "--json"],
        *["--methods", "prefix-tree,hybrid-tree", *words],
    )
    theirs = json.loads(answered.stdout)
    for own in ("command", "arguments", "population"):
        theirs.pop(own), advice._values.pop(own)
    assert advice.to_dict() == theirs


def test_a_taxonomy_in_memory_is_advised_on(data: wayveil.Data) -> None:
    zones = {"A": "north", "B": "north", "C": "south", "D": "south"}
    advice = wayveil.advise(data, methods="hybrid-tree", epsilon=1, taxonomy=zones, insecure_seed=1, **FACTS)
    assert advice.parameters["taxonomy"] == zones
    assert wayveil.publish(data, **advice.parameters).manifest["method"]["name"] == "hybrid-tree"


class Seen(HTMLParser):
    """The frame in which a notebook shows a page, and the tags of that page."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "iframe":
            self.frames.append(dict(attrs))


def test_a_report_is_a_page_in_memory(data: wayveil.Data, release: wayveil.Release, tmp_path: Path) -> None:
    page = wayveil.report(data, release, **QUICK)
    assert page.internal and "output" not in page and "wrote" not in page.text
    assert page.html.lower().startswith("<!doctype html>")
    seen = Seen()
    seen.feed(page._repr_html_())
    assert [frame["srcdoc"] for frame in seen.frames] == [page.html]
    saved = page.save(tmp_path / "report.html")
    assert saved.read_text(encoding="utf-8") == page.html
    with pytest.raises(wayveil.InputError, match="exists already"):
        page.save(saved)
    page.save(saved, force=True)
    assert [it.name for it in tmp_path.iterdir() if it.name.startswith(".")] == []


def test_a_report_does_not_reach_recipients(data: wayveil.Data, release: wayveil.Release, tmp_path: Path) -> None:
    page = wayveil.report(data, release, **QUICK)
    kept = release.save(tmp_path / "release")
    before = sorted(it.name for it in kept.path.iterdir())
    with pytest.raises(wayveil.InputError):
        page.save(kept.path / "internal.html")
    with pytest.raises(wayveil.InputError):
        wayveil.report(data, kept, output=kept.path / "internal.html", **QUICK)
    assert sorted(it.name for it in kept.path.iterdir()) == before


def test_a_report_goes_to_a_file(data: wayveil.Data, release: wayveil.Release, tmp_path: Path) -> None:
    page = wayveil.report(data, release, output=tmp_path / "page.html", **QUICK)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html and page.output == str(tmp_path / "page.html")


def test_a_release_has_a_page_of_its_own(data: wayveil.Data) -> None:
    release = wayveil.publish(data, "prefix-tree", epsilon=2, height=2, report=True)
    assert (release.path / "report.html").stat().st_size > 10_000


def test_releases_are_compared(data: wayveil.Data, release: wayveil.Release) -> None:
    other = wayveil.publish(data, "prefix-tree", epsilon=1, height=2, insecure_seed=8)
    public = wayveil.compare([release, other])
    inside = wayveil.compare([release, other], data=data)
    assert len(public.releases) == len(inside.releases) == 2
    assert not public.get("internal") and inside.internal
    assert "<!doctype html>" in public.html.lower() and len(inside.html) > len(public.html)
