"""The check must pass a sound release and catch each planted fault."""

import hashlib
import json
import tempfile
import unittest
from pathlib import Path

import pyarrow
import pyarrow.parquet

import check_release

README = """# A release
## What is promised
```python
import pandas
print(pandas.read_parquet("trajectories.parquet"))
```
```python
import polars
print(polars.read_parquet("trajectories.parquet"))
```
```r
arrow::read_parquet("trajectories.parquet")
```
```sql
-- duckdb
SELECT * FROM 'trajectories.parquet';
```
## What not to do with it
"""
SCHEMA = {"type": "object", "properties": {"format": {"type": "string"}}}


class CheckRelease(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name) / "data.parquet"
        self.release = Path(folder.name) / "release"
        self.release.mkdir()
        rows = {"locations": [["A", "B"], [], ["C"]], "weight": [1, 2, None]}
        self.write_table(self.data, rows | {"uid": ["x", "y", "z"]})
        self.write_table(self.release / "trajectories.parquet", rows)
        (self.release / "README.md").write_text(README, "utf-8")
        self.write_manifest()

    def write_table(self, file, columns):
        pyarrow.parquet.write_table(pyarrow.table(columns), file)

    def write_manifest(self, **changes):
        files = []
        for file in sorted(self.release.iterdir()):
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if file.name != "manifest.json":
                files.append({"name": file.name, "sha256": digest, "bytes": len(content)})
        manifest = {
            "format": "wayveil-release",
            "guarantee": {"model": "none"},
            "attributes": ["weight"],
            "files": files,
        } | changes
        (self.release / "manifest.json").write_text(json.dumps(manifest), "utf-8")

    def found(self):
        return list(check_release.check(self.release, self.data, SCHEMA))

    def assert_caught(self, part):
        found = self.found()
        self.assertTrue(any(part in line for line in found), f"{part!r} is not in {found}")

    def test_a_sound_release_passes(self):
        self.assertEqual(self.found(), [])

    def test_a_changed_file(self):
        with open(self.release / "README.md", "a", encoding="utf-8") as page:
            page.write("\nMore.\n")
        self.assert_caught("README.md: its SHA-256")

    def test_a_file_too_many_and_one_too_few(self):
        (self.release / "README.md").rename(self.release / "internal.html")
        self.assert_caught("internal.html: the manifest does not name it")
        self.assert_caught("README.md: the manifest names it, but it is missing")

    def test_an_owner(self):
        self.write_table(self.release / "trajectories.parquet", {"uid": ["x"]})
        self.write_manifest()
        self.assert_caught("trajectories.parquet: has the column uid")

    def test_columns_that_nobody_promised(self):
        self.write_manifest(attributes=[])
        self.assert_caught("has the columns ['locations', 'weight'], but")
        self.write_manifest(attributes=["weight", "age"])
        self.assert_caught("the manifest says ['locations', 'weight', 'age']")
        self.write_manifest(public_inputs={"time": {"bins": 3}})
        self.assert_caught("the manifest says ['locations', 'bins', 'weight']")

    def test_columns_under_differential_privacy(self):
        self.write_manifest(guarantee={"model": "differential-privacy"})
        self.assert_caught("has columns of people under differential privacy: ['weight']")

    def test_a_promise_that_few_share(self):
        rows = {
            "locations": [["A", "B"], ["A", "B"], ["B", "A"]],
            "bins": [[1, 2], [1, 2], [2, 1]],
            "ill": ["no", "yes", "yes"],
        }
        self.write_table(self.release / "trajectories.parquet", rows)
        promise = {"model": "k-c-l-privacy", "k": 3, "c_exact": "2/3", "l": 2}
        promise["sensitive"] = [{"column": "ill", "values": ["yes"]}]
        beside = {"attributes": ["ill"], "public_inputs": {"time": {"bins": 3}}}
        self.write_manifest(guarantee=promise, **beside)
        self.assertEqual(self.found(), [])
        self.write_manifest(guarantee=promise | {"l": "all"}, **beside)
        self.assertEqual(self.found(), [])
        self.write_manifest(guarantee=promise | {"k": 4}, **beside)
        self.assert_caught("only 3 share ((1, 'A'),)")
        self.write_manifest(guarantee=promise | {"c_exact": "3/5"}, **beside)
        self.assert_caught("2 of 3 who share ((1, 'A'), (2, 'B')) have yes")
        self.write_table(self.release / "trajectories.parquet", rows | {"bins": [[1, 2]] * 3})
        self.write_manifest(guarantee=promise, **beside)
        self.assert_caught("only 2 share ((1, 'A'), (2, 'B'))")

    def test_a_manifest_against_its_schema(self):
        self.write_manifest(format=7)
        self.assert_caught("manifest.json: $.format: 7 is not of type 'string'")

    def test_a_readme_that_names_what_is_not_there(self):
        page = README.replace("'trajectories.parquet'", "'visits.parquet'")
        (self.release / "README.md").write_text(page, "utf-8")
        self.write_manifest()
        self.assert_caught("names visits.parquet")

    def test_a_readme_whose_python_fails(self):
        page = README.replace("import polars\n", "")
        (self.release / "README.md").write_text(page, "utf-8")
        self.write_manifest()
        self.assert_caught("a block of Python fails")

    def test_a_readme_whose_python_says_nothing_or_writes(self):
        page = README.replace("print(polars.read_parquet", "(polars.read_parquet")
        (self.release / "README.md").write_text(page, "utf-8")
        self.write_manifest()
        self.assert_caught("a block of Python shows nothing")
        page = README.replace("import polars", "import polars; open('left', 'w')")
        (self.release / "README.md").write_text(page, "utf-8")
        self.write_manifest()
        self.assert_caught("its code changes the release")

    def test_a_readme_without_a_promise(self):
        page = README.replace("## What is promised\n", "")
        (self.release / "README.md").write_text(page, "utf-8")
        self.write_manifest()
        self.assert_caught("no section '## What is promised'")

    def test_a_tool_that_reads_other_rows(self):
        real = check_release.rows_by_tool
        self.addCleanup(setattr, check_release, "rows_by_tool", real)
        check_release.rows_by_tool = lambda _: iter([("one", [1, 2]), ("other", [1, 3])])
        self.assert_caught("other and one differ from row 1 on")


if __name__ == "__main__":
    unittest.main()
