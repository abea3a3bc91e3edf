"""Publishes taps by a session of Spark Connect; its argument is the folder that has them. Run by test_connect.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas
from pyspark.sql import SparkSession

import wayveil
import wayveil.spark
from conftest import HOW, LINES

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    spark = SparkSession.builder.getOrCreate()
    assert not hasattr(spark, "_jsparkSession"), "this is no session of Spark Connect"
    taps = spark.createDataFrame(pandas.read_parquet(folder / "taps.parquet"))
    with wayveil.spark.read(taps, universe=LINES, **HOW["untimed"]) as people:
        wayveil.publish(people, "prefix-tree", epsilon=2, height=4, insecure_seed=5, output=folder / "release")
    spark.stop()
