"""Both back ends agree: on every mnemonic of the tables with random operands and masks, and on whole kernels."""

import ctypes
import re
import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.errors import EmulateError, Exhausted
from hotloop.emulate.instruction import Context, decode
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.native import layout
from hotloop.emulate.native.encode import encoded, record
from hotloop.emulate.native.record import Tables, touched
from hotloop.emulate.program import bound, load
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.state import Layout, Registers
from hotloop.errors import HotloopError, MissingExtraError
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
        self.context = Context(self.target, generation(target), Layout(ROWS, 0, self.lanes))

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


_PART = re.compile(r"dst_sel:(?:BYTE|WORD)_\d")


def nothing(values, kind):
    """Return where words are a NaN of a kind."""
    return (values & 0x7FFF) > 0x7C00 if kind == "f16" else (values & 0x7FFFFFFF) > 0x7F800000


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
        if _PART.search(operands) and ("_f16" in mnemonic or "_f32" in mnemonic):
            # A part of a NaN cannot be told from its payload: the whole results say where there is one.
            whole = bench.both(bench.bound(mnemonic, _PART.sub("dst_sel:DWORD", operands)), vectors, scalars, False)
            v2 = np.where(nothing(whole[0][0], kind), v1, v2)
        wrong = np.argwhere(~alike(v1, v2))
        assert not len(wrong), (
            f"{mnemonic} {operands}: v{wrong[0][0]} lane {wrong[0][1]}: {v1[tuple(wrong[0])]:#x} in NumPy, {v2[tuple(wrong[0])]:#x} in C; "
            + ", ".join(f"v{r}={vectors[r, wrong[0][1]]:#x}" for r in range(2, 9))
        )
        assert alike(s1, s2).all(), f"{mnemonic} {operands}: {np.flatnonzero(s1 != s2)} {s1[s1 != s2]} {s2[s1 != s2]}"
        assert f1 == f2, f"{mnemonic} {operands}: SCC"
    return True


def forms():
    return [text for name in ("rows", "scalars", "compares", "several") for text in TEXTS[name]()]


BACK = frozenset(
    {
        "s_bfe_i64",
        "v_cvt_f32_fp8",
        "v_cvt_f32_bf8",
        "v_cvt_pk_f32",
        "v_cvt_pk_fp8",
        "v_cvt_pk_bf8",
        "v_trig_preop_f64",
    }
)
"""What C gives to NumPy, one wave at a time."""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_every_mnemonic_of_the_tables_gives_the_same_bits(native, target):
    """Random operands, special values, all lanes and some; other forms on each of the two processors."""
    bench, rng = Bench(native, target), np.random.default_rng(7)
    seen, given_back = 0, set()
    for number, (mnemonic, operands) in enumerate(forms()):
        if bench.lanes == 32 and ("permlane32_swap" in mnemonic or number % 3):
            continue
        if compare(bench, mnemonic, operands, rng, times=2 if number % 4 == 0 else 1):
            seen += 1
        else:
            given_back.add(mnemonic)
    assert seen > 1000
    assert [name for name in sorted(given_back) if not name.startswith(tuple(BACK))] == []


MATRICES = {
    "gfx942": [
        "v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], v[8:11]", "v_mfma_f32_32x32x8_bf16 v[0:15], v[4:5], v[6:7], 0",
        "v_mfma_i32_16x16x32_i8 v[0:3], v[4:5], v[6:7], v[8:11]", "v_mfma_f32_16x16x32_fp8_bf8 v[0:3], v[4:5], v[6:7], v[8:11]",
        "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[4:5], v[6:7], v[8:11] cbsz:2 abid:1",
        "v_mfma_f32_16x16x16_f16 v[10:13], v[4:5], v[6:7], v[8:11]", "v_mfma_f32_16x16x16_f16 v[6:9], v[4:5], v[6:7], v[8:11]",
    ],
    "gfx950": ["v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[4:11], v[8:11]",
               "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[4:11], v[8:11], v2, v3 op_sel_hi:[0,0,0]"],
    "gfx1100": ["v_wmma_f32_16x16x16_f16 v[0:7], v[0:7], v[4:11], v[0:7]", "v_wmma_f16_16x16x16_f16 v[0:7], v[0:7], v[4:11], v[0:7] op_sel:[0,0,1]",
                "v_wmma_i32_16x16x16_iu8 v[0:7], v[4:7], v[8:11], v[0:7] neg_lo:[1,0,0]"],
    "gfx1201": ["v_wmma_f32_16x16x16_bf16 v[0:7], v[4:7], v[8:11], v[0:7]"],
}  # fmt: skip
"""Operands overlap: all are read before the result is written."""


