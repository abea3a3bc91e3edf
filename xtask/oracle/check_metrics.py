"""Compares Wayveil's metrics with what well-known packages compute.

    python check_metrics.py PATH_TO_EXAMPLE_BINARY [CASES]

The binary is the example `metrics_json`. Random small data sets are written to files, the binary
prints its metrics, and every value is computed anew here: divergences, rank correlations, NDCG and
mutual information by scipy and scikit-learn, the earth mover's distance as a linear programme,
distances and radii by numpy, n-grams by counting them all, and the random areas of range queries by
the definition of the ChaCha20 stream that they are drawn from. Nothing is shared with the Rust code
but the definitions. Exits with 1 on any mismatch.
"""

import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.optimize import linprog
from scipy.spatial.distance import jensenshannon
from scipy.stats import kendalltau
from sklearn.metrics import mutual_info_score, ndcg_score

RADIUS = 6_371_008.8
TOLERANCE = 1e-9
# scipy's solver itself promises no more.
EMD_TOLERANCE = 1e-6
CASES = 60


# ---- Data ------------------------------------------------------------------------------------


class Case:
    """Raw and released trajectories over one universe, and the settings."""

    def __init__(self, seed):
        random = np.random.default_rng(seed)
        n = int(random.integers(2, 40))
        popularity = random.dirichlet(np.full(n, 0.7))
        other = random.dirichlet(np.full(n, 0.7))
        longest = int(random.integers(1, 15))

        def draw(records, law):
            lengths = random.integers(0, longest + 1, size=records)
            return [random.choice(n, size=k, p=law).tolist() for k in lengths]

        records = int(random.integers(1, 120))
        self.raw = draw(records, popularity)
        kind = seed % 4
        if kind == 0:  # A release of another size.
            self.released = draw(int(random.integers(1, 300)), other)
        elif kind == 1:  # Some visits changed in place.
            self.released = [
                [int(random.integers(n)) if random.random() < 0.3 else c for c in record]
                for record in self.raw
            ]
        elif kind == 2:  # Some visits suppressed.
            self.released = [[c for c in r if random.random() < 0.7] for r in self.raw]
        else:  # A copy in another order.
            self.released = [self.raw[i] for i in random.permutation(records)]
        centre = random.uniform([-60, -170], [60, 170])
        spread = 10 ** random.uniform(-2, 0.5)
        self.places = centre + random.uniform(-spread, spread, size=(n, 2))
        self.settings = {
            "seed": int(random.integers(1, 1 << 40)),
            "hot_spots": int(random.integers(1, 13)),
            "fragment_length": int(random.integers(2, 9)),
            "range_queries": int(random.integers(1, 150)),
        }
        self.n = n

    def visits(self, side):
        return np.bincount(np.array(sum(side, []), dtype=int), minlength=self.n)

    def run(self, binary):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("raw", "released", "places")]
            for file, side in zip(files, (self.raw, self.released)):
                file.write_text("".join(" ".join(map(str, r)) + "\n" for r in side))
            lines = (f"{float(lat)!r} {float(lng)!r}\n" for lat, lng in self.places)
            files[2].write_text("".join(lines))
            command = [binary, *map(str, files), json.dumps(self.settings)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{command} failed: {done.stderr}")
        return json.loads(done.stdout)


# ---- Divergences -----------------------------------------------------------------------------


def divergence(raw, released):
    """Of two lists of outcomes; None where one is empty."""
    if not raw or not released:
        return None
    left, right = Counter(raw), Counter(released)
    keys = sorted(set(left) | set(right))
    p, q = ([counts[key] for key in keys] for counts in (left, right))
    if [a * len(released) for a in p] == [b * len(raw) for b in q]:
        return 0.0  # The package's own rounding would show under its square root.
    return float(jensenshannon(p, q, base=2)) ** 2


def binned(raw, released):
    greatest = max(raw, default=0.0)

    def bins(values):
        # Values may be off an edge by rounding; one more bin holds what lies beyond.
        inside = [v for v in values if v <= greatest * (1 + 1e-9)]
        edges = (np.arange(1, 20) - 1e-9) * greatest / 20
        found = np.digitize(inside, edges).tolist() if greatest else [0] * len(inside)
        return found + [20] * (len(values) - len(inside))

    return divergence(bins(raw), bins(released))


# ---- Space -----------------------------------------------------------------------------------


def haversine(a, b):
    """Metres between arrays of (latitude, longitude)."""
    a, b = np.radians(a), np.radians(b)
    half = np.sin((b - a) / 2) ** 2
    h = half[..., 0] + np.cos(a[..., 0]) * np.cos(b[..., 0]) * half[..., 1]
    return 2 * RADIUS * np.arcsin(np.sqrt(np.minimum(h, 1)))


def diameter(points):
    return max((float(haversine(a, b)) for a, b in combinations(points, 2)), default=0.0)


def travelled(points):
    return float(np.sum(haversine(points[:-1], points[1:])))


def gyration(points):
    if (points == points[0]).all():
        return 0.0
    centre = points.mean(axis=0)
    return float(np.sqrt(np.mean(haversine(points, centre) ** 2)))


def earth_movers_distance(case):
    p, q = case.visits(case.raw), case.visits(case.released)
    if not p.sum() or not q.sum():
        return None
    p, q = p / p.sum(), q / q.sum()
    n = case.n
    costs = haversine(case.places[:, None, :], case.places[None, :, :])
    rows = np.kron(np.eye(n), np.ones(n))
    columns = np.kron(np.ones(n), np.eye(n))
    # One constraint follows from the others, and rounding would contradict it.
    constraints, amounts = np.vstack([rows, columns])[:-1], np.concatenate([p, q])[:-1]
    scale = costs.max() or 1.0
    found = linprog(costs.ravel() / scale, A_eq=constraints, b_eq=amounts, method="highs")
    assert found.success, found.message
    return float(found.fun) * scale


# ---- Range queries ---------------------------------------------------------------------------


def chacha_blocks(key, count):
    """The first blocks of a ChaCha20 stream, as words; the nonce is zero."""
    start = struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key)

    def quarter(s, a, b, c, d):
        for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            mixed = s[z] ^ s[x]
            s[z] = (mixed << by | mixed >> (32 - by)) & 0xFFFFFFFF

    for block in range(count):
        initial = [*start, block, 0, 0, 0]
        s = initial.copy()
        for _ in range(10):
            for i in range(4):
                quarter(s, i, i + 4, i + 8, i + 12)
            for i in range(4):
                quarter(s, i, (i + 1) % 4 + 4, (i + 2) % 4 + 8, (i + 3) % 4 + 12)
        yield [(a + b) & 0xFFFFFFFF for a, b in zip(s, initial)]


