"""What the tests share. They run against the installed package, never against the source tree."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import wayveil

STOPS = ["Airport", "Harbour", "Market", "Museum", "Park", "Station"]


def pytest_configure(config: pytest.Config) -> None:
    here = Path(__file__).resolve().parent.parent
    assert here not in Path(wayveil.__file__).resolve().parents, "install the wheel; the tests are not for the source"


@pytest.fixture(autouse=True)
def own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has books of its own."""
    path = tmp_path / "books.sqlite"
    monkeypatch.setenv("WAYVEIL_LEDGER", str(path))
    return path


def taps_rows(people: int = 40) -> dict[str, list[Any]]:
    """Taps of so many people, each with two visits; the same every time."""
    uid, location, datetime = [], [], []
    for person in range(people):
        for visit in range(2):
            uid.append(f"card-{person}")
            location.append(STOPS[(person * (visit + 1)) % len(STOPS)])
            datetime.append(f"2024-03-04T{8 + visit:02}:{person % 60:02}:00")
    return {"uid": uid, "location": location, "datetime": datetime}


@pytest.fixture
def taps() -> Any:
    """The taps as a pandas frame."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(taps_rows())
    frame["datetime"] = pandas.to_datetime(frame["datetime"])
    return frame


@pytest.fixture
def data() -> wayveil.Data:
    """A few hundred trajectories of letters."""
    return wayveil.read([["A", "B", "C"]] * 300 + [["B", "C"]] * 200, universe=["A", "B", "C", "D"])


def program(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the program; skips where none is named."""
    named = os.environ.get("WAYVEIL_PROGRAM")
    if not named:
        pytest.skip("WAYVEIL_PROGRAM names no program to compare with")
    return subprocess.run([named, *words], capture_output=True, text=True, check=False, timeout=300, **more)
