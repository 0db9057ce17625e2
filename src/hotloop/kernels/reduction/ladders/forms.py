"""Forms of softmax in CUDA C++ that the family does not ship, as programs of its ladder: two older ones, and longer rows."""

from __future__ import annotations

from functools import cache
from importlib import resources

from hotloop.kernels._text import ELEMENTS
from hotloop.kernels.reduction.cuda import plan
from hotloop.kernels.reduction.geometry import OPERATIONS
from hotloop.kernels.reduction.problem import rows_of
from hotloop.model.device import Device
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.targets.target import Target

_ENTRIES = {"tree": "softmax_tree", "online": "softmax_online", "rows": "rows_reduce"}
"""The last one is the family's own, here with more of a row in the registers of a thread than its implementation allows."""
_ARGUMENTS = {"rows_reduce": ("x", "scale", "y", "shift")}


def program(ladder: Ladder, rung: Rung, problem: Problem, device: Device) -> Program:
    """Return the program of a rung, in HIP for an AMD target. Raises ValueError for another operation than softmax."""
    rows, config = rows_of(problem), ladder.changes(rung)
    if rows.operation != "softmax":
        raise ValueError(f"{rung.name} computes softmax, not {rows.operation}")
    macros = {
        "OP": OPERATIONS.index(rows.operation), "ELEM": ELEMENTS[rows.dtype], "COLUMNS": rows.columns, "EPSILON": "0.0f",
        "ROWS": 1, "VEC": 1, "HELD": 0, **config,
    }  # fmt: skip
    threads, blocks = int(macros["LANES"]) * int(macros["ROWS"]), -(-rows.rows // int(macros["ROWS"]))
    entry = _ENTRIES[ladder.implementation(rung) or ""]
    arrays = _ARGUMENTS.get(entry, ("x", "y"))
    arguments: tuple[Argument, ...] = (*map(Array, arrays), Value(rows.rows, "int32"))
    options = tuple(f"-D{name}={value}" for name, value in macros.items())
    launch = Launch(entry, arguments, (blocks * threads,), (threads,))
    return Program(
        "hip" if Target.of(device.target).amd else "cuda", source(), options, (launch,), source_name="softmax.cu"
    )


@cache
def source() -> str:
    """Return the family's text followed by the older forms."""
    own = resources.files("hotloop.kernels.reduction.ladders") / "softmax.cuh"
    return f"{plan.source()}\n{own.read_text(encoding='utf-8')}"
