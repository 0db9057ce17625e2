"""Which rewrites a source offers: its space of configurations, and what to try next with which expectation."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from hotloop.app.bare.expected import (
    COMPONENTS,
    CROSSED,
    FIELDS,
    OUTPUTS,
    REDUCTION,
    alone,
    crossed,
    expected,
    has_loops,
    loops_in,
    outer,
    packed,
)
from hotloop.app.bare.interleaved import behind as before_interleaved
from hotloop.app.bare.interleaved import interleaved
from hotloop.app.bare.order import loops
from hotloop.app.bare.plan import AUTO, GROUP, LAUNCHES, Planner, functions, host_name, numbers, pose, wishes
from hotloop.app.bare.source import Source
from hotloop.app.bare.tried import applied, tried
from hotloop.app.bare.wish import Loop
from hotloop.model.device import Device
from hotloop.model.finding import Gain
from hotloop.model.kernel import Offer
from hotloop.model.problem import Problem
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Parameter, Space
from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.strides import strides
from hotloop.rewrite.catalogue import rewrites, rewritten
from hotloop.rewrite.components.straight import straightened
from hotloop.rewrite.form import Posed, Rewrite
from hotloop.rewrite.hostloop import hostloops
from hotloop.rewrite.shape import RefusedError, number, shape

_GROUPS = (AUTO, 16, 64, 256)
_BOUNDED, _COUNTS, _PLACES, _SUMS = "bounded-loops", "own-counts", "place-loops", "group-sums"
_BESIDE = Gain(0.4, 3.0)
"""Gain of blocks without vectors where blocks with vectors apply: seen were 0.0 to 1.3 (a sum over all pairs, a filter, nearest centroids)."""
_ALONE = ("scalar-items", "known-sizes")
"""Rewrites that are worth what they are worth alone, and are measured so."""


def space(source: Source) -> tuple[Space, Config]:
    """Return a parameter for every function and every rewrite that applies to it, alone or behind others."""
    parameters: list[Parameter] = []
    for kernel in source.kernels:
        posed = pose(source, kernel)
        if posed is None:
            continue
        behind = [posed]  # with every choice among the rewrites before, as far as these apply
        for rewrite in rewrites():
            if rewrite.name == OUTPUTS:
                behind += [
                    made
                    for one in {id(behind[0]): behind[0], id(behind[-1]): behind[-1]}.values()
                    for made in before_interleaved(one)
                ]
            values = tried(behind, rewrite)
            if len(rewrite.values) > 1:
                behind += [made for one in behind if (made := applied(one, rewrite, rewrite.values[1])) is not None]
            if values:
                name = f"{kernel}.{rewrite.name}"
                ordinal = rewrite.name != OUTPUTS
                parameters.append(
                    Parameter(name, (rewrite.values[0], *values), rewrite.technique, rewrite.title, ordinal=ordinal)
                )
        if source.wish.locals.get(kernel, source.wish.locals.get("*")) is None or not source.grouped(kernel):
            parameters.append(
                Parameter(f"{kernel}.{GROUP}", _GROUPS, "workgroup-size", "work-items of a group; 0: free")
            )
    for place, loop in enumerate(loops(source.order)):
        forms = tuple(name for name in hostloops() if _takes_in(source, place, loop, name))
        if forms:
            parameters.append(
                Parameter(
                    host_name(place, loop),
                    (LAUNCHES, *forms),
                    "fuse",
                    "what becomes of a loop of launches",
                    ordinal=False,
                )
            )
    start = Config({parameter.name: parameter.values[0] for parameter in parameters})
    return Space(tuple(parameters)), start


def _takes_in(source: Source, place: int, loop: Loop, name: str) -> bool:
    try:
        functions(source, {host_name(place, loop): name})
    except ValueError:
        return False
    return True


def simplicity(config: Config) -> float:
    """Return how many rewrites a configuration has."""
    return float(sum(value not in (0, "off", LAUNCHES) for value in config.values()))


def offers(source: Source, plan: Planner) -> Callable[[Problem, Config, Device], tuple[Offer, ...]]:
    """Return what proposes rewrites for a configuration: each for all functions to which it applies."""

    def proposed(problem: Problem, config: Config, device: Device) -> tuple[Offer, ...]:
        collected: list[Offer] = []
        for rewrite in rewrites():
            if rewrite.name == OUTPUTS:
                collected += _blocks(source, config, rewrite)
            else:
                for value in reversed(
                    rewrite.values[1:] if isinstance(rewrite.values[-1], str) else rewrite.values[-1:]
                ):
                    collected += _plain(source, config, rewrite, value)
        collected += _hosts(source, config)
        usually = _all_at_once(source, config, numbers(problem))
        collected = [one for one in collected if all(one.changes != other.changes for other in usually)] + usually
        return tuple(one for one in collected if _possible(plan, problem, config.replace(**one.changes), device))

    return proposed


def _possible(plan: Planner, problem: Problem, config: Config, device: Device) -> bool:
    try:
        plan(problem, config, device)
    except ValueError:
        return False
    return True


def _fits(source: Source, config: Config, changes: Mapping[str, Scalar]) -> bool:
    if any(name not in config for name in changes) or all(config[name] == value for name, value in changes.items()):
        return False
    try:
        functions(source, {**config, **changes})
    except ValueError:
        return False
    return True


def _hosts(source: Source, config: Config) -> list[Offer]:
    """Return offers to take loops of the host into the kernels."""
    made = []
    for place, loop in enumerate(loops(source.order)):
        parameter = host_name(place, loop)
        for name, rewrite in hostloops().items():
            change: dict[str, Scalar] = {parameter: name}
            if config.get(parameter) == LAUNCHES and _fits(source, config, change):
                title = (rewrite.text or "").partition("\n")[0].rstrip(".")
                why = f"{title}: {', '.join(kernel for kernel in loop.body if isinstance(kernel, str))} over {loop.variable}"
                made.append(Offer(rewrite.technique, change, Gain(1.0, 10.0), why, name))
    return made


def _plain(source: Source, config: Config, rewrite: Rewrite, value: int | str) -> list[Offer]:
    """Return one offer of a rewrite with a value, for every function that allows it now."""
    changes: dict[str, Scalar] = {}
    lines: list[str] = []
    gains: list[tuple[float, float]] = []
    for kernel in source.kernels:
        name = f"{kernel}.{rewrite.name}"
        change = {name: value}
        posed = pose(source, kernel)
        if posed is None or config.get(name) != rewrite.values[0] or not _fits(source, config, change):
            continue
        before = rewritten(
            posed, {k: v for k, v in wishes(config, kernel).items() if k != GROUP and _before(k, rewrite)}
        )
        changes |= change
        lines.append(_where(kernel, _lines(rewrite, before)))
        gains.append(rewrite.gain(posed))
    if not changes:
        return []
    gain = Gain(min(low for low, _ in gains), max(high for _, high in gains))
    return [Offer(rewrite.technique, changes, gain, f"{rewrite.title}: {'; '.join(lines)}", rewrite.name)]


def _before(name: str, rewrite: Rewrite) -> bool:
    return any(
        earlier.name == name and (earlier.order, earlier.name) < (rewrite.order, rewrite.name) for earlier in rewrites()
    )


def _lines(rewrite: Rewrite, posed: Posed) -> tuple[int, ...]:
    try:
        return tuple(line for line in rewrite.lines(posed) if line)
    except RefusedError:
        return ()


def _where(kernel: str, lines: tuple[int, ...]) -> str:
    if not lines:
        return kernel
    return f"{kernel} line {', '.join(map(str, lines[:4]))}" + (" and others" if len(lines) > 4 else "")


def _blocks(source: Source, config: Config, rewrite: Rewrite) -> list[Offer]:
    """Return offers of blocks: the usual one first, others when it is there."""
    made = []
    vectors = False
    for wide in ("4x2x16", "1x4x16b8", "4x4x16", "1x4x16", "4x4x1", "6x2x16", "2x2x1", "4x1x1", "2x1x1", "16x1x16"):
        changes: dict[str, Scalar] = {}
        lines = []
        for kernel in source.kernels:
            name = f"{kernel}.{rewrite.name}"
            posed = pose(source, kernel)
            if posed is None or name not in config:
                continue
            if _fits(source, {**config}, {name: wide}):  # type: ignore[arg-type]
                changes[name] = wide
                lines.append(_where(kernel, (posed.function.line,)))
        if changes:
            gain = expected(source, config, tuple(changes), wide)
            if wide == CROSSED[0] and gain.low < 1.0:  # for transposes alone
                continue
            single = wide.endswith("x1")
            if single and vectors and wide not in CROSSED:
                gain = Gain(min(gain.low, _BESIDE.low), min(gain.high, _BESIDE.high))
            vectors = vectors or (
                not single and gain.low >= _BESIDE.low
            )  # vectors that gather are no reason to doubt others
            lanes = not single and not any(loops_in(source, name) for name in changes)
            technique = "vectorize" if lanes else rewrite.technique  # without a loop nothing stays in registers
            made.append(Offer(technique, changes, gain, f"{rewrite.title}, {wide}: {'; '.join(lines)}", rewrite.name))
    return made


def _all_at_once(source: Source, config: Config, sizes: Mapping[str, float]) -> list[Offer]:
    """Return the usual rewrites of each function together: each is worth little without the others."""
    changes: dict[str, Scalar] = {}
    descriptions = []
    for kernel in source.kernels:
        posed = pose(source, kernel)
        if posed is None or any(value not in (0, "off", LAUNCHES) for value in wishes(config, kernel).values()):
            continue
        chosen = usual(posed, sizes)
        if not {COMPONENTS, FIELDS} & chosen.keys() and packed(source, f"{kernel}.{OUTPUTS}"):
            chosen.pop(OUTPUTS, None)
        if chosen:
            changes |= {f"{kernel}.{name}": value for name, value in chosen.items()}
            descriptions.append(f"{kernel} line {posed.function.line}: {', '.join(chosen)}")
    changes = {name: value for name, value in changes.items() if name in config}
    for place, loop in enumerate(loops(source.order)):
        parameter = host_name(place, loop)
        if config.get(parameter) == LAUNCHES:
            fitting = [name for name in hostloops() if _fits(source, config, {parameter: name, **changes})]
            if fitting:
                changes[parameter] = fitting[0]
                descriptions.append(f"launches over {loop.variable}: {fitting[0]}")
    if len(changes) < 2:
        return alone(changes, descriptions)
    tiled = any(name.endswith((OUTPUTS, "group-sums", "group-scans")) for name in changes)
    gain = Gain(1.5, 60.0) if tiled else Gain(1.0, 10.0)
    technique = "register-tile" if tiled else "fuse"
    return [Offer(technique, changes, gain, "what usually goes together: " + "; ".join(descriptions), "usual-rewrites")]


def usual(posed: Posed, sizes: Mapping[str, float] | None = None) -> dict[str, Scalar]:
    """Return the rewrites that go together for one function: all that apply in their order, blocks as its form allows.

    Bounds that leave rounds out come in where nothing else makes vectors or blocks of the loops as they are.
    """
    chosen = _together(posed, sizes or {}, (_BOUNDED, *_ALONE))
    if REDUCTION in chosen or (OUTPUTS in chosen and _SUMS not in chosen):
        return interleaved(posed, chosen)
    bounded = _together(posed, sizes or {}, _ALONE)
    if (
        OUTPUTS in chosen and REDUCTION not in bounded
    ):  # a group's sum is better added up along memory than beside other groups'
        return interleaved(posed, chosen)
    return interleaved(
        posed, bounded if _BOUNDED in bounded and (OUTPUTS in bounded or REDUCTION in bounded) else chosen
    )


def _together(posed: Posed, sizes: Mapping[str, float], without: Collection[str]) -> dict[str, Scalar]:
    chosen: dict[str, Scalar] = {}
    for rewrite in rewrites():
        along = rewrite.name == REDUCTION and _BOUNDED not in chosen and _along_results(rewritten(posed, chosen))
        counted = rewrite.name == _COUNTS and _PLACES in chosen  # which counts without atomic functions already
        if rewrite.name in (OUTPUTS, *without) or along or counted:
            continue
        attempt = {**chosen, rewrite.name: rewrite.values[-1]}
        try:
            rewritten(posed, attempt)
        except RefusedError:
            continue
        chosen = attempt
    alone = {
        name: value for name, value in chosen.items() if name not in (COMPONENTS, FIELDS)
    }  # worth nothing without blocks
    loops_in_it = has_loops(posed) or has_loops(rewritten(posed, chosen))  # that of a function which is put in, too
    mixed = not loops_in_it and COMPONENTS in chosen and _mixed(posed, chosen)
    if not loops_in_it and not mixed and not _outer(posed, chosen):
        return _with_lines(
            posed, alone
        )  # nothing is loaded twice: blocks only save work-items, and parts of cache lines
    for block in ("1x1x16",) if mixed else _preferred(posed, chosen, sizes):
        try:
            rewritten(posed, {**chosen, OUTPUTS: block})
        except RefusedError:
            continue
        return {**chosen, OUTPUTS: block}
    return alone


_MIXING = re.compile(r"^(?:fast_)?(?:dot|cross|length|distance|normalize)$")


def _mixed(posed: Posed, chosen: Mapping[str, Scalar]) -> bool:
    """Tell whether components of short vectors meet: with one vector for each component that needs no exchange between lanes."""
    try:
        made = rewritten(posed, {name: value for name, value in chosen.items() if name != COMPONENTS})
    except RefusedError:  # a later rewrite rests on vectors that are taken apart
        return False
    return any(isinstance(node, t.Call) and _MIXING.match(node.function) for node in t.walk(*made.function.body))


def _outer(posed: Posed, chosen: Mapping[str, Scalar]) -> bool:
    """Tell whether blocks load what is the same for rows or columns of results once."""
    try:
        return outer(shape(straightened(rewritten(posed, chosen)).function, posed.types))
    except RefusedError:
        return False


def _with_lines(posed: Posed, chosen: dict[str, Scalar]) -> dict[str, Scalar]:
    """Return rewrites, for a transpose with the block of outputs that it needs; those of other kernels as they were."""
    try:
        made = rewritten(posed, chosen)
        rewritten(posed, {**chosen, OUTPUTS: CROSSED[0]})
        return {**chosen, OUTPUTS: CROSSED[0]} if crossed(shape(made.function, made.types)) else chosen
    except RefusedError:
        return chosen


def _along_results(posed: Posed) -> bool:
    """Tell whether neighbouring results read neighbours, or all the same: then vectors of results need no sum across lanes."""
    try:
        first = shape(posed.function, posed.types).items[0].name
        rewritten(posed, {OUTPUTS: "1x1x16"})
    except RefusedError:
        return False
    result_strides = strides(shape(posed.function, posed.types), first)
    return all(stride in (algebra.ONE, {}) for stride in result_strides) and algebra.ONE in result_strides


def _preferred(posed: Posed, chosen: Mapping[str, Scalar], sizes: Mapping[str, float]) -> tuple[str, ...]:
    """Return blocks in the order in which they are tried first: of a short row, such as a small image's, no block is most."""
    try:
        made = rewritten(posed, chosen)
        one_dimension = len(shape(made.function, made.types).items) == 1
    except RefusedError:
        return ()
    if REDUCTION in chosen:
        return ("4x1x1", "2x1x1") if one_dimension else ("4x4x1", "2x2x1")
    if _SHORTEST <= (row := _row(made, sizes)) < _SHORT and row % 16 == 0 and not one_dimension:
        return ("4x1x16" if row % 32 else "4x2x16", "4x1x8", "1x1x16")
    if row < _SHORT:
        return ("1x1x16",) if one_dimension else ("4x1x8", "1x1x16")
    if one_dimension:
        # What several components and masks hold of two vectors of results is more than there are registers.
        return ("1x1x16", "1x2x16") if COMPONENTS in chosen and _asks_in_loops(made) else ("1x2x16", "1x1x16")
    return ("1x4x16", "4x2x16", "1x1x16") if _uneven_rows(made) else ("4x2x16", "1x4x16", "1x1x16")


def _asks_in_loops(posed: Posed) -> bool:
    """Tell whether loops have branches, which results in one vector take by masks."""
    loops_in_it = (node for node in t.walk(*posed.function.body) if isinstance(node, t.For))
    return any(isinstance(node, t.If) for loop in loops_in_it for node in t.walk(*loop.body))


def _uneven_rows(posed: Posed) -> bool:
    """Tell whether the rows of results are taken apart further, such as into channels and rows: a block of them calculates each row's places anew."""
    form = shape(posed.function, posed.types)
    divided = any(isinstance(node, t.Binary) and node.op == "/" for node in t.walk(*form.work))
    return divided and any(stride is None for item in form.items[1:] for stride in strides(form, item.name))


_SHORTEST = 32
"""Results of a row from which on blocks have whole vectors, where these fill it."""
_SHORT = 128
"""Results of a row below which blocks of 64 leave most of the row to its edges."""


def _row(posed: Posed, sizes: Mapping[str, float]) -> float:
    """Return the results of a row, as far as sizes tell."""
    try:
        return number(posed.extents[0], sizes) if posed.extents else _SHORT
    except (RefusedError, ValueError):
        return _SHORT
