"""Which cuts of the walking kernels a measurement should compare for a shape, by static evidence."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.kernels.conv3d_depthwise.cuda.rungs import Rung
from hotloop.kernels.conv3d_depthwise.shape import Shape, blocks_of
from hotloop.kernels.conv3d_depthwise.walking.plan import rung_of
from hotloop.kernels.conv3d_depthwise.walking.space import CARRY_SPACE, CARRY_START, TURN_SPACE, TURN_START
from hotloop.model.space import Config, Space
from hotloop.targets.machine import nvidia

CARRY, TURN = "carry", "turn"
FORMS = 3
"""Forms of a block that are compared, each with its best and its next best length of a walk."""
_DEPTHS = (0, 0, 0, 0), (0, 1, 1, 0), (2, 1, 0, 0), (3, 1, 0, 0), (3, 1, 0, 1)
"""Planes ahead, channels of a place together, results evicted first, whole lines: what is compared of a cut."""
_DEEPER = 4
"""Cuts of which others that read further ahead are compared, too."""
_MULTIPROCESSORS = 132
"""Multiprocessors of an H200."""
_HOPPER = nvidia("sm_90")
_SPARE = 12
"""Registers besides taps, sums and the row that is read, with ptxas 13.0: 167 of a thread with 5 rows, 157 with 3 unbounded."""


def trying(shape: Shape) -> list[tuple[str, Config]]:
    """Return implementations and configurations, the most promising first; none where no kernel takes the shape."""
    if shape.channels_last:
        forms = [TURN_START.replace(QUADS=quads, CHANNELS=channels, BLOCKS=blocks)
                 for quads in (6, 4, 3, 2, 1) for channels, blocks in ((16, 1), (8, 2), (32, 1))]  # fmt: skip
        chosen = _best(TURN, TURN_SPACE, shape, forms)
        return chosen + [(name, deeper) for name, config in chosen[:_DEEPER] for deeper in _ahead(shape, config)]
    forms = [CARRY_START.replace(HEIGHT=height, CHANNELS=channels, BLOCKS=blocks)
             for height in (5, 3, 6, 4, 2) for channels, blocks in ((1, 1), (1, 2), (2, 1), (3, 1), (4, 1))]  # fmt: skip
    return _best(CARRY, CARRY_SPACE, shape, forms)


def _ahead(shape: Shape, config: Config) -> Iterator[Config]:
    """Yield cuts that read several planes ahead, such whose blocks follow each other by channels, and such that steer the caches."""
    for ahead, together, stream, lines in _DEPTHS:
        deeper = config.replace(AHEAD=ahead, TOGETHER=together, STREAM=stream, LINES=lines)
        try:
            if _resident(shape, deeper, rung_of(shape, deeper)):
                yield deeper
        except ValueError:
            return


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


def walks(shape: Shape, form: Config) -> Iterator[tuple[float, Config]]:
    """Return the lengths of a turning kernel's walk that fit a shape, each with its cost."""
    return _costs(TURN_SPACE, shape, form)


def _best(name: str, space: Space, shape: Shape, forms: list[Config]) -> list[tuple[str, Config]]:
    """Return the lengths of walks of the forms of least cost."""
    chosen: list[tuple[float, list[Config]]] = []
    for form in forms:
        lengths = sorted(_costs(space, shape, form), key=lambda cut: cut[0])[:2]
        if lengths:
            chosen.append((lengths[0][0], [config for _, config in lengths]))
    chosen.sort(key=lambda cost: cost[0])
    return [(name, config) for _, configs in chosen[:FORMS] for config in configs]


def _costs(space: Space, shape: Shape, form: Config) -> Iterator[tuple[float, Config]]:
    """Yield each walk of a form, and how many outputs' time a multiprocessor spends on it, idle threads and rounds included."""
    lengths = next(parameter for parameter in space.parameters if parameter.name == "PLANES").values
    names = set()
    for planes in lengths:
        config = form.replace(PLANES=planes)
        try:
            rung = rung_of(shape, config)
        except ValueError:
            continue
        depth = min(config.integer("PLANES"), shape.output[0])
        if depth not in names and (resident := _resident(shape, config, rung)):
            names.add(depth)
            rounds = blocks_of(rung.grid[0] * rung.grid[1] * rung.grid[2], _MULTIPROCESSORS * resident)
            work = (depth + shape.kernel[0]) * rung.threads * _each(config) * resident
            yield rounds * max(work, _LEAST_WORK * (depth + shape.kernel[0])), config


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
