"""Releases from records that stay on Apache Spark: the cluster counts, the driver adds noise.

    import wayveil
    import wayveil.spark

    people = wayveil.spark.read(taps, universe=stops)        # taps: a DataFrame of Spark
    release = wayveil.publish(people, "prefix-tree", epsilon=1, height=12)

What an executor does with rows is what the package does on one machine, by the same code; the driver is sent exact
counts and nothing else. Works with Spark Connect: no RDD is used.
"""

from __future__ import annotations

from ._people import People
from ._reading import read
from ._writing import write_release

__all__ = ["People", "read", "write_release"]
