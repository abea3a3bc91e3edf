"""What the cluster counts is what one machine counts, and nothing else comes to the driver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pytest

import wayveil
import wayveil.spark
from conftest import HOW, LINES, STOPS, in_order
from wayveil import _wayveil
from wayveil.spark import People, _executors

UNITS: list[dict[str, Any]] = [{"unit": "owner"}, {"unit": "owner-bounded", "max_trips": 2}, {"unit": "trip"}]


def question(unit: dict[str, Any], bins: int | None, what: Any) -> str:
    return json.dumps({"unit": unit, "locations": len(STOPS), "bins": bins, "what": what})


def listed(*sequences: list[int]) -> dict[str, list[int]]:
    codes = [code for sequence in sequences for code in sequence]
    ends = [sum(map(len, sequences[: number + 1])) for number in range(len(sequences))]
    return {"ends": ends, "codes": codes}


def sums(table: Any) -> dict[tuple[int, int], int]:
    columns = pyarrow.table(table).to_pydict()
    return {(a, b): n for a, b, n in zip(columns["first"], columns["second"], columns["count"])}


def counted_here(data: wayveil.Data, asked: str) -> dict[tuple[int, int], int]:
    tallier = _wayveil.Tallier(asked)
    for batch in pyarrow.table(_wayveil.people_of(data._inner)).to_batches():
        tallier.add(batch)
    return sums(tallier.table())


@pytest.mark.parametrize("kind", HOW)
def test_counts_are_those_of_one_machine(spark: Any, events: pandas.DataFrame, kind: str) -> None:
    here = wayveil.read(in_order(events), universe=LINES, **HOW[kind])
    frame = spark.createDataFrame(events)
    with wayveil.spark.read(frame, universe=LINES, partitions=5, **HOW[kind]) as people:
        assert people.public.locations == here.locations and people.public.bins == here.bins
        for unit in UNITS:
            first = question(unit, here.bins, {"children": {"height": 4, "prefixes": listed([])}})
            expected = counted_here(here, first)
            assert len(expected) > 20
            assert sums(people._ask(first)) == expected
            prefixes = [[symbol] for _, symbol in sorted(expected)][:15]
            for what in (
                {"children": {"height": 4, "prefixes": listed(*prefixes)}},
                {"fragments": listed([0, 1], [3, 4], [39, 39], [2])},
                {"sets": listed([0, 1], [7], [4, 0, 3])},
                {"patterns": listed([0, 2], [5], [3, 4, 5])},
                {"followers": listed([], [0], [3, 4])},
                "together",
                "records",
            ):
                asked = question(unit, here.bins, what)
                assert sums(people._ask(asked)) == counted_here(here, asked)


def test_one_station_in_half_of_the_trips_is_a_row_of_a_partition(spark: Any, events: pandas.DataFrame) -> None:
    """However many people share a count, an executor sends it once for each partition."""
    with wayveil.spark.read(spark.createDataFrame(events), universe=STOPS, partitions=5, max_gap="2h") as people:
        asked = question({"unit": "trip"}, None, {"children": {"height": 1, "prefixes": listed([])}})
        parts = people._frame.mapInArrow(_executors.tallying(asked), _executors.TALLY)
        rows = [row for row in parts.collect() if row["second"] == 0]
        assert len(rows) <= 5
        assert sum(row["count"] for row in rows) > 1000


def test_only_counts_come_to_the_driver(spark: Any, events: pandas.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way by which rows come to a driver is watched while a release is made."""
    came: list[list[tuple[str, str]]] = []

    frame = spark.createDataFrame(events)

    def watched(name: str) -> None:
        original = getattr(type(frame), name, None)
        if original is None:  # Spark 3.5 has fewer ways
            return

        def watching(self: Any, *more: Any, **named: Any) -> Any:
            came.append(self.dtypes)
            return original(self, *more, **named)

        monkeypatch.setattr(type(frame), name, watching)

    for name in ("toArrow", "collect", "toPandas", "toLocalIterator", "head", "take", "first", "show", "tail", "_collect_as_arrow"):
        watched(name)
    with wayveil.spark.read(frame, universe=STOPS, max_gap="2h") as people:
        wayveil.publish(people, "prefix-tree", epsilon=1, height=3, insecure_seed=1)
    assert came
    assert all(each == [("first", "bigint"), ("second", "bigint"), ("count", "bigint")] for each in came), came


@pytest.mark.parametrize(
    "table",
    [
        pyarrow.table({"first": [0], "second": [0], "count": [1], "uid": ["card-1"]}),
        pyarrow.table({"first": [0], "second": [0], "count": ["card-1"]}),
        pyarrow.table({"first": [0], "count": [1]}),
        pyarrow.table({"first": [0], "second": [0], "count": [-1]}),
        pyarrow.table({"first": [0], "second": [-7], "count": [1]}),
        pyarrow.table({"lengths": [[2]], "codes": [[0, 1]], "bins": [[]]}),
    ],
)
def test_the_driver_takes_nothing_but_counts(table: pyarrow.Table) -> None:
    class Leaky(People):
        def _ask(self, question: str) -> Any:
            return table

    nobody = {"uid": pyarrow.array([], "string"), "trajectory": pyarrow.array([], pyarrow.list_(pyarrow.string()))}
    public = wayveil.read(pyarrow.table(nobody), universe=STOPS)
    with pytest.raises(wayveil.InputError, match="no tally"):
        wayveil.publish(Leaky(None, public), "prefix-tree", epsilon=1, height=3, insecure_seed=1)


