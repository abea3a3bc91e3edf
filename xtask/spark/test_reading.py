"""Events of every kind become the people of one machine: a feed's stops, points, named trips, whole trajectories."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest

import wayveil
import wayveil.spark
from test_counts import counted_here, listed, sums
from test_releases import told
from wayveil.spark import _executors, _reading

STATIONS = [f"ST{number}" for number in range(6)]


def same(people: wayveil.spark.People, here: wayveil.Data, unit: dict[str, Any], *whats: Any) -> None:
    """These counts and what reading told are those of one machine."""
    asked = {"unit": unit, "locations": here.locations, "bins": here.bins, "columns": here.columns}
    assert people.public.locations == here.locations and people.public.columns == here.columns
    for what in whats:
        question = json.dumps({**asked, "what": what})
        expected = counted_here(here, question)
        assert expected
        assert sums(people._ask(question)) == expected, what
    assert people.summary is not None and here.summary is not None
    assert {name: people.summary[name] for name in _executors.FIGURES} == {
        name: here.summary[name] for name in _executors.FIGURES
    }
    assert people.public.summary is None, "what was read on the driver is no row, and told as if it were"


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stations with two platforms and an entrance each; riders know them by codes, too."""
    folder = tmp_path_factory.mktemp("feed")
    rows = ["stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station"]
    for number, station in enumerate(STATIONS):
        where = f"45.5{number},-73.5"
        rows.append(f"{station},{900 + number},Station {number},{where},1,")
        rows += [f"{station}-{side},{number}{side},Platform {side},{where},0,{station}" for side in (1, 2)]
        rows.append(f"{station}-in,,Entrance,{where},2,{station}")
    (folder / "stops.txt").write_text("\n".join(rows) + "\n")
    (folder / "agency.txt").write_text("agency_name,agency_url,agency_timezone\nMetro,http://example.org,America/Toronto\n")
    return folder


def taps_at(names: list[str], people: int = 300) -> pandas.DataFrame:
    """Taps at places by any of these names, at the same instant for nobody."""
    draw = random.Random(5)
    rows = []
    for person in range(people):
        minute = draw.randrange(300, 600)
        for _ in range(draw.randrange(1, 7)):
            minute += draw.randrange(1, 90)
            rows.append((f"card-{person}", draw.choice(names), minute))
    draw.shuffle(rows)
    frame = pandas.DataFrame(rows, columns=["uid", "location", "minute"])
    frame["datetime"] = pandas.Timestamp("2024-03-04", tz="UTC") + pandas.to_timedelta(frame.pop("minute"), unit="min")
    return frame


CHILDREN = {"children": {"height": 4, "prefixes": listed([])}}
THEN = {"children": {"height": 4, "prefixes": listed([0], [1], [2])}}


@pytest.mark.parametrize("how", [{"level": "stations"}, {"label": "code"}], ids=["stations", "codes"])
def test_a_feeds_other_names_are_known_to_executors(spark: Any, feed: Path, how: dict[str, Any]) -> None:
    """Platforms, entrances and codes; and what is no name at all is left out, and told."""
    names = [f"{station}{part}" for station in STATIONS for part in ("-1", "-2")]
    names += [*STATIONS, "ST0-in", "900"] if how.get("level") else []
    frame = taps_at([*names, "Depot"])
    how = {**how, "universe": str(feed), "unknown": "drop", "max_gap": "1h"}
    here = wayveil.read(frame, **how)
    assert here.summary is not None and 0 < here.summary["unknown_visits"] < len(frame) / 5
    with wayveil.spark.read(spark.createDataFrame(frame), partitions=3, **how) as people:
        same(people, here, {"unit": "trip"}, "together")


def test_a_list_of_locations_is_sent_without_other_names(tmp_path: Path, feed: Path) -> None:
    (tmp_path / "stops.csv").write_text("label\nA\nB\n")
    nobody = pandas.DataFrame({"uid": [], "location": [], "datetime": []}, dtype="object")

    def tables(**how: Any) -> dict[str, bytes]:
        return _reading._tables(how, wayveil.read(nobody, **how))

    assert list(tables(universe=tmp_path / "stops.csv")) == ["universe"]
    assert b"ST0-in,ST0\n" in tables(universe=feed, level="stations")["aliases"]
    # Points are taken to the nearest stop, by whatever name.
    assert _reading._tables({"universe": feed, "nearest": "300m"}, wayveil.read(nobody, universe=feed)).keys() == {"universe"}


@pytest.fixture()
def large_types(spark: Any) -> Iterator[None]:
    """Texts with long offsets, as clusters with very large batches are set to have them."""
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    spark.conf.set(setting, "true")
    yield
    spark.conf.unset(setting)


@pytest.mark.usefixtures("large_types")
def test_whole_trajectories_keep_their_order(spark: Any) -> None:
    """Trips of a person are joined in the order that a column tells, which is not that of their labels."""
    draw = random.Random(7)
    stops = [f"S{number}" for number in range(8)]
    rows = []
    for person in range(200):
        for trip in range(draw.randrange(1, 13)):
            places = [draw.choice([*stops, "Depot"]) for _ in range(draw.randrange(1, 4))]
            rows.append((f"card-{person}", trip, places, ("adult", "child")[person % 2]))
    frame = pandas.DataFrame(rows, columns=["uid", "trip", "trajectory", "fare"])
    how = {"universe": stops, "unknown": "drop", "attributes": ["fare"]}
    here = wayveil.read(frame, **how)
    shuffled = spark.createDataFrame(frame.sample(frac=1, random_state=3))
    with pytest.raises(wayveil.InputError, match="which of a person's trajectories comes first") as refused:
        wayveil.spark.read(shuffled, **how)
    assert "order='uid'" in str(refused.value.advice)
    having = {"column": "fare", "value": "child"}
    with wayveil.spark.read(shuffled, partitions=3, order="trip", **how) as people:
        same(people, here, {"unit": "owner"}, CHILDREN, THEN, {"extensions": {"sets": listed([]), "having": having}})
        same(people, here, {"unit": "owner-bounded", "max_trips": 2}, THEN)


