"""With the same seed the cluster's release is the one of one machine, byte for byte, also where machines fail."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pandas
import pyarrow.parquet
import pytest

import wayveil
import wayveil.spark
from cluster import Cluster
from conftest import HOW, LINES, STOPS, in_order
from wayveil.spark import _writing

WAYS: list[tuple[str, str, dict[str, Any]]] = [
    ("untimed", "prefix-tree", {"epsilon": 2, "height": 5}),
    ("untimed", "hybrid-tree", {"epsilon": 2, "height": 5, "max_trips": 2}),
    ("timed", "prefix-tree", {"epsilon": 4, "height": 3, "trip_level": True}),
    ("timed", "hybrid-tree", {"epsilon": 4, "height": 3}),
]


def told(release: wayveil.Release) -> dict[str, Any]:
    """Everything about a release but its entry in the books, which its page for readers names too: files are named with
    their checksums."""
    found = {key: value for key, value in release.manifest.items() if key not in ("id", "date")}
    found["files"] = [file for file in found["files"] if file["name"] != "README.md"]
    assert found["files"][0]["name"] == "trajectories.parquet"
    return found


@pytest.mark.parametrize("kind, method, more", WAYS)
def test_releases_are_the_same(spark: Any, events: pandas.DataFrame, kind: str, method: str, more: dict[str, Any]) -> None:
    here = wayveil.read(in_order(events), universe=LINES, **HOW[kind])
    expected = wayveil.publish(here, method, insecure_seed=5, **more)
    assert len(expected.trajectories) > 200
    with wayveil.spark.read(spark.createDataFrame(events), universe=LINES, **HOW[kind]) as people:
        release = wayveil.publish(people, method, insecure_seed=5, **more)
    assert told(release) == told(expected)


def test_a_release_is_booked_and_real(spark: Any, events: pandas.DataFrame, tmp_path: Path) -> None:
    """Without a seed, to a folder, as partitioned Parquet beside it."""
    people = wayveil.spark.read(spark.createDataFrame(events), universe=STOPS, max_gap="2h", population="riders")
    release = wayveil.publish(people, "prefix-tree", epsilon=2, height=4, output=tmp_path / "release")
    people.forget()
    assert release.publishable
    account = wayveil.Ledger().show()["populations"]
    assert [it["population"] for it in account] == ["riders"], account
    folder = tmp_path / "parts"
    wayveil.spark.write_release(release, spark, str(folder), partitions=3)
    parts = list((folder / "trajectories").glob("part-*.parquet"))
    assert len(parts) == 3
    rows = [row for part in parts for row in pyarrow.parquet.read_table(part).to_pylist()]
    original = pyarrow.parquet.read_table(release.path / "trajectories.parquet").to_pylist()
    assert len(original) > 500
    assert sorted(map(repr, rows)) == sorted(map(repr, original))
    manifest = (release.path / "manifest.json").read_text()
    assert manifest_of(folder).strip() == manifest.strip()
    with pytest.raises(wayveil.InputError, match="trajectories exists already"):
        wayveil.spark.write_release(release, spark, str(folder))


def test_books_that_last_are_named(spark: Any, events: pandas.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver may be a machine for one run, and its data folder with it; what nobody may publish needs no such books."""
    monkeypatch.delenv("WAYVEIL_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    output, books = tmp_path / "release", tmp_path / "books.sqlite"
    with wayveil.spark.read(spark.createDataFrame(events), universe=STOPS, max_gap="2h") as people:
        with pytest.raises(wayveil.InputError, match="no ledger is named") as raised:
            wayveil.publish(people, "prefix-tree", epsilon=1, height=2, output=output)
        advice = str(raised.value.advice)
        assert 'ledger="/mnt/books/ledger.sqlite"' in advice and "WAYVEIL_LEDGER" in advice
        campaign = {"epsilon": 4, "k": 60, "length": 2, "clients_per_record": 100, "engine": "numbers"}
        with pytest.raises(wayveil.InputError, match="no ledger is named"):
            wayveil.federated.simulate(people, no_evaluation=True, **campaign)
        assert list(tmp_path.iterdir()) == []
        release = wayveil.publish(people, "prefix-tree", epsilon=1, height=2, output=output, ledger=books)
        assert release.publishable and len(wayveil.Ledger(books).show()["populations"]) == 1
        assert not (tmp_path / "data").exists()
        wayveil.publish(people, "prefix-tree", epsilon=1, height=2, insecure_seed=1)


def rows_of(folder: Path) -> list[str]:
    """The rows below a folder of Parquet, in one order."""
    parts = folder.glob("part-*.parquet")
    return sorted(str(row) for part in parts for row in pyarrow.parquet.read_table(part).to_pylist())


def manifest_of(folder: Path) -> str:
    """The text that stands for a copy's manifest."""
    return "".join(path.read_text() for path in (folder / "manifest").glob("part-*"))


def test_copies_hold_one_release_whole(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that only the older release has are not left beside the newer one; fragments are copied, too."""
    monkeypatch.setattr(_writing, "_MOST_COPIES", 3)
    here = wayveil.read([["S00", "S01"]] * 40 + [["S02"]] * 30, universe=STOPS)
    tree = wayveil.publish(here, "prefix-tree", epsilon=5, height=2, insecure_seed=1)
    campaign = {"epsilon": 4, "k": 60, "length": 2, "clients_per_record": 100, "engine": "numbers", "insecure_seed": 3}
    fragments = wayveil.federated.simulate(here, no_evaluation=True, **campaign)
    assert len(fragments.fragments) >= 2 and len(tree.trajectories) > 40
    runs = _writing._runs(tree).column("copies").to_pylist()
    assert max(runs) == 3 and sum(runs) == len(tree.trajectories)
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        wayveil.spark.write_release(fragments if folder == other else tree, spark, str(folder))
    assert {path.name for path in other.iterdir()} == {"trajectories", "locations", "fragments", "manifest"}
    expected = sorted(fragments.fragments.to_dict()["fragment"])
    (written,) = (other / "fragments").glob("part-*.parquet")
    assert sorted(pyarrow.parquet.read_table(written).column("fragment").to_pylist()) == expected
    before = rows_of(one / "trajectories")
    assert before == sorted(str({"locations": row["locations"]}) for row in tree.trajectories)
    with pytest.raises(wayveil.InputError, match="counts is there from another release"):
        wayveil.spark.write_release(fragments, spark, str(one), force=True)
    assert rows_of(one / "trajectories") == before
    again = wayveil.publish(here, "prefix-tree", epsilon=5, height=2, insecure_seed=2)
    with monkeypatch.context() as broken:
        broken.setattr(_writing, "expanded", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            wayveil.spark.write_release(again, spark, str(one), force=True)
    assert manifest_of(one).startswith("This copy is incomplete"), "an older manifest stands beside rows that are not its own"
    wayveil.spark.write_release(again, spark, str(one), force=True)
    assert manifest_of(one).strip() == (again.path / "manifest.json").read_text().strip()
    assert rows_of(one / "counts") == sorted(map(str, again.counts.to_arrow().to_pylist()))


def test_an_engine_that_fails_leaves_a_charge_and_no_release(spark: Any, events: pandas.DataFrame, tmp_path: Path) -> None:
    class Failing(wayveil.spark.People):
        asked = 0

        def _ask(self, question: str) -> Any:
            self.asked += 1
            if self.asked == 2:
                raise ConnectionError("the cluster went away")
            return super()._ask(question)

    people = wayveil.spark.read(spark.createDataFrame(events), universe=STOPS, max_gap="2h")
    failing = Failing(people._frame, people.public)
    output = tmp_path / "release"
    with pytest.raises(ConnectionError, match="went away"), pytest.warns(wayveil.PrivacyWarning, match="counts as spent"):
        wayveil.publish(failing, "prefix-tree", epsilon=1, height=4, output=output)
    people.forget()
    assert list(tmp_path.glob("release*")) == [] and list(tmp_path.glob(".*wayveil-tmp*")) == []
    (account,) = wayveil.Ledger().show()["populations"]
    assert account["spent"]["epsilon"] == 1 and account["done"] == 0


def test_a_worker_that_is_killed_changes_nothing(
    cluster: Cluster, spark: Any, events: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once while people are read, and once between the levels of a tree, when what a worker had kept is lost."""
    here = wayveil.read(in_order(events), universe=LINES, **HOW["untimed"])
    expected = wayveil.publish(here, "prefix-tree", epsilon=2, height=5, insecure_seed=5)
    frame = spark.createDataFrame(events).repartition(6)

    def slowly(batches: Any) -> Any:
        # Gives a machine time to fail.
        time.sleep(1.5)
        yield from batches

    frame = frame.mapInArrow(slowly, frame.schema)
    killed: list[int] = []

    def kill_when_at_work() -> None:
        tracker = spark.sparkContext.statusTracker()
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numCompletedTasks and stage.numActiveTasks for stage in stages):
                cluster.kill("worker-0")
                killed.append(max(stage.numActiveTasks for stage in stages if stage))
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill_when_at_work)
    killer.start()
    people = wayveil.spark.read(frame, universe=LINES, partitions=4, **HOW["untimed"])
    killer.join()
    assert killed, "no worker was killed at work"
    cluster.add_worker("worker-2")
    cluster.wait("worker-2", "Successfully registered with master")
    ask = people._ask
    levels: list[str] = []

    def killing(question: str) -> Any:
        levels.append(question)
        if len(levels) == 3:
            cluster.kill("worker-1")
        return ask(question)

    monkeypatch.setattr(people, "_ask", killing)
    release = wayveil.publish(people, "prefix-tree", epsilon=2, height=5, insecure_seed=5)
    people.forget()
    assert len(levels) == 5 and "worker-1" not in cluster.processes
    assert told(release) == told(expected)
