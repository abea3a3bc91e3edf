"""Whatever holds taps gives the same data."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import STOPS, taps_rows

import wayveil


def facts(data: wayveil.Data) -> tuple[int, int, int]:
    info = data.info()
    return info["records"], info["symbols"], info["locations"]


EXPECTED = (40, 80, 6)


def pandas_frame(**types: str) -> Any:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(taps_rows())
    frame["datetime"] = pandas.to_datetime(frame["datetime"])
    for column, kind in types.items():
        frame[column] = frame[column].astype(kind)
    return frame


@pytest.mark.parametrize("kind", ["object", "string", "category", "string[pyarrow]"])
def test_pandas_texts(kind: str) -> None:
    assert facts(wayveil.read(pandas_frame(uid=kind, location=kind), universe=STOPS)) == EXPECTED


@pytest.mark.parametrize("kind", ["int64", "Int64", "uint16", "int32"])
def test_pandas_whole_numbers_name_people(kind: str) -> None:
    frame = pandas_frame()
    frame["uid"] = frame["uid"].str.removeprefix("card-").astype("int64").astype(kind)
    assert facts(wayveil.read(frame, universe=STOPS)) == EXPECTED


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "America/Montreal"])
def test_pandas_moments(unit: str, zone: str | None) -> None:
    frame = pandas_frame()
    frame["datetime"] = frame["datetime"].astype(f"datetime64[{unit}]")
    if zone:
        frame["datetime"] = frame["datetime"].dt.tz_localize(zone)
    data = wayveil.read(frame, universe=STOPS, bin_width="1h", bin_origin="2024-03-04", bins=48, local_timezone=zone)
    assert data.bins == 48
    assert facts(data)[:2] == (40, 80)


def test_fractions_name_nobody() -> None:
    frame = pandas_frame()
    frame["uid"] = 1.5
    with pytest.raises(wayveil.InputError) as caught:
        wayveil.read(frame, universe=STOPS)
    assert caught.value.column == "uid" and "Float64" in caught.value.message
    assert caught.value.advice is not None and 'astype({"uid": "Int64"})' in caught.value.advice


@pytest.mark.parametrize("kind", ["Utf8", "Categorical", "Enum"])
@pytest.mark.parametrize("zone", [None, "Europe/Paris"])
def test_polars(kind: str, zone: str | None) -> None:
    polars = pytest.importorskip("polars")
    types = {"Utf8": polars.Utf8, "Categorical": polars.Categorical, "Enum": polars.Enum(STOPS)}
    frame = polars.DataFrame(taps_rows()).with_columns(
        polars.col("location").cast(types[kind]),
        polars.col("datetime").str.to_datetime(time_unit="us", time_zone=zone),
    )
    assert facts(wayveil.read(frame, universe=STOPS)) == EXPECTED


def test_a_lazy_frame_is_to_be_collected() -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(wayveil.InputError, match="no rows yet") as caught:
        wayveil.read(polars.LazyFrame(taps_rows()), universe=STOPS)
    assert caught.value.advice is not None and ".collect()" in caught.value.advice


def arrow_table() -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(taps_rows())
    moments = pyarrow.compute.strptime(table["datetime"], "%Y-%m-%dT%H:%M:%S", "s")
    return table.set_column(2, "datetime", moments)


@pytest.mark.parametrize("kind", ["large_string", "dictionary", "string_view"])
def test_pyarrow_texts(kind: str) -> None:
    import pyarrow
    import pyarrow.compute  # noqa: F401

    table = arrow_table()
    types = {
        "large_string": pyarrow.large_string(),
        "dictionary": pyarrow.dictionary(pyarrow.int16(), pyarrow.string()),
        "string_view": pyarrow.string_view(),
    }
    # Not by cast: views made so crash every reader in some versions of pyarrow.
    table = table.set_column(1, "location", pyarrow.array(table["location"].to_pylist(), types[kind]))
    assert facts(wayveil.read(table, universe=STOPS)) == EXPECTED


def test_chunks_slices_streams_and_orders_make_no_difference() -> None:
    import pyarrow
    import pyarrow.compute

    table = arrow_table()
    chunked = pyarrow.concat_tables([table.slice(0, 7), table.slice(7, 30), table.slice(37)])
    assert chunked["uid"].num_chunks == 3
    backwards = table.take(pyarrow.array(range(table.num_rows - 1, -1, -1)))
    doubled = pyarrow.concat_tables([table, table]).slice(table.num_rows)
    for form in (chunked, backwards, doubled, chunked.to_reader(), doubled.combine_chunks().to_batches()[0]):
        assert facts(wayveil.read(form, universe=STOPS)) == EXPECTED
    mine = wayveil.mine(wayveil.read(table, universe=STOPS), min_support=1).to_dicts()
    assert wayveil.mine(wayveil.read(backwards, universe=STOPS), min_support=1).to_dicts() == mine


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        relation = connection.from_arrow(arrow_table())
        assert facts(wayveil.read(relation, universe=STOPS)) == EXPECTED


def test_a_frame_like_scikit_mobilitys() -> None:
    pandas = pytest.importorskip("pandas")

    class TrajDataFrame(pandas.DataFrame):  # type: ignore[misc]
        """Its columns under its names; the package itself wants pandas 1.5."""

        @property
        def _constructor(self) -> type:
            return TrajDataFrame

    frame = TrajDataFrame(
        {
            "uid": [1, 1, 2],
            "lat": [39.8, 39.9, 39.8],
            "lng": [116.3, 116.4, 116.3],
            "datetime": pandas.to_datetime(["2008-10-23 05:53"] * 3),
            "tid": [7, 8, 7],
        }
    )
    data = wayveil.read(frame, area=(39.75, 116.2, 40.05, 116.55), grid=(2, 2))
    assert facts(data) == (3, 3, 4)
    assert wayveil.read(frame.drop(columns="tid"), area=(39.75, 116.2, 40.05, 116.55), grid=(2, 2)).info()["records"] == 2


def test_points_need_public_cells() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"uid": [1], "lat": [39.8], "lng": [116.3], "datetime": pandas.to_datetime(["2008-10-23"])})
    with pytest.raises(wayveil.InputError, match="points must become locations") as caught:
        wayveil.read(frame)
    assert caught.value.advice is not None and 'area="S,W,N,E" with grid="32x32"' in caught.value.advice


def test_geopandas_points() -> None:
    geopandas = pytest.importorskip("geopandas")
    frame = geopandas.GeoDataFrame(
        {"uid": ["a", "a"], "datetime": ["2024-03-04T08:00", "2024-03-04T09:00"]},
        geometry=geopandas.points_from_xy([116.3, 116.4], [39.8, 39.9]),
        crs=4326,
    )
    where = {"area": (39.75, 116.2, 40.05, 116.55), "grid": "2x2"}
    assert facts(wayveil.read(frame, **where)) == (1, 2, 4)
    with pytest.raises(wayveil.InputError, match="to_crs|reference system"):
        wayveil.read(frame.to_crs(3857), **where)
    with pytest.raises(wayveil.InputError, match="no known reference system"):
        wayveil.read(frame.set_crs(None, allow_override=True), **where)
    lines = frame.set_geometry(frame.geometry.buffer(0.1).boundary)
    with pytest.raises(wayveil.InputError, match="not a Point|not of points"):
        wayveil.read(lines, **where)


def test_lists_and_list_columns() -> None:
    records = [["A", "B"], [], ["B"]]
    plain = wayveil.read(records, universe=["A", "B"])
    assert facts(plain) == (3, 3, 2)
    assert facts(wayveil.read([[1, 2], [2]], universe=[1, 2])) == (2, 3, 2)
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    for frame in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        assert facts(wayveil.read(frame({"visited": records}), universe=["A", "B"])) == (3, 3, 2)
        owned = frame({"uid": ["x", "x", "y"], "locations": records})
        assert wayveil.query(wayveil.read(owned, universe=["A", "B"]), "A").records == 3
    for wrong in ([["A"], "AB"], [["A", None]], [["A", 1.5]]):
        with pytest.raises(wayveil.InputError):
            wayveil.read(wrong, universe=["A", "B"])


def test_one_row_and_none(taps: Any) -> None:
    assert facts(wayveil.read(taps.head(1), universe=STOPS)) == (1, 1, 6)
    assert facts(wayveil.read(taps.head(0), universe=STOPS)) == (0, 0, 6)
    assert facts(wayveil.read([], universe=STOPS)) == (0, 0, 6)
    assert facts(wayveil.read(taps.head(0).astype("object"), universe=STOPS)) == (0, 0, 6)
    assert facts(wayveil.read([[], []], universe=STOPS)) == (2, 0, 6)
    with pytest.raises(wayveil.InputError, match="row 1: the uid is missing"):
        wayveil.read(taps.assign(uid=None), universe=STOPS)


def test_universes_of_every_kind(taps: Any, tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas")
    listed = tmp_path / "stops.txt"
    listed.write_text("\n".join(STOPS))
    table = pandas.DataFrame({"label": STOPS, "lat": [1.0, 2, 3, 4, 5, None], "lng": [1.0, 2, 3, 4, 5, None], "parent": "x"})
    first = wayveil.read(taps, universe=STOPS)
    for universe in (tuple(STOPS), set(STOPS), listed, str(listed), table, first):
        data = wayveil.read(taps, universe=universe)
        assert facts(data) == EXPECTED and not data.universe_from_data
    off = wayveil.read(taps, universe="from-data")
    assert off.universe_from_data
    with pytest.raises(wayveil.InputError, match="no public list"):
        wayveil.read(taps, universe=off)


def test_columns_are_handed_over_where_they_lie() -> None:
    import pyarrow

    from wayveil import _frames

    table = arrow_table()
    handed, rows = _frames.table_of(table, "<data>", [])
    assert rows == 80
    buffers = [it.address for chunk in table["location"].chunks for it in chunk.buffers() if it is not None]
    assert set(handed.addresses("location")) <= set(buffers)
    polars = pytest.importorskip("polars")
    handed, _ = _frames.table_of(polars.DataFrame({"n": list(range(1000))}), "<data>", [])
    frame = polars.DataFrame({"n": list(range(1000))})
    again, _ = _frames.table_of(frame, "<data>", [])
    assert again.addresses("n") == [pyarrow.table(frame)["n"].chunks[0].buffers()[1].address]


def test_data_shows_nothing_raw(taps: Any) -> None:
    import pickle

    data = wayveil.read(taps, universe=STOPS, population="riders <2024>")
    assert repr(data) == "<data of the population 'riders <2024>': 6 locations (table), no times>" or "6 locations" in repr(data)
    page = data._repr_html_()
    assert "riders &lt;2024&gt;" in page and "<2024>" not in page
    for shown in (repr(data), page):
        assert "40" not in shown and "80" not in shown and "card" not in shown
    with pytest.raises(TypeError):
        pickle.dumps(data)


def test_files(tmp_path: Any, taps: Any) -> None:
    path = tmp_path / "taps.csv"
    taps.to_csv(path, index=False)
    data = wayveil.read(path, format="events", universe=STOPS)
    assert facts(data) == EXPECTED and data.population == "taps"
    saved = tmp_path / "taps.parquet"
    data.save(saved)
    assert facts(wayveil.read(str(saved))) == EXPECTED
    with pytest.raises(wayveil.InputError, match="exists already") as caught:
        data.save(saved)
    assert caught.value.advice is not None and "force=True" in caught.value.advice
    data.save(saved, force=True)
    with pytest.raises(wayveil.UsageError, match="format"):
        wayveil.read(path, universe=STOPS)


def test_what_is_left_out_is_counted(taps: Any) -> None:
    data = wayveil.read(taps, universe=STOPS[1:], unknown="drop")
    assert data.summary is not None and data.summary["unknown_visits"] > 0 and data.summary["rows"] == 80


def test_lengths_of_time_and_days(taps: Any) -> None:
    import datetime

    split = wayveil.read(taps, universe=STOPS, max_gap=datetime.timedelta(minutes=30))
    assert split.info()["records"] == 80
    assert wayveil.read(taps, universe=STOPS, day_starts=datetime.time(8, 30)).info()["records"] > 40
