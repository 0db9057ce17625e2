"""Which kernel computes softmax over the rows of a tensor; needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.place import Winners
from hotloop.dispatch.select import Asked, own, select
from hotloop.kernels._jit import ALIGNED_BYTES, LEAST_CAPABILITY
from hotloop.kernels.reduction.cuda import CUDA as CUDA_ROWS
from hotloop.kernels.reduction.geometry import ELEMENT_BYTES, Rows
from hotloop.kernels.reduction.problem import DEFAULT, FAMILY
from hotloop.kernels.reduction.triton import TRITON as TRITON_ROWS
from hotloop.kernels.reduction.triton.plan import config_for, worth_trying
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.targets.target import Target

CUDA, TRITON = "cuda", "triton"
TARGET = "sm_90"
OPERATION = "softmax"
NOTHING = Winners()
FUNCTION = "torch.softmax"
_MOST_ROWS = 1 << 31
_SHORT = 128
_EVIDENCE_SHORT = "on an H200 PyTorch took 0.61 and 0.66 of the kernel's time for rows of 17 and 65"
"""results/nvidia-h200-2026-11-22/untuned.json."""
_EVIDENCE = "shipped table, H200, bfloat16"
_MEASURED = (
    (32768, 4096, 256, f"{_EVIDENCE}: 133 µs, 2.38 times torch.compile's speed"),
    (8192, 16384, 256, f"{_EVIDENCE}: 135 µs, 1.83 times PyTorch's speed"),
)
"""Rows, columns, threads of a row: results/nvidia-h200-2026-11-21/reductions.json."""


@dataclass(frozen=True, slots=True)
class Softmax:
    """One call, as far as it decides what runs."""

    rows: int
    columns: int
    dtype: str
    obstacle: str = ""
    """Why the kernels cannot take the operand; empty when they can."""

    @property
    def problem(self) -> Problem:
        """Return the sizes in the family's words."""
        sizes = Record(rows=self.rows, columns=self.columns, operation=OPERATION, dtype=self.dtype)
        return Problem(FAMILY, sizes)


def choose(call: Softmax, device: Device, won: Winners = NOTHING, *, compiler: str = "") -> Choice:
    """Return which kernel runs for a call on a device: PyTorch's own, a winner of the store, a shipped row, or one by rule.

    Args:
        call: sizes and type, and what keeps the kernels from taking the operand.
        device: on which it runs.
        won: configurations that won on this machine, from the store.
        compiler: why CUDA C++ cannot be compiled here, so that only Triton is chosen; empty where it can.
    """
    asked = Asked(problem=call.problem, device=device, function=FUNCTION, weights={"dtype": 0.7})
    if call.obstacle:
        return own(asked, call.obstacle)
    if compiler:
        return select(
            asked, (), _in_triton(call), lambda candidate: _fitted(candidate, call, device), (*won.notes, compiler)
        )
    usable = tuple(_without_epsilon(candidate) for candidate in won.candidates if _of_softmax(candidate))
    if not usable and call.columns < _SHORT and device.target == TARGET:
        return own(asked, f"rows of {call.columns} elements: {_EVIDENCE_SHORT}", won.notes)
    shipped = tuple(_preset(row) for row in _MEASURED) if device.target == TARGET else ()
    return select(
        asked, usable + shipped, _by_rule(call), lambda candidate: _fitted(candidate, call, device), won.notes
    )


def alternatives(call: Softmax, device: Device) -> tuple[Choice, ...]:
    """Return what Triton has for a call: several short rows, one row, or a row in blocks for a program."""
    if call.obstacle:
        return ()
    asked = Asked(problem=call.problem, device=device, function=FUNCTION)
    tried = [replace(_in_triton(call), config=config, source=_GUESS) for config in worth_trying(call.columns)]
    made = (select(asked, (), one, lambda each: _fitted(each, call, device)) for one in tried)
    return tuple(choice for choice in made if choice.origin is not Origin.TORCH)


_GUESS = "Triton's kernel of rows, of whose speed here nobody knows"


def obstacle(*, dtype: str, rows: int, columns: int, last: bool, contiguous: bool) -> str:
    """Return why the kernels cannot compute a call, or an empty text."""
    if dtype not in ELEMENT_BYTES:
        return f"the kernels take {', '.join(ELEMENT_BYTES)}, not {dtype}"
    if not rows or not columns:
        return "there is nothing to compute"
    if rows >= _MOST_ROWS or columns >= _MOST_ROWS:
        return "the sizes exceed the kernels' 32-bit indices"
    if not last:
        return "the kernels normalise over the last dimension only"
    if not contiguous:
        return f"x is not contiguous from an address that is a multiple of {ALIGNED_BYTES}"
    return ""


def program(call: Softmax, choice: Choice) -> Program:
    """Return the launches of a choice."""
    implementation = TRITON_ROWS if choice.implementation == TRITON else CUDA_ROWS
    return implementation.plan(DEFAULT.replace(**call.problem.sizes), choice.config, choice.device)


def _of_softmax(candidate: Candidate) -> bool:
    return candidate.implementation == CUDA and candidate.sizes.get("operation") == OPERATION


def _without_epsilon(candidate: Candidate) -> Candidate:
    """Return a winner in the terms in which softmax is compared: epsilon is for norms."""
    sizes = {name: value for name, value in candidate.sizes.items() if name != "epsilon"}
    return replace(candidate, sizes=Record(sizes))


def _fitted(candidate: Candidate, call: Softmax, device: Device) -> Config:
    if not Target.of(device.target).at_least(LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    if candidate.implementation == TRITON:
        TRITON_ROWS.plan(DEFAULT.replace(**call.problem.sizes), candidate.config, device)
        return candidate.config
    sizes = candidate.sizes
    if (sizes.get("columns"), sizes.get("dtype")) == (call.columns, call.dtype):
        return candidate.config  # only the number of rows may differ, which decides nothing
    return _geometry(call, 0)


def _geometry(call: Softmax, lanes: int) -> Config:
    """Return the geometry of rows for a number of threads per row; 0 lets the rule of `Rows` choose."""
    rows = Rows(OPERATION, call.rows, call.columns, call.dtype, lanes=lanes)
    stream = rows.streamed if rows.vector * ELEMENT_BYTES[call.dtype] == ALIGNED_BYTES else 0
    return Config(LANES=rows.sharing, ROWS=rows.per_block, VEC=rows.vector, HELD=rows.held, STREAM=stream)


def _preset(row: tuple[int, int, int, str]) -> Candidate:
    rows, columns, lanes, source = row
    problem = Softmax(rows, columns, "bfloat16")
    return Candidate(
        origin=Origin.PRESET,
        implementation=CUDA,
        config=_geometry(problem, lanes),
        sizes=problem.problem.sizes,
        source=source,
    )


def _by_rule(call: Softmax) -> Candidate:
    return Candidate(
        origin=Origin.START,
        implementation=CUDA,
        config=_geometry(call, 0),
        sizes=Record(),
        source="nothing is known of softmax on this device, so threads share rows as on an H200",
    )


def _in_triton(call: Softmax) -> Candidate:
    return Candidate(
        origin=Origin.START,
        implementation=TRITON,
        config=config_for(call.columns),
        sizes=Record(),
        source="CUDA C++ cannot be compiled here, so one Triton program normalises each row",
    )
