"""What the cluster costs: time by workers, bytes that are sent, memory of the driver by the size of the tree.

    cargo xtask bench spark [RECORDS]

Everything is measured in one run on generated taps: people with one trip of six taps on average over 400 stops, of which
one is in half of the trips. Bytes are Spark's own, from its log of events and of what it keeps; seconds of a core are the
operating system's, of the executors' JVMs and of the Python beside them, and Spark's own for its tasks. What is printed is
the tables of docs/spark.md.
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

from cluster import Cluster, below

STOPS = [f"S{number:03}" for number in range(400)]
HEIGHT = 8
SETTINGS = {"epsilon": 1, "height": HEIGHT, "insecure_seed": 1}
TREES = ((2_000, 20), (20_000, 20), (200_000, 20), (20_000, 400), (20_000, 2_000))
"""Nodes, and people below each, of the trees by which the driver's memory is measured."""
PREFIXES = ((1, 0), (400, 1), (100_000, 2), (100_000, 4), (100_000, 8))
"""Number and depth of the prefixes by which the rate of counting is measured."""
PAIRS = (1_000_000, 10_000_000)
"""Combinations of visits by which the driver's memory for a verdict is measured."""


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


def tasks(log: Path, since: float, until: float) -> Iterator[dict[str, Any]]:
    """The metrics of every finished task of Spark's log of events that began between these moments: what warmed the cluster
    up is not measured."""
    for file in sorted(log.rglob("*")):
        if file.is_file() and not file.name.startswith((".", "appstatus")):
            for line in file.read_text(encoding="utf-8").splitlines():
                if '"SparkListenerTaskEnd"' in line:
                    event = json.loads(line)
                    if event.get("Task Metrics") and since * 1000 <= event["Task Info"]["Launch Time"] < until * 1000:
                        yield event["Task Metrics"]


def used(cluster: Cluster) -> dict[str, float]:
    """Seconds of a core that executors have had until now: their JVMs, and the Python below these, ended workers included."""
    tick = os.sysconf("SC_CLK_TCK")
    spent = {"jvm": 0.0, "python": 0.0}
    workers = [process for name, process in cluster.processes.items() if name.startswith("worker")]
    for process in [each for worker in workers for each in below(worker.pid)]:
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes()
            # The name, in brackets, may hold blanks and brackets: count from the last one.
            own, system, childrens, beneath = map(int, Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[11:15])
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in words:
            spent["jvm"] += (own + system) / tick
        else:
            spent["python"] += (own + system + childrens + beneath) / tick
    return spent


def on_cluster(workers: int, rows: Path, people: int) -> dict[str, Any]:
    """Reads and publishes with so many workers, in a process of its own: a JVM of the driver has one session."""
    return apart("--cluster", workers, rows, people)


