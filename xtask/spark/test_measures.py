"""What is measured, asked, verified and simulated on the cluster, beside the same on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas
import pytest

import wayveil
import wayveil.spark
from conftest import HOW, STOPS, in_order
from test_releases import told

CLASSES = ("adult", "child", "senior")
CAMPAIGN = {"epsilon": 4, "k": 60, "length": 2, "clients_per_record": 100}


@pytest.fixture(scope="module")
def riders(events: pandas.DataFrame) -> pandas.DataFrame:
    """The taps with a class for each person."""
    return events.assign(fare=[CLASSES[hash_of(uid) % 3] for uid in events["uid"]])


def plain(value: Any) -> Any:
    """An answer as plain lists and dictionaries, which can be compared."""
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, Sequence) and not isinstance(value, str) else value


def hash_of(uid: str) -> int:
    return sum(map(ord, uid))


@pytest.fixture(scope="module")
def people(spark: Any, riders: pandas.DataFrame) -> Iterator[wayveil.spark.People]:
    with wayveil.spark.read(spark.createDataFrame(riders), universe=STOPS, attributes=["fare"], **HOW["timed"]) as people:
        yield people


@pytest.fixture(scope="module")
def here(riders: pandas.DataFrame) -> wayveil.Data:
    return wayveil.read(in_order(riders), universe=STOPS, attributes=["fare"], **HOW["timed"])


@pytest.fixture()
def asked(people: wayveil.spark.People, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the cluster during a test."""
    questions: list[str] = []
    ask = people._ask

    def asking(question: str) -> Any:
        questions.append(question)
        return ask(question)

    monkeypatch.setattr(people, "_ask", asking)
    return questions


def test_nothing_is_counted_for_what_is_refused(people: wayveil.spark.People, here: wayveil.Data, asked: list[str]) -> None:
    release = wayveil.publish(here, "prefix-tree", epsilon=2, height=3, insecure_seed=2)
    with pytest.raises(wayveil.InputError, match="length-divergence looks at the records"):
        wayveil.evaluate(people, release, metrics=["count-query-error", "length-divergence"])
    with pytest.raises(wayveil.RefusedError, match="engine"):
        wayveil.federated.simulate(people, no_evaluation=True, engine="clients", **CAMPAIGN)
    assert asked == []


def test_metrics_are_those_of_one_machine(people: wayveil.spark.People, here: wayveil.Data) -> None:
    release = wayveil.publish(here, "prefix-tree", epsilon=2, height=3, insecure_seed=2)
    settings = {"count_queries": 400, "query_length": 4}
    names = ["count-query-error", "pattern-f1", "pattern-support-error"]
    ours = wayveil.evaluate(here, release, metrics=names, settings=settings)["metrics"]
    theirs = wayveil.evaluate(people, release, settings=settings)["metrics"]
    assert theirs == ours and len(ours) == 6 and all(value is not None for value in ours.values())
    with pytest.raises(wayveil.InputError, match="stay where they are"):
        wayveil.evaluate(people, release, metrics="length-divergence")


def test_answers_are_those_of_one_machine(people: wayveil.spark.People, here: wayveil.Data) -> None:
    for stops in (["S00"], ["S00", "S01"], ["S03", "S04", "S05"], ["S39", "S38", "S37"]):
        for how in ({}, {"contiguous": True}, {"ordered": True}):
            expected = wayveil.query(here, stops, **how)
            assert wayveil.query(people, stops, **how) == expected, (stops, how)


@pytest.mark.filterwarnings("ignore:no record has the sensitive value")
@pytest.mark.parametrize(
    "k, c, l, sensitive",
    [(2, 1, 2, "child"), (3, 0.6, 2, "child"), (10, 0.4, 1, "chlid,child,Child"), (10, 1, 1, "chlid")],
)
def test_verdicts_are_those_of_one_machine(
    people: wayveil.spark.People, here: wayveil.Data, asked: list[str], k: int, c: float, l: int, sensitive: str
) -> None:
    """With a word on values that nobody has, which may be misspelt."""
    demand = {"k": k, "c": c, "l": l, "sensitive": f"fare={sensitive}"}
    expected = plain(wayveil.verify(here, **demand))
    asked.clear()
    found = plain(wayveil.verify(people, **demand))
    minimal = found.pop("minimal_violations")
    assert len(expected["warnings"]) == sum(value not in CLASSES for value in sensitive.split(","))
    assert found == expected
    # Each level once for all, and once for each sensitive value where shares are bounded; and who has each value.
    values = len(sensitive.split(","))
    assert len(asked) <= l * (1 + values * (c < 1)) + values
    everything = wayveil.verify(here, **demand, list=expected["violations"])
    violating = {frozenset(row["sequence"]) for kind in ("too_few", "too_certain") for row in everything[kind]}
    assert len(violating) == expected["violations"] > 0
    parts = lambda it: (frozenset(part) for size in range(1, len(it)) for part in combinations(it, size))
    assert minimal == sum(not any(part in violating for part in parts(it)) for it in violating) > 0


def test_simulated_campaigns_are_those_of_one_machine(people: wayveil.spark.People, here: wayveil.Data) -> None:
    campaign = {**CAMPAIGN, "engine": "numbers", "insecure_seed": 3}
    expected = wayveil.federated.simulate(here, **campaign)
    found = wayveil.federated.simulate(people, no_evaluation=True, **campaign)
    assert told(found) == told(expected)
    assert len(found.fragments) > 20
    published = wayveil.publish(people, "fastpub", **campaign)
    assert told(published) == told(wayveil.publish(here, "fastpub", **campaign))
    assert len(published.fragments) > 20
    with pytest.raises(wayveil.InputError, match="stay elsewhere"):
        wayveil.federated.simulate(people, **campaign)
