"""Failures are the program's, word for word, with keywords in the place of flags."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import STOPS, program, taps_rows

import wayveil
from wayveil import _commands, _wording


def test_a_missing_column_names_the_keyword(taps: Any) -> None:
    with pytest.raises(wayveil.InputError) as caught:
        wayveil.read(taps.rename(columns={"uid": "card"}), universe=STOPS)
    assert '"uid"' in caught.value.message or caught.value.column == "uid"
    assert caught.value.advice is not None and 'uid="NAME"' in caught.value.advice
    assert caught.value.file == "<data>"
    assert wayveil.read(taps.rename(columns={"uid": "card"}), uid="card", universe=STOPS).info()["records"] == 40


@pytest.mark.parametrize("column", ["uid", "location", "datetime"])
def test_nulls_are_found_in_their_row(taps: Any, column: str) -> None:
    taps[column] = taps[column].astype("object")
    taps.loc[3, column] = None
    if column == "datetime":
        import pandas

        taps[column] = pandas.to_datetime(taps[column])
    with pytest.raises(wayveil.InputError, match="row 4: .*missing") as caught:
        wayveil.read(taps, universe=STOPS)
    assert caught.value.column == column


def test_columns_of_one_name(taps: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    doubled = taps.copy()
    doubled.columns = ["uid", "uid", "datetime"]
    with pytest.raises(wayveil.InputError, match="[Dd]uplicate column"):
        wayveil.read(doubled, universe=STOPS)
    table = pyarrow.Table.from_arrays([pyarrow.array(["a"])] * 3, names=["uid", "uid", "location"])
    with pytest.raises(wayveil.InputError, match='two columns are called "uid"'):
        wayveil.read(table, universe=STOPS)


def test_mixed_columns_are_named(taps: Any) -> None:
    taps["uid"] = taps["uid"].astype("object")
    taps.loc[0, "uid"] = 3
    with pytest.raises(wayveil.InputError, match="handed over") as caught:
        wayveil.read(taps, universe=STOPS)
    assert caught.value.column == "uid"


def test_an_unknown_location_is_named(taps: Any) -> None:
    with pytest.raises(wayveil.InputError, match='"Station"') as caught:
        wayveil.read(taps, universe=STOPS[:-1])
    assert caught.value.column == "location"


def test_a_universe_with_a_fault_is_named() -> None:
    with pytest.raises(wayveil.InputError) as caught:
        wayveil.read([["A"]], universe=["A", "A"])
    assert caught.value.file == "<universe>" and "/tmp" not in str(caught.value)


def test_kinds_of_exceptions(data: wayveil.Data) -> None:
    with pytest.raises(TypeError):
        wayveil.publish(data, "prefix-tree", epsilom=1)  # type: ignore[call-arg]
    with pytest.raises(wayveil.UsageError, match='required .* height="H"') as usage:
        wayveil.publish(data, "prefix-tree", epsilon=1)
    assert isinstance(usage.value, TypeError) and isinstance(usage.value, ValueError)
    with pytest.raises(wayveil.UsageError, match="'k' found") as other:
        wayveil.publish(data, "prefix-tree", epsilon=1, height=2, k=5)
    assert other.value.advice is not None and "'k' belongs to" in other.value.advice
    with pytest.raises(ValueError, match="must be above 0"):
        wayveil.publish(data, "prefix-tree", epsilon=0, height=2)
    with pytest.raises(wayveil.RefusedError, match="nothing but noise"):
        wayveil.publish(data, "prefix-tree", epsilon=0.00001, height=2)
    with pytest.raises(wayveil.InputError, match='there is no method "prefix-trees"'):
        wayveil.publish(data, "prefix-trees", epsilon=1)
    with pytest.raises(OSError):
        wayveil.publish(data, "prefix-tree", epsilon=1, height=2, ledger="/proc/nowhere/books.sqlite")


CASES: list[tuple[list[str], str, dict[str, Any]]] = [
    (["publish", "prefix-tree", "DATA", "--epsilon", "0", "--height", "2"], "publish", {"method": "prefix-tree", "epsilon": 0, "height": 2}),
    (["publish", "prefix-tree", "DATA", "--epsilon", "x", "--height", "2"], "publish", {"method": "prefix-tree", "epsilon": "x", "height": 2}),
    (["publish", "prefix-tree", "DATA", "--epsilon", "0.00001", "--height", "2"], "publish", {"method": "prefix-tree", "epsilon": 0.00001, "height": 2}),
    (["publish", "generalize", "DATA", "--epsilon", "1", "--delta", "0.5"], "publish", {"method": "generalize", "epsilon": 1, "delta": 0.5}),
    (["publish", "suppress", "DATA", "--k", "2", "--l", "2"], "publish", {"method": "suppress", "k": 2, "l": 2}),
    (["mine", "DATA", "--top", "3", "--min-length", "4", "--max-length", "2"], "mine", {"top": 3, "min_length": 4, "max_length": 2}),
    (["query", "DATA", "Q"], "query", {"locations": ["Q"]}),
    (["query", "DATA", "A@3"], "query", {"locations": "A@3"}),
    (["verify", "DATA"], "verify", {}),
    (["verify", "DATA", "--k", "2", "--l", "2"], "verify", {"k": 2, "l": 2}),
    (["evaluate", "DATA", "--publish", "nothing"], "evaluate", {"publish": ["nothing"]}),
    (["evaluate", "DATA", "DATA", "--metric", "nothing"], "evaluate", {"release": "DATA", "metrics": ["nothing"]}),
    (["attack", "DATA", "DATA", "--attack", "nothing"], "attack", {"releases": "DATA", "attacks": "nothing"}),
    (["attack", "DATA", "DATA", "--victims", "0"], "attack", {"releases": "DATA", "victims": 0}),
    (["info", "nowhere"], "info", {"data": "nowhere"}),
]


@pytest.mark.parametrize(("words", "verb", "given"), CASES)
def test_the_same_words_as_the_program(
    words: list[str], verb: str, given: dict[str, Any], data: wayveil.Data, tmp_path: Path, own_ledger: Path
) -> None:
    file = tmp_path / "data.parquet"
    data.save(file)
    said = [str(file) if word == "DATA" else word for word in words]
    if verb == "publish":
        said += ["-o", str(tmp_path / "release")]
    answered = program("--json", *said)
    assert answered.returncode in (1, 2), answered
    error = json.loads(answered.stdout)["error"]
    given = {name: str(file) if value == "DATA" else value for name, value in given.items()}
    with pytest.raises(wayveil.Error) as caught:
        getattr(wayveil, verb)(**{"data": str(file), **given})
    assert caught.value.message == _wording.in_python(error["message"], verb)
    help_ = error["help"]
    assert caught.value.advice == (None if help_ is None else _wording.in_python(help_, verb))
    assert (caught.value.file, caught.value.line, caught.value.column) == (error["file"], error["line"], error["column"])
    assert isinstance(caught.value, wayveil.RefusedError) == (answered.returncode == 1)


def test_a_file_with_a_fault_is_reported_as_by_the_program(tmp_path: Path) -> None:
    rows = taps_rows(3)
    rows["location"][4] = "Nowhere"
    lines = ["uid,location,datetime"] + [",".join(row) for row in zip(*rows.values())]
    path = tmp_path / "taps.csv"
    path.write_text("\n".join(lines))
    stops = tmp_path / "stops.txt"
    stops.write_text("\n".join(STOPS))
    with pytest.raises(wayveil.InputError) as caught:
        wayveil.read(path, format="events", universe=stops)
    assert caught.value.line == 6 and caught.value.file == str(path)
    answered = program(
        "--json", "import", str(path), "--format", "events", "--universe", str(stops), "-o", str(tmp_path / "o.parquet")
    )
    error = json.loads(answered.stdout)["error"]
    assert (caught.value.message, caught.value.line, caught.value.column) == (
        error["message"],
        error["line"],
        error["column"],
    )


@pytest.mark.parametrize(
    ("said", "verb", "expected"),
    [
        ("name the right one with --uid-column NAME", "read", 'name the right one with uid="NAME"'),
        ("leave such rows out with --invalid drop; they", "read", 'leave such rows out with invalid="drop"; they'),
        ("a smaller --k or --l, a greater --c", "publish", "a smaller k or l, a greater c"),
        ("replace it with --force", "publish", "replace it with force=True"),
        ("or --universe-from-data if the list", "read", 'or universe="from-data" if the list'),
        ("with --universe-from-data again", "publish", "with universe_from_data=True again"),
        ("--area S,W,N,E with --grid 32x32 (or 500m)", "read", 'area="S,W,N,E" with grid="32x32" (or 500m)'),
        ("--bin-width 1h --bin-origin 2024-03-04 --bins 168", "read", 'bin_width="1h" bin_origin="2024-03-04" bins=168'),
        ("check that with `wayveil verify RELEASE`, and", "audit", "check that with wayveil.verify(RELEASE), and"),
        ("for instance --c 0.5", "publish", "for instance c=0.5"),
        ("name them: --sensitive COLUMN=VALUE,…", "publish", 'name them: sensitive="COLUMN=VALUE,…"'),
        ("-o universe.csv", "universe", 'output="universe.csv"'),
        (
            "wayveil publish prefix-tree <data> --epsilon 1 --split 4,2,1 -o release/",
            "mine",
            'wayveil.publish(data, "prefix-tree", epsilon=1, split="4,2,1", output="release/")',
        ),
        (
            "with: wayveil ledger allow riders --epsilon 2 --ledger /books/a.sqlite",
            "publish",
            'with: wayveil.Ledger("/books/a.sqlite").allow("riders", epsilon=2)',
        ),
        ("wayveil attack --list explains them", "attack", "wayveil.attacks() explains them"),
        ("see `wayveil ledger show`; `wayveil nothing x`", "mine", "see wayveil.Ledger().show(); `wayveil nothing x`"),
        (
            "publish from a data file, made by `wayveil import` or `generate`",
            "publish",
            "publish from a data file, made by wayveil.read() or `generate`",
        ),
        ("a line -- with dashes - stays", "mine", "a line -- with dashes - stays"),
    ],
)
def test_advice_is_put_into_keywords(said: str, verb: str, expected: str) -> None:
    assert _wording.in_python(said, verb) == expected


def test_no_advice_of_the_program_keeps_a_flag() -> None:
    """Every hint in the sources, where they are here."""
    crates = Path(__file__).resolve().parents[2]
    hints = []
    for path in crates.glob("*/src/**/*.rs"):
        text = re.sub(r"\\\n\s*", "", path.read_text(encoding="utf-8"))
        hints += re.findall(r'\.hint\(\s*(?:format!\(\s*)?"((?:[^"\\]|\\.)*)"', text)
    assert len(hints) > 100
    for hint in hints:
        for verb in _commands.verbs():
            said = _wording.in_python(hint, verb)
            assert not re.search(r"(?<![\w-])--[a-z]", said), (hint, said)


def test_html_is_escaped() -> None:
    data = wayveil.read([["<b>A</b>"]] * 50, universe=["<b>A</b>", "B"], population="<i>p</i>")
    release = wayveil.publish(data, "prefix-tree", epsilon=5, height=1, insecure_seed=1)
    pages = [
        data._repr_html_(),
        data.info()._repr_html_(),
        release._repr_html_(),
        release.guarantee._repr_html_(),
        release.trajectories._repr_html_(),
        wayveil.mine(data, top=2)._repr_html_(),
        wayveil.evaluate(data, release)._repr_html_(),
        wayveil.Ledger().show()._repr_html_(),
        wayveil.audit("prefix-tree", epsilon=1, runs=100)._repr_html_(),
        wayveil.attack(data, release, attacks="linkage")._repr_html_(),
    ]
    for page in pages:
        assert "<b>A" not in page and "<i>p" not in page
        assert page.count("<div") == page.count("</div") and page.count("<svg") == page.count("</svg")
    assert "<svg" in pages[2] and "currentColor" in pages[2]