def test_rows_without_owners_are_people_of_their_own(spark: Any) -> None:
    """With time bins. Rows go to parts by what they hold: by turns, a part that is computed again could double or lose some."""
    draw = random.Random(13)
    stops = [f"S{number}" for number in range(8)]
    rows = []
    for _ in range(500):
        length = draw.randrange(1, 4)
        rows.append(([draw.choice(stops) for _ in range(length)], sorted(draw.randrange(4) for _ in range(length))))
    frame = pandas.DataFrame(rows, columns=["trajectory", "when"])
    how = {"universe": stops, "bins_column": "when", "bins": 4}
    here = wayveil.read(frame, **how)
    assert here.bins == 4
    with wayveil.spark.read(spark.createDataFrame(frame), partitions=3, **how) as people:
        for unit in ({"unit": "owner"}, {"unit": "trip"}):
            same(people, here, unit, CHILDREN, THEN, "records", "together")
        plan = people._frame._jdf.queryExecution().toString()
        assert "hashpartitioning(trajectory" in plan and "RoundRobin" not in plan
        assert wayveil.query(people, ["S1"]) == wayveil.query(here, ["S1"])


def test_people_who_are_not_kept_are_read_at_every_question(spark: Any) -> None:
    names = [f"{name}{side}" for name in STATIONS for side in ("", "+")]
    frame = taps_at(names)
    here = wayveil.read(frame, universe=names, max_gap="1h")
    kept = spark.sparkContext._jsc.getPersistentRDDs()
    before = kept.size()
    people = wayveil.spark.read(spark.createDataFrame(frame), keep=False, universe=names, max_gap="1h")
    assert people.summary is None
    tree = {"epsilon": 2, "height": 3, "insecure_seed": 5}
    assert told(wayveil.publish(people, "prefix-tree", **tree)) == told(wayveil.publish(here, "prefix-tree", **tree))
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == before
    people.forget()


def test_other_versions_on_executors_are_refused(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When people are read, and when they are asked about: an executor may have come since."""
    frame = spark.createDataFrame(taps_at(STATIONS, people=20))
    ours = wayveil.__version__
    said = f"an executor has wayveil {ours} and the driver 0.0.9; use one version"
    with wayveil.spark.read(frame, universe=STATIONS) as people:
        monkeypatch.setattr(wayveil, "__version__", "0.0.9")
        with pytest.raises(Exception, match=said):
            wayveil.query(people, ["ST1"])
        with pytest.raises(Exception, match=said):
            wayveil.spark.read(frame, universe=STATIONS)


def test_points_and_named_trips(spark: Any) -> None:
    draw = random.Random(9)
    rows = []
    for person in range(200):
        for trip in range(2):
            for minute in range(draw.randrange(1, 6)):
                rows.append((person, f"trip-{trip}", draw.uniform(-0.1, 1), draw.uniform(0, 1), trip * 60 + minute))
    draw.shuffle(rows)
    frame = pandas.DataFrame(rows, columns=["uid", "tid", "lat", "lng", "minute"])
    frame["datetime"] = pandas.Timestamp("2024-03-04", tz="UTC") + pandas.to_timedelta(frame.pop("minute"), unit="min")
    how = {"area": "0,0,1,1", "grid": "3x3"}
    here = wayveil.read(frame, **how)
    assert here.summary is not None and here.summary["outside_area"] > 20
    with wayveil.spark.read(spark.createDataFrame(frame), partitions=3, **how) as people:
        same(people, here, {"unit": "trip"}, CHILDREN, "records")


def test_visits_of_one_instant_follow_the_order_that_is_given(spark: Any) -> None:
    rows = [(f"card-{person}", stop, number) for person in range(50) for number, stop in enumerate(("C", "A", "B"))]
    frame = pandas.DataFrame(rows, columns=["uid", "location", "number"]).assign(datetime="2024-03-04 07:00")
    here = wayveil.read(frame, universe=["A", "B", "C"])
    shuffled = spark.createDataFrame(frame.sample(frac=1, random_state=3))
    with wayveil.spark.read(shuffled, universe=["A", "B", "C"], order=["number"]) as people:
        same(people, here, {"unit": "trip"}, THEN)
    with pytest.raises(wayveil.InputError, match="'nummer' is missing"):
        wayveil.spark.read(shuffled, universe=["A", "B", "C"], order="nummer")


def test_reading_that_leaves_nothing_is_an_error(spark: Any, own_ledger: Path) -> None:
    frame = taps_at(["Depot"], people=20)
    with pytest.raises(wayveil.InputError, match=f"no record is left of {len(frame)} rows") as raised:
        wayveil.spark.read(spark.createDataFrame(frame), universe=STATIONS, unknown="drop")
    assert f"unknown visits {len(frame)}" in " ".join(str(raised.value.advice).split())
    assert not own_ledger.exists()
