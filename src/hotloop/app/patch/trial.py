"""What a kernel is executed with before and after a patch: launches with usual and awkward inputs."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hotloop.app.ladder.compiled import unit_of
from hotloop.app.ladder.subjects import posed
from hotloop.emulate.launch import Launch
from hotloop.errors import BadShapeError, UsageError
from hotloop.model.dtype import dtype_of, limits
from hotloop.model.kernel import Empty
from hotloop.verify.tolerance import bound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.ladder import Ladder, Rung, Unit
    from hotloop.model.problem import Problem

    Array = NDArray[np.generic]

_GROUPS_MOST = 12
"""Work-groups that are executed of a large grid: its corners and some drawn ones."""
_SPECIALS = 24
_SEED = 5
MOST_FLOPS = 1 << 23
"""Work of a problem whose reference and inputs take seconds."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One launch, executed before and after a patch."""

    name: str
    launch: Launch
    outputs: tuple[int, ...]
    """Arguments that the kernel writes."""
    groups: Array | None = None
    """Work-groups that are executed; None: all."""
    wanted: Array | None = None
    """Output in float64, where a reference is known and the inputs are finite."""
    bound: Array | None = None
    """Largest error that the arithmetic of the original may make."""
    notes: tuple[str, ...] = field(default=())


# -- a rung of a ladder -----------------------------------------------------------------------------------------------


def of_rung(ladder: Ladder, rung: Rung, unit: Unit, sizes: Mapping[str, Any]) -> tuple[Trial, ...]:
    """Return launches of a rung: normal, whole, huge and tiny numbers, and some with infinities and NaN."""
    kernel = posed(ladder, {**ladder.varied(rung), **sizes})
    own = posed(ladder, ladder.varied(rung)).problem.sizes
    if unknown := sorted(set(sizes) - set(own)):
        raise BadShapeError(f"--shape: {kernel.family} has no size {unknown[0]!r}; it has {', '.join(own)}.")
    if unit.language == "flydsl" and not unit.described:
        raise UsageError(f"{rung.name} is launched by FlyDSL's own conventions; patch its HIP form.")
    try:
        kernel.work(kernel.problem)  # families validate their sizes in this call
    except ValueError as error:
        raise BadShapeError(f"--shape: {error}; give sizes that {kernel.family} takes.") from error
    return tuple(_rung_trials(kernel, unit))


