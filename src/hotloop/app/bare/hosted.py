"""A rewritten text for a host that launches as before: work-items for which nothing is left to do return at once.

Where one work-item does what several did, a host that knows nothing of it launches too many. Those beyond the numbers that hotloop's own launches
have return at the beginning, so that what runs is what was verified, whether the host is changed or not.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

from hotloop.app.bare import wish
from hotloop.app.bare.oracle import options_of
from hotloop.app.bare.plan import Planner, functions, numbers, regrouped, rewritten_text
from hotloop.app.bare.source import Source
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, number

_SIZE = "get_global_size"
_ASKING = re.compile(
    r"^(?:get_(?:global_size|global_linear|global_offset|num_groups|group_id|local_|enqueued|sub_group|num_sub)|barrier$|work_group_|sub_group_)"
)
"""Functions whose results, or whose use, depend on how many work-items there are, or on all of a group being there."""


def hosted(source: Source) -> Planner:
    """Return the plan for a host that launches as the text as published wants it: pure, ValueError where there is none."""
    unpinned = _Unpinned(**_fields(source))

    def plan(problem: Problem, config: Config, _device: Device) -> Program:
        source, sizes = unpinned, numbers(problem)
        posed = {name: early(source, one) for name, one in functions(source, config).items()}
        launches = tuple(
            source.launch(call, call.extents, call.group)
            for call in source.calls(sizes)
            if min(call.extents, default=1) > 0
        )
        text = rewritten_text(source, posed, set(posed))  # the host's groups would be made vectors of otherwise
        return Program("opencl", text, options_of(source, sizes), launches, source_name=source.path.name)

    return plan


def _fields(source: Source) -> dict[str, Any]:
    return {one.name: getattr(source, one.name) for one in fields(source) if one.init}


class _Unpinned(Source):
    """A source whose grids, where they are plain numbers, are the text's own bounds, or those of each launch: a program has launches of several sizes."""

    def bounds(self, kernel: str) -> t.Body:
        """Return the work-items by dimension as expressions. Raises RefusedError."""
        bounds = super().bounds(kernel)
        if kernel not in self.wish.globals and "*" not in self.wish.globals:
            return bounds
        asked = tuple(t.Call(_SIZE, (t.Number(str(at)),)) for at in range(len(bounds)))
        return self._stated(kernel, bounds) or asked

    def _stated(self, kernel: str, grid: t.Body) -> t.Body:
        """Return the bounds that the text states, where the launch has as many work-items or more in every dimension; else nothing."""
        free = Source(**{**_fields(self), "wish": replace(self.wish, globals={}), "guessed": {}})
        try:
            stated, values = free.bounds(kernel), wish.numbers(self.wish)
            enough = [number(one, values) <= number(most, values) for one, most in zip(stated, grid, strict=True)]
        except (RefusedError, UsageError, ValueError):
            return ()
        return stated if all(enough) and not free.guessed else ()


def early(source: Source, posed: Posed) -> Posed:
    """Return a function in which work-items that a launch of its own would not have return at once. Raises RefusedError."""
    function = posed.function
    if posed.lone:
        raise RefusedError("a group must be one work-item")
    if regrouped(posed) and function.name in source.read.required:
        raise RefusedError("the text requires groups of another size")
    steps = [(at, step) for at, step in enumerate(posed.per_item) if step > 1]
    if not steps:
        return posed
    published = source.functions[function.name]
    own, made = (
        {node.function for node in t.walk(*body) if isinstance(node, t.Call)}
        for body in (published.body, function.body)
    )
    if any(map(_ASKING.match, own | (made - {_SIZE}))):
        raise RefusedError("the text asks how many work-items there are, or waits for all of a group")
    beyond = [_beyond(at, step, posed.extents[at]) for at, step in steps]
    condition = beyond[0]
    for one in beyond[1:]:
        condition = t.Binary("||", condition, one)
    return replace(posed, function=replace(function, body=(t.If(condition, (t.Text("return;"),)), *function.body)))


def _beyond(at: int, step: int, extent: t.Node) -> t.Node:
    """Return whether a work-item's numbers of a dimension all lie beyond the text's bound, or beyond what the host launches."""
    number = t.Call("get_global_id", (t.Number(str(at)),))
    return t.Binary(">=", t.Binary("*", number, t.Number(str(step))), extent)
