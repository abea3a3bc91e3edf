"""Tables of other packages, taken over by Arrow's C interface."""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from . import _wayveil
from ._data import Data
from ._errors import InputError, UsageError
from ._release import Release

COLUMNS = ("uid", "tid", "location", "lat", "lng", "datetime")
"""Names of columns that are looked for where no others are given; all but the third are scikit-mobility's."""


def is_frame(source: object) -> bool:
    """Whether this is a table of some package."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__") or _package(source) in (
        "pandas",
        "polars",
        "duckdb",
        "geopandas",
        "pyarrow",
    )


def is_geopandas(source: object) -> bool:
    """Whether this is a GeoDataFrame."""
    return _package(source) == "geopandas"


def is_lists(source: object) -> bool:
    """Whether these are trajectories as lists of labels."""
    return isinstance(source, (list, tuple))


def listed(source: Any) -> Any:
    """A single column (a Series, an Index, an array) as a list, likewise an iterator; anything else as it is."""
    if hasattr(source, "columns") or hasattr(source, "schema"):
        return source
    if isinstance(source, Iterator):
        return list(source)
    for way in ("to_pylist", "to_list", "tolist"):
        if callable(getattr(source, way, None)):
            return getattr(source, way)()
    return source


def _package(source: object) -> str:
    for kind in type(source).__mro__:
        package = kind.__module__.split(".")[0]
        if package in ("pandas", "polars", "duckdb", "geopandas", "pyarrow", "_duckdb"):
            return package.lstrip("_")
    return ""


def table_of(source: Any, name: str, wanted: Iterable[str]) -> tuple[_wayveil.Table, int | None]:
    """The table, and how many rows it has where that is known. ``wanted`` are the columns that will be read."""
    if is_lists(source):
        return _wayveil.table_of_lists(list(_labels(source))), len(source)
    package = _package(source)
    if package == "polars" and not hasattr(source, "__arrow_c_stream__") and hasattr(source, "collect"):
        raise InputError("this has no rows yet", file=name, advice="collect it first: frame.collect()")
    if package in ("pandas", "polars", "pyarrow"):
        source = _narrowed(source, name, wanted)
    try:
        rows = len(source)
    except TypeError:
        rows = None
    try:
        if package == "geopandas":
            source = _with_geometry(source, name)
        if not hasattr(source, "__arrow_c_stream__") and not hasattr(source, "__arrow_c_array__"):
            source = _through_pyarrow(source, package)
        return _wayveil.read_table(source), rows
    except ImportError:
        raise InputError(
            f"{package or 'this table'} hands its columns over by pyarrow, which is not installed",
            file=name,
            advice="pip install pyarrow",
        ) from None
    except (InputError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as cause:  # whatever the other package says of its own columns
        raise _not_handed_over(cause, name) from cause


def _through_pyarrow(source: Any, package: str) -> Any:
    if package == "pandas":
        return import_module("pyarrow").Table.from_pandas(source)
    for way in ("to_arrow_table", "fetch_arrow_table", "to_arrow"):
        if hasattr(source, way):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                return getattr(source, way)()
    raise UsageError(f"{type(source).__name__} does not speak Arrow's C interface")


def _not_handed_over(cause: Exception, name: str) -> InputError:
    said = " ".join(str(part) for part in cause.args) or type(cause).__name__
    column = re.search(r"column ['\"]?([^'\" ]+)['\"]? with type", said)
    advice = None
    if column:
        advice = f'give the column one type: frame["{column.group(1)}"] = frame["{column.group(1)}"].astype("string")'
    return InputError(
        f"the table cannot be handed over: {said}", file=name, column=column.group(1) if column else None, advice=advice
    )


def _narrowed(frame: Any, file: str, wanted: Iterable[str]) -> Any:
    """The columns that will be read, so that others need not be converted; all where one of them is missing."""
    names = list(dict.fromkeys(wanted))
    present = list(getattr(frame, "column_names", frame.columns if hasattr(frame, "columns") else ()))
    if not names or any(present.count(name) != 1 for name in names):
        return frame
    if _package(frame) == "pandas":
        for name in names:
            if type(frame[name].dtype).__name__ == "PeriodDtype":
                advice = f'frame["{name}"] = frame["{name}"].dt.to_timestamp()'
                raise InputError("this column holds periods, not times", file=file, column=name, advice=advice)
        return frame[names]
    return frame.select(names) if hasattr(frame, "select") else frame


def _with_geometry(frame: Any, name: str) -> Any:
    """A GeoDataFrame with its points as WKB, beside which its reference system stands.

    Its geometry is what counts, also beside columns of degrees that nobody has named.
    """
    if not hasattr(frame, "to_arrow"):
        raise InputError(
            "this version of geopandas does not hand its points over",
            file=name,
            advice="geopandas 1.0 does; or give columns of degrees: frame.assign(lat=frame.geometry.y, lng=frame.geometry.x)",
        )
    return frame.to_arrow(index=False, geometry_encoding="WKB")


def _labels(records: Iterable[Any]) -> Iterable[list[str]]:
    for number, record in enumerate(records):
        record = listed(record)
        if isinstance(record, (str, bytes, Mapping, set, frozenset)) or not isinstance(record, Iterable):
            raise InputError(
                f"record {number} is {type(record).__name__}, not a list of labels", advice='[["A", "B"], ["C"]]'
            )
        labels = []
        for label in record:
            if isinstance(label, bool) or not isinstance(label, (str, int)):
                raise InputError(f"record {number} has the label {label!r}: labels are text or whole numbers")
            labels.append(_encodable(str(label)))
        yield labels


def _encodable(label: str) -> str:
    try:
        label.encode()
    except UnicodeEncodeError:
        raise InputError(f"the label {label!r} is not valid Unicode text") from None
    return label


def universe_file(universe: Any, folder: Path) -> str:
    """A file for the set of locations: a path as it is, anything else as a table."""
    if isinstance(universe, (str, os.PathLike)):
        return os.fspath(universe)
    file = folder / "universe.csv"
    if isinstance(universe, Data):
        if universe.universe_from_data:
            raise InputError(
                "the locations of that data were read off it, and are no public list", advice='universe="from-data"'
            )
        universe._inner.save_universe(str(file))
        return str(file)
    columns = _universe_columns(universe)
    with file.open("w", newline="", encoding="utf-8") as lines:
        rows = csv.writer(lines)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values()))
    return str(file)


def _universe_columns(universe: Any) -> Mapping[str, Iterable[Any]]:
    if isinstance(universe, Release):
        universe = universe.locations
    universe = listed(universe)
    if isinstance(universe, Mapping):
        if "label" not in universe:
            raise InputError("the column 'label' is missing", file="<universe>", advice='{"label": [...], "lat": [...], "lng": [...]}')
        return {name: list(listed(universe[name])) for name in ("label", "name", "lat", "lng", "parent") if name in universe}
    if _package(universe) == "geopandas":
        universe = _without_geometry(universe)
    if is_frame(universe):
        known = ("label", "name", "lat", "lng", "parent")
        table, _ = table_of(universe, "<universe>", [])
        columns = table.to_lists()
        found = {name: columns[name] for name in known if name in columns}
        if "label" not in found:
            raise InputError(
                "the column 'label' is missing", file="<universe>", advice=f"it has {', '.join(columns)}; rename one"
            )
        return {name: ["" if each is None else each for each in values] for name, values in found.items()}
    if not isinstance(universe, Iterable):
        raise UsageError(
            f"the universe is {type(universe).__name__}", advice='a list of labels, a table, a file, or universe="from-data"'
        )
    labels = sorted(universe, key=str) if isinstance(universe, (set, frozenset)) else list(universe)
    if wrong := [each for each in labels if isinstance(each, bool) or not isinstance(each, (str, int))]:
        raise InputError(f"the universe has the label {wrong[0]!r}: labels are text or whole numbers")
    return {"label": [_encodable(str(each)) for each in labels]}


def _without_geometry(frame: Any) -> Any:
    """The public places of a GeoDataFrame, with their points in degrees unless it has such columns."""
    bare = import_module("pandas").DataFrame(frame.drop(columns=frame.geometry.name))
    if "lat" in bare.columns or not (frame.geometry.geom_type == "Point").all():
        return bare
    points = frame.geometry if frame.crs is None else frame.geometry.to_crs(4326)
    return bare.assign(lat=points.y.to_numpy(), lng=points.x.to_numpy())
