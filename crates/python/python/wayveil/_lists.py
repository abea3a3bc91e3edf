"""What there is: methods, metrics, attacks."""

from __future__ import annotations

from . import _commands
from ._answer import Listing
from ._call import listed


def methods() -> Listing:
    """The methods of :func:`publish`, with their parameters."""
    verb = _commands.verbs()["publish"]
    common = {key for key, it in _commands.arguments("publish").items() if not it.methods}
    found = []
    for method in _commands.methods(verb):
        parameters = []
        for raw in method["arguments"]:
            keyword = (raw["long"] or raw["id"]).replace("-", "_")
            if raw["long"] is None or keyword in common and keyword != "epsilon":
                continue
            default = raw["defaults"][0] if raw["defaults"] else None
            parameters.append(
                {"name": keyword, "about": raw["help"], "default": default, "required": raw["required"]}
            )
        found.append({"name": method["name"], "about": method["about"], "parameters": parameters})
    width = max(len(it["name"]) for it in found)
    text = "\n".join(f"{it['name']:<{width}}  {it['about']}" for it in found)
    return Listing(found, text=text, title="methods")


def metrics() -> Listing:
    """The metrics of :func:`evaluate`, with their definitions."""
    return listed("evaluate")


def attacks() -> Listing:
    """The attacks of :func:`attack`, with their definitions."""
    return listed("attack")
