"""Single instructions on random operands, against formulas written independently of the tables."""

import math
import struct

import numpy as np
import pytest

from hotloop.emulate.instruction import Context, decode
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import bound, load
from hotloop.emulate.semantics.fused import fma64
from hotloop.emulate.state import Layout, Registers
from hotloop.errors import HotloopError
from hotloop.isa.amdgcn.counters import generation
from hotloop.isa.instruction import Instruction
from hotloop.targets.target import Target

LANES = 64
RNG = np.random.default_rng(5)


@pytest.fixture
def execute(listing):
    def call(*words, **more):
        return executed(listing, *words, **more)

    return call


def executed(listing, instruction, *words, results=1, target="gfx942", before="", dtype=np.uint32):
    """Return what an instruction makes of words [lanes] in v1, v2 ...; its results are v10, v11 ..."""
    count = len(words)
    loads = "\n".join(f"global_load_dword v{n + 1}, v20, s[4:5] offset:{256 * n}" for n in range(count))
    stores = "\n".join(f"global_store_dword v20, v{10 + n}, s[6:7] offset:{256 * n}" for n in range(results))
    body = f"v_lshlrev_b32_e32 v20, 2, v0\n{loads}\nv_mov_b32_e32 v10, 0\nv_mov_b32_e32 v11, 0\ns_waitcnt vmcnt(0)\n{before}\n{instruction}\n{stores}"
    given = np.concatenate([np.ascontiguousarray(w).view(np.uint32) for w in words])
    out = np.zeros(LANES * results, np.uint32)
    done = run(load(listing(body, target=target)), Launch(arguments=[given, out], grid=(1, 1, 1), workgroup=(64, 1, 1)))
    assert done.findings == ()
    return done.arrays[1].view(dtype).reshape(results, -1)


def bits(count=LANES):
    return RNG.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32)


def floats(count=LANES, spread=3):
    return (RNG.standard_normal(count) * 10.0 ** RNG.uniform(-spread, spread, count)).astype(np.float32)


def fraction(value):
    from fractions import Fraction

    return Fraction(float(value))


def rounded32(value):
    """Return an exact fraction rounded once to float32, ties to even."""
    near = np.float32(float(value))
    candidates = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    return min(candidates, key=lambda c: (abs(fraction(c) - value), struct.unpack("<I", struct.pack("<f", c))[0] & 1))


def test_a_fused_multiply_add_is_rounded_once(execute):
    a, b, c = floats(), floats(), floats()
    # Sums that lie almost on the middle between two numbers, where rounding twice goes wrong.
    a[:8], b[:8], c[:8] = 1 + 2.0**-12, 1 + 2.0**-12, 2.0**-50
    expected = np.array([rounded32(fraction(x) * fraction(y) + fraction(z)) for x, y, z in zip(a, b, c, strict=True)])
    assert np.array_equal(execute("v_fma_f32 v10, v1, v2, v3", a, b, c, dtype=np.float32)[0], expected)


