"""Python's values as the words of a command."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._commands import Argument
from ._errors import UsageError


def words(argument: Argument, value: Any) -> list[str]:
    """The words that give this value to an argument; none where it is left out."""
    if value is None or (value is False and not argument.takes_value):
        return []
    value = plain(value)
    if not argument.takes_value:
        if value is False:
            return []
        if value is not True:
            raise UsageError(f"{argument.keyword} is a switch: True or False, not {value!r}")
        return [f"--{argument.long}"]
    if argument.several:
        parts = [value] if isinstance(value, str) or not isinstance(value, Iterable) else list(value)
        texts = [text(argument, part) for part in parts]
    else:
        texts = [text(argument, value)]
    return [each if argument.positional else f"--{argument.long}={each}" for each in texts]


def plain(value: Any) -> Any:
    """What numpy has, as Python has it: single values and arrays."""
    if type(value).__module__.split(".")[0] != "numpy":
        return value
    if type(value).__name__ == "timedelta64":
        return datetime.timedelta(microseconds=int(value.astype("timedelta64[us]").astype(int)))
    return value.tolist() if hasattr(value, "tolist") else value


def text(argument: Argument, value: Any) -> str:
    """A single value as the program reads it."""
    value = plain(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, bool):
        raise UsageError(f"{argument.keyword} is no switch: it takes {argument.value or 'a value'}")
    if isinstance(value, str):
        return value
    if isinstance(value, (os.PathLike, bytes)):
        return os.fsdecode(value)
    if isinstance(value, datetime.timedelta):
        seconds = value.total_seconds()
        if seconds != int(seconds):
            raise UsageError(f"{argument.keyword} takes whole seconds, not {value!r}")
        return f"{int(seconds)}s"
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M")
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return ",".join(f"{name}={each}" for name, each in _pairs(value))
    if isinstance(value, (list, tuple)):
        between = "x" if argument.keyword == "grid" else ","
        return between.join(text(argument, each) for each in value)
    return str(value)


def _pairs(value: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    for name, each in value.items():
        for one in each if isinstance(each, (list, tuple, set)) else [each]:
            yield name, one


def candidate(value: Any) -> str:
    """What ``evaluate`` is to try: a text, or a method with its parameters."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        parameters = dict(value)
        method = parameters.pop("method", None)
    elif isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Mapping):
        method, parameters = value[0], dict(value[1])
    else:
        method, parameters = None, {}
    if not isinstance(method, str):
        raise UsageError(
            f"there is no method in {value!r}",
            advice='publish=["prefix-tree height=12"] or publish=[{"method": "prefix-tree", "height": 12}]',
        )
    said = [method]
    for name, each in parameters.items():
        flag = name.rstrip("_").replace("_", "-")
        if each is True:
            said.append(flag)
        elif each is not None and each is not False:
            said.append(f"{flag}={each}")
    return " ".join(said)


def sweep(value: Any) -> str:
    """The values of one parameter to try."""
    if isinstance(value, Mapping):
        if len(value) != 1:
            raise UsageError("a sweep is over one parameter", advice='sweep={"epsilon": [0.5, 1, 2]}')
        ((name, values),) = value.items()
        return f"{name.replace('_', '-')}=" + ",".join(str(each) for each in values)
    return str(value)