def uniform_numbers(seed, count):
    """From the stream that a seed stands for: the upper 53 bits of each pair of words."""
    key = struct.pack("<Q", seed) + b"insecure, for tests only"
    words = [word for block in chacha_blocks(key, -(-count // 8)) for word in block]
    pairs = zip(words[::2], words[1::2])
    return [((low | high << 32) >> 11) / 2**53 for low, high in pairs][:count]


def range_query_errors(case):
    low, high = case.places.min(axis=0), case.places.max(axis=0)
    degree = math.radians(RADIUS)
    scale = np.array([degree, degree * math.cos(math.radians((low[0] + high[0]) / 2))])
    height, width = (high - low) * scale
    count = case.settings["range_queries"]
    units = np.array(uniform_numbers(case.settings["seed"], 4 * count)).reshape(2, count, 2)
    circles, squares = low + units * (high - low)

    def in_circle(centre):
        return haversine(centre, case.places) <= max(width, height) / 3

    def in_square(centre):
        side = math.sqrt(width * height) / 3
        return (np.abs((case.places - centre) * scale) <= side / 2).all(axis=1)

    def records(side, inside):
        return sum(any(inside[c] for c in record) for record in side)

    def visits(side, inside):
        return sum(inside[c] for record in side for c in record)

    def error(areas, answer, everything):
        if everything == 0:
            return None
        errors = []
        for inside in areas:
            inside = inside.tolist()
            a, b = answer(case.raw, inside), answer(case.released, inside)
            errors.append(abs(a - b) / max(a, 0.01 * everything))
        return float(np.mean(errors))

    circles = [in_circle(centre) for centre in circles]
    squares = [in_square(centre) for centre in squares]
    return {
        "circles": error(circles, records, len(case.raw)),
        "squares": error(squares, records, len(case.raw)),
        "square-visits": error(squares, visits, sum(map(len, case.raw))),
    }


# ---- Ranks and patterns ----------------------------------------------------------------------


def kendall(case):
    a, b = case.visits(case.raw), case.visits(case.released)
    pairs = case.n * (case.n - 1) / 2
    index = list(combinations(range(case.n), 2))
    balance = sum(int(np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])) for i, j in index)
    passing = [
        np.array([sum(c in record for record in side) for c in range(case.n)])
        for side in (case.raw, case.released)
    ]
    coverage = 0
    for i, j in index:
        x, y = (np.sign(counts[i] - counts[j]) for counts in passing)
        coverage += 0 if x == 0 else 1 if x == y else -1
    tau_b = kendalltau(a, b, variant="b").statistic
    return {
        "tau-a": balance / pairs,
        "tau-b": None if math.isnan(tau_b) else float(tau_b),
        "coverage": coverage / pairs,
    }


def hot_spots(case):
    a, b = case.visits(case.raw), case.visits(case.released)
    k = case.settings["hot_spots"]
    if not a.any() or not b.any():
        return {"visits": None, "rank": None}

    def top(counts):
        order = sorted(np.flatnonzero(counts), key=lambda code: (-counts[code], code))
        return order[:k]

    raw, released = top(a), top(b)
    weights = 1 / np.log2(np.arange(2, k + 2))
    ideal = sum(weights[i] / (i + 1) for i in range(len(raw)))
    ranks = {code: rank + 1 for rank, code in enumerate(raw)}
    earned = sum(weights[i] / ranks[c] for i, c in enumerate(released) if c in ranks)
    return {"visits": float(ndcg_score([a], [b], k=k)), "rank": float(earned / ideal)}


def patterns(case):
    def mined(side):
        counts = Counter()
        for n in range(2, case.settings["fragment_length"] + 1):
            for record in side:
                counts.update(tuple(record[i : i + n]) for i in range(len(record) - n + 1))
        return counts

    def top(counts):
        return sorted(counts, key=lambda gram: (-counts[gram], len(gram), gram))[:100]

    raw, released = mined(case.raw), mined(case.released)
    best, other = top(raw), top(released)
    if not best:
        return None, None
    common = len(set(best) & set(other))
    precision = common / len(other) if other else 0.0
    recall = common / len(best)
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    return f1, float(np.mean([abs(released[g] - raw[g]) / raw[g] for g in best]))


def mutual_information(case):
    if len(case.raw) != len(case.released) or not case.raw:
        return {"bits": None, "share": None}
    longest = max(len(record) for record in case.raw + case.released)
    bits = entropy = 0.0
    for t in range(longest):
        x, y = (
            [record[t] if t < len(record) else -1 for record in side]
            for side in (case.raw, case.released)
        )
        bits += mutual_info_score(x, y) / math.log(2)
        entropy += mutual_info_score(x, x) / math.log(2)
    return {"bits": bits, "share": bits / entropy if entropy > 1e-12 else None}


# ---- All of it -------------------------------------------------------------------------------


def expected(case):
    """What every metric should be, by metric and value."""
    raw, released = case.raw, case.released

    def both(outcomes):
        return {"": divergence(outcomes(raw), outcomes(released))}

    def per_record(number):
        return [
            [number(case.places[record]) for record in side if record]
            for side in (raw, released)
        ]

    f1, support_error = patterns(case)
    radii = per_record(gyration)
    means = [float(np.mean(side)) if side else None for side in radii]
    defined = None not in means and (means[0] > 0 or means[1] == 0)
    mean_error = abs(means[1] - means[0]) / (means[0] or 1.0) if defined else None
    a, b = case.visits(raw), case.visits(released)
    lost = float(np.maximum(a - b, 0).sum() / a.sum()) if a.any() else None
    metres = earth_movers_distance(case)

    def wrong_flow(flows):
        a, b = (Counter(flows(side)) for side in (raw, released))
        wrong = sum(abs(a[flow] - b[flow]) for flow in a.keys() | b.keys())
        return wrong / a.total() if a else None

    return {
        "location-divergence": both(lambda side: sum(side, [])),
        "length-divergence": both(lambda side: [len(record) for record in side]),
        "trip-divergence": both(lambda side: [(r[0], r[-1]) for r in side if len(r) > 1]),
        "transition-divergence": both(
            lambda side: [pair for record in side for pair in zip(record, record[1:])]
        ),
        "flow-error": {
            "transitions": wrong_flow(lambda side: [p for r in side for p in zip(r, r[1:])]),
            "trips": wrong_flow(lambda side: [(r[0], r[-1]) for r in side if len(r) > 1]),
        },
        "kendall-tau": kendall(case),
        "hot-spot-ndcg": hot_spots(case),
        "pattern-f1": {"": f1},
        "pattern-support-error": {"": support_error},
        "lost-instances": {"": lost},
        "mutual-information": mutual_information(case),
        "diameter-divergence": {"": binned(*per_record(diameter))},
        "distance-divergence": {"": binned(*per_record(travelled))},
        "radius-of-gyration": {"divergence": binned(*radii), "mean-error": mean_error},
        "range-query-error": range_query_errors(case),
        "earth-movers-distance": {
            "metres": metres,
            "error-bound": None if metres is None else 0.0,
        },
    }


def differs(metric, found, wanted):
    if found is None or wanted is None:
        return found is not wanted
    tolerance = EMD_TOLERANCE if metric == "earth-movers-distance" else TOLERANCE
    return not abs(found - wanted) <= tolerance * max(1.0, abs(wanted))


class Stream(unittest.TestCase):
    def test_first_vector_of_rfc_8439(self):
        (words,) = chacha_blocks(bytes(32), 1)
        stream = struct.pack("<16I", *words).hex()
        self.assertTrue(stream.startswith("76b8e0ada0f13d90405d6ae55386bd28"), stream)


class Metrics(unittest.TestCase):
    binary = None
    cases = CASES

    @classmethod
    def setUpClass(cls):
        cls.found = []
        for seed in range(cls.cases):
            case = Case(seed)
            cls.found.append((seed, case.run(cls.binary), expected(case)))

    def check(self, metric):
        defined = Counter()
        for seed, found, wanted in self.found:
            self.assertIn(metric, found)
            self.assertEqual(set(found[metric]), set(wanted[metric]))
            for name, value in wanted[metric].items():
                got = found[metric][name]
                message = f"case {seed}, {metric} {name}: {got}, but the oracle says {value}"
                self.assertFalse(differs(metric, got, value), message)
                defined[name] += value is not None
        for name, count in defined.items():
            self.assertGreater(count, self.cases / 4, f"{metric} {name} is hardly ever defined")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    Metrics.binary = sys.argv[1]
    Metrics.cases = int(sys.argv[2]) if len(sys.argv) == 3 else CASES
    for metric in expected(Case(0)):
        name = "test_" + metric.replace("-", "_")
        setattr(Metrics, name, lambda self, metric=metric: self.check(metric))
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Metrics)
    suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(Stream))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    print(f"{Metrics.cases} data sets, {result.testsRun} checks")
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
