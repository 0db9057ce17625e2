"""Makes a program of a configuration of rewrites: each launched function is rewritten, and its grid is divided by what one work-item now does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from hotloop.app.bare import wish
from hotloop.app.bare.call import Call
from hotloop.app.bare.oracle import options_of
from hotloop.app.bare.order import loops
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import Loop
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.outcome import NotApplicable
from hotloop.model.problem import Problem
from hotloop.model.program import Launch, Program
from hotloop.model.record import Scalar
from hotloop.model.space import Config
from hotloop.rewrite import shape, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import APART, Posed
from hotloop.rewrite.hostloop import ROUNDS, hostloops

GROUP = "group"
"""Parameter that chooses the work-items of a group; its values are numbers of items, or `AUTO`."""
AUTO = 0
"""The runtime chooses, or groups of one where the text has vectors of its own."""
_PLACES = re.compile(r"^get_(?:(?:enqueued_)?local_|group_id|num_groups)")
Planner = Callable[[Problem, Config, Device], Program]


def planner(source: Source) -> Planner:
    """Return the plan of a source's implementation: pure, ValueError where a rewrite does not apply."""

    def plan(problem: Problem, config: Config, _device: Device) -> Program:
        sizes = numbers(problem)
        posed = functions(source, config)
        text = rewritten_text(source, posed, {name for name in posed if config.get(f"{name}.{GROUP}", AUTO) == AUTO})
        forms = {place: _FORMS[form] for place, form in host_forms(source, config).items()}
        launches = tuple(
            _launch(source, call, posed.get(call.kernel), sizes, config)
            for call in source.calls(sizes, forms)
            if min(call.extents, default=1) > 0
        )
        return Program("opencl", text, options_of(source, sizes), launches, source_name=source.path.name)

    return plan


def numbers(problem: Problem) -> dict[str, float]:
    """Return a problem's sizes as numbers."""
    return {name: value for name, value in problem.sizes.items() if isinstance(value, int | float)}


def functions(source: Source, config: Mapping[str, Scalar]) -> dict[str, Posed]:
    """Return the rewritten functions by name; those that stay as they are left out. Raises ValueError."""
    posed_by_name: dict[str, Posed] = {}
    taken = _taken_in(source, config)
    for kernel in source.kernels:
        posed = pose(source, kernel)
        if posed is None:
            continue
        wanted = wishes(config, kernel)
        if kernel in taken:
            for name, variable in taken[kernel]:
                posed = hostloops()[name].apply(posed, variable)
            posed_by_name[kernel] = rewritten(posed, wanted)
        else:
            posed_by_name[kernel] = variant(source, kernel, wanted)
    return posed_by_name


def variant(source: Source, kernel: str, wanted: Mapping[str, Scalar]) -> Posed:
    """Return a function that is understood, rewritten; what was asked before is remembered. Raises RefusedError."""
    made = _variant(_Key(source), kernel, tuple(sorted((k, v) for k, v in wanted.items() if k != GROUP)))
    if isinstance(made, NotApplicable):
        raise shape.RefusedError(made.reason)
    return made


def host_forms(source: Source, config: Mapping[str, Scalar]) -> dict[int, str]:
    """Return for each loop of the host the rewrite that moves the loop into the kernels."""
    named = {place: config.get(host_name(place, loop), LAUNCHES) for place, loop in enumerate(loops(source.order))}
    return {place: str(value) for place, value in named.items() if value != LAUNCHES}


def host_name(place: int, loop: Loop) -> str:
    """Return the name of the parameter that chooses the rewrite of a loop of the host."""
    return f"host.{loop.variable}{place}"


def _taken_in(source: Source, config: Mapping[str, Scalar]) -> dict[str, list[tuple[str, str]]]:
    """Return for each kernel the rewrites of the loops around it, with their variables. Raises RefusedError."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    all_of = loops(source.order)
    for place, name in host_forms(source, config).items():
        body = all_of[place].body
        kernels = [step for step in body if isinstance(step, str)]
        if len(kernels) < len(body) or len(set(kernels)) < len(kernels):
            raise shape.RefusedError("the host's loop has loops in it, or launches a kernel twice")
        if not hostloops()[name].per_kernel and len(kernels) > 1:
            raise shape.RefusedError("the host's loop launches several kernels in turn")
        if [step for step in source.kernels_in_order if step in kernels] != kernels:
            raise shape.RefusedError("a kernel of the host's loop is launched elsewhere, too")
        for kernel in kernels:
            pairs.setdefault(kernel, []).append((name, all_of[place].variable))
    return pairs


LAUNCHES = "launches"
"""Stands for the number of launches of a host loop whose length nothing changes."""
_FORMS = {"launches-to-dimension": "dimension", "launches-to-loop": "loop"}


def wishes(config: Mapping[str, Scalar], kernel: str) -> dict[str, Scalar]:
    """Return what a configuration asks of one function, by rewrite."""
    begin = f"{kernel}."
    return {name.removeprefix(begin): value for name, value in config.items() if name.startswith(begin)}


def pose(source: Source, kernel: str) -> Posed | None:
    """Return a function as rewrites take it, None where its text is not understood."""
    return _posed(_Key(source), kernel)


class _Key:
    """A source by identity, for remembering what was read of it."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __hash__(self) -> int:
        return id(self.source)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.source is self.source


