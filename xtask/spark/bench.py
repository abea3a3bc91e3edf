"""What the cluster costs: time by workers, bytes that are sent, memory of the driver by the size of the tree.

    cargo xtask bench spark [RECORDS]

Everything is measured in one run on generated taps: people with one trip of six taps on average over 400 stops, of which
one is in half of the trips. Bytes are Spark's own, from its log of events.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy
import pandas

from cluster import Cluster

STOPS = [f"S{number:03}" for number in range(400)]
HEIGHT = 8
SETTINGS = {"epsilon": 1, "height": HEIGHT, "insecure_seed": 1}
TREES = ((2_000, 20), (20_000, 20), (200_000, 20), (20_000, 400), (20_000, 2_000))
"""Nodes, and people below each, of the trees by which the driver's memory is measured."""


def taps(people: int) -> pandas.DataFrame:
    """Taps of so many people, the same every time: half of them begin at one stop, most follow one of 300 ways."""
    draw = numpy.random.default_rng(3)
    lengths = draw.integers(2, 11, people)
    person = numpy.repeat(numpy.arange(people), lengths)
    visit = numpy.arange(len(person)) - numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)
    way = numpy.repeat(draw.zipf(1.3, people) % 300, lengths)
    stop = (way * 7 + visit * (1 + way % 5)) % len(STOPS)
    stray = draw.random(len(person)) < 0.05
    stop[stray] = draw.integers(0, len(STOPS), int(stray.sum()))
    stop[(visit == 0) & (draw.random(len(person)) < 0.5)] = 0
    start = numpy.repeat(draw.integers(0, 80_000, people), lengths)
    moment = pandas.Timestamp("2024-03-04", tz="UTC") + pandas.to_timedelta(start + visit * 300, unit="s")
    frame = pandas.DataFrame({"uid": person, "location": numpy.array(STOPS)[stop], "datetime": moment})
    return frame.sample(frac=1, random_state=1, ignore_index=True)


def tasks(log: Path) -> Iterator[dict[str, Any]]:
    """Every finished task of Spark's log of events."""
    for file in sorted(log.rglob("*")):
        if file.is_file() and not file.name.startswith((".", "appstatus")):
            for line in file.read_text(encoding="utf-8").splitlines():
                if '"SparkListenerTaskEnd"' in line:
                    event = json.loads(line)
                    if event.get("Task Metrics"):
                        yield event


def on_cluster(workers: int, rows: Path, people: int) -> dict[str, Any]:
    """Reads and publishes with so many workers, in a process of its own: a JVM of the driver has one session."""
    words = [sys.executable, __file__, "--cluster", str(workers), str(rows), str(people)]
    ran = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, timeout=3000)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def cluster_run(workers: int, rows: str, people: int) -> dict[str, Any]:
    """As above, within that process."""
    import wayveil
    import wayveil.spark

    with tempfile.TemporaryDirectory() as folder, Cluster(workers, memory="2g") as cluster:
        log = Path(folder, "log")
        log.mkdir()
        more = {
            "spark.executor.memory": "1g",
            "spark.sql.shuffle.partitions": "8",
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": log.as_uri(),
            "spark.eventLog.compress": "false",
            # As it is unless set; the tests have small batches.
            "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
        }
        session = cluster.session("bench", **more)
        session.sparkContext.setLogLevel("ERROR")
        frame = session.read.parquet(rows)
        # The first job starts executors and their Python: that is not what is measured.
        frame.limit(1000).repartition(8).mapInArrow(lambda batches: batches, frame.schema).count()
        begin = time.monotonic()
        read = wayveil.spark.read(frame, universe=STOPS, partitions=8)
        middle = time.monotonic()
        release = wayveil.publish(read, "prefix-tree", **SETTINGS)
        end = time.monotonic()
        nodes = len(release.counts)
        session.stop()
        shuffled: dict[str, int] = {"read": 0, "count": 0}
        sent = 0
        stages: dict[int, int] = {}
        for task in tasks(log):
            metrics = task["Task Metrics"]
            written = metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            stages[task["Stage ID"]] = stages.get(task["Stage ID"], 0) + written
            sent += metrics["Result Size"]
        by_size = sorted(stages.values(), reverse=True)
        shuffled["read"] = by_size[0]
        shuffled["count"] = sum(by_size[1:])
        return {
            "workers": workers,
            "read_seconds": middle - begin,
            "publish_seconds": end - middle,
            "nodes": nodes,
            "read_bytes_per_record": shuffled["read"] / people,
            "count_bytes_per_record_and_level": shuffled["count"] / people / HEIGHT,
            "bytes_to_driver": sent,
            "files": release.manifest["files"][:1],
        }


def here(rows: Path) -> dict[str, Any]:
    """The same on one machine, without Spark."""
    import pyarrow.parquet

    import wayveil

    begin = time.monotonic()
    data = wayveil.read(pyarrow.parquet.read_table(rows), universe=STOPS)
    middle = time.monotonic()
    release = wayveil.publish(data, "prefix-tree", **SETTINGS)
    end = time.monotonic()
    return {"read_seconds": middle - begin, "publish_seconds": end - middle, "files": release.manifest["files"][:1]}


