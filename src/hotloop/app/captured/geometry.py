"""Offers of other launches of a captured Triton kernel: warps, blocks and stages, by how much of a block each thread has now.

A thread that has less than 16 bytes of a row loads narrower than it could, one that has much more holds what other warps would load sooner; which
of both costs more is not known before it is tried, so each direction is offered, the likelier one first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from math import log2, prod
from typing import NamedTuple

from hotloop.app.captured.space import OPTIONS
from hotloop.model.finding import Gain
from hotloop.model.kernel import Offer
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Space
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.meeting import meeting
from hotloop.rewrite.jitted.scene import WARP
from hotloop.rewrite.jitted.tiles import divided, together

_EACH = 16
"""Elements of a block for each thread at which most memory-bound kernels are fastest: two loads of 16 bytes in half precision."""
_FEW = 8
"""Programs for each unit below which larger blocks leave units idle."""
_SMALLER, _LARGE = 4, 16
"""How often a program is halved at most, and from how many warps on it is large: few such share a unit, and all of them wait together."""

_MEETING = 1.3
"""What each doubling of a block may bring where all programs change one place in memory: half as many wait for each other there."""
_SIDES = 2
"""Extents of a tile that divide dimensions of the result."""


class _Tile(NamedTuple):
    """Extents of a product's tile (rows, columns, step of k), its warps, and its stages of loads."""

    extents: tuple[int, int, int]
    warps: int
    stages: int


_TILES = (
    _Tile((128, 256, 64), warps=8, stages=3),
    _Tile((128, 128, 64), warps=8, stages=3),
    _Tile((128, 128, 64), warps=4, stages=4),
    _Tile((256, 128, 64), warps=8, stages=3),
    _Tile((64, 256, 64), warps=8, stages=4),
    _Tile((128, 64, 64), warps=4, stages=4),
    _Tile((64, 128, 64), warps=4, stages=4),
)
"""Tiles of products in 16 bits that published autotuners list for Hopper, the largest first."""
_ROUNDS = (
    _Tile((128, 128, 0), warps=8, stages=3),
    _Tile((128, 64, 0), warps=4, stages=3),
    _Tile((128, 64, 0), warps=8, stages=3),
    _Tile((64, 64, 0), warps=4, stages=3),
    _Tile((64, 128, 0), warps=4, stages=3),
    _Tile((128, 32, 0), warps=4, stages=4),
)
"""The same where a program goes through one side in rounds, as attention goes through its keys: rows and the step of a round."""


def offers(space: Space, config: Config, script: Script, grid: Mapping[str, int]) -> Iterator[Offer]:
    """Yield single changes of warps, stages and blocks.

    Args:
        space: of the kernel.
        config: what it is launched with now.
        script: its text.
        grid: ``programs`` of the launch and ``units`` of the device.
    """
    script = inlined(script)
    product = any(next(script.calls(function, "dot"), None) for function in script.reached)
    widest = _held(space, config, script)
    loops = any(isinstance(node, ast.For | ast.While) for function in script.reached for node in ast.walk(function))
    yield from _warps(space, config, widest, product=product)
    waiting = max(1.0, grid["units"] / max(1, grid["programs"]))  # units without a program, over those that have one
    idle = dict.fromkeys(divided(script), waiting)
    groups = [group for group in together(script) if all(name in blocks(space) for name in group)]
    alone = tuple(name for name in blocks(space) if not any(name in group for group in groups))
    met = frozenset(divided(script)) if meeting(script) else frozenset[str]()
    yield from _blocks(space, config, grid, widest, idle, alone, met, product=product)
    for group in groups:
        yield from _grown(space, config, group, product=product)
    if loops:
        yield from _stages(space, config, product=product)
    if product:
        yield from _tiles(space, config, script)


def blocks(space: Space) -> tuple[str, ...]:
    """Return the parameters that are the extent of a block: neither options of the compiler nor rewrites, whose values have no order."""
    return tuple(p.name for p in space.parameters if p.ordinal and p.name not in OPTIONS)


def _held(space: Space, config: Config, script: Script) -> int:
    """Return the elements of the largest block: of the widest, or of a tile of all of them where blocks are set against each other."""
    extents = [int(config[name]) for name in blocks(space)]
    tiled = any(
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1
        for node in ast.walk(script.kernel)
    )
    return prod(extents) if tiled and len(extents) > 1 else max(extents, default=0)


def _around(space: Space, config: Config, name: str, steps: int) -> Iterator[tuple[int, float]]:
    """Yield values near a parameter's own, and their binary logarithm over it."""
    own = config[name]
    parameter = next((one for one in space.parameters if one.name == name), None)
    for value in parameter.values if parameter else ():
        if isinstance(value, int) and isinstance(own, int) and value != own and value > 0 < own:
            step = log2(value / own)
            if abs(step) <= steps:
                yield value, step


def _offer(technique: str, change: Mapping[str, Scalar], gain: tuple[float, float], why: str) -> Offer:
    return Offer(technique, change, Gain(*gain), why, "launch")


def _warps(space: Space, config: Config, widest: int, *, product: bool) -> Iterator[Offer]:
    own = config["num_warps"]
    assert isinstance(own, int)
    each = widest / (WARP * own) if widest and not product else 0.0
    wanted = log2(each / _EACH) if each else 0.0
    for value, step in _around(space, config, "num_warps", 3):
        nearer = abs(wanted) - abs(wanted - step)
        if abs(step) > (1 if not each or nearer < 0 else 3):
            continue
        high = 1.12 + 0.1 * max(0.0, nearer) - 0.02 * abs(step)
        why = f"{value} warps instead of {own}" + (f": {each:.0f} elements of a block a thread now" if each else "")
        yield _offer("workgroup-size", {"num_warps": value}, (0.93, high), why)


