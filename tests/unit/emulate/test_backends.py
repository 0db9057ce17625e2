"""Both back ends agree: on every mnemonic of the tables with random operands and masks, and on whole kernels."""

import ctypes
import runpy
from pathlib import Path

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.instruction import Context, decode
from hotloop.emulate.native import layout
from hotloop.emulate.native.encode import record
from hotloop.emulate.native.record import Tables, touched
from hotloop.emulate.program import bound
from hotloop.emulate.state import Layout, Registers
from hotloop.isa.amdgcn.counters import generation
from hotloop.isa.instruction import Instruction
from hotloop.targets.target import Target

TEXTS = runpy.run_path(str(Path(__file__).with_name("texts.py")))
ROWS = 160
TARGETS = {"gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}


@pytest.fixture(scope="module")
def native():
    found = executor.native()
    if found is None:
        pytest.skip("no compiler of the package ziglang here")
    return found


class Bench:
    """Single instructions in both back ends."""

    def __init__(self, native, target):
        self.library, self.target, self.lanes = native.library, Target.of(target), TARGETS[target]
        self.context = Context(
            self.target, generation(target), Layout(ROWS, 0, self.lanes), zeroes_upper=generation(target).name == "gfx9"
        )

    def bound(self, mnemonic, operands):
        """Return the instruction with its step. Raises UnmodelledError."""
        item = decode(0, Instruction(0, mnemonic, operands, None, line=1), None, self.context.family)
        item.step = bound(item, self.context)
        return item

    def both(self, item, vectors, scalars, flag):
        """Return (vectors, scalars, flag) after each back end, and whether C did it itself."""
        code, tables = np.zeros(1, layout.INS), Tables()
        native = record(item, self.context, tables, code[0:1].reshape(()), 1)
        if not native:
            return None
        one = Registers(
            self.context.layout, vectors[:, None, : self.lanes].copy(), scalars[:, None].copy(), np.array([flag])
        )
        with np.errstate(all="ignore"):
            item.step(one)
        return (one.v[:, 0], one.s[:, 0], bool(one.scc[0])), self.tried(
            code, tables, vectors.copy(), scalars.copy(), flag
        )

    def tried(self, code, tables, vectors, scalars, flag):
        kept = [np.concatenate([code, np.array(tables.more, layout.INS).reshape(-1)]), touched(tables)]
        kept += [np.array(tables.side or [0], np.int32), np.array(tables.floats or [0], np.float32)]
        launch = layout.LaunchRecord(rows=ROWS, lanes=self.lanes, instructions=1)
        launch.code, launch.touched, launch.side, launch.floats = (int(a.ctypes.data) for a in kept)
        scc = ctypes.c_uint32(flag)
        at = (ctypes.c_void_p(int(a.ctypes.data)) for a in (vectors, scalars))
        assert self.library.hotloop_try(ctypes.byref(launch), 0, *at, ctypes.byref(scc)) == 0
        return vectors[:, : self.lanes], scalars, bool(scc.value)


SPECIAL32 = np.array(
    [
        0,
        1 << 31,
        1,
        0x7F800000,
        0xFF800000,
        0x7FC00000,
        0x3F800000,
        0xBF000000,
        0x7FFFFFFF,
        0xFFFFFFFF,
        0x00800000,
        0x80000001,
        0x4F000000,
    ],
    np.uint32,
)
SPECIAL16 = np.array([0, 0x8000, 1, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0xBC00, 0x7BFF, 0x0400, 0xFFFF], np.uint16)


def words(rng, shape, kind):
    """Return random words: bits, small numbers, floats of the kind that an instruction reads, and special ones."""
    found = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    if kind == "f16":
        halves = (rng.standard_normal((*shape, 2)) * 4).astype(np.float16).view(np.uint16)
        halves = np.where(rng.random(halves.shape) < 0.15, rng.choice(SPECIAL16, halves.shape), halves)
        values = np.ascontiguousarray(halves).view(np.uint32)[..., 0]
    elif kind == "f64":
        numbers = (rng.standard_normal((shape[0] // 2, *shape[1:])) * 10.0 ** rng.integers(-6, 6)).astype(np.float64)
        numbers = np.where(
            rng.random(numbers.shape) < 0.15,
            rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 2.5, -3.5], numbers.shape),
            numbers,
        )
        pairs = np.ascontiguousarray(numbers).view(np.uint32).reshape(*numbers.shape, 2)
        return np.moveaxis(pairs, -1, 1).reshape(shape)
    else:
        values = (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 6)).astype(np.float32).view(np.uint32)
    chance = rng.random(shape)
    found = np.where(chance < 0.55, values, found)
    found = np.where(chance > 0.9, rng.choice(SPECIAL32, shape), found)
    return np.where((chance > 0.8) & (chance < 0.9), rng.integers(0, 70, shape), found).astype(np.uint32)


def alike(one, two):
    """Return where words are equal, or a NaN of some format in both: payloads are the processor's."""
    halves = np.stack([one & 0xFFFF, two & 0xFFFF, one >> 16, two >> 16])
    nan16 = (halves & 0x7FFF) > 0x7C00
    brain = (halves & 0x7FFF) > 0x7F80
    nan = ((one & 0x7FFFFFFF) > 0x7F800000) & ((two & 0x7FFFFFFF) > 0x7F800000)
    low = (halves[0] == halves[1]) | (nan16[0] & nan16[1]) | (brain[0] & brain[1])
    high = (halves[2] == halves[3]) | (nan16[2] & nan16[3]) | (brain[2] & brain[3])
    return (one == two) | nan | (low & high)


def kind_of(mnemonic):
    return next((kind for kind in ("f64", "f16") if kind in mnemonic), "f32")


def compare(bench, mnemonic, operands, rng, times=2):
    """Execute one text in both; return whether C has it. Raises AssertionError where they differ."""
    item = bench.bound(mnemonic, operands)
    for round_ in range(times):
        kind = kind_of(mnemonic)
        vectors = np.zeros((ROWS, layout.LANES), np.uint32)
        vectors[:12] = words(rng, (12, layout.LANES), kind)
        scalars = np.zeros(layout.SCALARS, np.uint32)
        scalars[:16] = words(rng, (16, 1), kind)[:, 0]
        scalars[106:108] = rng.integers(0, 1 << 32, 2, dtype=np.uint32)
        scalars[126:128] = 0xFFFFFFFF if round_ == 0 else rng.integers(0, 1 << 32, 2, dtype=np.uint32)
        if bench.lanes == 32:
            scalars[127] = 0
        answers = bench.both(item, vectors, scalars, bool(rng.integers(2)))
        if answers is None:
            return False
        (v1, s1, f1), (v2, s2, f2) = answers
        wrong = np.argwhere(~alike(v1, v2))
        assert not len(wrong), (
            f"{mnemonic} {operands}: v{wrong[0][0]} lane {wrong[0][1]}: {v1[tuple(wrong[0])]:#x} in NumPy, {v2[tuple(wrong[0])]:#x} in C; "
            + ", ".join(f"v{r}={vectors[r, wrong[0][1]]:#x}" for r in range(2, 9))
        )
        assert alike(s1, s2).all(), f"{mnemonic} {operands}: {np.flatnonzero(s1 != s2)} {s1[s1 != s2]} {s2[s1 != s2]}"
        assert f1 == f2, f"{mnemonic} {operands}: SCC"
    return True