CASES = {
    "v_mul_hi_u32 v10, v1, v2": lambda a, b: (int(a) * int(b)) >> 32,
    "v_mul_lo_u32 v10, v1, v2": lambda a, b: int(a) * int(b),
    "v_mul_u32_u24_e32 v10, v1, v2": lambda a, b: (int(a) & 0xFFFFFF) * (int(b) & 0xFFFFFF),
    "v_sub_u32_e32 v10, v1, v2": lambda a, b: int(a) - int(b),
    "v_subrev_u32_e32 v10, v1, v2": lambda a, b: int(b) - int(a),
    "v_lshlrev_b32_e32 v10, v1, v2": lambda a, b: int(b) << (int(a) & 31),
    "v_lshrrev_b32_e32 v10, v1, v2": lambda a, b: int(b) >> (int(a) & 31),
    "v_ashrrev_i32_e32 v10, v1, v2": lambda a, b: (int(b) - ((int(b) >> 31) << 32)) >> (int(a) & 31),
    "v_and_or_b32 v10, v1, v2, 7": lambda a, b: int(a) & int(b) | 7,
    "v_bfe_u32 v10, v1, 5, 9": lambda a, b: int(a) >> 5 & 0x1FF,
    "v_bfe_i32 v10, v1, 5, 9": lambda a, b: ((int(a) >> 5 & 0x1FF) ^ 0x100) - 0x100,
    "v_bfi_b32 v10, v1, v2, -1": lambda a, b: int(a) & int(b) | ~int(a),
    "v_alignbit_b32 v10, v1, v2, 11": lambda a, b: (int(a) << 32 | int(b)) >> 11,
    "v_perm_b32 v10, v1, v2, 0x0c070004": None,
    "v_bcnt_u32_b32 v10, v1, v2": lambda a, b: int(a).bit_count() + int(b),
    "v_ffbh_u32_e32 v10, v1": lambda a, b: 32 - int(a).bit_length() if a else -1,
    "v_bfrev_b32_e32 v10, v1": lambda a, b: int(f"{int(a):032b}"[::-1], 2),
    "v_xad_u32 v10, v1, v2, 3": lambda a, b: (int(a) ^ int(b)) + 3,
    "v_max_i32_e32 v10, v1, v2": lambda a, b: max(signed(a), signed(b)),
    "v_med3_i32 v10, v1, v2, 77": lambda a, b: sorted((signed(a), signed(b), 77))[1],
    "v_mbcnt_lo_u32_b32 v10, -1, 0": None,
}


def signed(a):
    return int(a) - ((int(a) >> 31) << 32)


@pytest.mark.parametrize("instruction", [name for name, formula in CASES.items() if formula])
def test_an_integer_instruction_computes_its_formula(execute, instruction):
    a, b = bits(), bits()
    a[:3] = 0, 1, 0xFFFFFFFF
    expected = np.array([CASES[instruction](x, y) & 0xFFFFFFFF for x, y in zip(a, b, strict=True)], np.uint32)
    assert np.array_equal(execute(instruction, a, b)[0], expected)


def test_bytes_are_chosen_from_both_operands(execute):
    a, b = bits(), bits()
    found = execute("v_perm_b32 v10, v1, v2, v3", a, b, np.full(LANES, 0x0C070004, np.uint32))[0]
    assert np.array_equal(found, (a >> 24) << 16 | (b & 0xFF) << 8 | (a & 0xFF))


@pytest.mark.parametrize("same", [True, False], ids=["one choice for all lanes", "a choice of each lane"])
def test_halves_are_packed_by_a_choice_of_bytes(execute, same):
    a, b = bits(), bits()
    chosen = np.full(LANES, 0x05040100, np.uint32)
    chosen[1:] = chosen[1:] if same else 0x03020706
    found = execute("v_perm_b32 v10, v1, v2, v3", a, b, chosen)[0]
    packed, turned = (a & 0xFFFF) << 16 | (b & 0xFFFF), (b & 0xFFFF0000) | a >> 16
    assert np.array_equal(found, np.where(chosen == 0x05040100, packed, turned))


def test_a_64_bit_product_has_a_carry_chain(execute):
    a, b = bits(), bits()
    found = execute("v_mad_u64_u32 v[10:11], s[20:21], v1, v2, 0", a, b, results=2)
    whole = [int(x) * int(y) for x, y in zip(a, b, strict=True)]
    assert found[0].tolist() == [w & 0xFFFFFFFF for w in whole]
    assert found[1].tolist() == [w >> 32 for w in whole]