def small(ladder: Ladder, rung: Rung, target: str) -> dict[str, int]:
    """Return sizes of a problem that is executed in seconds; empty: the ladder's own is, or none is known.

    Only sizes are halved that leave fewer work-groups, the largest first: what each of them executes stays what it is.
    """
    sizes: dict[str, int] = {}
    while True:
        kernel = posed(ladder, {**ladder.varied(rung), **sizes})
        problem, groups = kernel.problem, _groups(ladder, rung, target, sizes)
        if kernel.work(problem).flops <= MOST_FLOPS:
            return sizes
        halves = {key: int(n) // 2 for key, n in problem.sizes.items() if isinstance(n, int) and n > 1}
        offers = ({**sizes, key: halves[key]} for key in sorted(halves, key=halves.__getitem__, reverse=True))
        fewer = next((offer for offer in offers if 0 < _groups(ladder, rung, target, offer) < groups), None)
        if fewer is None:
            return sizes
        sizes = fewer


def _groups(ladder: Ladder, rung: Rung, target: str, sizes: Mapping[str, Any]) -> int:
    """Return the work-groups of a rung's launch; 0: it has none of such sizes."""
    try:
        unit = unit_of(ladder, rung, target, sizes)
    except (ValueError, KeyError, ZeroDivisionError):
        return 0
    return math.prod(unit.grid) if unit is not None else 0


def _rung_trials(kernel: Kernel, unit: Unit) -> Iterator[Trial]:
    import numpy as np

    problem, rng = kernel.problem, np.random.default_rng(_SEED)
    for name in ("normal", "whole", "huge", "tiny", "special"):
        drawn = {**kernel.inputs(problem, rng)}
        changed = {key: _changed(value, name, rng) for key, value in drawn.items()}
        arrays = {key: _empty(value) if isinstance(value, Empty) else value for key, value in changed.items()}
        outputs = [key for key, value in drawn.items() if isinstance(value, Empty)]
        step = 2 if unit.described else 1
        arguments: list[Any] = []
        for key in unit.arrays:
            arguments += [arrays[key], np.int32(np.size(arrays[key]))][:step]
        arguments += [np.int32(number) for number in unit.numbers]
        launch = Launch(
            arguments=arguments, grid=unit.grid, workgroup=(unit.threads, 1, 1), dynamic_lds_bytes=unit.shared_bytes
        )
        wanted, allowed = _judged(kernel, problem, changed, outputs[0]) if name in ("normal", "whole") else (None, None)
        yield Trial(
            name, launch, tuple(step * unit.arrays.index(key) for key in outputs), some(unit.grid), wanted, allowed
        )


def _changed(value: Any, name: str, rng: np.random.Generator) -> Any:  # noqa: ANN401
    """Return an input as a trial wants it; integers and outputs stay."""
    import numpy as np

    if isinstance(value, Empty) or not isinstance(value, np.ndarray) or value.dtype.kind in "iu":
        return value
    wide, limit = value.astype(np.float64), limits(value.dtype)
    if name == "whole":
        wide = np.rint(4 * wide)
    elif name == "huge":
        wide = wide * np.sqrt(limit.largest) / 64
    elif name == "tiny":
        wide = wide * limit.smallest * 8
    elif name == "special":
        flat = wide.reshape(-1)
        values = [np.inf, -np.inf, np.nan, -0.0, limit.largest, limit.smallest]
        places = rng.integers(0, flat.size, min(_SPECIALS, flat.size))
        flat[places] = [values[at % len(values)] for at in range(len(places))]
    with np.errstate(all="ignore"):
        return (
            np.clip(wide, -limit.largest, limit.largest).astype(value.dtype)
            if name != "special"
            else wide.astype(value.dtype)
        )


def _empty(value: Empty) -> Array:
    """Return an output that is not written yet, every byte set: NaN in floats."""
    import numpy as np

    kind = dtype_of(value.dtype)
    return np.full(int(np.prod(value.shape)) * kind.itemsize, 0xFF, np.uint8).view(kind).reshape(value.shape)


def _judged(kernel: Kernel, problem: Problem, arrays: Inputs, output: str) -> tuple[Array | None, Array | None]:
    import numpy as np

    if kernel.magnitude is None:
        return None, None
    wanted = np.asarray(kernel.reference(problem, arrays)[output], np.float64)
    size = np.asarray(kernel.magnitude(problem, arrays)[output], np.float64)
    allowed = bound(kernel.tolerance, problem, str(arrays[output].dtype))  # type: ignore[union-attr]
    return wanted, allowed.at(wanted, size)


def some(grid: tuple[int, int, int]) -> Array | None:
    """Return the work-groups to execute of a grid: all of a small one (None), else corners and some between."""
    import numpy as np

    total = int(np.prod(grid))
    if total <= _GROUPS_MOST:
        return None
    corners = {(x, y, z) for x in (0, grid[0] - 1) for y in (0, grid[1] - 1) for z in (0, grid[2] - 1)}
    rng = np.random.default_rng(_SEED)
    while len(corners) < _GROUPS_MOST:
        corners.add(tuple(int(rng.integers(0, extent)) for extent in grid))  # type: ignore[arg-type]
    return np.array(sorted(corners, key=lambda group: group[::-1]))


# -- a listing with a launch that somebody wrote down -------------------------------------------------------------------


def of_file(text: str, name: str) -> tuple[Trial, ...]:
    """Return launches from TOML.

    ``grid``, ``workgroup``, ``dynamic_lds``, and ``[[arguments]]`` with ``buffer``, ``count`` and ``fill`` (normal, whole, zeros,
    nothing), or ``value`` and ``type``; ``output = true`` marks what is compared.

    Raises:
        UsageError: it is not TOML, or lacks something.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name} is not TOML: {error}.") from error
    rows = data.get("arguments", [])
    outputs = tuple(at for at, row in enumerate(rows) if row.get("output"))
    if not outputs:
        raise UsageError(f"{name}: no argument has output = true, so that there is nothing to compare.")
    grid, workgroup = (_three(data, key, name) for key in ("grid", "workgroup"))
    return tuple(
        Trial(kind, Launch(arguments=_arguments(rows, kind, name), grid=grid, workgroup=workgroup, dynamic_lds_bytes=int(data.get("dynamic_lds", 0))), outputs, some(grid))
        for kind in ("normal", "whole", "huge", "tiny", "special")
    )  # fmt: skip


def _three(data: Mapping[str, Any], key: str, name: str) -> tuple[int, int, int]:
    value = data.get(key)
    if not isinstance(value, list) or not 1 <= len(value) <= 3 or not all(isinstance(v, int) and v > 0 for v in value):
        raise UsageError(f"{name}: {key} is one to three positive numbers, such as [64, 1, 1], not {value!r}.")
    return tuple([*value, 1, 1][:3])


def _arguments(rows: Sequence[Mapping[str, Any]], kind: str, name: str) -> list[Any]:
    import numpy as np

    rng = np.random.default_rng(_SEED)
    made: list[Any] = []
    for number, row in enumerate(rows):
        try:
            dtype = dtype_of(str(row.get("buffer") or row.get("type", "int32")))
        except (TypeError, ValueError, KeyError) as error:
            raise UsageError(
                f"{name}, argument {number}: {row.get('buffer') or row.get('type')!r} is no type."
            ) from error
        if "value" in row:
            made.append(dtype.type(row["value"]))
        elif "buffer" in row and isinstance(row.get("count"), int):
            made.append(_buffer(row, dtype, kind, rng))
        else:
            raise UsageError(f"{name}, argument {number} has neither a value nor a buffer with a count.")
    return made


def _buffer(row: Mapping[str, Any], dtype: np.dtype[Any], kind: str, rng: np.random.Generator) -> Array:
    import numpy as np

    count, fill = int(row["count"]), row.get("fill", "nothing" if row.get("output") else "normal")
    if fill == "nothing":
        return _empty(Empty((count,), dtype.name))
    if fill == "zeros":
        return np.zeros(count, dtype)
    if dtype.kind in "iu":
        return rng.integers(0, 100, count).astype(dtype)
    drawn = rng.standard_normal(count).astype(dtype)
    array: Array = _changed(drawn, "whole" if fill == "whole" else kind, rng)
    return array