@pytest.mark.parametrize(("target", "text"), [(target, text) for target, found in MATRICES.items() for text in found])
def test_matrix_instructions_give_the_same_bits(native, target, text):
    """Values of moderate size: their exact products add up without rounding in float64, in any order."""
    bench, rng = Bench(native, target), np.random.default_rng(3)
    mnemonic, _, operands = text.partition(" ")
    item = bench.bound(mnemonic, operands)
    vectors = np.zeros((ROWS, layout.LANES), np.uint32)
    small = (rng.integers(-8, 9, (16, layout.LANES, 2)) / 4).astype(np.float16).view(np.uint16)
    brain = (rng.integers(-8, 9, (16, layout.LANES, 2)) / 4).astype(np.float32).view(np.uint32) >> 16
    if "f8" in mnemonic or "iu8" in mnemonic or "_i8" in mnemonic:
        vectors[:16] = rng.integers(0, 1 << 32, (16, layout.LANES), dtype=np.uint32) & 0xBFBFBFBF
        vectors[2:4] = rng.integers(120, 134, (2, layout.LANES)) * 0x01010101
        vectors[8:12] &= 0x47FFFFFF
    else:
        halves = brain if "bf16" in mnemonic else small
        vectors[:16] = np.ascontiguousarray(halves.astype(np.uint16)).view(np.uint32)[..., 0]
    answers = bench.both(item, vectors, np.zeros(layout.SCALARS, np.uint32) | np.uint32(0xFFFFFFFF), flag=False)
    assert answers is not None
    assert alike(answers[0][0], answers[1][0]).all()
    assert not np.array_equal(answers[1][0], vectors[:, : bench.lanes])


# -- whole kernels ----------------------------------------------------------------------------------------------------

TURN = """
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_dword v2, v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_xor_b32_e32 v3, 0x3fc, v1
    ds_read_b32 v4, v3
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s8, s2, 10
    v_add_u32_e32 v1, s8, v1
    global_store_dword v1, v4, s[6:7]
"""
WAYS = [Options(), Options(late=False, order=Order.DESCENDING), Options(order=Order.ASCENDING)]


def started(text, groups=3, size=256):
    x, y = np.arange(size, dtype=np.float32), np.zeros(groups * size, np.float32)
    launch = Launch(arguments=[x, y], grid=(groups, 1, 1), workgroup=(256, 1, 1), fresh=frozenset({1}))
    return load(text), launch


@pytest.mark.parametrize("options", WAYS)
@pytest.mark.parametrize("workers", [1, 3])
def test_a_clean_kernel_is_executed_alike_on_any_number_of_threads(native, listing, options, workers):
    program, launch = started(listing(TURN, lds=1024), groups=7)
    fast = replace(native, workers=workers).run(program, launch, options, None)
    slow = run(program, launch, options)
    assert fast is not None
    assert fast.arrays[1].tobytes() == slow.arrays[1].tobytes()
    assert np.array_equal(fast.counts, slow.counts)
    assert (fast.waves, fast.executed) == (slow.waves, slow.executed)


