"""Work goes on beside the interpreter, tells of itself, and can be stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import wayveil


def test_progress_is_told_to_a_function() -> None:
    heard: list[tuple[str, int, int | None]] = []
    thread = threading.current_thread()

    def hear(step: str, done: int, total: int | None) -> None:
        assert threading.current_thread() is thread
        heard.append((step, done, total))

    wayveil.audit("prefix-tree", epsilon=1, runs=200, insecure_seed=1, progress=hear)
    steps = list(dict.fromkeys(step for step, _, _ in heard))
    assert len(steps) >= 2
    for step in steps:
        done = [at for name, at, _ in heard if name == step]
        assert done[0] == 0 and done == sorted(done)
        assert done[-1] == next(total for name, _, total in heard if name == step)


def test_what_a_function_raises_stops_the_work() -> None:
    def fail(step: str, done: int, total: int | None) -> None:
        raise ZeroDivisionError(step)

    with pytest.raises(ZeroDivisionError):
        wayveil.audit("prefix-tree", epsilon=1, seconds=600, progress=fail)


def test_a_class_of_bars() -> None:
    made: list[Any] = []

    class Bar:
        def __init__(self, **given: Any) -> None:
            self.given, self.done, self.closed = given, 0, False
            made.append(self)

        def update(self, parts: int) -> None:
            self.done += parts

        def close(self) -> None:
            self.closed = True

    wayveil.audit("prefix-tree", epsilon=1, runs=200, insecure_seed=1, progress=Bar)
    assert made and all(bar.closed and bar.done == bar.given["total"] for bar in made)


@pytest.mark.parametrize("progress", [True, False, None])
def test_other_kinds_of_progress(progress: bool | None) -> None:
    wayveil.audit("prefix-tree", epsilon=1, runs=100, progress=progress)


def test_other_threads_go_on() -> None:
    """While a command works, another thread counts; it could not if the interpreter's lock were held."""
    counted = 0
    over = threading.Event()

    def count() -> None:
        nonlocal counted
        while not over.is_set():
            counted += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted
    wayveil.audit("prefix-tree", epsilon=1, runs=5000, insecure_seed=1)
    seen = counted - before
    over.set()
    other.join()
    assert seen > 1000


def test_commands_run_side_by_side() -> None:
    data = wayveil.read([["A", "B"]] * 500, universe=["A", "B", "C"])
    made: list[wayveil.Listing] = []
    threads = [threading.Thread(target=lambda: made.append(wayveil.mine(data, top=3))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({str(it.to_dicts()) for it in made}) == 1 and len(made) == 8


CODE = """
import sys, warnings, wayveil
warnings.simplefilter("ignore")
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("stopped", flush=True)
    sys.exit(0)
print("came to its end", flush=True)
"""
WORKS = {
    "audit": 'wayveil.audit("prefix-tree", epsilon=1, seconds=600, progress=False)',
    "generate": 'wayveil.generate("metro", records=90_000_000, progress=False)',
    "python": """
    class Slow(wayveil.Mechanism):
        name = "slow"
        def run(self, records, rng):
            return records
    wayveil.audit(Slow(), runs=20_000_000, progress=False)
""",
}


@pytest.mark.parametrize("work", WORKS)
def test_an_interruption_stops_the_work(work: str, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch)}
    running = subprocess.Popen(
        [sys.executable, "-c", CODE.format(work=WORKS[work].strip())], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate(timeout=60)
    finally:
        running.kill()
        running.wait()
    assert said == "stopped\n" and running.returncode == 0
    assert list(scratch.iterdir()) == []


def test_an_interrupted_reader_leaves_nothing(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(
        {"uid": [str(it) for it in range(50_000)], "location": ["A"] * 50_000, "datetime": ["2024-03-04"] * 50_000}
    )

    def rows() -> Any:
        for _ in range(40):
            yield from table.to_batches()
        raise KeyboardInterrupt

    def stop(step: str, done: int, total: int | None) -> None:
        if done:
            raise KeyboardInterrupt

    before = set(os.listdir(tempfile.gettempdir()))
    with pytest.raises(KeyboardInterrupt):
        reader = pyarrow.RecordBatchReader.from_batches(table.schema, iter(table.to_batches() * 40))
        wayveil.read(reader, universe=["A"], progress=stop)
    left = [it for it in set(os.listdir(tempfile.gettempdir())) - before if "wayveil" in it]
    assert left == []
