"""Publish the movement of many people without giving away any one of them.

    import wayveil

    data = wayveil.read(taps, universe=stops)
    release = wayveil.publish(data, "prefix-tree", epsilon=1, height=12)

A call does what the program ``wayveil`` does with the same flags: names, checks, defaults and words are its own.
"""

from __future__ import annotations

from . import _verbs
from ._advice import Advice
from ._answer import Answer, Count, Listing
from ._data import Data
from ._errors import Error, InputError, PrivacyWarning, RefusedError, SystemError_, UsageError
from ._lists import attacks, methods, metrics
from ._mechanism import Mechanism, Records
from ._page import Page
from ._release import Guarantee, Release
from ._release import open as open
from ._tables import Table
from ._verbs import *  # noqa: F403
from ._wayveil import __version__
from . import federated

__all__ = [
    "Advice",
    "Answer",
    "Count",
    "Data",
    "Error",
    "Guarantee",
    "InputError",
    "Listing",
    "Mechanism",
    "Page",
    "PrivacyWarning",
    "Records",
    "RefusedError",
    "Release",
    "SystemError_",
    "Table",
    "UsageError",
    "__version__",
    "attacks",
    "federated",
    "methods",
    "metrics",
]
# `open` is left out: who imports everything keeps the built-in one.
__all__ += _verbs.__all__
