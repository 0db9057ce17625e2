"""8- and 4-bit floats: the mode in which what is too large saturates, and gfx950's conversions with a scale."""

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.errors import EmulateError, UnmodelledError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.emulate.semantics import formats

LOAD = "v_lshlrev_b32_e32 v1, 2, v0\nglobal_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v3, 0\n"
STORE = "\nglobal_store_dword v1, v3, s[6:7]"
SATURATE = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n"
VALUES = np.concatenate((np.linspace(-600, 600, 59), [np.inf, -np.inf, np.nan, 1e-9, 2.0**-9])).astype(np.float32)


def executed(text, values, native=False):
    out = np.zeros(64, np.uint32)
    launch = Launch(arguments=[values, out], grid=(1, 1, 1), workgroup=(64, 1, 1), names=["x", "y"])
    done = run(load(text), launch, backend=executor.native() if native else None)
    assert done.findings == ()
    return done.arrays[1]


def nearest(form, values):
    """Return the finite number of a format that is nearest, by trying them all; of two the one with an even code."""
    known = formats.table(form).astype(np.float64)
    codes = np.flatnonzero(np.isfinite(known))
    codes = codes[np.argsort(codes % 2, kind="stable")]
    chosen = np.abs(known[codes][:, None] - np.clip(values, -1e6, 1e6).astype(np.float64)).argmin(axis=0)
    return known[codes][chosen]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("target", "form"), [("gfx942", formats.E4M3_FNUZ), ("gfx950", formats.E4M3)])
def test_the_mode_decides_what_becomes_of_large_numbers(listing, target, form, native):
    body = LOAD + "v_cvt_pk_fp8_f32 v3, v2, v2" + STORE
    plain, kept = (executed(listing(head + body, target=target), VALUES, native) for head in ("", SATURATE))
    wanted = nearest(form, np.where(np.isnan(VALUES), 0, VALUES))
    got = formats.decode(form, kept & 0xFF)
    assert np.array_equal(got[~np.isnan(VALUES)], wanted[~np.isnan(VALUES)])
    assert np.isnan(got[np.isnan(VALUES)]).all()
    largest = np.nanmax(formats.table(form))
    over = np.abs(VALUES) > largest * 1.034
    assert np.isnan(formats.decode(form, plain & 0xFF)[over]).all()
    assert np.array_equal(plain[~over], kept[~over])
    assert np.array_equal(kept >> 8, kept & 0xFF)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("s_cmp_eq_u32 s2, 0\ns_cbranch_scc1 .L1\n" + SATURATE + ".L1:\n", "FP16_OVFL"),
        ("s_setreg_b32 hwreg(HW_REG_MODE, 23, 1), s2\n", "only when it runs"),
        ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3\n", "direction of rounding"),
        ("s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x2c2\n", "direction of rounding"),
    ],
)
def test_a_mode_that_is_not_known_is_refused(listing, change, words):
    with pytest.raises(UnmodelledError, match=words):
        load(listing(change + LOAD + "v_cvt_pk_fp8_f32 v3, v2, v2" + STORE))


def test_a_mode_that_is_set_back_counts_no_more(listing):
    clear = SATURATE.replace("), 1", "), 0")
    text = listing(SATURATE + clear + LOAD + "v_cvt_pk_fp8_f32 v3, v2, v2" + STORE)
    assert np.isnan(formats.decode(formats.E4M3_FNUZ, executed(text, VALUES)[:3] & 0xFF)).all()


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "ins", ["v_cvt_f16_f32_e32 v3, v2", "v_cvt_pkrtz_f16_f32 v3, v2, v2", "v_pk_mul_f16 v3, v2, v2"]
)
def test_halves_that_would_be_clamped_are_refused_when_they_occur(listing, ins, native):
    text = listing(SATURATE + LOAD + ins + STORE)
    small = np.full(64, 0x3C003C00, np.uint32).view(np.float32) if "pk_mul" in ins else np.ones(64, np.float32)
    assert executed(text, small, native).any()
    large = np.full(64, 0x7BFF7BFF, np.uint32).view(np.float32) if "pk_mul" in ins else np.full(64, np.inf, np.float32)
    with pytest.raises(EmulateError, match="FP16_OVFL"):
        executed(text, large, native)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("kind", "form"), [("fp8", formats.E4M3), ("bf8", formats.E5M2), ("fp4", formats.E2M1)])
@pytest.mark.parametrize("wide", ["f32", "f16", "bf16"])
def test_narrowing_with_a_scale(listing, kind, form, wide, native):
    values = np.linspace(-5, 5, 64).astype(np.float32)
    place = {"fp8": "[0,0,1]", "bf8": "[0,0,1]", "fp4": "[0,0,1,0]"}[kind]
    given, ins, exact = values, f"v_cvt_scalef32_pk_{kind}_{wide} v3, v2, s8 op_sel:{place}", values
    if wide == "f32":
        ins = f"v_cvt_scalef32_pk_{kind}_f32 v3, v2, -v2, s8 op_sel:" + place.replace("[0,0,1]", "[0,0,0,1]")
    elif wide == "f16":
        half = values.astype(np.float16)
        given, exact = (half.view(np.uint16) * np.uint32(0x10001)).view(np.float32), half
    else:
        half = formats.to_bf16(values)
        given, exact = (half * np.uint32(0x10001)).view(np.float32), formats.from_bf16(half)
    # The scale is the power of two in the exponent of 3.5 alone.
    text = listing(SATURATE + "s_mov_b32 s8, 0x40600000\n" + LOAD + ins + STORE, target="gfx950")
    got = executed(text, given, native) >> np.uint32(8 if kind == "fp4" else 16)
    mask = np.uint32((1 << form.bits) - 1)
    low, high = formats.decode(form, got & mask), formats.decode(form, got >> np.uint32(form.bits) & mask)
    assert np.array_equal(low, nearest(form, exact.astype(np.float64) / 2))
    assert np.array_equal(high, -low if wide == "f32" else low)


@pytest.mark.parametrize(("kind", "form"), [("fp8", formats.E4M3), ("bf8", formats.E5M2), ("fp4", formats.E2M1)])
def test_widening_with_a_scale(listing, kind, form):
    codes = np.arange(64, dtype=np.uint32) * (3 if form.bits == 8 else 1) % (1 << form.bits)
    words = codes << (8 if form.bits == 4 else 16)
    place = "[1,0,0]"
    text = (
        "s_mov_b32 s8, 0x3e800000\n"
        + LOAD
        + f"v_cvt_scalef32_pk_f32_{kind} v[4:5], v2, s8 op_sel:{place}\nv_mov_b32_e32 v3, v4"
    )
    wanted = formats.decode(form, codes) * np.float32(0.25)
    got = executed(listing(text + STORE, target="gfx950"), words).view(np.float32)
    assert np.array_equal(got, wanted, equal_nan=True)
    half = LOAD + f"v_cvt_scalef32_pk_f16_{kind} v3, v2, 1.0 op_sel:{place}" + STORE
    got = executed(listing(half, target="gfx950"), words).astype(np.uint16).view(np.float16)
    with np.errstate(over="ignore"):
        assert np.array_equal(got, formats.decode(form, codes).astype(np.float16), equal_nan=True)
