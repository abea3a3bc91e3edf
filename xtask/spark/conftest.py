"""What the tests share: one cluster for all of them, books of their own for each, and made-up taps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest

import wayveil
from cluster import Cluster

STOPS = [f"S{number:02}" for number in range(40)]
"""S00 is the one that half of all trips pass."""
LINES = {"label": STOPS, "parent": [f"line {number % 5}" for number in range(40)]}


def pytest_configure(config: pytest.Config) -> None:
    root = Path(__file__).resolve().parents[2]
    source = root / "crates/python"
    assert source not in Path(wayveil.__file__).resolve().parents, "install the wheel; the tests are not for the source"


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has books of its own."""
    path = tmp_path / "books.sqlite"
    monkeypatch.setenv("WAYVEIL_LEDGER", str(path))
    return path


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One master, two workers."""
    with Cluster(workers=2) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def spark(cluster: Cluster) -> Iterator[Any]:
    """A session on the cluster."""
    session = cluster.session("tests")
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def taps(people: int = 1500) -> pandas.DataFrame:
    """Taps of so many people in no order: a few ways that many share, one station in half of the trips, visits of one
    instant, and one person who taps more than all the others do."""
    draw = random.Random(11)
    rows = []

    def trip(person: str, day: int, way: int, length: int) -> None:
        minute = day * 1440 + draw.randrange(360, 1100)
        for visit in range(length):
            stop = 0 if visit == 0 and draw.random() < 0.5 else (way * 3 + visit) % len(STOPS)
            if draw.random() < 0.1:
                stop = draw.randrange(len(STOPS))
            rows.append((person, STOPS[stop], minute))
            minute += draw.choice((0, 7, 20))

    for person in range(people):
        for day in range(draw.randrange(1, 4)):
            trip(f"card-{person}", day, draw.randrange(6), draw.randrange(1, 6))
    for day in range(2000):
        trip("card-busy", day % 7, draw.randrange(6), 5)
    draw.shuffle(rows)
    frame = pandas.DataFrame(rows, columns=["uid", "location", "minute"])
    frame["datetime"] = pandas.Timestamp("2024-03-04", tz="UTC") + pandas.to_timedelta(frame.pop("minute"), unit="min")
    return frame


def in_order(frame: pandas.DataFrame) -> pandas.DataFrame:
    """The order that visits of one instant have on a cluster."""
    return frame.sort_values(["uid", "datetime", "location"], kind="stable", ignore_index=True)


TIMED = {"bin_width": "6h", "bin_origin": "2024-03-04T00:00:00Z", "bins": 28}
HOW: dict[str, dict[str, Any]] = {
    "untimed": {"max_gap": "2h"},
    "timed": {"max_gap": "2h", **TIMED},
}
"""How taps become trips, on one machine and on many."""


@pytest.fixture(scope="session")
def events() -> pandas.DataFrame:
    return taps()
