"""How long taps take from a frame in memory into Wayveil, and how much memory, beside Rust from Parquet.

    python bench_taps.py READ_TAPS [ROWS] [TIMES]

READ_TAPS is the example of the crate `io` that reads the same taps from a Parquet file. Every measurement is a
process of its own, ours and Rust's by turns, so that none profits from another's memory. Memory is the growth of
the peak of resident memory over what was resident before the call. Prints one JSON object.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STOPS = 1000
PEOPLE_SHARE = 8  # taps of a person, on average


def make(rows, folder):
    """Taps in no order, as a backend would export them, and the public list of stops."""
    import numpy
    import pyarrow
    import pyarrow.parquet

    random = numpy.random.default_rng(1)
    stops = numpy.array([f"stop-{number:04}" for number in range(STOPS)])
    (folder / "stops.txt").write_text("\n".join(stops) + "\n")
    popularity = 1 / numpy.arange(1, STOPS + 1)
    codes = random.choice(STOPS, rows, p=popularity / popularity.sum())
    seconds = random.integers(1_709_251_200, 1_709_251_200 + 7 * 86_400, rows)
    table = pyarrow.table(
        {
            "uid": random.integers(0, rows // PEOPLE_SHARE, rows),
            "location": pyarrow.array(stops[codes].tolist(), pyarrow.string()),
            "datetime": pyarrow.array(seconds * 1_000_000, pyarrow.timestamp("us")),
        }
    )
    # One row group, so that polars has one chunk: several it joins to one itself when they are first handed over.
    pyarrow.parquet.write_table(table, folder / "taps.parquet", row_group_size=rows)


def load(kind, path):
    """The taps as a frame of this kind, and the size of its columns."""
    if kind == "pyarrow":
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(path)
        return table, table.nbytes
    if kind == "polars":
        import polars

        frame = polars.read_parquet(path)
        return frame, int(frame.estimated_size())
    import pandas

    frame = pandas.read_parquet(path)
    return frame, int(frame.memory_usage(deep=True, index=False).sum())


def resident(field):
    """A figure of the process's memory in bytes; 0 where the system does not tell."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), 0)


def one(kind, folder):
    """One measurement, in a process of its own."""
    import wayveil

    frame, size = load(kind, folder / "taps.parquet")
    # From here on the peak is counted anew.
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    start = time.perf_counter()
    data = wayveil.read(frame, universe=str(folder / "stops.txt"), population="taps", progress=False)
    seconds = time.perf_counter() - start
    growth = resident("VmHWM") - before
    del data
    print(json.dumps({"seconds": seconds, "growth": growth, "columns": size}))


def measured(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(read_taps, rows=10_000_000, times=5):
    rows, times = int(rows), int(times)
    kinds = ("pyarrow", "polars", "pandas")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(rows, folder)
        rust = [read_taps, str(folder / "taps.parquet"), str(folder / "stops.txt")]
        runs = {kind: [] for kind in ("rust", *kinds)}
        for _ in range(times):
            runs["rust"].append(measured(rust))
            for kind in kinds:
                runs[kind].append(measured([sys.executable, __file__, "--one", kind, name]))
    middle = {
        kind: {figure: statistics.median(run[figure] for run in of) for figure in of[0]} for kind, of in runs.items()
    }
    result = {"rows": rows, "runs": times, "rust_from_parquet": middle["rust"]}
    for kind in kinds:
        ours, rust = middle[kind], middle["rust"]
        result[kind] = {
            **ours,
            "time_ratio": round(ours["seconds"] / rust["seconds"], 3),
            # A second copy of the columns would make this 1.
            "extra_memory_per_column_byte": round((ours["growth"] - rust["growth"]) / ours["columns"], 3),
        }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
    elif len(sys.argv) > 1:
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
