"""Looks at a release as its recipient would, without any of Wayveil's code.

    check_release.py RELEASE DATA SCHEMA

Prints what is wrong and exits with 1, or prints what was checked and exits with 0.
"""

import fractions
import hashlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import jsonschema
import polars
import pyarrow.parquet

# Columns by which a record could be traced to its owner.
OWNER_COLUMNS = {"uid", "user", "user_id", "card", "owner"}


def check_manifest(release, schema):
    """The manifest follows its schema, and names exactly the files that are there."""
    manifest = json.loads((release / "manifest.json").read_text("utf-8"))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    for error in validator(schema).iter_errors(manifest):
        yield f"manifest.json: {error.json_path}: {error.message}"

    named = {entry["name"]: entry for entry in manifest.get("files", [])}
    found = {p.relative_to(release).as_posix() for p in release.rglob("*") if p.is_file()}
    for name in sorted(found - named.keys() - {"manifest.json"}):
        yield f"{name}: the manifest does not name it"
    for name, entry in named.items():
        if name not in found:
            yield f"{name}: the manifest names it, but it is missing"
            continue
        content = (release / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != entry["sha256"]:
            yield f"{name}: its SHA-256 is not the one in the manifest"
        if len(content) != entry["bytes"]:
            yield f"{name}: its size is not the one in the manifest"


def rows_by_tool(file):
    """The rows of a Parquet file, as each tool reads them."""
    yield "pyarrow", pyarrow.parquet.read_table(file).to_pylist()
    yield "polars", polars.read_parquet(file).to_dicts()
    answer = duckdb.sql("SELECT * FROM read_parquet($1)", params=[str(file)])
    yield "duckdb", [dict(zip(answer.columns, row)) for row in answer.fetchall()]


def check_tools_agree(file):
    """Every tool reads the same rows."""
    (first, expected), *others = rows_by_tool(file)
    for tool, rows in others:
        if rows != expected:
            unequal = (i for i, pair in enumerate(zip(expected, rows)) if pair[0] != pair[1])
            where = next(unequal, min(len(expected), len(rows)))
            yield f"{file.name}: {tool} and {first} differ from row {where} on"


def check_columns(release):
    """The trajectories have the columns that the manifest promises, and no others."""
    file, manifest = release / "trajectories.parquet", release / "manifest.json"
    if not file.is_file() or not manifest.is_file():
        return
    manifest = json.loads(manifest.read_text("utf-8"))
    timed = manifest.get("public_inputs", {}).get("time") is not None
    beside = manifest.get("attributes", [])
    expected = ["locations"] + ["bins"] * timed + beside
    found = pyarrow.parquet.read_schema(file).names
    if found != expected:
        yield f"{file.name}: has the columns {found}, but the manifest says {expected}"
    if beside and manifest.get("guarantee", {}).get("model") == "differential-privacy":
        yield f"{file.name}: has columns of people under differential privacy: {beside}"


def check_no_owner(file):
    """No column says whose record it is."""
    for name in pyarrow.parquet.read_schema(file).names:
        if name.lower() in OWNER_COLUMNS:
            yield f"{file.name}: has the column {name}"


def check_promise(release):
    """Where few visits shall be shared by enough people, they are, counted one by one."""
    file, manifest = release / "trajectories.parquet", release / "manifest.json"
    if not file.is_file() or not manifest.is_file():
        return
    guarantee = json.loads(manifest.read_text("utf-8")).get("guarantee", {})
    if guarantee.get("model") != "k-c-l-privacy":
        return
    rows = pyarrow.parquet.read_table(file).to_pylist()
    holders = {}
    for number, row in enumerate(rows):
        visits = sorted(set(zip(row["bins"], row["locations"])))
        longest = len(visits) if guarantee["l"] == "all" else min(guarantee["l"], len(visits))
        for length in range(1, longest + 1):
            for known in itertools.combinations(visits, length):
                holders.setdefault(known, []).append(number)
    bound = fractions.Fraction(guarantee["c_exact"])
    for known, who in holders.items():
        if len(who) < guarantee["k"]:
            yield f"{file.name}: only {len(who)} share {known}"
        for column in guarantee["sensitive"]:
            for value in column["values"]:
                ill = sum(rows[number][column["column"]] == value for number in who)
                if fractions.Fraction(ill, len(who)) > bound:
                    yield f"{file.name}: {ill} of {len(who)} who share {known} have {value}"


def check_readme(release):
    """What the recipient's page shows can be pasted: its files exist, its Python runs and says something."""
    if not (release / "README.md").is_file():
        yield "README.md: is missing"
        return
    page = (release / "README.md").read_text("utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for tool in ("pandas", "polars", "duckdb", "arrow::"):
        if not any(tool in body for _, body in blocks):
            yield f"README.md: no code for {tool}"
    for part in ("## What is promised", "## What not to do"):
        if part not in page:
            yield f"README.md: has no section {part!r}"
    before = sorted(release.iterdir())
    for tag, body in blocks:
        for name in re.findall(r"[\w./-]+\.(?:parquet|csv|json)\b", body):
            if not (release / name).is_file():
                yield f"README.md: names {name}, which does not exist"
        if tag == "python":
            done = subprocess.run(
                [sys.executable, "-c", body], cwd=release, capture_output=True, text=True, timeout=120
            )
            if done.returncode != 0:
                yield f"README.md: a block of Python fails:\n{body}{done.stderr}"
            elif not done.stdout.strip():
                yield f"README.md: a block of Python shows nothing:\n{body}"
    if sorted(release.iterdir()) != before:
        yield "README.md: its code changes the release"


def check(release, data, schema):
    """Everything that is wrong."""
    yield from check_manifest(release, schema)
    if not (release / "trajectories.parquet").is_file():
        yield "trajectories.parquet: is missing"
    yield from check_columns(release)
    yield from check_promise(release)
    for file in sorted(release.rglob("*.parquet")):
        yield from check_no_owner(file)
        yield from check_tools_agree(file)
    yield from check_tools_agree(data)
    yield from check_readme(release)


def main():
    release, data, schema = map(Path, sys.argv[1:])
    wrong = list(check(release, data, json.loads(schema.read_text("utf-8"))))
    for line in wrong:
        print(line)
    if not wrong:
        rows = pyarrow.parquet.read_metadata(release / "trajectories.parquet").num_rows
        print(f"the release is whole and opens everywhere: {rows} trajectories")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