def test_division_as_compilers_expand_it_is_rounded_correctly(execute):
    a, b = floats(spread=15), floats(spread=15)
    a[:6], b[:6] = (1e-30, 3e38, 1.0, 2.5e-38, 1.4e31, -6e36), (1e30, 2e-3, 3.0, 7.0, 6.5e-30, 5e-28)
    body = """
        v_div_scale_f32 v3, s[20:21], v2, v2, v1
        v_rcp_f32_e32 v4, v3
        v_div_scale_f32 v5, vcc, v1, v2, v1
        v_fma_f32 v6, -v3, v4, 1.0
        v_fmac_f32_e32 v4, v6, v4
        v_mul_f32_e32 v6, v5, v4
        v_fma_f32 v7, -v3, v6, v5
        v_fmac_f32_e32 v6, v7, v4
        v_fma_f32 v3, -v3, v6, v5
        v_div_fmas_f32 v3, v3, v4, v6
    """
    with np.errstate(all="ignore"):
        expected = (a.astype(np.float64) / b).astype(np.float32)
    found = execute("v_div_fixup_f32 v10, v3, v2, v1", a, b, before=body, dtype=np.float32)[0]
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("name", "function"), [("exp", np.exp2), ("log", np.log2), ("rcp", lambda x: 1 / x), ("sqrt", np.sqrt)]
)
def test_transcendental_functions_are_within_an_ulp(execute, name, function):
    a = np.abs(floats(spread=1))
    found = execute(f"v_{name}_f32_e32 v10, v1", a, dtype=np.float32)[0]
    assert np.all(np.abs(found - function(a.astype(np.float64))) <= np.spacing(np.abs(found)))


def test_half_precision_and_its_packed_form(execute):
    a, b = (RNG.standard_normal((LANES, 2)).astype(np.float16) for _ in range(2))
    found = execute("v_pk_fma_f16 v10, v1, v2, v2 op_sel_hi:[0,1,1]", a, b, dtype=np.float16)[0].reshape(LANES, 2)
    wide = a[:, :1].astype(np.float64) * b.astype(np.float64) + b.astype(np.float64)
    assert np.array_equal(found, wide.astype(np.float16))


