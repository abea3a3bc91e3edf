"""The same through Spark Connect, where a driver has neither an RDD nor a SparkContext."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas
import pytest

import wayveil
from cluster import HOST, Cluster, free_port, spark_home
from conftest import HOW, LINES, in_order
from test_measures import CLASSES, hash_of, plain
from test_releases import manifest_of, rows_of, told
from through_connect import DEMAND, METRICS

pytestmark = pytest.mark.skipif(
    not list((spark_home() / "jars").glob("spark-connect_*.jar")),
    reason="this version of Spark does not bring the server of Spark Connect along",
)
HERE = Path(__file__).parent
LIMIT = 180


def test_releases_are_the_same_through_connect(cluster: Cluster, events: pandas.DataFrame, tmp_path: Path) -> None:
    """And copies of them, measures and verdicts."""
    events = events.assign(fare=[CLASSES[hash_of(uid) % 3] for uid in events["uid"]])
    here = wayveil.read(in_order(events), universe=LINES, **HOW["untimed"])
    expected = wayveil.publish(here, "prefix-tree", epsilon=2, height=4, insecure_seed=5)
    port = free_port()
    settings = {**cluster.settings(), "spark.cores.max": "1", "spark.connect.grpc.binding.port": str(port),
                "spark.connect.grpc.binding.address": HOST}
    words = [str(spark_home() / "bin/spark-submit"), "--master", cluster.master]
    for key, value in settings.items():
        words += ["--conf", f"{key}={value}"]
    words += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    cluster.spawn("connect", words, SPARK_DAEMON_MEMORY="1g")
    try:
        cluster.wait("connect", "Spark Connect server started")
        events.to_parquet(tmp_path / "taps.parquet")
        environment = dict(cluster.environment(), WAYVEIL_LEDGER=os.environ["WAYVEIL_LEDGER"], SPARK_REMOTE=f"sc://{HOST}:{port}")
        ran = subprocess.run(
            [sys.executable, str(HERE / "through_connect.py"), str(tmp_path)],
            env=environment, capture_output=True, text=True, timeout=LIMIT, check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    finally:
        cluster.stop("connect")
    release = wayveil.open(tmp_path / "release")
    assert told(release) == told(expected)
    said = json.loads((tmp_path / "answers.json").read_text())
    assert said["metrics"] == plain(wayveil.evaluate(here, release, metrics=METRICS)["metrics"])
    timed = wayveil.read(in_order(events), universe=LINES, attributes=["fare"], **HOW["timed"])
    verdict = said["verdict"]
    assert verdict.pop("minimal_violations") > 0
    assert verdict == plain(wayveil.verify(timed, **DEMAND))
    copy = tmp_path / "copy"
    assert rows_of(copy / "trajectories") == sorted(str({"locations": row["locations"]}) for row in release.trajectories)
    assert manifest_of(copy).strip() == (release.path / "manifest.json").read_text().strip()
