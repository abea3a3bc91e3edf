"""The notebook runs from its first cell to its last, where the package is installed."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def test_notebooks_run_as_they_stand(tmp_path: Path) -> None:
    notebooks = sorted(NOTEBOOKS.glob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        assert all(not cell.get("outputs") for cell in notebook.cells), f"{path.name} is kept without outputs"
        client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
        client.execute()
        last = notebook.cells[-1]["outputs"]
        assert "is spent" in str(last), last
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert (tmp_path / "release" / "report.html").exists()
