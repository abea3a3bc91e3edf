"""The exceptions, and how the program's failures become them."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any


class Error(Exception):
    """A failure that a person can act on.

    ``message`` says what went wrong, ``file``, ``line`` and ``column`` where, ``advice`` what to do.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: str | None = None,
        advice: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.advice = advice

    def _place(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        if self.column is not None:
            place += f", column {self.column}" if self.line is not None else f" column {self.column}"
        return f"{place}: " if self.file is not None else ""

    def __str__(self) -> str:
        text = f"{self._place()}{self.message}"
        return text if self.advice is None else f"{text}\n help: {self.advice}"


class InputError(Error, ValueError):
    """The call or its input is wrong and can be put right."""


class UsageError(InputError, TypeError):
    """Parameters were not understood, are missing, or do not go together."""


class RefusedError(Error):
    """The question was understood and the answer is no, such as a budget that is spent."""


class SystemError_(Error, OSError):
    """The machine failed: a full disk, a permission that is missing."""

    def __str__(self) -> str:
        return Error.__str__(self)


class PrivacyWarning(UserWarning):
    """Something that a publisher should know, and that is no failure."""


_KINDS: dict[str, type[Error]] = {
    "input": InputError,
    "refused": RefusedError,
    "system": SystemError_,
}


def needed(package: str) -> Any:
    """Another package, or an error that says how to get it."""
    try:
        return import_module(package)
    except ImportError as cause:
        raise ImportError(f"{package} is not installed: pip install {package}", name=package) from cause


def failure(
    kind: str,
    message: str,
    file: str | None,
    line: int | None,
    column: str | None,
    advice: str | None,
) -> Error:
    """The exception for a failure of the program."""
    return _KINDS[kind](message, file=file, line=line, column=column, advice=advice)


def usage(text: str) -> UsageError:
    """The exception for words that were not understood: the sentence without the usage of the program."""
    text = text.strip().removeprefix("error: ")
    text = re.split(r"\n\s*\n?(?:Usage:|For more information)", text)[0]
    tips = re.findall(r"^\s*tip: (.*)$", text, re.MULTILINE)
    text = re.sub(r"^\s*tip: .*$", "", text, flags=re.MULTILINE)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return UsageError(" ".join(lines), advice="; ".join(tips) or None)