def _blocks(
    space: Space,
    config: Config,
    grid: Mapping[str, int],
    widest: int,
    idle: Mapping[str, float],
    names: tuple[str, ...],
    met: frozenset[str],
    *,
    product: bool,
) -> Iterator[Offer]:
    own_warps = config["num_warps"]
    assert isinstance(own_warps, int)
    for name in names:
        for value, step in _around(space, config, name, 1 if product else 2):
            if step > 0 and name in idle and grid["programs"] < _FEW * grid["units"] and not product:
                continue
            whole = widest == config[name] or widest > max(int(config[block]) for block in blocks(space))
            each = widest / (WARP * own_warps) if whole else 0.0
            nearer = abs(log2(each / _EACH)) - abs(log2(each / _EACH) + step) if each and not product else 0.0
            high = 1.1 + 0.12 * max(0.0, nearer) - 0.02 * abs(step)
            high = max(high, _spread(idle.get(name, 1.0), step), _MEETING * step if name in met else 0.0)
            yield _offer("work-per-item", {name: value}, (0.92, high), f"blocks of {name}={value}")
        if not product:
            yield from _both(space, config, name, idle.get(name, 1.0))


def _grown(space: Space, config: Config, group: tuple[str, ...], *, product: bool) -> Iterator[Offer]:
    """Yield blocks that one number of programs counts, all of them larger or smaller by as much, with the warps as they are or twice as many.

    Where matrices are multiplied the other extents of the same size grow with them, too: a product is as fast as its smallest side lets it.
    """
    own, values = int(config["num_warps"]), {parameter.name: parameter.values for parameter in space.parameters}
    extents = {int(config[name]) for name in group}
    free = [name for name in blocks(space) if len(values[name]) > 1]
    alike = tuple(name for name in free if int(config[name]) in extents) if product else group
    for names, step in ((group, 1), (alike, 1), (group, 2), (alike, 2), (group, -1)):
        grown: dict[str, Scalar] = {
            name: int(config[name]) * 2**step if step > 0 else int(config[name]) // 2 for name in names
        }
        if (names is not group and alike == group) or not all(value in values[name] for name, value in grown.items()):
            continue
        why = f"{', '.join(f'{name}={value}' for name, value in grown.items())}: they go together"
        gain = (0.9, 1.5 if product and step > 0 else 1.1)
        yield _offer("work-per-item", grown, gain, why)
        if step > 0 and 2 * own in values["num_warps"]:
            yield _offer("work-per-item", {**grown, "num_warps": 2 * own}, gain, f"{why}, with {2 * own} warps")


def _spread(waiting: float, step: float) -> float:
    """Return what more programs bring where there are fewer than units: as many units work as there are programs."""
    return min(float(2.0**-step), waiting)


def _both(space: Space, config: Config, name: str, waiting: float) -> Iterator[Offer]:
    """Yield blocks with as many more or fewer warps: the same for each thread, in larger or smaller programs."""
    own = config["num_warps"]
    assert isinstance(own, int)
    warps = {step: value for value, step in _around(space, config, "num_warps", _SMALLER)}
    for value, step in _around(space, config, name, _SMALLER):
        if step in warps and step <= 2:
            size, high = ("fewer, larger", 1.1) if step > 0 else ("more, smaller", 1.13 if own >= _LARGE else 1.06)
            why = f"{size} programs: {name}={value} with {warps[step]} warps"
            high = max(high - 0.01 * abs(step), _spread(waiting, step))
            yield _offer("work-per-item", {name: value, "num_warps": warps[step]}, (0.92, high), why)


def _tiles(space: Space, config: Config, script: Script) -> Iterator[Offer]:
    """Yield whole tiles of a product of matrices: what changes both extents, the step and the warps at once no single change leads to."""
    values = {parameter.name: parameter.values for parameter in space.parameters}
    every = [name for name in blocks(space) if len(values[name]) > 1]
    sides = [name for name in every if name in divided(script)]
    steps = [name for name in every if name not in sides]
    if together(script) or len(steps) > 1 or (len(sides) != _SIDES and (len(sides), len(steps)) != (1, 1)):
        return
    for tried in _TILES if len(sides) == _SIDES else _ROUNDS:
        tile: dict[str, Scalar] = dict(zip((*sides, *steps), tried.extents, strict=False))
        whole = {**tile, "num_warps": tried.warps, "num_stages": tried.stages}
        change = {name: value for name, value in whole.items() if config[name] != value}
        if (
            len(change) > 1
            and change.keys() & tile.keys()
            and all(value in values[name] for name, value in change.items())
        ):
            extents = "x".join(str(extent) for extent in tried.extents if extent)
            why = f"tiles of {extents} with {tried.warps} warps"
            yield _offer("larger-tile", change, (0.9, 1.5 if len(sides) == _SIDES else 1.4), why)


def _stages(space: Space, config: Config, *, product: bool) -> Iterator[Offer]:
    for parameter in space.parameters:
        if parameter.name == "num_stages":
            for value in parameter.values:
                if value != config["num_stages"] and isinstance(value, int) and 2 <= value <= (5 if product else 4):
                    gain = (0.9, 1.15) if product else (0.95, 1.06)
                    yield _offer("prefetch", {"num_stages": value}, gain, f"{value} stages of its loops' loads")
