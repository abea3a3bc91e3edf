"""Releases: what may be given away, with what is promised about it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _html, _wayveil
from ._answer import Answer
from ._errors import InputError
from ._pictures import overview
from ._tables import Table


class Guarantee(Mapping[str, Any]):
    """What a release promises, as its manifest states it."""

    def __init__(self, values: Mapping[str, Any], *, not_publishable_because: str | None = None) -> None:
        self._values = dict(values)
        self._reason = not_publishable_because

    @property
    def in_words(self) -> str:
        """The promise in one sentence."""
        return str(self._values["in_words"])

    @property
    def epsilon(self) -> float | None:
        """The epsilon of differential privacy; none where another thing or nothing is promised."""
        return self._number("epsilon")

    @property
    def delta(self) -> float | None:
        """The delta that belongs to it."""
        return self._number("delta")

    def _number(self, name: str) -> float | None:
        value = self._values.get(name)
        return None if value is None else float(value)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        lines = [self.in_words, *(f"rests on: {each}" for each in self._values.get("rests_on", []))]
        return "\n".join([f"not publishable: {self._reason}", *lines] if self._reason else lines)

    def _repr_html_(self) -> str:
        rests_on = "".join(_html.note(f"rests on: {each}") for each in self._values.get("rests_on", []))
        reason = _html.warning(f"not publishable: {self._reason}") if self._reason else ""
        return _html.page("guarantee", reason, f"<p>{_html.cell(self.in_words)}</p>", rests_on)


class Temporary:
    """A folder that is gone after the object, but not when a process that was forked from this one ends."""

    def __init__(self, prefix: str) -> None:
        self.name = tempfile.mkdtemp(prefix=prefix)
        self._end = weakref.finalize(self, _remove, self.name, os.getpid())

    def keep(self) -> None:
        """Leaves the folder where it is."""
        self._end.detach()


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class Release:
    """A release: a folder with its manifest. Open one with :func:`open`, make one with :func:`publish`.

    A release that was published without ``output`` lies in a temporary folder for as long as this object lives;
    :meth:`save` keeps it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        answer: Answer | None = None,
        temporary: Temporary | None = None,
    ) -> None:
        self._path = Path(path)
        self._answer = answer
        self._temporary = temporary

    @property
    def path(self) -> Path:
        """The folder."""
        return self._path

    @property
    def answer(self) -> Answer | None:
        """What ``publish`` answered, with warnings and the account of the ledger. For the publisher alone."""
        return self._answer

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The manifest: method, parameters, public inputs, promise."""
        manifest: dict[str, Any] = json.loads((self._path / "manifest.json").read_text(encoding="utf-8"))
        return manifest

    @property
    def guarantee(self) -> Guarantee:
        """What is promised."""
        return Guarantee(
            self.manifest["guarantee"], not_publishable_because=self.manifest.get("not_publishable_because")
        )

    @property
    def publishable(self) -> bool:
        """Whether it may be given away; :attr:`manifest` says why not."""
        return self.manifest.get("not_publishable_because") is None

    @property
    def expected_error(self) -> dict[str, dict[str, float]] | None:
        """What the release says of its own error, where its method does: for each number, named as by :func:`evaluate`,
        its estimated ``value`` with ``low`` and ``high``, between which it lies in eight of ten releases. It is estimated
        without the raw data.
        """
        expected = self.manifest.get("expected_error")
        if expected is None:
            return None
        return {it["name"]: {key: float(it[key]) for key in ("value", "low", "high")} for it in expected["estimates"]}

    def _table(self, name: str) -> Table | None:
        from ._call import in_words_of

        with in_words_of("info"):
            found = _wayveil.release_table(os.fspath(self._path), name)
        return None if found is None else Table(found)

    @cached_property
    def trajectories(self) -> Table:
        """The released trajectories."""
        return self._needed("trajectories")

    @cached_property
    def locations(self) -> Table:
        """The locations, which are public."""
        return self._needed("locations")

    def _needed(self, name: str) -> Table:
        found = self._table(name)
        if found is None:
            raise InputError(f"the release has no {name}", file=str(self._path))
        return found

    @cached_property
    def counts(self) -> Table | None:
        """The noisy counts behind the trajectories, where the method releases them."""
        return self._table("counts")

    @cached_property
    def fragments(self) -> Table | None:
        """Frequent fragments with their counts, where the method releases them."""
        return self._table("fragments")

    def info(self) -> Answer:
        """What the release holds, in numbers."""
        from ._call import answer

        return answer("info", {"data": self})

    def save(self, folder: str | os.PathLike[str], *, force: bool = False) -> Release:
        """Copies the release into a folder; ``force`` replaces a release that is there."""
        target = Path(folder)
        if self._path.resolve() in (target.resolve(), *target.resolve().parents):
            raise InputError("a release is not saved into itself", file=str(target), advice="choose another folder")
        if target.exists():
            if not force:
                raise InputError(
                    "this exists already", file=str(target), advice="choose another name, or replace it with force=True"
                )
            if not (target / "manifest.json").is_file():
                raise InputError("this is not a release, and is not replaced", file=str(target))
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.absolute().parent))
        try:
            copied = beside / "release"
            shutil.copytree(self._path, copied)
            if target.exists():
                os.rename(target, beside / "old")
            os.rename(copied, target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
        return Release(target, answer=self._answer)

    def __repr__(self) -> str:
        method = self.manifest["method"]
        kept = " in a temporary folder" if self._temporary is not None else f" in {str(self._path)!r}"
        reason = self.manifest.get("not_publishable_because")
        warned = f" (not publishable: {reason})" if reason else ""
        return f"<release by {method['name']}{kept}{warned}: {self.guarantee.in_words}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self._temporary is not None:
            raise TypeError("this release lies in a temporary folder of this process; save it first: release.save(folder)")
        return Release, (self._path,)

    def _repr_html_(self) -> str:
        method = self.manifest["method"]
        reason = self.manifest.get("not_publishable_because")
        seen = self.info()
        return _html.page(
            f"release by {method['name']} ({method['variant']}), {self.manifest['date']}",
            _html.warning(f"not publishable: {reason}") if reason else "",
            f"<p>{_html.cell(self.guarantee.in_words)}</p>",
            _html.facts({name: value for name, value in method["parameters"].items()}),
            *overview(seen.to_dict()),
        )


def open(folder: str | os.PathLike[str]) -> Release:  # noqa: A001
    """Opens the folder of a release, and checks that it is one."""
    from ._call import answer

    seen = answer("info", {"data": os.fspath(folder)})
    if seen["kind"] != "release":
        raise InputError("this is a data file, not a release", file=os.fspath(folder), advice="wayveil.read(path)")
    return Release(folder)
