"""Publishes, copies, measures and verifies by a session of Spark Connect; its argument is the folder that has the taps. Run
by test_connect.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas
from pyspark.sql import SparkSession

import wayveil
import wayveil.spark
from conftest import HOW, LINES
from test_measures import plain

METRICS = ["count-query-error", "pattern-f1"]
DEMAND = {"k": 3, "c": 0.6, "l": 2, "sensitive": "fare=child"}

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    spark = SparkSession.builder.getOrCreate()
    assert not hasattr(spark, "_jsparkSession"), "this is no session of Spark Connect"
    taps = spark.createDataFrame(pandas.read_parquet(folder / "taps.parquet"))
    with wayveil.spark.read(taps, universe=LINES, **HOW["untimed"]) as people:
        release = wayveil.publish(people, "prefix-tree", epsilon=2, height=4, insecure_seed=5, output=folder / "release")
        measured = wayveil.evaluate(people, release, metrics=METRICS)["metrics"]
    wayveil.spark.write_release(release, spark, str(folder / "copy"), partitions=2)
    with wayveil.spark.read(taps, universe=LINES, attributes=["fare"], **HOW["timed"]) as people:
        verdict = wayveil.verify(people, **DEMAND)
    said = {"metrics": plain(measured), "verdict": plain(verdict)}
    (folder / "answers.json").write_text(json.dumps(said))
    spark.stop()