def rates(people: int) -> dict[str, float]:
    """Seconds of a core for a million records, by what an executor runs, without Spark; and bytes of a kept record."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    import pyarrow

    import wayveil
    from wayveil.spark import _executors

    rows = pyarrow.Table.from_pandas(taps(people), preserve_index=False)
    public = wayveil.read(rows.slice(0, 0), universe=STOPS)
    tables = {"universe": _executors.universe_of(public)}
    begin = time.process_time()
    kept = list(_executors.people(iter(rows.to_batches(10_000)), {}, tables, _executors.digest_of(public)))
    middle = time.process_time()
    prefixes = {"ends": list(range(1, len(STOPS) + 1)), "codes": list(range(len(STOPS)))}
    what = {"children": {"height": HEIGHT, "prefixes": prefixes}}
    question = json.dumps({"unit": {"unit": "owner"}, "locations": len(STOPS), "bins": None, "what": what})
    list(_executors.tally(iter(kept), question))
    end = time.process_time()
    millions = people / 1e6
    size = sum(batch.nbytes for batch in kept) / people
    return {"read": (middle - begin) / millions, "tally": (end - middle) / millions, "bytes": size}


def driver_memory(nodes: int, each: int) -> dict[str, Any]:
    """Peak memory of a process that makes a release from a tree of so many nodes, which somebody else has counted."""
    words = [sys.executable, __file__, "--tree", str(nodes), str(each)]
    ran = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, timeout=3000)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def tree_run(wanted: int, each: int) -> dict[str, Any]:
    """As above, within that process. Ten levels of equally many nodes; every node has one child and as many people."""
    import pyarrow

    import wayveil
    from wayveil._elsewhere import Elsewhere

    levels = 10
    width = wanted // levels
    labels = [f"L{number}" for number in range(max(width, 2))]
    nobody = {"uid": pyarrow.array([], "string"), "trajectory": pyarrow.array([], pyarrow.list_(pyarrow.string()))}
    public = wayveil.read(pyarrow.table(nobody), universe=labels)

    class Wide(Elsewhere):
        largest = 0

        def ask(self, question: str) -> Any:
            self.largest = max(self.largest, len(question))
            prefixes = json.loads(question)["what"]["children"]["prefixes"]["ends"]
            first = numpy.zeros(width) if len(prefixes) == 1 else numpy.arange(len(prefixes))
            second = numpy.arange(len(first)) % width
            columns = [first, second, numpy.full(len(first), each)]
            arrays = [pyarrow.array(column.astype("int64")) for column in columns]
            return pyarrow.table(arrays, ["first", "second", "count"])

    before = peak()
    counted = Wide(public)
    release = wayveil.publish(counted, "prefix-tree", epsilon=20, height=levels, insecure_seed=1)
    after = peak()
    rows = import_module("pyarrow.parquet").ParquetFile(release.path / "trajectories.parquet").metadata.num_rows
    return {"nodes": len(release.counts), "rows": rows, "before": before, "after": after, "question": counted.largest}


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def main() -> None:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory(prefix="wayveil-bench-") as folder:
        rows = Path(folder, "taps.parquet")
        frame = taps(people)
        frame.to_parquet(rows, row_group_size=len(frame) // 8 + 1, coerce_timestamps="us")
        print(f"{people:,} people, {len(frame):,} taps, {len(STOPS)} stops, height {HEIGHT}\n")
        alone = here(rows)
        print(f"{'':>10} {'read, s':>9} {'publish, s':>11} {'shuffled/record':>16} {'counts/record/level':>20} {'to driver':>12} {'nodes':>8}")
        print(f"{'alone':>10} {alone['read_seconds']:9.1f} {alone['publish_seconds']:11.1f}")
        for workers in (1, 2):
            found = on_cluster(workers, rows, people)
            assert found["files"] == alone["files"], "the cluster's release differs"
            print(
                f"{workers:>2} workers {found['read_seconds']:9.1f} {found['publish_seconds']:11.1f} "
                f"{found['read_bytes_per_record']:16.1f} {found['count_bytes_per_record_and_level']:20.3f} "
                f"{found['bytes_to_driver']:12,} {found['nodes']:8,}"
            )
    found = rates(people)
    print(
        f"\nseconds of a core for a million records: read {found['read']:.2f}, a level {found['tally']:.2f}; "
        f"a kept record has {found['bytes']:.0f} bytes"
    )
    print(f"\n{'nodes':>10} {'released':>11} {'driver, MB':>11} {'question, MB':>13}")
    for nodes, each in TREES:
        found = driver_memory(nodes, each)
        grown = found["after"] - found["before"]
        print(f"{found['nodes']:10,} {found['rows']:11,} {grown / 1e6:11.1f} {found['question'] / 1e6:13.2f}", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cluster", workers, rows, people]:
            print(json.dumps(cluster_run(int(workers), rows, int(people))))
        case ["--tree", nodes, each]:
            print(json.dumps(tree_run(int(nodes), int(each))))
        case _:
            main()
