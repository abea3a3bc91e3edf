"""What a hurried user does: nothing is lost, charged twice, mixed up or hung by it."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import STOPS, taps_rows

import wayveil

TREE: dict[str, Any] = {"method": "prefix-tree", "epsilon": 1, "height": 2}


def test_warnings_that_are_errors_cost_no_release(data: wayveil.Data, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", wayveil.PrivacyWarning)
        with pytest.raises(wayveil.PrivacyWarning):
            wayveil.publish(data, output=tmp_path / "release", **TREE)
        assert wayveil.open(tmp_path / "release").publishable
        with pytest.raises(wayveil.PrivacyWarning) as raised:
            wayveil.publish(data, **TREE)
    if sys.version_info >= (3, 11):
        (note,) = raised.value.__notes__
        # The traceback holds what the call held; only what was kept on purpose outlives it.
        del raised
        gc.collect()
        kept = wayveil.open(note.rsplit(" ", 1)[1])
        assert kept.publishable
        kept.save(tmp_path / "kept")
    (account,) = wayveil.Ledger().show()["populations"]
    assert (account["releases"], account["done"]) == (2, 2)


def test_progress_that_raises_loses_nothing_that_is_complete(data: wayveil.Data, tmp_path: Path) -> None:
    def refuse(step: str, done: int, total: int | None) -> None:
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        wayveil.publish(data, output=tmp_path / "release", progress=refuse, **TREE)
    (account,) = wayveil.Ledger().show()["populations"]
    assert (account["releases"], account["done"]) == (1, int((tmp_path / "release").exists()))
    with pytest.raises(wayveil.UsageError, match="progress is 5"):
        wayveil.publish(data, progress=5, **TREE)  # type: ignore[arg-type]


def test_what_was_read_keeps_its_account_and_locations(data: wayveil.Data) -> None:
    with pytest.raises(wayveil.UsageError, match="takes no population"):
        wayveil.read(data, population="others")
    with pytest.raises(wayveil.UsageError, match="universe is for tables"):
        wayveil.publish(data, universe=["X", "Y"], **TREE)
    with pytest.raises(wayveil.UsageError, match="population is for tables"):
        wayveil.publish(data, population="others", **TREE)


def test_a_table_is_published_under_a_name(taps: Any) -> None:
    wayveil.publish(taps, universe=STOPS, population="riders-2024", **TREE)
    populations = [it["population"] for it in wayveil.Ledger().show()["populations"]]
    assert populations == ["riders-2024"]
    with pytest.raises(wayveil.InputError, match="wayveil.read"):
        wayveil.publish(taps.rename(columns={"uid": "card"}), universe=STOPS, **TREE)


def test_a_reader_is_read_once(taps: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    reader = pyarrow.Table.from_pandas(taps).to_reader()
    wayveil.read(reader, universe=STOPS)
    with pytest.raises(wayveil.InputError, match="no rows"):
        wayveil.publish(reader, universe=STOPS, **TREE)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_neither_deletes_nor_hangs(data: wayveil.Data, tmp_path: Path) -> None:
    release = wayveil.publish(data, **TREE)
    script = (
        "import os, sys, wayveil\n"
        "data = wayveil.read([['A']] * 9, universe=['A'])\n"
        "release = wayveil.publish(data, 'prefix-tree', epsilon=1, height=1)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        wayveil.mine(data, top=1)\n"
        "    except wayveil.Error as error:\n"
        "        sys.exit(3 if 'spawn' in error.advice else 4)\n"
        "    sys.exit(5)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3\n"
        "release.save(sys.argv[1])\n"
    )
    words = [sys.executable, "-W", "ignore", "-c", script, str(tmp_path / "kept")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "kept" / "manifest.json").exists() and release.path.exists()


def test_what_is_not_publishable_says_so_everywhere(data: wayveil.Data) -> None:
    release = wayveil.publish(data, insecure_seed=3, **TREE)
    for shown in (repr(release), str(release.guarantee), release._repr_html_(), release.guarantee._repr_html_()):
        assert "not publishable" in shown
    looked = wayveil.publish(data, chosen_after_looking=True, **TREE)
    assert "not publishable" not in repr(looked) and "looking" in str(looked.guarantee)


def test_records_are_not_shown_by_accident(data: wayveil.Data) -> None:
    seen: list[str] = []

    class Curious(wayveil.Mechanism):
        name = "curious"

        def run(self, records: wayveil.Records, rng: random.Random) -> list[list[int]]:
            seen.append(repr(records))
            with pytest.raises(TypeError):
                pickle.dumps(records)
            return []

    wayveil.evaluate(data, publish=[Curious()], metrics=["length-divergence"], repeats=2)
    assert set(seen) == {"<records of 500 people>"}


def test_values_of_people_stay_out_of_errors() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**taps_rows(2), "diagnosis": ["healthy", "cancer", "flu", "flu"]})
    with pytest.raises(wayveil.InputError) as raised:
        wayveil.read(frame, universe=STOPS, attributes=["diagnosis"])
    assert raised.value.column == "diagnosis" and "row" in str(raised.value)
    for secret in ("healthy", "cancer", "card-0"):
        assert secret not in str(raised.value)


def test_answers_are_copied_and_kept(data: wayveil.Data, tmp_path: Path) -> None:
    found = wayveil.mine(data, top=2)
    assert copy.deepcopy(found).to_dicts() == pickle.loads(pickle.dumps(found)).to_dicts() == found.to_dicts()
    answer = wayveil.info(data)
    assert pickle.loads(pickle.dumps(answer)).to_dict() == answer.to_dict()
    release = wayveil.publish(data, **TREE)
    with pytest.raises(TypeError, match="save it first"):
        pickle.dumps(release)
    saved = release.save(tmp_path / "release")
    assert len(saved.trajectories) == len(pickle.loads(pickle.dumps(saved)).trajectories)


def test_the_users_own_ledger_is_one(data: wayveil.Data) -> None:
    wayveil.publish(data, ledger=wayveil.Ledger(), **TREE)
    assert len(wayveil.Ledger().show()["populations"]) == 1


@pytest.mark.parametrize("kind", ["Series", "Index", "Categorical", "unique", "numpy", "dict", "set", "arrow", "polars"])
def test_universes_of_everyday_kinds(kind: str, taps: Any) -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    pyarrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    made = {
        "Series": pandas.Series(STOPS),
        "Index": pandas.Index(STOPS),
        "Categorical": pandas.Categorical(STOPS),
        "unique": pandas.Series(STOPS * 2).unique(),
        "numpy": numpy.array(STOPS),
        "dict": {"label": STOPS},
        "set": set(STOPS),
        "arrow": pyarrow.array(STOPS),
        "polars": polars.Series(STOPS),
    }
    assert wayveil.read(taps, universe=made[kind]).locations == len(STOPS)


def test_places_of_a_geodataframe() -> None:
    geopandas = pytest.importorskip("geopandas")
    pandas = pytest.importorskip("pandas")
    points = geopandas.points_from_xy([-73.6, -73.5], [45.5, 45.6])
    places = geopandas.GeoDataFrame({"label": ["A", "B"]}, geometry=points, crs=4326)
    metres = places.to_crs(3857)
    taps = pandas.DataFrame({"uid": [1, 1], "lat": [45.5, 45.6], "lng": [-73.6, -73.5], "datetime": ["2024-01-01", "2024-01-02"]})
    for universe in (places, metres):
        assert wayveil.read(taps, universe=universe, nearest="100m").info()["records"] == 1
    moved = geopandas.GeoDataFrame(taps.assign(lat=0.0, lng=0.0), geometry=points, crs=4326)
    assert wayveil.read(moved, universe=places, nearest="100m").info()["records"] == 1


def test_columns_that_nobody_asks_for_do_no_harm(taps: Any) -> None:
    polars, pyarrow, pandas = pytest.importorskip("polars"), pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    rows = len(taps)
    frame = polars.from_pandas(taps).with_columns(note=None, big=polars.lit(2**100, polars.Int128))
    table = pyarrow.Table.from_pandas(taps).append_column("note", pyarrow.nulls(rows))
    twice = pandas.concat([taps, pandas.DataFrame([[1, 2]] * rows, columns=["x", "x"])], axis=1)
    expected = wayveil.read(taps, universe=STOPS).info()["records"]
    for source in (frame, table, twice):
        assert wayveil.read(source, universe=STOPS).info()["records"] == expected


def test_odd_sources_get_a_sentence(taps: Any, data: wayveil.Data, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(wayveil.InputError, match="periods") as raised:
        wayveil.read(taps.assign(datetime=taps["datetime"].dt.to_period("h")), universe=STOPS)
    assert (raised.value.file, raised.value.column) == ("<data>", "datetime")
    for odd in ([{"uid": 1, "location": "A"}] * 3, [{"A", "B"}], None, 3.5, object()):
        with pytest.raises(wayveil.InputError):
            wayveil.read(odd, universe="from-data")  # type: ignore[arg-type]
    for universe in (5, {"labels": ["A"]}, ["A", "\ud800"]):
        with pytest.raises(wayveil.InputError):
            wayveil.read([["A"]], universe=universe)  # type: ignore[arg-type]
    numbered = taps[["uid", "location", "datetime"]].set_axis([0, 1, 2], axis=1)
    assert wayveil.read(numbered, universe=STOPS, uid="0", location="1", datetime="2").locations == len(STOPS)
    assert wayveil.read((each for each in [["A"], ["B"]]), universe=["A", "B"]).info()["records"] == 2  # type: ignore[arg-type]
    assert wayveil.read(pandas.Series([["A"], ["B"]]), universe=["A", "B"]).info()["records"] == 2
    data.save(tmp_path / "data.parquet")
    with pytest.raises(wayveil.UsageError, match="is a data file"):
        wayveil.read(tmp_path / "data.parquet", population="others")


def test_odd_values_get_a_sentence(data: wayveil.Data, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")

    class Mine(wayveil.Mechanism):
        def run(self, records: wayveil.Records, rng: random.Random) -> list[list[int]]:
            return []

    anything: Any = Mine
    with pytest.raises(wayveil.UsageError, match=r"Mine\(\)"):
        wayveil.audit(anything)
    for method in (b"prefix-tree", None, 3):
        with pytest.raises(wayveil.UsageError, match="there is no method"):
            wayveil.publish(data, method, epsilon=1)  # type: ignore[arg-type]
    for keyword in ("output", "ledger", "taxonomy"):
        with pytest.raises(wayveil.UsageError, match=f"{keyword} is a path, not int"):
            wayveil.publish(data, **{keyword: 5}, **TREE)
    with pytest.raises(wayveil.UsageError) as raised:
        wayveil.publish(data, "prefix-tree", height=2)
    assert "epsilon" in raised.value.message and "<" not in raised.value.message
    release = wayveil.publish(data, "prefix-tree", epsilon=numpy.float64(1), height=2.0, split=numpy.array([1, 2]), report=numpy.True_)
    assert release.manifest["method"]["parameters"]["height"] == 2 and (release.path / "report.html").exists()
    with pytest.raises(wayveil.InputError, match="into itself"):
        release.save(release.path / "inside")
    assert sorted(it.name for it in release.path.iterdir() if it.is_dir()) == []


def test_processes_that_begin_anew_work(data: wayveil.Data, tmp_path: Path) -> None:
    release = wayveil.publish(data, **TREE).save(tmp_path / "release")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(len, (release.trajectories.to_dict()["locations"],)) == len(release.trajectories)
        assert pool.apply(_rows, (release,)) == len(release.trajectories)


def _rows(release: wayveil.Release) -> int:
    return len(release.trajectories)
