"""The Gluon kernels of `stages` executed in NumPy, statement by statement, with the element maps of the matrix instructions.

Gluon has no interpreter. Here the functions of the source file themselves run as Python, with arrays in place of tensors:
LDS starts as NaN; a copy poisons its destination when it starts and lands only when a wait covers its group; a load outside
its array is an error unless it is masked; a matrix multiplication goes through the registers of 16x16 instructions, lane by
lane, with operands exchanged as the transposed accumulator layout does. So wrong addresses, a pointer that does not advance,
a buffer that is overwritten too early, a missing wait and a wrong tail all show. Not modelled: barriers (the compiler's), the
swizzle of LDS (a bijection), rounding inside an instruction.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from types import SimpleNamespace
from typing import Any

import numpy as np

from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.execute import element_maps, execute, gather, scatter
from hotloop.isa.matrix.instruction import Instruction
from hotloop.model.ladder import Numerics
from hotloop.targets.target import Target

TILE = 32
"""Side of the tile that is executed: four matrix instructions in every direction that the real one has sixteen."""
INSTRUCTIONS = {"gfx942": "v_mfma_f32_16x16x16_f16", "gfx950": "v_mfma_f32_16x16x32_f16"}
EVEN = ((64, 96, 64), (32, 64, 96), (96, 32, 160))
"""m, n, k in multiples of the tile; none is square."""
RAGGED = ((50, 80, 112), (33, 48, 16), (70, 16, 80), (1, 32, 48), (64, 96, 64))
"""Rows of any number, n and k in multiples of 16: k within one tile, cut off, and a multiple."""
_FACTOR = 4.0


@dataclass(frozen=True, slots=True)
class Case:
    """One problem with a stride beyond the row."""

    m: int
    n: int
    k: int
    gap: int = 16
    """Elements between rows; NaN is in them."""


def verify(kernel: str, target: str, source: str = "") -> Numerics:
    """Execute a kernel on even or, for ``…_ragged``, on ragged problems and compare with float64.

    Args:
        kernel: a declared name without its target, e.g. ``stage1_ragged``.
        target: gfx942 or gfx950.
        source: text of the kernels; empty: the file `stages`.

    Raises:
        IndexError: the kernel reads or writes outside of an array.
    """
    name, ragged, _ = kernel.partition("_ragged")
    function, _, variant = name.partition("_")
    extra = {"LEFT": int(variant != "drained"), "ORDER": variant == "ordered"} if function == "stage2" else {}
    shapes = RAGGED if ragged else EVEN
    worst = max(_error(function, target, Case(*shape), source, even=not ragged, **extra) for shape in shapes)
    return Numerics(len(shapes), worst)


def _error(function: str, target: str, case: Case, source: str, *, even: bool, **extra: int) -> float:
    """Return the largest error over its bound, 4 k eps |A||B| in float32; infinite for NaN."""
    rng = np.random.default_rng(case.m * 1_000_003 + case.n * 1009 + case.k)
    a, b = _strided(rng, case.m, case.k, case.gap), _strided(rng, case.k, case.n, case.gap)
    result = run(function, target, a, b, case, source, even=even, **extra)
    left, right = a[:, : case.k].astype(np.float64), b[:, : case.n].astype(np.float64)
    bound = _FACTOR * case.k * np.finfo(np.float32).eps * (np.abs(left) @ np.abs(right))
    ratio = np.abs(result - left @ right) / bound
    return float(ratio.max()) if np.isfinite(ratio).all() else float("inf")


def _strided(rng: np.random.Generator, rows: int, columns: int, gap: int) -> Any:  # noqa: ANN401 - arrays
    stored = np.full((rows, columns + gap), np.nan, np.float16)
    stored[:, :columns] = rng.standard_normal((rows, columns))
    return stored


def run(function: str, target: str, a: Any, b: Any, case: Case, source: str, *, even: bool, **extra: int) -> Any:  # noqa: ANN401
    """Return C [m, n] of one launch over all tiles; places that no tile writes are NaN."""
    machine = _Machine(catalogue.find(INSTRUCTIONS[target], target))
    kernel = _functions(machine, source)[function]
    c = np.full(case.m * case.n, np.nan, np.float32)
    straight = Target.of(target).has("copy of 16 bytes a lane from global to local memory")
    names = dict.fromkeys(("LA", "LB", "SA", "SB", "MMA", "DA", "DB", "CLASS"))
    for machine.program in np.ndindex(-(-case.m // TILE), -(-case.n // TILE)):
        sizes = (case.m, case.n, case.k, a.shape[1], b.shape[1], case.n)
        constants = {**names, "M": TILE, "N": TILE, "K": TILE, "EVEN": even, "ASYNC": straight, **extra}
        kernel(a.reshape(-1), b.reshape(-1), c, *sizes, **constants)
    return c.reshape(case.m, case.n)


def _functions(machine: _Machine, source: str) -> dict[str, Callable[..., Any]]:
    """Return the kernels of the source with the machine in place of Gluon."""
    text = source or (resources.files(__package__) / "stages.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    space: dict[str, Any] = machine.names()
    exec(compile(tree, "stages.py", "exec"), space)  # noqa: S102 - our own file, or a test's mutation of it
    return space


@dataclass(slots=True)
class _Shared:
    """LDS: values, and which machine's copies may be on their way into it."""

    values: Any

    def index(self, slot: int) -> _Shared:
        return _Shared(self.values[slot])

    def store(self, values: Any) -> None:  # noqa: ANN401
        self.values[...] = values

    def load(self, _layout: object) -> Any:  # noqa: ANN401
        return self.values.copy()


