"""A standalone cluster of Spark on the loopback: one master and some workers, each a process of its own.

They are started for a run and ended with it, each by its id; nothing else on the machine is touched.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
PATIENCE = 90.0
"""Seconds that a process of the cluster has to come up or to end."""


def spark_home() -> Path:
    """Spark as pip has installed it."""
    import pyspark

    return Path(pyspark.__file__).parent


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def below(ancestor: int) -> list[int]:
    """The processes below one process."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # The name, in brackets, may hold blanks and brackets: count from the last one.
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
    found = [ancestor]
    for above in found:
        found += [child for child, parent in parents.items() if parent == above]
    return found[1:]


def end(process: subprocess.Popen[bytes], how: int = signal.SIGTERM) -> None:
    """Ends a process and all below it, each by its id."""
    children = below(process.pid)
    if process.poll() is None:
        process.send_signal(how)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(PATIENCE)
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Cluster:
    """A master and workers with a core each."""

    def __init__(self, workers: int = 2, memory: str = "1g") -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="wayveil-spark-")
        self.port = free_port()
        self.master = f"spark://{HOST}:{self.port}"
        self.memory = memory
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._wanted = workers

    def __enter__(self) -> Cluster:
        try:
            self._start("master", "org.apache.spark.deploy.master.Master", "--port", str(self.port))
            self.wait("master", "I have been elected leader")
            for number in range(self._wanted):
                self.add_worker(f"worker-{number}")
            for number in range(self._wanted):
                self.wait(f"worker-{number}", "Successfully registered with master")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes.values()):
            end(process)
        self.folder.cleanup()

    def add_worker(self, name: str) -> None:
        """Starts a worker; it registers by itself."""
        words = ["--cores", "1", "--memory", self.memory, "--work-dir", str(self._path(f"{name}-work")), self.master]
        self._start(name, "org.apache.spark.deploy.worker.Worker", *words)

    def kill(self, name: str) -> None:
        """Ends a worker and its executors at once, as a machine that fails does."""
        end(self.processes.pop(name), signal.SIGKILL)

    def log(self, name: str) -> str:
        """What a process has said."""
        path = self._path(f"{name}.log")
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def environment(self) -> dict[str, str]:
        """The variables of every process of the cluster."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
        return {
            **kept,
            "SPARK_HOME": str(spark_home()),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self._path("local")),
            "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def session(self, name: str, **settings: Any) -> Any:
        """A session of this process on the cluster."""
        os.environ.update(self.environment())
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.master).appName(name)
        for key, value in {**self.settings(), **settings}.items():
            builder = builder.config(key, value)
        return builder.getOrCreate()

    def settings(self) -> dict[str, str]:
        """Settings of every session: on the loopback, small, and without pages."""
        return {
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.driver.memory": "1g",
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.cores.max": "2",
            "spark.sql.shuffle.partitions": "4",
            # Small, so that a partition comes in several batches.
            "spark.sql.execution.arrow.maxRecordsPerBatch": "64",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.network.timeout": "60s",
        }

    def _path(self, name: str) -> Path:
        return Path(self.folder.name, name)

    def _start(self, name: str, main: str, *words: str) -> None:
        self.spawn(name, [str(spark_home() / "bin/spark-class"), main, "--host", HOST, "--webui-port", "0", *words])

    def spawn(self, name: str, words: list[str], **more: str) -> None:
        """Starts a process that ends with the cluster at the latest, with more variables."""
        environment = {**self.environment(), **more}
        with self._path(f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )

    def stop(self, name: str) -> None:
        """Ends a process that was started here."""
        end(self.processes.pop(name))

    def wait(self, name: str, words: str) -> None:
        """Waits until a process has said these words."""
        patience = time.monotonic() + PATIENCE
        while words not in self.log(name):
            if self.processes[name].poll() is not None or time.monotonic() > patience:
                raise RuntimeError(f"{name} did not come up:\n{self.log(name)[-2000:]}")
            time.sleep(0.1)
