"""Releases for recipients who have a cluster, too."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .._errors import InputError, UsageError
from .._release import Release

_NAMES = ("trajectories", "locations", "counts", "fragments", "manifest")
"""Everything that a copy can hold."""
_INCOMPLETE = "This copy is incomplete: it is being replaced, or replacing it has failed. Nothing is promised about its rows."
"""What stands for the manifest of a copy that is being replaced."""
_MOST_COPIES = 100_000
"""Rows that one row is sent for, at most: an executor makes a list of so many numbers."""


def write_release(
    release: Release,
    spark: Any,
    folder: str,
    *,
    partitions: int | None = None,
    force: bool = False,
) -> None:
    """Writes a copy of a release as partitioned Parquet, wherever Spark can write.

    ``trajectories`` has the released rows in so many parts; ``locations``, ``manifest`` and, where the release has them,
    ``counts`` and ``fragments`` stand beside it. Equal trajectories travel to the executors once, with their number. The
    release's own folder stays what it is, and the checksums of its manifest are of the files there. ``force`` replaces an
    older copy, but for tables that this release does not have: those are refused. The manifest comes last; until it is
    there, the copy is incomplete, and an older one's manifest says so.
    """
    if not isinstance(release, Release):
        raise UsageError(f"{type(release).__name__} is no release", advice="wayveil.open(folder)")
    base = folder.rstrip("/")
    beside = {name: table for name in ("locations", "counts", "fragments") if (table := _table(release, name)) is not None}
    _check_target(spark, base, {"trajectories", "manifest", *beside}, force)
    mode = "overwrite" if force else "error"
    if force:
        # Or the older manifest would promise something of newer rows for as long as these are written, or for good.
        _write_manifest(spark, base, _INCOMPLETE, mode)
    trajectories = expanded(release, spark)
    if partitions is not None:
        trajectories = trajectories.repartition(partitions)
    trajectories.write.mode(mode).parquet(f"{base}/trajectories")
    for name, table in beside.items():
        _frame(spark, table).coalesce(1).write.mode(mode).parquet(f"{base}/{name}")
    _write_manifest(spark, base, (release.path / "manifest.json").read_text(encoding="utf-8"), mode)


def _write_manifest(spark: Any, base: str, text: str, mode: str) -> None:
    frame = spark.createDataFrame([(text,)], "value string").coalesce(1)
    frame.write.mode(mode).option("lineSep", "\n").text(f"{base}/manifest")


def _check_target(spark: Any, base: str, names: set[str], force: bool) -> None:
    """Refuses a folder that would mix two releases, before anything is written."""
    there = [name for name in _NAMES if not (force and name in names) and _is_there(spark, f"{base}/{name}")]
    if there and force:
        raise InputError(
            f"{there[0]} is there from another release, and this one has none",
            file=base,
            advice="write to another folder, or remove that one",
        )
    if there:
        raise InputError(f"{there[0]} exists already", file=base, advice="force=True replaces it")


def _is_there(spark: Any, path: str) -> bool:
    errors = import_module("pyspark.errors")

    try:
        spark.read.format("binaryFile").load(path).schema
    except errors.AnalysisException as error:
        if "PATH_NOT_FOUND" in str(error):
            return False
        raise
    return True


def expanded(release: Release, spark: Any) -> Any:
    """The released trajectories as a frame: sent as runs of equal ones, made into rows on the executors."""
    functions = import_module("pyspark.sql.functions")

    runs = _runs(release)
    names = [name for name in runs.column_names if name != "copies"]
    frame = _frame(spark, runs)
    copies = functions.explode(functions.sequence(functions.lit(1).cast("bigint"), frame["copies"]))
    return frame.select(*names, copies.alias("copy")).drop("copy")


def _runs(release: Release) -> Any:
    """Trajectories that follow each other and are equal, once, with how many they are."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")

    file = parquet.ParquetFile(release.path / "trajectories.parquet")
    schema = file.schema_arrow.remove_metadata()
    columns: dict[str, list[Any]] = {name: [] for name in schema.names}
    copies: list[int] = []
    last: tuple[Any, ...] | None = None
    for batch in file.iter_batches():
        lists = [column.to_pylist() for column in batch.columns]
        for row in zip(*lists):
            if row == last and copies[-1] < _MOST_COPIES:
                copies[-1] += 1
                continue
            last = row
            copies.append(1)
            for name, value in zip(schema.names, row):
                columns[name].append(value)
    arrays = [pyarrow.array(columns[field.name], _plain(field.type)) for field in schema]
    return pyarrow.table([*arrays, pyarrow.array(copies, pyarrow.int64())], [*schema.names, "copies"])


def _plain(kind: Any) -> Any:
    """A type that Spark has: no dictionaries, no unsigned numbers."""
    pyarrow, types = import_module("pyarrow"), import_module("pyarrow.types")

    if types.is_list(kind) or types.is_large_list(kind):
        return pyarrow.list_(_plain(kind.value_type))
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    return pyarrow.int64() if types.is_unsigned_integer(kind) else kind


def _table(release: Release, name: str) -> Any:
    """A table of the release in types that Spark has; none where the release has no such table."""
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")

    if (path := release.path / f"{name}.parquet").exists():
        table = parquet.read_table(path)
    elif name == "fragments" and (release.path / "fragments.csv").exists():
        table = pyarrow.table(release.fragments)
    else:
        return None
    fields = [pyarrow.field(field.name, _plain(field.type)) for field in table.schema]
    return table.cast(pyarrow.schema(fields))


def _frame(spark: Any, table: Any) -> Any:
    try:
        return spark.createDataFrame(table)
    except TypeError:  # before Spark 4, tables of Arrow were none of its own: rows, and what is in them
        schema = import_module("pyspark.sql.pandas.types").from_arrow_schema(table.schema)
        return spark.createDataFrame(list(zip(*(column.to_pylist() for column in table.columns))), schema)