@dataclass(slots=True)
class _Machine:
    """One work-group: its program id and its copies in flight."""

    instruction: Instruction
    program: Any = (0, 0)
    groups: list[list[tuple[_Shared, Any]]] = field(default_factory=list)
    open: list[tuple[_Shared, Any]] = field(default_factory=list)

    def names(self) -> dict[str, Any]:
        """Return the namespace that the source sees."""
        copies = SimpleNamespace(
            buffer_load_to_shared=self._copy,
            commit_group=self._commit,
            wait_group=self._wait,
            load_shared_relaxed=lambda slot, layout: slot.load(layout),
        )
        cdna3 = SimpleNamespace(buffer_load=_load, buffer_store=_store, mfma=self._multiply)
        gl = SimpleNamespace(
            constexpr=object,
            float16=np.float16,
            float32=np.float32,
            SliceLayout=lambda *_: None,
            arange=lambda low, high, layout: np.arange(low, high),  # noqa: ARG005 - Gluon's signature
            program_id=lambda axis: int(self.program[axis]),
            zeros=lambda shape, dtype, _layout: np.zeros(shape, dtype),
            allocate_shared_memory=lambda _dtype, shape, _layout: _Shared(np.full(shape, np.nan, np.float32)),
            amd=SimpleNamespace(cdna3=cdna3, hint=SimpleNamespace(sched_barrier=lambda: None)),
        )
        return {"gluon": SimpleNamespace(jit=lambda function: function), "gl": gl, "copies": copies}

    def _copy(self, slot: _Shared, array: Any, offsets: Any, mask: Any = None) -> None:  # noqa: ANN401
        values = _load(array, offsets, mask)
        slot.store(np.nan)
        self.open.append((slot, values))

    def _commit(self) -> None:
        self.groups.append(self.open)
        self.open = []

    def _wait(self, left: int) -> None:
        while len(self.groups) > left:
            for slot, values in self.groups.pop(0):
                slot.store(values)

    def _multiply(self, p: Any, q: Any, sums: Any, _class: object = None) -> Any:  # noqa: ANN401
        """Return p · q + sums with the operands exchanged: the instruction computes tiles of the transpose."""
        used, out = self.instruction, sums.copy()
        for row, column in np.ndindex(sums.shape[0] // used.n, sums.shape[1] // used.m):
            rows, columns = slice(row * used.n, (row + 1) * used.n), slice(column * used.m, (column + 1) * used.m)
            out[rows, columns] = _chain(used, q[:, columns].T, p[rows].T, sums[rows, columns].T).T
        return out


def _chain(used: Instruction, left: Any, right: Any, sums: Any) -> Any:  # noqa: ANN401
    """Return left · right + sums by one instruction after the other along k."""
    maps = element_maps(used.name)
    registers = scatter(maps["D"], sums[None])
    for k in range(0, left.shape[1], used.k):
        a = scatter(maps["A"], left[None, :, k : k + used.k])
        b = scatter(maps["B"], right[None, k : k + used.k])
        registers = execute(used, a, b, registers)
    return gather(maps["D"], registers)[0]


def _load(array: Any, offsets: Any, mask: Any = None) -> Any:  # noqa: ANN401
    """Return elements as float32; masked ones are zero, as the hardware delivers for an offset out of bounds."""
    valid = np.ones(offsets.shape, bool) if mask is None else np.broadcast_to(mask, offsets.shape)
    _inside(array, offsets[valid])
    return np.where(valid, array[np.where(valid, offsets, 0)], 0).astype(np.float32)


def _store(values: Any, array: Any, offsets: Any, mask: Any = None) -> None:  # noqa: ANN401
    valid = np.ones(offsets.shape, bool) if mask is None else np.broadcast_to(mask, offsets.shape)
    _inside(array, offsets[valid])
    array[offsets[valid]] = values[valid]


def _inside(array: Any, offsets: Sequence[int]) -> None:  # noqa: ANN401
    if len(offsets) and (np.min(offsets) < 0 or np.max(offsets) >= len(array)):
        raise IndexError(f"an unmasked access reaches element {np.max(offsets)} of an array of {len(array)}")
