"""Which cuts of the walking kernels a measurement should compare for a shape, by static evidence."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.kernels.conv3d_depthwise.cuda.rungs import Rung
from hotloop.kernels.conv3d_depthwise.shape import Shape, blocks_of
from hotloop.kernels.conv3d_depthwise.walking.plan import ROUND, rung_of
from hotloop.kernels.conv3d_depthwise.walking.space import CARRY_SPACE, CARRY_START, TURN_SPACE, TURN_START
from hotloop.model.space import Config, Space
from hotloop.targets.machine import nvidia

CARRY, TURN = "carry", "turn"
FORMS = 3
"""Forms of a block that are compared, each with its best and its next best length of a walk."""
_VARIANTS = (
    {"EARLY": 3},
    {"EARLY": 2, "SLOTS": 3, "STEADY": 1},
    {"EARLY": 1, "SLOTS": 2, "STEADY": 0},
    {"WHOLE": 0},
)
"""Changes of the turning kernel's parameters that are worth a try."""
_OTHERS = 3
"""Cuts of which variants are compared, too."""
_FEW_PLANES = 3
"""Planes of a window up to which a thread's registers hold the sums of four groups of rows."""
_STEPS_US, _LONG_STEPS_US = {1: 0.9, 2: 1.0, 3: 1.2, 4: 1.45}, {1: 0.85, 2: 1.0, 3: 1.85}
"""What a block of 16 channels takes for a plane, in µs, by QUADS, for windows of few and of more planes; see `_costs`. That of 1 is a guess for windows of few, that of 4
lies below the 1.6 to 1.7 that was fitted: where three groups of rows were chosen in its stead, calls took 3 to 9 % longer."""
_HOPPER = nvidia("sm_90")
_SPARE = 12
"""Registers besides taps, sums and the row that is read, with ptxas 13.0: 167 of a thread with 5 rows, 157 with 3 unbounded."""


def trying(shape: Shape) -> list[tuple[str, Config]]:
    """Return implementations and configurations, the most promising first; none where no kernel takes the shape."""
    if shape.channels_last:
        chosen = _best(TURN, TURN_SPACE, shape, _forms(shape))
        others = [(name, other) for name, config in chosen[:_OTHERS] for other in _variants(shape, config)]
        return list(dict.fromkeys(chosen + others))
    forms = [CARRY_START.replace(HEIGHT=height, CHANNELS=channels, BLOCKS=blocks)
             for height in (5, 3, 6, 4, 2) for channels, blocks in ((1, 1), (1, 2), (2, 1), (3, 1), (4, 1))]  # fmt: skip
    return _best(CARRY, CARRY_SPACE, shape, forms)


def _forms(shape: Shape) -> list[Config]:
    """Return the blocks of the turning kernel whose steps were measured."""
    few = shape.kernel[0] <= _FEW_PLANES
    return [
        TURN_START.replace(QUADS=quads, **_order(quads, few=few)) for quads in (_STEPS_US if few else _LONG_STEPS_US)
    ]


def _order(quads: int, *, few: bool) -> dict[str, int]:
    """Return how the warps of a block of few or many rows, whose window has few or more planes, keep out of each other's way.

    More planes in shared memory leave the first-level cache too little for the lines that are being read, which blocks of many rows
    need. With four groups of rows addresses do not fit a thread's registers.
    """
    if quads <= _FEW_QUADS:
        return {"EARLY": 2, "SLOTS": 4, "STEADY": 1}
    if few:
        return {"EARLY": 1, "SLOTS": 2, "STEADY": int(quads < _MANY_QUADS)}
    return {"EARLY": 2, "SLOTS": 3, "STEADY": 1}


_FEW_QUADS, _MANY_QUADS = 2, 4


def _variants(shape: Shape, config: Config) -> Iterator[Config]:
    """Yield other orders of a step's parts, cuts that read ahead, and two channels a warp."""
    for changes in _VARIANTS:
        other = config.replace(**changes)
        try:
            if other != config and _resident(shape, other, rung_of(shape, other)):
                yield other
        except ValueError:
            continue


def turning(shape: Shape) -> Config | None:
    """Return the cut of the turning kernel that no measurement is needed for; None where another kernel may be faster.

    On an H200 it took 0.16 to 0.76 of the time of Triton's kernel on the seven shapes with windows of 9 taps of a plane and more
    that it took of twelve of video models, and 2.3 to 3 times as long with one tap (results/nvidia-h200-2026-11-23/walks.jsonl.gz).
    """
    if not shape.channels_last or shape.kernel[1] * shape.kernel[2] < _TAPS_LEAST:
        return None
    return next((config for name, config in trying(shape) if name == TURN), None)


