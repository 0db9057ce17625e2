"""What is stored and not read again leaves the caches to what is loaded.

What it changes: stores without a hint get ``cache_modifier=".cs"``, which lets the lines they write be replaced first.
When it applies: stores that carry no hint, to memory that the kernel does not load from.
What it costs: where another kernel reads the results at once, it finds them in memory instead of a cache. The interpreter does not know hints.
"""

from __future__ import annotations

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import last_argument, named, pointer

_HINTS = {"cache_modifier", "eviction_policy"}
_MOVED = 1 << 26
"""Bytes of a launch's arrays from which they do not stay in a cache."""


def apply(script: Script, value: int | str) -> Script:
    """Add the hint to every store of the kernel that has none."""
    loaded = {pointer(call.args[0]) for call in script.calls(script.kernel, "load") if call.args}
    every = [call for call in script.calls(script.kernel, "store") if call.args and not named(call, _HINTS)]
    stores = [one for one in every if pointer(one.args[0]) not in loaded]
    if not stores:
        raise RefusedError("it loads from where it stores" if every else "it has no store without a hint")
    return script.edited([Edit(last_argument(store), f', cache_modifier=".{value}"', "behind") for store in stores])


REWRITE = Rewrite(
    name="store-hints",
    text=__doc__,
    technique="non-temporal",
    keeps=Keeps.BITS,
    values=("off", "cs"),
    apply=apply,
    gain=(0.97, 1.08),
    expects=lambda _script, scene, _value: (0.97, 1.08) if scene.bytes >= _MOVED else None,
    order=31,
)  # fmt: skip
