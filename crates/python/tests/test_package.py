"""The package as such: generated code is fresh, types hold, everything is documented, the page's examples run."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wayveil

HERE = Path(__file__).resolve().parent
SAMPLE = '''
import random
from collections.abc import Iterable
from typing import Any

import wayveil


class Mine(wayveil.Mechanism):
    name = "mine"

    def run(self, records: wayveil.Records, rng: random.Random) -> Iterable[Iterable[Any]]:
        return [record for record in records if rng.random() < 0.5]


data: wayveil.Data = wayveil.read([["A", "B"], ["B"]], universe=["A", "B"])
release: wayveil.Release = wayveil.publish(data, "prefix-tree", epsilon=1, height=2, insecure_seed=1)
epsilon: float | None = release.guarantee.epsilon
count: int = wayveil.query(release, ["A"])
supports: list[int] = [pattern["support"] for pattern in wayveil.mine(release, top=3)]
refuted: bool = not wayveil.audit(Mine(), runs=100).ok
wayveil.evaluate(data, publish=["prefix-tree height=1", Mine()], sweep={"epsilon": [1, 2]}, metrics=["kendall-tau"])
wayveil.attack(data, [release, Mine()], victims=2, settings={"seed": 3})
ledger = wayveil.Ledger("books.sqlite")
ledger.allow("riders", epsilon=3)
wayveil.federated.simulate(data, k=10, epsilon=2)
try:
    wayveil.open("nowhere")
except wayveil.InputError as error:
    advice: str | None = error.advice
'''
WRONG = '''
import wayveil

data = wayveil.read(3.5)
wayveil.publish(data, "prefix-tree", hight=2)
wayveil.read([["A"]], format="excel")
count: str = wayveil.query(data, ["A"])
'''


def mypy(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("mypy")
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *words], capture_output=True, text=True, cwd=folder, check=False
    )


def test_types_hold_in_a_script(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(SAMPLE)
    checked = mypy("sample.py", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_mistakes_are_found_before_running(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    checked = mypy("wrong.py", folder=tmp_path)
    assert len(re.findall(r"^wrong.py:\d+: error", checked.stdout, re.MULTILINE)) == 4, checked.stdout


def test_types_hold_in_the_package(tmp_path: Path) -> None:
    checked = mypy("-p", "wayveil", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_the_stub_of_the_extension_is_true(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "wayveil._wayveil", "--ignore-disjoint-bases"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_generated_functions_are_fresh() -> None:
    script = HERE.parent / "generate.py"
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr + "run crates/python/generate.py"
    installed = Path(wayveil.__file__).parent / "_verbs"
    for path in (HERE.parent / "python" / "wayveil" / "_verbs").glob("*.py"):
        assert (installed / path.name).read_text() == path.read_text(), "the installed package is older than the source"


def test_a_command_that_no_table_knows_becomes_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the next command of the program will: from its arguments alone."""
    from wayveil import _commands

    specification = importlib.util.spec_from_file_location("generate", HERE.parent / "generate.py")
    assert specification is not None and specification.loader is not None
    generate: Any = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(generate)
    info = _commands._found(("info",))
    flag = {**info["arguments"][0], "id": "most-rows", "long": "most-rows", "value": "N", "type": "whole", "help": "Rows", "required": False}
    command = {**info, "name": "look-at", "about": "Looks.", "arguments": [*info["arguments"], flag]}
    _commands._tree()
    monkeypatch.setitem(_commands._tree(), "look-at", command)
    _commands.verbs.cache_clear()
    _commands.arguments.cache_clear()
    try:
        text = generate.files()["look_at.py"]
    finally:
        monkeypatch.undo()
        _commands.verbs.cache_clear()
        _commands.arguments.cache_clear()
    assert "def look_at(\n    data: Source,\n    *,\n    most_rows: int | None = None," in text
    assert 'return _call.answer("look_at", locals())' in text
    compile(text, "look_at.py", "exec")


def test_everything_public_is_documented() -> None:
    for name in [*wayveil.__all__, "open"]:
        thing = getattr(wayveil, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for part, value in vars(thing).items():
                if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{part}"
        if inspect.isfunction(thing):
            for parameter in inspect.signature(thing).parameters:
                if thing.__module__.startswith("wayveil._verbs"):
                    assert f"\n    {parameter}: " in inspect.getdoc(thing), f"{name}({parameter})"
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", wayveil.__version__)


def test_nothing_else_needs_to_be_installed(tmp_path: Path) -> None:
    """Without any other package: the standard library alone."""
    blocked = "import sys\nfor name in ('numpy', 'pandas', 'polars', 'pyarrow', 'tqdm'):\n    sys.modules[name] = None\n"
    work = (
        "import wayveil, warnings\nwarnings.simplefilter('ignore')\n"
        "data = wayveil.read([['A', 'B']] * 300, universe=['A', 'B'])\n"
        "release = wayveil.publish(data, 'prefix-tree', epsilon=1, height=1)\n"
        "assert release.trajectories.to_dict()['locations'][0]\nrelease._repr_html_()\n"
        "wayveil.audit('prefix-tree', epsilon=1, runs=100, progress=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", blocked + work], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr


def test_pandas_without_pyarrow_is_told_what_to_install(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    work = (
        "import sys\nsys.modules['pyarrow'] = None\nimport pandas, wayveil\n"
        "frame = pandas.DataFrame({'uid': [1], 'location': ['A'], 'datetime': ['2024-03-04']})\n"
        "try:\n    wayveil.read(frame, universe=['A'])\nexcept wayveil.InputError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", work], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "pip install pyarrow" in done.stdout, done.stdout + done.stderr


def test_generated_pages_are_fresh() -> None:
    script = HERE.parent / "api_page.py"
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr + "run crates/python/api_page.py"


def test_stubs_say_what_the_native_module_has(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "wayveil._wayveil", "--ignore-missing-stub"],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("page", [HERE.parent / "README.md", HERE.parents[2] / "docs" / "python.md"], ids=lambda it: it.name)
def test_the_pages_examples_run_as_they_stand(page: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    code = "\n".join(blocks)
    environment = {**os.environ, "WAYVEIL_LEDGER": str(tmp_path / "page.sqlite")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    for name in re.findall(r"^\| `wayveil\.(?:federated\.)?([A-Za-z_]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
        assert hasattr(wayveil, name) or hasattr(wayveil.federated, name), name
