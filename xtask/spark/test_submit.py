"""The commands and the program of docs/spark.md, as they stand there but for addresses and sizes, on a cluster."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pandas
import pyarrow.parquet
import pytest

import wayveil
from cluster import Cluster, spark_home
from conftest import LINES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "spark.md"
PACKED = os.environ.get("WAYVEIL_PACKED")
"""An environment with the wheel, pyarrow, pandas and venv-pack, as the page's first two commands make it."""
LIMIT = 300


def block(language: str, having: str) -> str:
    """The block of the page in this language that has these words."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (found,) = [text for text in blocks if having in text]
    return str(found)


def put(text: str, **instead: str) -> str:
    """The text with these words replaced, each of which must be there."""
    for words, other in instead.items():
        assert words in text, words
        text = text.replace(words, other)
    return text


@pytest.mark.skipif(PACKED is None, reason="no environment was made to be packed")
def test_the_submission_of_the_page_publishes(events: pandas.DataFrame, tmp_path: Path) -> None:
    events.to_parquet(tmp_path / "taps", coerce_timestamps="us")
    pandas.DataFrame(LINES).to_csv(tmp_path / "stops.csv", index=False)
    books, copy = tmp_path / "books.sqlite", tmp_path / "copy"
    there = {"s3://…/taps": (tmp_path / "taps").as_uri(), "s3://…/release": copy.as_uri(), "/mnt/books/ledger.sqlite": str(books)}
    (tmp_path / "publish.py").write_text(put(block("python", "wayveil.spark.read"), **there), encoding="utf-8")
    (tmp_path / "env").symlink_to(str(PACKED), target_is_directory=True)
    # Making the environment needs an index of packages: it was made.
    commands = block("sh", "spark-submit")
    commands = commands[commands.index("env/bin/venv-pack"):]
    with Cluster(workers=1) as cluster:
        settings = tmp_path / "settings"
        settings.mkdir()
        lines = [f"{key} {value}" for key, value in cluster.settings().items() if key != "spark.executor.memory"]
        (settings / "spark-defaults.conf").write_text("\n".join(lines))
        environment = cluster.environment()
        environment["PATH"] = f"{spark_home() / 'bin'}:{environment['PATH']}"
        environment["SPARK_CONF_DIR"] = str(settings)
        for name in ("PYSPARK_PYTHON", "WAYVEIL_LEDGER"):
            environment.pop(name, None)
        script = put(commands, **{"spark://HOST:7077": cluster.master, "4g": "512m"})
        ran = subprocess.run(
            ["bash", "-e", "-u", "-c", script],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    release = wayveil.open(tmp_path / "release")
    assert release.publishable and len(release.trajectories) > 100
    (account,) = wayveil.Ledger(books).show()["populations"]
    assert account["population"] == "riders" and account["done"] == 1
    parts = list((copy / "trajectories").glob("part-*.parquet"))
    assert sum(pyarrow.parquet.read_table(part).num_rows for part in parts) == len(release.trajectories)