def test_a_compare_writes_bits_and_a_select_reads_them(execute):
    a, b = floats(), floats()
    a[0] = np.nan
    found = execute(
        "v_cndmask_b32_e32 v10, v1, v2, vcc", a, b, before="v_cmp_nlt_f32_e32 vcc, v1, v2", dtype=np.float32
    )[0]
    expected = np.where(~(a < b), b, a)
    assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("control", "source"),
    [
        ("row_shr:3", lambda lane: lane - 3 if lane % 16 >= 3 else None),
        ("row_shl:1", lambda lane: lane + 1 if lane % 16 < 15 else None),
        ("row_ror:5", lambda lane: lane // 16 * 16 + (lane - 5) % 16),
        ("quad_perm:[3,2,1,0]", lambda lane: lane ^ 3),
        ("row_mirror", lambda lane: lane ^ 15),
        ("row_half_mirror", lambda lane: lane ^ 7),
        ("row_bcast:15", lambda lane: lane // 16 * 16 - 1 if lane >= 16 else None),
    ],
)
def test_lanes_are_permuted_by_dpp(execute, control, source):
    a = bits()
    found = execute(f"v_mov_b32_dpp v10, v1 {control} row_mask:0xf bank_mask:0xf", a)[0]
    expected = [a[source(n)] if source(n) is not None else 0 for n in range(LANES)]
    assert found.tolist() == expected


def test_a_swizzle_and_a_permute_through_the_crossbar(execute):
    a, b = bits(), RNG.permutation(LANES).astype(np.uint32) * 4
    found = execute("ds_swizzle_b32 v10, v1 offset:swizzle(SWAP,4)\ns_waitcnt lgkmcnt(0)", a)[0]
    assert np.array_equal(found, a[np.arange(LANES) ^ 4])
    found = execute("ds_bpermute_b32 v10, v2, v1\ns_waitcnt lgkmcnt(0)", a, b)[0]
    assert np.array_equal(found, a[b // 4])


def test_sub_dword_operands(execute):
    a, b = bits(), bits()
    form = "v_mul_u32_u24_sdwa v10, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2 src1_sel:WORD_1"
    assert np.array_equal(execute(form, a, b)[0], (a >> 16 & 0xFF) * (b >> 16))


def test_a_dot_product_of_bfloat16(execute):
    a, b = (
        (RNG.standard_normal((LANES, 2)).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for _ in range(2)
    )
    found = execute("v_dot2_f32_bf16 v10, v1, v2, 1.0", a, b, target="gfx950", dtype=np.float32)[0]
    wide = [(x.astype(np.uint32) << 16).view(np.float32).astype(np.float64) for x in (a, b)]
    first, second = ((wide[0] * wide[1])[:, n].astype(np.float32) for n in range(2))
    assert np.array_equal(found, (first + second) + np.float32(1))
    found = execute("v_dot2_f32_bf16 v10, v1, v2, 1.0", a, b, target="gfx1100", dtype=np.float32)[0]
    assert np.array_equal(found, (np.float32(1) + first[: len(found)]) + second[: len(found)])


SCALARS = {
    "s_absdiff_i32 s20, 0x7fffffff, 0x80000000": 1,
    "s_absdiff_i32 s20, 0x42870455, 0xc084ad21": 0x7DFDA8CC,
    "s_bfe_i64 s[20:21], s[22:23], 0x540033": 0xFFFFF7D5,
}
"""Differences wrap before their sign is dropped; a field beyond the top is the number's sign. By AMD's pseudocode."""


@pytest.mark.parametrize("instruction", SCALARS)
def test_a_scalar_instruction_at_the_ends_of_its_range(execute, instruction):
    before = f"s_mov_b32 s22, 0x7fffffff\ns_mov_b32 s23, 0xbeaaf3aa\n{instruction}\nv_mov_b32 v3, s20"
    found = execute("v_mov_b32 v10, v3", bits(), before=before)[0]
    assert np.array_equal(found, np.full(LANES, SCALARS[instruction]))


def test_a_scalar_less_or_greater_is_false_for_a_nan():
    family = generation("gfx1201")
    context = Context(Target.of("gfx1201"), family, Layout(8, 0, 32))
    item = decode(0, Instruction(0, "s_cmp_lg_f32", "s2, 1.0", None, line=1), None, family)
    registers = Registers.fresh(context.layout, 2)
    registers.sf[2] = np.nan, 2.0
    bound(item, context)(registers)
    assert registers.scc.tolist() == [False, True]


def test_a_fused_multiply_add_of_float64_is_rounded_once_at_the_ends_of_the_range():
    a, b = (
        np.array([1.5 * 2.0**-600, 2.0**1000, -(2.0**-537), 3.0]),
        np.array([1.25 * 2.0**-470, 1.5 * 2.0**23, 2.0**-538, 0.1]),
    )
    c = np.array([5e-324, -(2.0**1023), 5e-324, -0.3])
    exact = [float(fraction(x) * fraction(y) + fraction(z)) for x, y, z in zip(a, b, c, strict=True)]
    with np.errstate(all="ignore"):
        assert np.array_equal(fma64(a, b, c), exact)


@pytest.mark.parametrize(
    "text",
    ["v_mad_mix_f32 v4", "v_floor_f32 v(, v4 div:2", "v_maximum3_f32 02, s8, v6", "ds_write_b64 v0, scc", "v_readlane_b32 v[0:1], v0, s1",
     "v_bitop3_b32 v2, v6, v10 bitop3:0xa6", "v_mfma_f32_16x16x16_f16 v[0:3]"],
)  # fmt: skip
def test_operands_that_an_instruction_cannot_have_are_a_sentence(listing, text):
    x = np.zeros(64, np.uint32)
    with pytest.raises(HotloopError, match="cannot execute this kernel"):
        run(load(listing(text, target="gfx950")), Launch(arguments=[x, x.copy()], grid=(1, 1, 1), workgroup=(64, 1, 1)))


def test_truncation_saturates(execute):
    a = np.array([1e20, -1e20, -0.9, 3.99, math.nan, math.inf] + [0.0] * 58, np.float32)
    assert execute("v_cvt_u32_f32_e32 v10, v1", a)[0][:6].tolist() == [0xFFFFFFFF, 0, 0, 3, 0, 0xFFFFFFFF]
    assert execute("v_cvt_i32_f32_e32 v10, v1", a, dtype=np.int32)[0][:6].tolist() == [
        2**31 - 1,
        -(2**31),
        0,
        3,
        0,
        2**31 - 1,
    ]