_TAPS_LEAST = 9
"""Taps of a window within a plane from which the turning kernel was always the faster one."""


def _best(name: str, space: Space, shape: Shape, forms: list[Config]) -> list[tuple[str, Config]]:
    """Return the lengths of walks of the forms of least cost."""
    chosen: list[tuple[float, list[Config]]] = []
    for form in forms:
        walks = sorted(_costs(space, shape, form), key=lambda cut: cut[0])[:2]
        if walks:
            chosen.append((walks[0][0], [config for _, config in walks]))
    chosen.sort(key=lambda cost: cost[0])
    return [(name, config) for _, configs in chosen[:FORMS] for config in configs]


def _costs(space: Space, shape: Shape, form: Config) -> Iterator[tuple[float, Config]]:
    """Yield each walk of a form, and what a multiprocessor spends on it, idle threads and rounds of blocks included.

    Of the carrying kernel that is outputs; of the turning one µs, as shapes drawn at random took on an H200.
    """
    names = set()
    for planes in _values(space, "PLANES"):
        config = form.replace(PLANES=planes)
        try:
            rung = rung_of(shape, config)
        except ValueError:
            continue
        depth = min(planes, shape.output[0])
        if depth not in names and (resident := _resident(shape, config, rung)):
            names.add(depth)
            at_once, threads = ROUND * resident, rung.threads * resident
            blocks = rung.grid[0] * rung.grid[1] * rung.grid[2]
            yield blocks_of(blocks, at_once) * _walk(shape, config, depth, threads), config
            columns = blocks // blocks_of(shape.output[0], depth)
            for rounds in _wholes(space, shape, config, columns // at_once):
                rest = blocks_of((columns - rounds * at_once) * blocks_of(shape.output[0], depth), at_once)
                whole = rounds * _walk(shape, config, shape.output[0], threads)
                yield whole + rest * _walk(shape, config, depth, threads), config.replace(WHOLE=rounds * resident)


def _values(space: Space, name: str) -> tuple[int, ...]:
    """Return what a parameter may be."""
    return next(tuple(map(int, parameter.values)) for parameter in space.parameters if parameter.name == name)


def _wholes(space: Space, shape: Shape, config: Config, most: int) -> list[int]:
    """Return the numbers of rounds to try in which columns are walked from end to end; columns of later rounds are cut into pieces.

    With four groups of rows nothing is cut: on an H200 some such cuts took a fifth longer.
    """
    if (
        config.get("QUADS") == _MANY_QUADS
        or not config.get("TOGETHER")
        or shape.n > 1
        or config.integer("PLANES") >= shape.output[0]
    ):
        return []
    return [rounds for rounds in _values(space, "WHOLE") if 1 <= rounds <= most]


def _walk(shape: Shape, config: Config, depth: int, threads: int) -> float:
    """Return what a round of blocks takes."""
    if "QUADS" in config:
        steps_us = _STEPS_US if shape.kernel[0] <= _FEW_PLANES else _LONG_STEPS_US
        steps = depth + shape.kernel[0] - 1 + _BEGINNING
        return steps * steps_us[config.integer("QUADS")] * threads / _STEP_THREADS
    return (depth + shape.kernel[0]) * max(threads * _each(config), _LEAST_WORK)


_BEGINNING = 1.5
"""Steps that a block's beginning and end take as long as."""
_STEP_THREADS = 512
"""Threads of a block whose steps were measured: 16 channels, a warp each."""
_LEAST_WORK = 4096
"""Outputs of a plane below which a multiprocessor waits for memory rather than computes."""


def _each(config: Config) -> int:
    """Return the outputs of a thread in one plane."""
    return 4 * (config.integer("HEIGHT") if "HEIGHT" in config else config.integer("QUADS") * config.integer("EACH"))


def _resident(shape: Shape, config: Config, rung: Rung) -> int:
    """Return how many blocks a multiprocessor holds; 0 where registers that the compiler needs are too few."""
    depth, rows, columns = shape.kernel
    if "HEIGHT" in config:
        needed = depth * rows * columns + depth * _each(config) + 12 + _SPARE
    else:
        needed = 50 + depth * 6 * config.integer("EACH") + (depth - 1) * _each(config)
    warps = rung.threads // _HOPPER.warp
    each = -(-needed // 8) * 8
    by_registers = _HOPPER.registers // (each * warps * _HOPPER.warp)
    by_memory = _HOPPER.carveouts_bytes[-1] // (rung.shared_bytes + _HOPPER.shared_reserve_bytes)
    if each > _HOPPER.registers_thread or by_registers < config.integer("BLOCKS"):
        return 0
    return min(by_registers, by_memory)
