"""What Python and C agree on: operations, kinds, and the fields of the records that go from one to the other."""

from __future__ import annotations

import ctypes

import numpy as np

OPERATIONS = (
    "BACK", "NOTHING", "ROW", "SELECT", "DUAL", "COMPARE", "CARRY", "WIDE", "DIVIDE", "HALVES", "TRUTH", "MIX", "DOT",
    "READ_FIRST", "READ_LANE", "WRITE_LANE", "PERMLANE16", "PERMLANE64", "SWAP", "MBCNT",
    "SCALAR", "SCALAR_COMPARE", "SAVE", "MATRIX", "GETPC", "ZERO",
    "WAIT", "BRANCH", "CONDITION", "LOAD", "STORE", "SCALAR_LOAD", "CLOCK", "SCRATCH_LOAD", "SCRATCH_STORE",
    "DS_READ", "DS_WRITE", "DS_ATOMIC", "DS_TURN", "CROSSBAR", "COPY", "ISSUE", "BARRIER", "SIGNAL", "SETPC", "SWAPPC", "TRAP", "END",
)  # fmt: skip
"""Operations of the interpreter; ``BACK`` asks the other back end to execute one instruction."""
OP = {name: number for number, name in enumerate(OPERATIONS)}
KIND = {k: n for n, k in enumerate(("u16", "i16", "f16", "bf16", "u32", "i32", "f32", "u64", "i64", "f64"))}
IN_VECTOR, IN_SCALAR, CONSTANT, IN_SCC, IN_VCCZ, IN_EXECZ = range(6)
LOW, HIGH, CLEARED = range(3)
READS, WRITES, IS_ADDRESS, IS_DATA = 1, 2, 4, 8
IS_COMPUTE, IS_MEMORY, IS_BRANCH, IS_QUIET = range(4)
LANES, SCALARS, SCC_ROW = 64, 136, 128
"""Lanes of a register as it is stored, whatever the wave's size; rows of the scalar file, of which SCC takes one."""
MOST_TOUCHED = 160
FEW_WAVES = 0x3FFF
"""Launches of fewer waves have 16 bits for each place of a buffer, others 32; the highest says that it was written."""

OPERAND = np.dtype(
    [
        *((name, "u1") for name in ("where", "kind", "negated", "absolute", "high", "shift", "width", "extended")),
        ("permuted", "u1"), ("select", "u1"), ("spare", "u1", 2), ("row", "i4"), ("value", "u8"),
    ],
    align=True,
)  # fmt: skip
TOUCH = np.dtype([("reg", "i4"), ("how", "u4")], align=True)
INS = np.dtype(
    [
        ("op", "u2"), ("fn", "u2"), ("sources", "u1"), ("kind", "u1"), ("half", "u1"), ("finish", "u1"),
        ("category", "u1"), ("issues", "u1"), ("apart", "u1"), ("coherent", "u1"), ("stream", "u1", 4),
        ("target", "i4"), ("row", "i4"), ("mask", "i4"), ("carry", "i4"),
        ("touch", "u4"), ("touches", "u4"), ("written", "u4"), ("stored", "u4"),
        ("table", "i4"), ("n", "i4", 16), ("offset", "i8"), ("address", "u8"), ("src", OPERAND, 5),
    ],
    align=True,
)  # fmt: skip
BUFFER = np.dtype(
    [
        ("start", "i8"), ("end", "i8"), ("writable", "i4"), ("granule", "i4"), ("unit", "i4"), ("fresh", "i4"), ("wide", "i4"),
        ("places", "u8"), ("seen", "u8"),
    ],
    align=True,
)  # fmt: skip
StepBack = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_void_p)
_I32, _I64, _U64, _P = ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p


class LaunchRecord(ctypes.Structure):
    """What C is told of a launch, and where its threads meet."""

    _fields_ = (
        *((name, _P) for name in ("code", "touched", "side", "floats", "addresses", "indices")),
        ("instructions", _I64), ("steps_known", _I64),
        *((name, _I32) for name in ("rows", "lanes", "local_shift", "entry", "waves_per_group", "order", "late", "races")),
        *((name, _I32) for name in ("lds_bytes", "scratch_bytes", "parallel", "phased")),
        ("budget", _I64), ("turn", _I64),
        ("arena", _P), ("buffers", _P), ("buffer_count", _I64),
        *((name, _P) for name in ("vectors", "scalars", "defined", "moving", "groups")),
        ("group_count", _I64), ("vector_rows", _I32), ("movings", _I32), ("base", _I64), ("back", StepBack),
        ("next", _U64), ("steps", _U64), ("stop", _I32), ("spare", _I32),
    )  # fmt: skip


SIZES = (OPERAND.itemsize, INS.itemsize, TOUCH.itemsize, ctypes.sizeof(LaunchRecord), BUFFER.itemsize)
"""Bytes of the records, compared with what C says when a library is opened."""
STATUS = ("ok", "back", "found", "exhausted", "trapped", "jump", "memory", "cut")
"""Return codes of the C code, in the order of their numbers."""
