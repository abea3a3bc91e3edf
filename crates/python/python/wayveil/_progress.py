"""What is heard of long work: a bar, a function of the caller's, warnings."""

from __future__ import annotations

import logging
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from ._errors import PrivacyWarning, UsageError

_LONG = 1.0
_log = logging.getLogger("wayveil")


class _Shown(Protocol):
    def begin(self, step: str, total: int | None) -> None: ...

    def advance(self, parts: int) -> None: ...

    def end(self) -> None: ...


class _Nothing:
    def begin(self, step: str, total: int | None) -> None:
        pass

    def advance(self, parts: int) -> None:
        pass

    def end(self) -> None:
        pass


class _Function:
    """Calls ``function(step, done, total)``."""

    def __init__(self, function: Callable[[str, int, int | None], object]) -> None:
        self._function = function
        self._step, self._done = "", 0
        self._total: int | None = None

    def begin(self, step: str, total: int | None) -> None:
        self._step, self._done, self._total = step, 0, total
        self._function(step, 0, total)

    def advance(self, parts: int) -> None:
        self._done += parts
        self._function(self._step, self._done, self._total)

    def end(self) -> None:
        if self._total is not None and self._done < self._total:
            self._done = self._total
            self._function(self._step, self._done, self._total)


class _Bar:
    """A bar of tqdm's kind, shown after a while."""

    def __init__(self, make: Callable[..., Any], delay: float) -> None:
        self._make, self._delay = make, delay
        self._bar: Any = None

    def begin(self, step: str, total: int | None) -> None:
        self.end()
        self._bar = self._make(total=total, desc=step, delay=self._delay, leave=False)

    def advance(self, parts: int) -> None:
        if self._bar is not None:
            self._bar.update(parts)

    def end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Lines:
    """Lines on standard error, for who asks for progress without tqdm."""

    def __init__(self) -> None:
        self._step, self._done, self._last = "", 0, 0.0
        self._total: int | None = None

    def begin(self, step: str, total: int | None) -> None:
        self._step, self._done, self._total, self._last = step, 0, total, time.monotonic()

    def advance(self, parts: int) -> None:
        self._done += parts
        if time.monotonic() - self._last > _LONG:
            self._last = time.monotonic()
            of = "" if self._total is None else f" of {self._total:,}"
            print(f"{self._step}: {self._done:,}{of}", file=sys.stderr)

    def end(self) -> None:
        pass


def _tqdm() -> Callable[..., Any] | None:
    try:
        with warnings.catch_warnings():
            # In notebooks without widgets tqdm says so, and draws a bar of text.
            warnings.simplefilter("ignore")
            made: Callable[..., Any] = import_module("tqdm.auto").tqdm
    except ImportError:
        return None
    return made


def _shown(progress: Any) -> _Shown:
    if progress is False:
        return _Nothing()
    if progress is None or progress is True:
        make = _tqdm()
        if make is not None:
            return _Bar(make, 0.0 if progress else _LONG)
        return _Lines() if progress else _Nothing()
    if isinstance(progress, type):
        return _Bar(progress, 0.0)
    if not callable(progress):
        raise UsageError(
            f"progress is {progress!r}", advice="True, False, a function (step, done, total), or a class such as tqdm"
        )
    return _Function(progress)


class Ear:
    """Hears a command, in the thread that called it."""

    def __init__(self, progress: Any, in_words: Callable[[str], str]) -> None:
        self._shown = _shown(progress)
        self._in_words = in_words
        self._warnings: list[str] = []

    def say(self, text: str) -> None:
        """A remark goes to the log."""
        _log.info(self._in_words(text))

    def warn(self, text: str) -> None:
        """A warning waits for the end: where warnings are errors, it would stop what is paid for already."""
        self._warnings.append(text)

    def give_warnings(self) -> None:
        """Gives the warnings the way of Python's, as if the caller's line had given them."""
        waiting, self._warnings = self._warnings, []
        for text in waiting:
            warnings.warn(self._in_words(text), PrivacyWarning, stacklevel=_outside())

    def begin(self, step: str, total: int | None) -> None:
        """A step begins."""
        self._shown.begin(step, total)

    def advance(self, parts: int) -> None:
        """Some parts of it are done."""
        self._shown.advance(parts)

    def end(self) -> None:
        """The step is done."""
        self._shown.end()


def _outside() -> int:
    """How many calls lie between ``warn`` and the code that uses the package."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "wayveil":
        frame, depth = frame.f_back, depth + 1
    return depth
