"""Publishing, with and without books, and what comes out of it."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from conftest import STOPS, program

import wayveil

TREE: dict[str, Any] = {"method": "prefix-tree", "epsilon": 2, "height": 2, "insecure_seed": 7}


def test_a_temporary_release_lives_as_long_as_its_object(data: wayveil.Data) -> None:
    release = wayveil.publish(data, **TREE)
    path = release.path
    assert path.is_dir() and not release.publishable and release.guarantee.epsilon == 2
    kept = release.trajectories
    del release
    assert not path.exists()
    assert len(kept) > 0


def test_a_release_is_saved_and_opened(data: wayveil.Data, tmp_path: Path) -> None:
    release = wayveil.publish(data, **TREE)
    saved = release.save(tmp_path / "kept")
    assert saved.path == tmp_path / "kept" and sorted(it.name for it in tmp_path.iterdir() if it.name.startswith(".")) == []
    with pytest.raises(wayveil.InputError, match="exists already"):
        release.save(tmp_path / "kept")
    release.save(tmp_path / "kept", force=True)
    (tmp_path / "documents").mkdir()
    with pytest.raises(wayveil.InputError, match="not a release"):
        release.save(tmp_path / "documents", force=True)
    opened = wayveil.open(tmp_path / "kept")
    assert opened.manifest == release.manifest and opened.answer is None
    with pytest.raises(wayveil.InputError, match="no manifest"):
        wayveil.open(tmp_path)


def test_a_release_tells_its_own_error_where_its_method_does(data: wayveil.Data) -> None:
    woven = wayveil.publish(data, "weave", epsilon=2, insecure_seed=7)
    told = woven.expected_error
    assert told is not None and {"records", "count-query-error.group-1", "trip-divergence"} <= set(told)
    assert [it["name"] for it in woven.manifest["expected_error"]["estimates"]] == list(told)
    assert all(0 <= it["low"] <= it["value"] <= it["high"] for it in told.values())
    assert wayveil.publish(data, **TREE).expected_error is None


def test_weave_takes_a_delta_and_says_it(data: wayveil.Data) -> None:
    woven = wayveil.publish(data, "weave", epsilon=1, delta="1e-6", insecure_seed=7)
    assert woven.guarantee.epsilon == 1 and woven.guarantee.delta == 1e-6
    with pytest.raises(wayveil.InputError, match="delta"):
        wayveil.publish(data, "weave", epsilon=1, delta=2, insecure_seed=7)


def test_tables_go_to_every_package(data: wayveil.Data) -> None:
    pytest.importorskip("pandas")
    release = wayveil.publish(data, **TREE)
    trajectories = release.trajectories
    plain = trajectories.to_dict()["locations"]
    assert [list(it) for it in trajectories.to_pandas()["locations"]] == plain
    assert trajectories.to_polars()["locations"].to_list() == plain
    assert trajectories.to_arrow().column("locations").to_pylist() == plain
    assert [row["locations"] for row in trajectories] == plain
    assert release.locations.to_dict()["label"] == ["A", "B", "C", "D"]
    assert release.counts is not None and "noisy_count" in release.counts.columns
    assert release.fragments is None
    duckdb = pytest.importorskip("duckdb")
    counts = release.counts.to_arrow()  # noqa: F841
    assert duckdb.sql("select count(*) from counts").fetchall() == [(len(release.counts),)]


def test_the_same_seed_makes_the_programs_release(data: wayveil.Data, tmp_path: Path) -> None:
    file = tmp_path / "data.parquet"
    data.save(file)
    answered = program(
        *["publish", "prefix-tree", str(file), "--epsilon", "2", "--height", "2", "--insecure-seed", "7"],
        *["-o", str(tmp_path / "theirs")],
    )
    assert answered.returncode == 0, answered.stderr
    ours = wayveil.publish(data, output=tmp_path / "ours", **TREE)
    other = wayveil.open(tmp_path / "theirs")
    for name in sorted(it.name for it in (tmp_path / "theirs").iterdir()):
        mine, theirs = (ours.path / name).read_bytes(), (tmp_path / "theirs" / name).read_bytes()
        for own in ("id", "date", "ledger_entry"):
            mine = mine.replace(str(ours.manifest.get(own)).encode(), b"")
            theirs = theirs.replace(str(other.manifest.get(own)).encode(), b"")
        if name == "manifest.json":
            # It holds a hash of the page, which names the release.
            readme = [next(it["sha256"] for it in each.manifest["files"] if it["name"] == "README.md") for each in (ours, other)]
            mine, theirs = mine.replace(readme[0].encode(), b""), theirs.replace(readme[1].encode(), b"")
        assert mine == theirs, name


def test_a_frame_is_published_at_once(taps: Any) -> None:
    release = wayveil.publish(taps, "prefix-tree", epsilon=5, height=1, universe=STOPS, insecure_seed=1)
    assert len(release.locations) == 6
    with pytest.raises(wayveil.InputError, match="public input"):
        wayveil.publish(taps, "prefix-tree", epsilon=5, height=1)


def test_a_universe_off_the_data_needs_consent(taps: Any) -> None:
    data = wayveil.read(taps, universe="from-data")
    with pytest.raises(wayveil.Error) as caught:
        wayveil.publish(data, "prefix-tree", epsilon=5, height=1)
    assert caught.value.advice is not None and "universe_from_data=True" in caught.value.advice
    wayveil.publish(data, "prefix-tree", epsilon=5, height=1, universe_from_data=True, insecure_seed=1)


def test_the_books(data: wayveil.Data, tmp_path: Path) -> None:
    ledger = wayveil.Ledger(tmp_path / "own.sqlite")
    ledger.allow("data", epsilon=3)
    wayveil.publish(data, ledger=ledger, **TREE)
    account = ledger.show()["populations"][0]
    assert (account["spent"]["epsilon"], account["left"]["epsilon"], account["done"]) == (2, 1, 1)
    with pytest.raises(wayveil.RefusedError):
        wayveil.publish(data, ledger=ledger, **TREE)
    assert [it["kind"] for it in ledger.history()["history"]] == ["opened", "allowed", "booked", "done"]
    checked = ledger.verify(head=ledger.show()["head"])
    assert checked.ok and checked["sound"] and checked["added_since"] == 0
    with pytest.raises(wayveil.InputError, match="no population"):
        ledger.show("others")


def test_no_is_an_answer() -> None:
    records = wayveil.generate("city", records=200, seed=3)
    answered = wayveil.verify(records, k=50, l=2)
    assert not answered and answered.ok is False and answered["violations"]
    assert wayveil.verify(records, k=1, l=1).ok


def test_warnings_point_to_the_caller(data: wayveil.Data) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wayveil.publish(data, **TREE)
    own = [it for it in caught if issubclass(it.category, wayveil.PrivacyWarning)]
    assert own and all(it.filename == __file__ for it in own)
    assert any("new one was made" in str(it.message) for it in own)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(wayveil.PrivacyWarning):
            wayveil.query(data, "A")


def test_queries_are_numbers(data: wayveil.Data) -> None:
    found = wayveil.query(data, ["A", "B"], contiguous=True)
    assert found == 300 and isinstance(found, int) and found.records == 500 and found.internal
    assert wayveil.query(data, "D") == 0 and wayveil.query(data, "A").share == 0.6
    with pytest.raises(wayveil.InputError, match="did you mean|unknown location"):
        wayveil.query(data, "Z")


def test_patterns(data: wayveil.Data) -> None:
    found = wayveil.mine(data, min_support="50%", min_length=2)
    assert {tuple(it.pattern): it.support for it in found} == {
        ("B", "C"): 500,
        ("A", "B"): 300,
        ("A", "C"): 300,
        ("A", "B", "C"): 300,
    }
    assert len(found.to_pandas()) == 4 and found[0]["support"] == 500


def test_evaluation_of_what_was_made_elsewhere(data: wayveil.Data) -> None:
    pandas = pytest.importorskip("pandas")
    same = [["A", "B", "C"]] * 300 + [["B", "C"]] * 200
    for other in (same, pandas.DataFrame({"trajectory": same}), data, wayveil.read(same, universe=["A", "B", "C", "D"])):
        measured = wayveil.evaluate(data, other, metrics=["location-divergence", "length-divergence"])
        assert all(value == 0 for value in measured["metrics"].values()), measured
    worse = wayveil.evaluate(data, [["D"]] * 500, metrics="location-divergence")
    assert next(iter(worse["metrics"].values())) > 0.5
    with pytest.raises(wayveil.InputError, match="unknown|not in"):
        wayveil.evaluate(data, [["X"]])


def test_evaluation_of_methods(data: wayveil.Data) -> None:
    tried = wayveil.evaluate(
        data,
        publish=["prefix-tree height=2", {"method": "prefix-tree", "height": 1}, ("prefix-tree", {"height": 3})],
        sweep={"epsilon": [1, 2]},
        metrics=["length-divergence"],
        repeats=2,
    )
    assert len(tried.candidates) == 6 and tried.candidates[0].candidate == "prefix-tree height=2 epsilon=1"
    assert "<svg" in tried._repr_html_()
    settings = wayveil.attack(data, data, attacks="linkage", settings={"victims": 30})["settings"]
    assert settings["victims"] == 30


def test_lists() -> None:
    assert {it.name for it in wayveil.methods()} >= {"prefix-tree", "suppress"}
    tree = next(it for it in wayveil.methods() if it.name == "prefix-tree")
    assert {it["name"] for it in tree.parameters} >= {"epsilon", "height", "node_cap"}
    assert "length-divergence" in {it.name for it in wayveil.metrics()}
    assert "linkage" in {it.name for it in wayveil.attacks()}


def test_generated_data_is_the_programs(tmp_path: Path) -> None:
    data = wayveil.generate("metro", records=500, seed=1)
    data.save(tmp_path / "ours.parquet")
    answered = program(
        *["generate", "metro", "--records", "500", "--insecure-seed", "1", "-o", str(tmp_path / "theirs.parquet")]
    )
    assert answered.returncode == 0
    assert (tmp_path / "ours.parquet").read_bytes() == (tmp_path / "theirs.parquet").read_bytes()


def test_a_campaign(data: wayveil.Data) -> None:
    release = wayveil.federated.simulate(data, k=100, epsilon=8, length=1, insecure_seed=1, no_evaluation=True)
    assert release.fragments is not None and "count" in " ".join(release.fragments.columns)