def apart(*words: Any) -> dict[str, Any]:
    """What a process of its own has measured."""
    # Warnings about books and seeds would stand between the rows of tables.
    command = [sys.executable, "-W", "ignore", __file__, *map(str, words)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=3000)
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def cluster_run(workers: int, rows: str, people: int) -> dict[str, Any]:
    """As above, within that process."""
    import wayveil
    import wayveil.spark

    class Counted(wayveil.spark.People):
        questions = 0

        def _ask(self, question: str) -> Any:
            self.questions += 1
            return super()._ask(question)

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
        # The first jobs start executors and their Python, and compile: that is not what is measured.
        with wayveil.spark.read(frame.limit(2000), universe=STOPS, partitions=8) as few:
            wayveil.publish(few, "prefix-tree", **SETTINGS)
        moments, cores = [time.time()], [used(cluster)]
        read = wayveil.spark.read(frame, universe=STOPS, partitions=8)
        moments.append(time.time())
        cores.append(used(cluster))
        counted = Counted(read._frame, read.public)
        release = wayveil.publish(counted, "prefix-tree", **SETTINGS)
        moments.append(time.time())
        cores.append(used(cluster))
        kept = session.sparkContext._jsc.sc().getRDDStorageInfo()
        nodes = len(release.counts)
        held = sum(each.memSize() + each.diskSize() for each in kept)
        session.stop()
        phases = {}
        for phase, name in enumerate(("read", "count")):
            found = list(tasks(log, moments[phase], moments[phase + 1]))
            phases[name] = {
                "seconds": moments[phase + 1] - moments[phase],
                "shuffled": sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in found),
                "sent": sum(task["Result Size"] for task in found),
                "spark_cpu": sum(task["Executor CPU Time"] for task in found) / 1e9,
                "spark_run": sum(task["Executor Run Time"] for task in found) / 1e3,
                **{kind: cores[phase + 1][kind] - cores[phase][kind] for kind in ("jvm", "python")},
            }
        return {
            **phases,
            "people": people,
            "levels": counted.questions,
            "nodes": nodes,
            "held": held,
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


def rates(people: int) -> tuple[float, float, list[tuple[int, int, float, float]]]:
    """What an executor runs, without Spark: seconds of a core to read a million records; bytes of a record as Arrow has it;
    and by number and depth of prefixes the seconds to make a question ready, and to count a million records."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    import pyarrow

    import wayveil
    from wayveil import _wayveil
    from wayveil.spark import _executors

    rows = pyarrow.Table.from_pandas(taps(people), preserve_index=False)
    public = wayveil.read(rows.slice(0, 0), universe=STOPS)
    tables = {"universe": _executors.universe_of(public)}
    begin = time.process_time()
    kept = list(_executors.people(iter(rows.to_batches(10_000)), {}, tables, _executors.digest_of(public)))
    reading = (time.process_time() - begin) / people * 1e6
    table = pyarrow.Table.from_batches(kept)
    kept = table.combine_chunks().to_batches(10_000)
    ways = [codes for codes in table.column("codes").to_pylist() if codes]
    counting = []
    for number, depth in PREFIXES:
        question = asked(ways, number, depth)
        begin = time.process_time()
        tallier = _wayveil.Tallier(question)
        ready = time.process_time() - begin
        for batch in kept:
            tallier.add(batch)
        pairs = pyarrow.table(tallier.table()).num_rows
        assert pairs > 0
        counting.append((number, depth, ready, (time.process_time() - begin - ready) / people * 1e6))
    return reading, sum(batch.nbytes for batch in kept) / people, counting


def asked(ways: list[list[int]], number: int, depth: int) -> str:
    """A question about so many prefixes: those that occur, and made-up ones where they are too few."""
    prefixes = dict.fromkeys(tuple(way[:depth]) for way in ways if len(way) >= depth)
    draw = numpy.random.default_rng(4)
    while len(prefixes) < number:
        prefixes.update(dict.fromkeys(map(tuple, draw.integers(0, len(STOPS), (number, depth)).tolist())))
    codes = [code for prefix in list(prefixes)[:number] for code in prefix]
    listed = {"ends": [depth * (place + 1) for place in range(number)], "codes": codes}
    what = {"children": {"height": 12, "prefixes": listed}}
    return json.dumps({"unit": {"unit": "owner"}, "locations": len(STOPS), "bins": None, "what": what})


def driver_memory(nodes: int, each: int) -> dict[str, Any]:
    """Peak memory of a process that makes a release from a tree of so many nodes, which somebody else has counted."""
    return apart("--tree", nodes, each)


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

        def _ask(self, question: str) -> Any:
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


def verify_run(pairs: int) -> dict[str, Any]:
    """Peak memory of a verdict on so many combinations of two visits, which somebody else has counted."""
    import pyarrow

    import wayveil
    from wayveil._elsewhere import Elsewhere

    nobody = {"uid": [], "location": [], "datetime": []}
    labels = [f"L{number}" for number in range(1000)]
    axis = {"bin_width": "1m", "bin_origin": "2024-03-04T00:00:00Z", "bins": 10_000}
    columns = {name: pyarrow.array(it, "string") for name, it in nobody.items()}
    public = wayveil.read(pyarrow.table(columns), universe=labels, **axis)
    sets = min(1_900_000, pairs)

    class Wide(Elsewhere):
        def _ask(self, question: str) -> Any:
            second_level = len(json.loads(question)["what"]["extensions"]["sets"]["ends"]) > 1
            place = numpy.arange(pairs if second_level else sets)
            first = place % sets if second_level else place * 0
            second = first + 1 + place // sets if second_level else place
            columns = [first, second, numpy.full(len(place), 5)]
            return pyarrow.table([pyarrow.array(column.astype("int64")) for column in columns], ["first", "second", "count"])

    before = peak()
    verdict = wayveil.verify(Wide(public), k=2, l=2)
    assert verdict["sequences"] == sets + pairs
    return {"pairs": pairs, "sets": sets, "before": before, "after": peak()}


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def row(*cells: Any) -> None:
    """A row of a table of docs/spark.md."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*cells: str) -> None:
    print()
    row(*cells)
    row(*["---"] * len(cells))


def main() -> None:
    people = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    with tempfile.TemporaryDirectory(prefix="wayveil-bench-") as folder:
        paths = {}
        for number in (people // 4, people):
            frame = taps(number)
            paths[number] = Path(folder, f"taps-{number}.parquet")
            frame.to_parquet(paths[number], row_group_size=len(frame) // 8 + 1, coerce_timestamps="us")
        print(f"{people:,} people, {len(frame):,} taps, {len(STOPS)} stops, height {HEIGHT}")
        alone = here(paths[people])
        bytes_ = ("shuffled a record", "counts shuffled a record and level", "to the driver, all jobs", "kept a record")
        head("", "people", "read, s", "publish, s", *bytes_, "nodes")
        row("one machine, no Spark", f"{people:,}", f"{alone['read_seconds']:.1f}", f"{alone['publish_seconds']:.1f}", *"–––––")
        runs = {}
        for workers, number in ((1, people // 4), (1, people), (2, people)):
            found = runs[workers, number] = on_cluster(workers, paths[number], number)
            assert number != people or found["files"] == alone["files"], "the cluster's release differs"
            read, count = found["read"], found["count"]
            shuffled = count["shuffled"] / number / found["levels"]
            row(
                f"{workers} worker{'s' * (workers > 1)}", f"{number:,}", f"{read['seconds']:.1f}", f"{count['seconds']:.1f}",
                f"{read['shuffled'] / number:.1f} B", f"{shuffled:.2f} B", f"{(read['sent'] + count['sent']) / 1e6:.2f} MB",
                f"{found['held'] / number:.0f} B", f"{found['nodes']:,}",
            )
        costs(runs, people)
    reading, size, counting = rates(people)
    head("without Spark", "core-seconds a million records", "made ready, s a task")
    row("reading", f"{reading:.2f}", "–")
    for number, depth, ready, rate in counting:
        row(f"a level of {number:,} prefix{'es' * (number > 1)} of depth {depth}", f"{rate:.2f}", f"{ready:.3f}")
    print(f"\na record in Arrow: {size:.0f} B")
    head("nodes", "released rows of ten visits", "driver", "question")
    for nodes, each in TREES:
        found = driver_memory(nodes, each)
        grown = found["after"] - found["before"]
        row(f"{found['nodes']:,}", f"{found['rows']:,}", f"{grown / 1e6:.0f} MB", f"{found['question'] / 1e6:.2g} MB")
    head("combinations of two visits in `verify`", "sets asked for", "driver")
    for pairs in PAIRS:
        found = apart("--verify", pairs)
        row(f"{found['pairs']:,}", f"{found['sets']:,}", f"{(found['after'] - found['before']) / 1e6:.0f} MB")


def costs(runs: dict[tuple[int, int], dict[str, Any]], people: int) -> None:
    """Seconds of executors' cores for a million records: all of them, and those that grow with the records."""
    head("core-seconds a million records", "JVM", "Python", "of the JVM, Spark's tasks", "run time of tasks")
    kinds = ("jvm", "python", "spark_cpu", "spark_run")
    few, one = runs[1, people // 4], runs[1, people]
    for phase, what in (("read", "reading"), ("count", "a level")):
        def of(found: dict[str, Any], kind: str) -> float:
            return float(found[phase][kind]) / (found["levels"] if phase == "count" else 1)

        for (workers, number), found in runs.items():
            name = f"{what}, {workers} worker{'s' * (workers > 1)}, {number:,} people"
            row(name, *(f"{of(found, kind) / number * 1e6:.2f}" for kind in kinds))
        more = people - people // 4
        # Waiting does not grow with records.
        growth = (f"**{(of(one, kind) - of(few, kind)) / more * 1e6:.2f}**" for kind in kinds[:3])
        row(f"**{what}, for each million more**", *growth, "–")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--cluster", workers, rows, people]:
            print(json.dumps(cluster_run(int(workers), rows, int(people))))
        case ["--tree", nodes, each]:
            print(json.dumps(tree_run(int(nodes), int(each))))
        case ["--verify", pairs]:
            print(json.dumps(verify_run(int(pairs))))
        case _:
            main()
