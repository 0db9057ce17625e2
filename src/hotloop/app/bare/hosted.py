"""A rewritten text for a host that launches as before: work-items for which nothing is left to do return at once.

Where one work-item does what several did, a host that knows nothing of it launches too many. The surplus ones return at the beginning, so that
the same work is done as in hotloop's own, smaller launches, whether the host is changed or not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from hotloop.app.bare.oracle import options_of
from hotloop.app.bare.plan import Planner, functions, numbers, pose, regrouped, rewritten_text
from hotloop.app.bare.source import Source
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.rewrite import parse
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, number

_SIZE = "get_global_size"
_ASKING = re.compile(
    r"^get_(?:global_size|global_linear|global_offset|num_groups|group_id|local_|enqueued|sub_group|num_sub|max_sub)"
    r"|barrier$|(?:work|sub|wait)_group_"
)
"""Functions whose results, or whose use, depend on how many work-items there are, or on all of a group being there."""
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")

Launched = tuple[tuple[int, ...], Mapping[str, float]]
"""Work-items by dimension of one of a program's launches, and the numbers that it was given by name."""


def hosted(source: Source, launched: Sequence[Launched], *, complete: bool = True) -> Planner:
    """Return the plan for a host that launches as the text as published wants it: pure, ValueError where there is none.

    `launched` are the program's launches; `complete`: all of them.
    """
    unpinned = _Unpinned(**_fields(source))

    def plan(problem: Problem, config: Config, _device: Device) -> Program:
        sizes = numbers(problem)
        posed = {
            name: early(unpinned, one, launched, complete=complete) for name, one in functions(unpinned, config).items()
        }
        launches = tuple(
            unpinned.launch(call, call.extents, call.group)
            for call in unpinned.calls(sizes)
            if min(call.extents, default=1) > 0
        )
        text = rewritten_text(unpinned, posed, set(posed))  # the host's groups would be made vectors of otherwise
        return Program("opencl", text, options_of(unpinned, sizes), launches, source_name=unpinned.path.name)

    return plan


def _fields(source: Source) -> dict[str, Any]:
    return {one.name: getattr(source, one.name) for one in fields(source) if one.init}


class _Unpinned(Source):
    """A source that knows of no fixed grid, for a program makes launches of several sizes.

    Where a person named a grid in numbers, it has the bounds that the text states, or else those of each launch (`get_global_size`).
    """

    def bounds(self, kernel: str) -> t.Body:
        """Return the work-items by dimension as expressions. Raises RefusedError."""
        bounds = super().bounds(kernel)
        if kernel not in self.wish.globals and "*" not in self.wish.globals:
            return bounds
        asked = tuple(t.Call(_SIZE, (t.Number(str(at)),)) for at in range(len(bounds)))
        return self.stated(kernel) or asked

    def stated(self, kernel: str) -> t.Body:
        """Return the bounds that the text states for sure; nothing where it states none."""
        free = Source(**{**_fields(self), "wish": replace(self.wish, globals={}), "guessed": {}})
        try:
            stated = free.bounds(kernel)
        except (RefusedError, UsageError):
            return ()
        return () if free.guessed else stated


def _whole(stated: t.Body, launched: Sequence[Launched]) -> bool:
    """Tell whether every launch has a work-item for each number below the text's bounds: with fewer, items that do several's work would do more."""
    try:
        return all(
            number(one, values) <= size for grid, values in launched for one, size in zip(stated, grid, strict=True)
        )
    except ValueError:
        return False


def early(source: _Unpinned, posed: Posed, launched: Sequence[Launched], *, complete: bool = True) -> Posed:
    """Return a function whose surplus work-items return at once, those that a launch made for it would not have. Raises RefusedError."""
    function = posed.function
    if posed.lone:
        raise RefusedError("a group must be one work-item")
    if regrouped(posed) and function.name in source.read.required:
        raise RefusedError("the text requires groups of another size")
    own_pose = pose(source, function.name)
    if own_pose is None or not _same(own_pose.extents, posed.extents, launched if complete else ()):
        raise RefusedError("the rewritten text needs other dimensions, or more work-items, than the program launches")
    steps = [(at, step) for at, step in enumerate(posed.per_item) if step > 1]
    if not steps:
        return posed
    if (stated := source.stated(function.name)) and not _whole(stated, launched):
        raise RefusedError("the program also launches it with fewer work-items than the text's bounds let through")
    published = source.functions[function.name]
    own, made = (_called(body, source.text) for body in (published.body, function.body))
    if any(map(_ASKING.search, own | (made - {_SIZE}))):
        raise RefusedError("the text asks how many work-items there are, or waits for all of a group")
    beyond = [_beyond(at, step, posed.extents[at]) for at, step in steps]
    condition = beyond[0]
    for one in beyond[1:]:
        condition = t.Binary("||", condition, one)
    return replace(posed, function=replace(function, body=(t.If(condition, (t.Text("return;"),)), *function.body)))


def _same(own: t.Body, needed: t.Body, launched: Sequence[Launched]) -> bool:
    """Tell whether a text needs the dimensions that it had, or these in another order, which makes no difference to launches that are square."""
    square = bool(launched) and all(len(set(grid)) == 1 for grid, _ in launched)
    return own == needed or (square and sorted(map(repr, own)) == sorted(map(repr, needed)))


def _called(body: t.Body, text: str) -> set[str]:
    """Return the functions that statements call, themselves or by way of functions of the text."""
    bodies = {helper.name: helper.body for helper in parse.helpers(text)}
    called: set[str] = set()
    left = [body]
    while left:
        fresh = {name for node in t.walk(*left.pop()) for name in _names(node)} - called
        called |= fresh
        left += [bodies[name] for name in fresh & bodies.keys()]
    return called


def _names(node: t.Node) -> list[str]:
    """Return the function that a node calls, or those in what is kept as text, as statements that return are."""
    if isinstance(node, t.Text):
        return _CALL.findall(node.text)
    return [node.function] if isinstance(node, t.Call) else []


def _beyond(at: int, step: int, extent: t.Node) -> t.Node:
    """Return whether a work-item's numbers of a dimension all lie beyond the text's bound, or beyond what the host launches."""
    number = t.Call("get_global_id", (t.Number(str(at)),))
    return t.Binary(">=", t.Binary("*", number, t.Number(str(step))), extent)
