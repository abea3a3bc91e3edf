"""Releases for recipients who have a cluster, too."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .._errors import UsageError
from .._release import Release

_TABLES = ("locations", "counts")


def write_release(
    release: Release,
    spark: Any,
    folder: str,
    *,
    partitions: int | None = None,
    force: bool = False,
) -> None:
    """Writes a copy of a release as partitioned Parquet, wherever Spark can write.

    ``trajectories`` has the released rows in so many parts; ``locations``, ``counts`` and ``manifest`` stand beside it.
    Equal trajectories travel to the executors once, with their number. The release's own folder stays what it is, and
    the checksums of its manifest are of the files there.
    """
    if not isinstance(release, Release):
        raise UsageError(f"{type(release).__name__} is no release", advice="wayveil.open(folder)")
    mode = "overwrite" if force else "error"
    base = folder.rstrip("/")
    trajectories = expanded(release, spark)
    if partitions is not None:
        trajectories = trajectories.repartition(partitions)
    trajectories.write.mode(mode).parquet(f"{base}/trajectories")
    for name in _TABLES:
        table = _parquet(release, name)
        if table is not None:
            _frame(spark, table).coalesce(1).write.mode(mode).parquet(f"{base}/{name}")
    manifest = (release.path / "manifest.json").read_text(encoding="utf-8")
    spark.createDataFrame([(manifest,)], "value string").coalesce(1).write.mode(mode).option("lineSep", "\n").text(
        f"{base}/manifest"
    )


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
            if row == last:
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


def _parquet(release: Release, name: str) -> Any:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")

    path = release.path / f"{name}.parquet"
    if not path.exists():
        return None
    table = parquet.read_table(path)
    fields = [pyarrow.field(field.name, _plain(field.type)) for field in table.schema]
    return table.cast(pyarrow.schema(fields))


def _frame(spark: Any, table: Any) -> Any:
    try:
        return spark.createDataFrame(table)
    except TypeError:  # before Spark 4, tables of Arrow went through pandas
        return spark.createDataFrame(table.to_pandas())