MISTAKES = {
    "a wait for a load": TURN.replace("s_waitcnt vmcnt(0)", "s_nop 0"),
    "a wait before the barrier": TURN.replace("s_waitcnt lgkmcnt(0)\n    s_barrier", "s_barrier"),
    "a barrier": TURN.replace("s_barrier", "s_nop 0"),
    "a wait for local memory": TURN.replace("s_waitcnt lgkmcnt(0)\n    s_lshl", "s_nop 0\n    s_lshl"),
    "the end of a buffer": TURN.replace("v4, s[6:7]", "v4, s[6:7] offset:4"),
    "the end of local memory": TURN.replace("v4, v3", "v4, v3 offset:4"),
    "an undefined register": TURN.replace("global_store_dword v1, v4", "global_store_dword v1, v9"),
    "an undefined address": TURN.replace("ds_read_b32 v4, v3", "ds_read_b32 v4, v9"),
    "undefined local memory": TURN.replace("ds_write_b32 v1, v2", "s_nop 0"),
    "an output that is read": TURN.replace("v2, v1, s[4:5]", "v2, v1, s[6:7]"),
    "a branch on nothing": TURN.replace("s_barrier", "s_cmp_eq_u32 s20, 0\n    s_cbranch_scc1 .LBB0_1\n    .LBB0_1:\n    s_barrier"),
    "one place for all groups": TURN.replace("v_add_u32_e32 v1, s8, v1", "v_add_u32_e32 v4, s8, v4"),
    "unequal barriers": TURN.replace(
        "    global_store", "    v_readfirstlane_b32 s9, v0\n    s_cmp_eq_u32 s9, 0\n    s_cbranch_scc1 .LBB0_2\n    s_barrier\n    .LBB0_2:\n    global_store"
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_stops_the_fast_back_end_and_is_told_by_the_other(native, listing, mistake):
    program, launch = started(listing(MISTAKES[mistake], lds=1024))
    for workers in (1, 2):
        assert replace(native, workers=workers).run(program, launch, Options(), None) is None
    assert run(program, launch, Options(), backend=native).findings == run(program, launch, Options()).findings
    assert run(program, launch, Options(), backend=native).findings


FILLED_BY_NOBODY = {
    "a vector load": "v_lshlrev_b32_e32 v1, 2, v0\nglobal_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\n",
    "a scalar load": "v_lshlrev_b32_e32 v1, 2, v0\ns_load_dwordx2 s[8:9], s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, s9\n",
    "a copy to local memory": """
        v_lshlrev_b32_e32 v1, 2, v0
        v_readfirstlane_b32 s8, v1
        s_mov_b32 m0, s8
        s_nop 0
        global_load_lds_dword v1, s[4:5]
        s_waitcnt vmcnt(0)
        ds_read_b32 v2, v1
        s_waitcnt lgkmcnt(0)
    """,
}


@pytest.mark.parametrize("way", FILLED_BY_NOBODY)
@pytest.mark.parametrize("writable", [True, False])
def test_what_nobody_has_filled_is_undefined_whichever_way_it_comes(native, listing, way, writable):
    text = listing(FILLED_BY_NOBODY[way] + "global_store_dword v1, v2, s[6:7]", lds=1024)
    if not writable:
        text = text.replace(".address_space: global", ".actual_access: read_only\n        .address_space: global", 1)
    program, known = started(text, groups=1)
    launch = replace(known, fresh=frozenset({0, 1}))
    assert native.run(program, launch, Options(), None) is None
    assert [f.trouble for f in run(program, launch, Options()).findings] == [Trouble.UNINITIALISED]
    assert native.run(program, known, Options(), None) is not None


def test_two_unknown_values_are_not_taken_for_equal(native, listing):
    program, launch = started(
        listing("v_sub_u32_e32 v2, v8, v9\nv_lshlrev_b32_e32 v1, 2, v0\nglobal_store_dword v1, v2, s[6:7]"), groups=1
    )
    assert native.run(program, launch, Options(), None) is None
    assert [f.trouble for f in run(program, launch, Options()).findings] == [Trouble.UNINITIALISED]
    same, _ = started(
        listing("v_sub_u32_e32 v2, v8, v8\nv_lshlrev_b32_e32 v1, 2, v0\nglobal_store_dword v1, v2, s[6:7]"), groups=1
    )
    assert run(same, launch, Options()).findings == ()


def test_an_instruction_that_only_numpy_has_is_executed_there_in_the_middle(native, listing):
    body = TURN.replace(
        "global_store",
        "v_cvt_f32_u32_e32 v4, v4\nv_cvt_f32_bf8_e32 v5, v4\nv_add_f32_e32 v4, v5, v4\nglobal_store",
    )
    program, launch = started(listing(body, lds=1024))
    assert [program.code[n].mnemonic for n in encoded(program).backs] == ["v_cvt_f32_bf8_e32"]
    fast = native.run(program, launch, Options(), None)
    assert fast is not None
    assert fast.arrays[1].tobytes() == run(program, launch, Options()).arrays[1].tobytes()


DIVISION = """
v_lshlrev_b32_e32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
v_mov_b32_e32 v3, 1.0
s_waitcnt vmcnt(0)
v_div_scale_f32 v4, s[0:1], v2, v2, v3
v_rcp_f32_e32 v5, v4
v_div_scale_f32 v6, vcc, v3, v2, v3
v_fma_f32 v7, -v4, v5, 1.0
v_fmac_f32_e32 v5, v7, v5
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v8, -v4, v7, v6
v_fmac_f32_e32 v7, v8, v5
v_fma_f32 v4, -v4, v7, v6
v_div_fmas_f32 v4, v4, v5, v7
v_div_fixup_f32 v4, v4, v2, v3
global_store_dword v1, v4, s[6:7]
"""


def test_divisions_by_the_largest_numbers_are_right(native, listing):
    program = load(listing(DIVISION))
    below = np.ldexp(np.linspace(1, 1.9, 256), np.linspace(-125, 127, 256).astype(int)).astype(np.float32)
    launch = Launch(arguments=[below, np.zeros(256, np.float32)], grid=(1, 1, 1), workgroup=(256, 1, 1))
    for done in (native.run(program, launch, Options(), None), run(program, launch, Options())):
        assert np.allclose(done.arrays[1], 1 / below.astype(float), rtol=3e-7, atol=2e-45)


STACK = """
    s_mov_b32 s12, 0
    s_mov_b32 s13, 0x2000
    s_mov_b32 s14, -1
    s_mov_b32 s15, 0xe00000
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_dword v2, v1, s[4:5]
    v_mov_b32_e32 v3, 8
    s_waitcnt vmcnt(0)
    buffer_store_dword v2, off, s[12:15], 0 offset:4
    buffer_store_short v0, v3, s[12:15], 0 offen
    s_waitcnt vmcnt(0)
    buffer_load_ushort v4, off, s[12:15], 0 offset:8
    buffer_load_dword v5, off, s[12:15], 0 offset:%d
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v5, v5, v4
    global_store_dword v1, v5, s[6:7]
"""


def test_spills_through_a_buffer_reach_private_memory(native, listing):
    program, launch = started(listing(STACK % 4, scratch=16), groups=1)
    fast, slow = native.run(program, launch, Options(), None), run(program, launch, Options())
    assert fast is not None
    assert fast.arrays[1].tobytes() == slow.arrays[1].tobytes()
    assert fast.arrays[1].view(np.int32).tolist() == (launch.arguments[0].view(np.int32) + np.arange(256)).tolist()
    for beyond in (14, 12):  # past its end, and never written
        program, launch = started(listing(STACK % beyond, scratch=16), groups=1)
        assert native.run(program, launch, Options(), None) is None
        assert run(program, launch, Options(), backend=native).findings


def test_a_program_with_atomics_is_left_to_numpy(native, listing):
    body = "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 1\nglobal_atomic_add v1, v2, s[4:5]"
    program, launch = started(listing(body))
    assert "global_atomic_add" in encoded(program).refused
    assert native.run(program, launch, Options(), None) is None
    assert run(program, launch, Options(), backend=native).findings == ()


def test_a_kernel_that_never_ends_is_stopped_by_the_budget(native, listing):
    program, launch = started(listing("s_mov_b32 s8, 0\n.LBB0_1:\ns_add_u32 s8, s8, 1\ns_branch .LBB0_1"))
    with pytest.raises(Exhausted, match="line"):
        native.run(program, launch, Options(budget=100_000), None)


def test_a_loop_that_waits_for_what_never_comes_is_told_by_both(native, listing):
    body = "v_mov_b32_e32 v1, 0\n.LBB0_1:\nglobal_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\ns_branch .LBB0_1"
    program, launch = started(listing(body))
    alone, beside = (run(program, launch, Options(budget=100_000), backend=one) for one in (None, native))
    assert {f.trouble for f in alone.findings} == {f.trouble for f in beside.findings} == {Trouble.NEVER}


@pytest.mark.parametrize("end", ["s_waitcnt vmcnt(0)", "s_nop 0"])
def test_code_that_goes_on_behind_its_end_is_told_by_both(native, listing, end):
    text = re.sub(r"\bs_endpgm\b", end, listing("v_mov_b32_e32 v1, 0"))
    for backend in (None, native):
        program, launch = started(text)
        with pytest.raises(EmulateError, match=f"goes on behind its last instruction, line .*{re.escape(end)}"):
            run(program, launch, Options(), backend=backend)


def test_without_a_compiler_numpy_executes(monkeypatch, tmp_path):
    def missing():
        raise MissingExtraError("compiling C", "amd")

    monkeypatch.setattr(executor.toolchain, "clang", missing)
    executor.native.cache_clear()
    try:
        assert executor.native() is None
        with pytest.raises(MissingExtraError):
            executor.built(tmp_path)
    finally:
        executor.native.cache_clear()


DAMAGED = runpy.run_path(str(Path(__file__).with_name("test_fuzz.py")))["damaged"]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_listing_reaches_nothing_and_gives_the_same_answer(native, seed):
    x, options = np.ones(512, np.float32), Options(budget=20_000)
    try:
        program = load(DAMAGED(seed))
        launch = Launch(
            arguments=[x, x.copy(), np.int32(512)], grid=(1, 1, 1), workgroup=(256, 1, 1), fresh=frozenset({1})
        )
        fast = native.run(program, launch, options, None)
    except HotloopError:
        return
    if fast is not None:
        slow = run(program, launch, options)
        assert slow.findings == ()
        assert all(a.tobytes() == b.tobytes() for a, b in zip(fast.arrays[:2], slow.arrays[:2], strict=True))


FIRST_OF_FOUR = """
    v_lshlrev_b32_e32 v2, 4, v0
    v_mov_b32_e32 v3, 7
    global_store_dword v2, v3, s[6:7]
    s_waitcnt vmcnt(0)
    global_load_dwordx4 v[4:7], v2, s[6:7]
    s_waitcnt vmcnt(0)
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v{word}, s[4:5]
"""
FIRST_OF_PAIR = """
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 7
    global_store_dword v2, v3, s[6:7]
    s_waitcnt vmcnt(0)
    s_load_dwordx2 s[8:9], s[6:7], 0x0
    s_waitcnt lgkmcnt(0)
    v_mov_b32_e32 v5, s{word}
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v5, s[4:5]
"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("body", "word", "undefined"),
    [(FIRST_OF_FOUR, 4, False), (FIRST_OF_FOUR, 5, True), (FIRST_OF_FOUR, 7, True), (FIRST_OF_PAIR, 8, False), (FIRST_OF_PAIR, 9, True)],
)  # fmt: skip
def test_a_wide_read_tells_its_defined_words_from_the_others(native, listing, body, word, undefined, fast):
    x, y = np.zeros(64, np.uint32), np.zeros(256, np.uint32)
    launch = Launch(arguments=[x, y], grid=(1, 1, 1), workgroup=(64, 1, 1), fresh=frozenset({1}))
    done = run(load(listing(body.format(word=word))), launch, backend=native if fast else None)
    assert (Trouble.UNINITIALISED in {finding.trouble for finding in done.findings}) is undefined
    assert undefined or (done.arrays[0] == 7).all()