@lru_cache(maxsize=256)
def _posed(key: _Key, kernel: str) -> Posed | None:
    source = key.source
    function = source.functions.get(kernel)
    if function is None:
        return None
    try:
        extents = source.bounds(kernel)
    except shape.RefusedError:
        extents = ()
    group, read = _group(source, kernel), source.read
    integers = {name: int(value) for name, value in wish.numbers(source.wish).items() if value == int(value)}
    return Posed(
        function,
        extents,
        source.types,
        group=group,
        constants=read.constants,
        helpers=read.helpers,
        values=integers,
        outside=read.outside,
        structures=read.members,
    )


@lru_cache(maxsize=1024)
def _variant(key: _Key, kernel: str, wanted: tuple[tuple[str, Scalar], ...]) -> Posed | NotApplicable:
    """Return a rewritten function, or the reason why a rewrite does not apply."""
    posed = _posed(key, kernel)
    assert posed is not None
    try:
        return rewritten(posed, dict(wanted))
    except shape.RefusedError as reason:
        return NotApplicable(str(reason))


def _group(source: Source, kernel: str) -> tuple[int, ...]:
    """Return the work-items of a group as they were named or the text requires them; empty where neither is so, or not in numbers."""
    try:
        return source.group(kernel, wish.numbers(source.wish)) or ()
    except UsageError:
        return ()


def rewritten_text(source: Source, posed: Mapping[str, Posed], free: Collection[str] = ()) -> str:
    """Return the source with functions exchanged, the last one first so that places stay what they were; `free`: whose groups nobody chose."""
    text = source.text
    for name in sorted(posed, key=lambda kernel_name: -source.functions[kernel_name].span[0]):
        text = write.replaced(text, source.functions[name], posed[name].function)
        own = APART if posed[name].apart else ""
        if posed[name].single and name in free and not own:
            own = write.vector(posed[name].function.body)
        required = regrouped(posed[name]) and name in source.read.required
        text = write.told(text, source.functions[name], free=required, lone=posed[name].lone, vector=own)
    return text


def _launch(source: Source, call: Call, posed: Posed | None, sizes: Mapping[str, float], config: Config) -> Launch:
    values = {**sizes, **call.values, ROUNDS: call.rounds}
    extents, group = call.extents, call.group
    if posed is None:
        return source.launch(call, extents, group)
    changed = regrouped(posed) or len(posed.extents) != len(extents)
    if changed and posed.extents:
        extents = tuple(
            -(-max(shape.number(extent, values), 1) // step)
            for extent, step in zip(posed.extents, posed.steps, strict=True)
        )
        group = None
    wanted = config.get(f"{call.kernel}.{GROUP}", AUTO)
    assert isinstance(wanted, int)
    if wanted and not posed.lone:
        group = (wanted, *(1 for _ in extents[1:]))
        if extents[0] % wanted and (posed.function is None or not _guarded(posed)):
            raise ValueError(f"{call.kernel} has no bound for work-items beyond {extents[0]}")
    elif posed.lone or (posed.single and not _bound(posed)):
        group = (1,) * len(extents)
    return source.launch(call, extents, group)


def regrouped(posed: Posed) -> bool:
    """Tell whether the rewritten text needs other groups than those that the original was launched in."""
    return bool(posed.per_item) or posed.regrouped or (posed.single and not _bound(posed))


def _bound(posed: Posed) -> bool:
    """Tell whether a text asks for places within the groups that it was launched in: another size would leave some out."""
    asked = (node.function for node in t.walk(*posed.function.body) if isinstance(node, t.Call))
    return not posed.regrouped and any(map(_PLACES.match, asked))


def _guarded(posed: Posed) -> bool:
    """Tell whether work-items beyond the grid do nothing."""
    try:
        form = shape.shape(posed.function, posed.types)
    except shape.RefusedError:
        return False
    return form.guard is not None and not form.otherwise and not posed.per_item
