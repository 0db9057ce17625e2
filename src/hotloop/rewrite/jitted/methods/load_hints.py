"""Loads say how long what they bring is needed.

What it changes: ``eviction_policy`` of loads that name none: ``first`` streams everything past the cache; ``last`` keeps it; ``twice``
keeps what a later loop loads again from the same address, and lets go of it there.
When it applies: ``twice`` where two loops load from the same pointer. Hints change no result.
What it costs: nothing where the hint is right, cache misses where it is wrong. The interpreter does not know hints: it only shows
that results stay.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import last_argument, named, pointer

_HINTS = {"evict_first", "evict_last", "cache_modifier", "eviction_policy"}


def apply(script: Script, value: int | str) -> Script:
    """Add the hint to every load of the kernel that has none."""
    loads = [call for call in script.calls(script.kernel, "load") if call.args and not named(call, _HINTS)]
    chosen = dict.fromkeys(loads, f"evict_{value}") if value != "twice" else _twice(script, loads)
    if not chosen:
        raise RefusedError(
            "it has no load without a hint" if value != "twice" else "no two loops load from one pointer"
        )
    edits = [Edit(last_argument(one), f', eviction_policy="{policy}"', "behind") for one, policy in chosen.items()]
    return script.edited(edits)


def _twice(script: Script, loads: list[ast.Call]) -> dict[ast.Call, str]:
    """Return hints for loads of one pointer in several loops: kept by all but the last of them."""
    loops = [statement for statement in script.kernel.body if isinstance(statement, ast.For | ast.While)]
    places: dict[str, list[tuple[int, ast.Call]]] = {}
    for call in loads:
        place = next((at for at, loop in enumerate(loops) if call in ast.walk(loop)), -1)
        root = pointer(call.args[0])
        if place >= 0 and root:
            places.setdefault(root, []).append((place, call))
    hints: dict[ast.Call, str] = {}
    for rows in places.values():
        last = max(place for place, _ in rows)
        if len({place for place, _ in rows}) > 1:
            hints |= {call: "evict_first" if place == last else "evict_last" for place, call in rows}
    return hints


REWRITE = Rewrite(
    name="load-hints",
    text=__doc__,
    technique="non-temporal",
    keeps=Keeps.BITS,
    values=("off", "first", "last", "twice"),
    apply=apply,
    gain=(0.97, 1.1),
    order=30,
)
