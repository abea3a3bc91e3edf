"""Mechanisms written in Python are measured, attacked and audited beside ours, and never published."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import Any

import pytest

import wayveil


class Identity(wayveil.Mechanism):
    """Gives everything away and claims the opposite."""

    name = "identity"
    epsilon = 1.0

    def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
        return records


class NoisyCount(wayveil.Mechanism):
    """As many empty trajectories as there are records, give or take two-sided geometric noise."""

    name = "noisy count"
    epsilon = 1.0

    def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
        ratio = math.exp(-self.epsilon)

        def geometric() -> int:
            return int(math.log(1 - rng.random()) / math.log(ratio))

        return [[] for _ in range(max(0, len(records) + geometric() - geometric()))]


def test_a_leak_is_refuted_and_honesty_is_not() -> None:
    refuted = wayveil.audit(Identity(), runs=300, insecure_seed=1)
    assert not refuted.ok and refuted["refuted"] and refuted["epsilon_claimed"] == 1
    honest = wayveil.audit(NoisyCount(), runs=2000, insecure_seed=1)
    assert honest.ok and honest["epsilon_lower"] <= 1 and honest["epsilon_lower"] > 0.2
    # Under-noised: the same mechanism claims less than it gives away.
    sly = NoisyCount()
    sly.epsilon = 3.0
    assert not wayveil.audit(sly, runs=3000, against=0.5, insecure_seed=1).ok


def test_it_is_evaluated_and_attacked_beside_ours(data: wayveil.Data) -> None:
    tried = wayveil.evaluate(
        data, publish=[Identity(), "prefix-tree epsilon=1 height=2"], metrics=["location-divergence"], repeats=2
    )
    assert tried.candidates[0].candidate == "identity"
    assert tried.candidates[0].metrics["location-divergence"]["mean"] == 0
    release = wayveil.publish(data, "prefix-tree", epsilon=1, height=2, insecure_seed=1)
    made = wayveil.attack(data, [Identity(), release], attacks=["singling-out"], victims=20)
    assert [it["name"] for it in made.published][:2] == ["raw", "identity"]
    assert "another program" in made.published[1]["made"]


def test_it_is_never_published(data: wayveil.Data, tmp_path: Any) -> None:
    with pytest.raises(wayveil.InputError, match="never published"):
        wayveil.publish(data, Identity(), output=tmp_path / "release")  # type: ignore[arg-type]
    assert not (tmp_path / "release").exists()

    class Disguised(Identity):
        name = "prefix-tree"

    tried = wayveil.evaluate(
        data, publish=[Disguised(), "prefix-tree epsilon=1 height=1"], metrics=["length-divergence"]
    )
    assert tried.candidates[0].candidate != "prefix-tree" and "prefix-tree epsilon" in tried.candidates[1].candidate


def test_what_it_raises_comes_as_it_is(data: wayveil.Data) -> None:
    class Own(Exception):
        pass

    class Broken(wayveil.Mechanism):
        def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
            raise Own("mine")

    for attempt in (
        lambda: wayveil.audit(Broken(), runs=100),
        lambda: wayveil.evaluate(data, publish=[Broken()]),
        lambda: wayveil.attack(data, Broken()),
    ):
        with pytest.raises(Own, match="mine"):
            attempt()


@pytest.mark.parametrize(
    ("made", "error", "said"),
    [
        ([[99]], ValueError, "location 99"),
        ([[-1]], TypeError, "no location's number"),
        ([["A"]], TypeError, r"no location's number; visits are numbers.*records\.locations\.index\("),
        (["A"], TypeError, r"records\.locations\.index\("),
        ([[0], 3], TypeError, "odd: record 1 of what run returned is int; it returns records, each a list of"),
        (None, TypeError, "odd: run returned NoneType; it returns records, each a list of locations' numbers"),
    ],
)
def test_what_it_makes_is_checked(made: Any, error: type[Exception], said: str, data: wayveil.Data) -> None:
    class Odd(wayveil.Mechanism):
        name = "odd"

        def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
            return made  # type: ignore[no-any-return]

    with pytest.raises(error, match=said):
        wayveil.evaluate(data, publish=[Odd()])


def test_it_sees_public_inputs_and_only_copies(data: wayveil.Data) -> None:
    seen: list[Any] = []

    class Curious(wayveil.Mechanism):
        def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
            seen.append((len(records), list(records.locations), records.bins, rng.random()))
            made = [list(it) for it in records]
            for record in records:
                record.clear()
            return made

    def measure() -> Any:
        return wayveil.evaluate(data, publish=[Curious()], metrics=["length-divergence"], insecure_seed=4).to_dict()

    assert measure() == measure()
    assert seen[0] == seen[1] and seen[0][:3] == (500, ["A", "B", "C", "D"], None)


def test_times_are_asked_for() -> None:
    city = wayveil.generate("city", records=100, seed=1)

    class Timed(wayveil.Mechanism):
        name = "timed"
        timed = True

        def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
            assert records.bins is not None
            return [[(place, time) for place, time in record] for record in records]

    tried = wayveil.evaluate(city, publish=[Timed(), Identity()], metrics=["length-divergence"])
    assert next(iter(tried.candidates[0].metrics.values())) == 0
    assert "time" in tried.candidates[1].refused



def test_a_client_answers_once() -> None:
    def number(value: int) -> bytes:
        parts = bytearray()
        while value >= 0x80:
            parts.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes([*parts, value])

    def message(kind: int, *values: int) -> bytes:
        return bytes([0x10 | kind]) + b"".join(number(value) for value in values)

    # Campaign 5: four locations, one fragment for each of 100 clients, k 10, epsilon 2, one round for all.
    terms = message(1, 5, 4, 1, 100, 10, 2, 1, 1, 1, (1 << 64) - 1)
    joined = [
        wayveil.federated.Client(terms, [0, 2], epsilon=2, insecure_seed=seed) for seed in range(200)
    ]
    assert {client.round for client in joined} == {0}
    question = message(2, 5, 0, 0, 1, 1, 2)
    bits = [client.answer(question)[-1] for client in joined]
    yes = sum(bits) / len(bits)
    assert 0.75 < yes < 0.99, yes  # 1 / (1 + e^-2) is 0.88
    assert [client.answer(question)[-1] for client in joined] == bits
    with pytest.raises(wayveil.RefusedError, match="answered its one question"):
        joined[0].answer(message(2, 5, 0, 1, 1, 1, 2))
    with pytest.raises(wayveil.RefusedError, match="above the 1"):
        wayveil.federated.Client(terms, [0], epsilon=1)
    with pytest.raises(ValueError, match="location 9"):
        wayveil.federated.Client(terms, [9], epsilon=2)
    for broken in (b"", b"\x00", terms[:-1], terms + b"\x00"):
        with pytest.raises(wayveil.InputError):
            wayveil.federated.Client(broken, [0], epsilon=2)