@pytest.mark.parametrize(
    "kinds",
    [
        (pyarrow.large_list(pyarrow.int32()), pyarrow.large_list(pyarrow.large_string())),
        (pyarrow.list_(pyarrow.int32()), pyarrow.list_(pyarrow.large_string())),
        (pyarrow.list_(pyarrow.int32()), pyarrow.list_(pyarrow.string_view())),
        (pyarrow.list_view(pyarrow.int32()), pyarrow.large_list_view(pyarrow.string())),
    ],
    ids=str,
)
def test_people_are_read_back_in_the_types_of_any_cluster(kinds: tuple[Any, Any]) -> None:
    rows = {"uid": ["a", "b"], "trajectory": [["S01", "S02"], ["S02", "S01"]], "fare": ["child", "adult"]}
    people = pyarrow.table(_wayveil.people_of(wayveil.read(pyarrow.table(rows), universe=STOPS, attributes=["fare"])._inner))
    numbers, texts = kinds
    columns = {name: people.column(name).to_pylist() for name in people.column_names}
    types = [(name, texts if name == "values" else numbers) for name in columns]
    batch = pyarrow.RecordBatch.from_pydict(columns, schema=pyarrow.schema(types))
    having = {"column": "fare", "value": "child"}
    asked = json.loads(question({"unit": "trip"}, None, {"extensions": {"sets": listed([]), "having": having}}))
    tallier = _wayveil.Tallier(json.dumps({**asked, "columns": ["fare"]}))
    tallier.add(batch)
    assert sums(tallier.table()) == {(0, 1): 1, (0, 2): 1}


def test_a_question_is_made_ready_before_the_first_batch() -> None:
    """Once for all batches of a partition: what is wrong with it shows before there is one."""
    what = {"children": {"height": 4, "prefixes": listed([0], [1, 2])}}
    with pytest.raises(wayveil.InputError, match="several lengths"):
        _wayveil.Tallier(question({"unit": "owner"}, None, what))


def test_executors_that_have_other_locations_are_found_out() -> None:
    """Also where nobody sends them, because they follow from an area."""
    points = pyarrow.table({"uid": ["a"], "lat": [0.5], "lng": [0.5], "datetime": ["2024-03-04 07:00"]})
    how = {"area": "0,0,1,1", "grid": "2x2"}
    ours, others = (wayveil.read(points, **{**how, "grid": grid}) for grid in ("2x2", "2x3"))
    made = list(_executors.people(iter(points.to_batches()), how, {}, _executors.digest_of(ours)))
    assert sum(batch.num_rows for batch in made) == 2
    with pytest.raises(RuntimeError, match="locations of an executor differ"):
        list(_executors.people(iter(points.to_batches()), how, {}, _executors.digest_of(others)))


def test_what_is_sorted_on_disk_lies_where_spark_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = pyarrow.table({"uid": ["a"], "location": ["S01"], "datetime": ["2024-03-04 07:00"]})
    public = wayveil.read(rows, universe=STOPS)
    outputs = []
    read = wayveil._reading.read

    def watching(given: Any, **how: Any) -> Any:
        outputs.append(how["scratch"])
        return read(given, **how)

    monkeypatch.setattr(wayveil._reading, "read", watching)
    tables = {"universe": _executors.universe_of(public)}
    ours, yarns = tmp_path / "ours", tmp_path / "yarns"
    ours.mkdir(), yarns.mkdir()
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"/no/such/folder,{ours}")
    list(_executors.people(iter(rows.to_batches()), {}, tables, _executors.digest_of(public)))
    monkeypatch.setenv("CONTAINER_ID", "container_1")
    monkeypatch.setenv("LOCAL_DIRS", f"{yarns},/no/such/folder")
    list(_executors.people(iter(rows.to_batches()), {}, tables, _executors.digest_of(public)))
    assert [Path(output).parent for output in outputs] == [ours, yarns]
    assert not [*ours.iterdir(), *yarns.iterdir()]


def test_exact_counts_are_no_part_of_what_is_public() -> None:
    """The door asks, after the charge; whoever has people does not."""
    names = {"forget", "public", "summary"}
    nobody = {"uid": pyarrow.array([], "string"), "trajectory": pyarrow.array([], pyarrow.list_(pyarrow.string()))}
    people = People(None, wayveil.read(pyarrow.table(nobody), universe=STOPS))
    assert {name for name in dir(people) if not name.startswith("_")} == names


def test_what_cannot_be_read_is_said_before_anything_is_spent(spark: Any, events: pandas.DataFrame) -> None:
    frame = spark.createDataFrame(events)
    kept = spark.sparkContext._jsc.getPersistentRDDs()
    before = kept.size()
    with pytest.raises(Exception, match="S39"):
        wayveil.spark.read(frame, universe=STOPS[:-1])
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == before, "a read that failed has left people behind"
    with pytest.raises(wayveil.UsageError, match="read has no max_gaps"):
        wayveil.spark.read(frame, universe=STOPS, max_gaps="2h")
    with pytest.raises(wayveil.InputError, match="cannot be read off"):
        wayveil.spark.read(frame, universe="from-data")
    with pytest.raises(wayveil.InputError, match="'card' is missing"):
        wayveil.spark.read(frame, universe=STOPS, uid="card")
    with pytest.raises(wayveil.UsageError, match="no DataFrame of Spark"):
        wayveil.spark.read(events, universe=STOPS)
    with wayveil.spark.read(frame, universe=STOPS, max_gap="2h") as people:
        with pytest.raises(wayveil.RefusedError, match="stay where they are"):
            wayveil.publish(people, "weave", epsilon=1)
        with pytest.raises(wayveil.InputError, match="stay where they are"):
            wayveil.info(people)
    assert wayveil.Ledger().show()["populations"] == []
