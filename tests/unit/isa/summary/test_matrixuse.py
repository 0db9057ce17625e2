"""Whether the matrix unit is used, and how fast its instructions are."""

import pytest

from hotloop.isa.amdgcn.classify import classify
from hotloop.isa.instruction import Instruction
from hotloop.isa.nvidia.classify import classify as nvidia
from hotloop.isa.summary.matrixuse import multiply_bits, path_rate, rate_ratio


def amd(*mnemonics):
    return [Instruction(4 * n, m, "", classify(m)) for n, m in enumerate(mnemonics)]


def sass(*mnemonics):
    return [Instruction(16 * n, m, "", nvidia(m)) for n, m in enumerate(mnemonics)]


@pytest.mark.parametrize(
    ("code", "bits"),
    [
        (amd("v_fma_f32", "v_fmac_f32_e32"), 32),
        (amd("v_pk_fma_f16"), 16),
        (amd("v_dot2_f32_f16"), 16),
        (amd("v_fma_f64"), 64),
        (amd("v_cvt_f32_f16_e32", "v_fma_f32"), 16),
        (sass("FFMA", "FADD"), 32),
        (sass("HFMA2"), 16),
        (sass("DFMA"), 64),
        (amd("v_mov_b32_e32"), None),
    ],
)
def test_size_of_what_is_multiplied(code, bits):
    assert multiply_bits(code) == bits


def test_rates_of_matrix_units_over_vector_units():
    assert rate_ratio("gfx942", 16) == 8  # 256 over 2 × 16 multiply-adds per cycle and SIMD
    assert rate_ratio("gfx942", 32) == 2  # xf32 rounds, so it is no replacement
    assert rate_ratio("gfx1030", 16) is None
    assert rate_ratio("gfx1100", 32) is None
    assert rate_ratio("sm_90a", 32) == 8
    assert rate_ratio("sm_86", 32) is None


@pytest.mark.parametrize(
    ("target", "code", "rate"),
    [
        ("gfx950", amd("v_mfma_f32_32x32x16_f16"), 1.0),
        ("gfx950", amd("v_mfma_f32_32x32x8_f16"), 0.5),
        ("gfx942", amd("v_mfma_f32_32x32x8_f16"), 1.0),
        ("sm_90a", sass("HGMMA.64x128x16.F32"), 1.0),
        ("sm_90a", sass("HMMA.16816.F32"), 0.62),
        ("sm_80", sass("HMMA.16816.F32"), 1.0),
        ("sm_100a", sass("UTCHMMA"), 1.0),
        ("gfx942", amd("v_fma_f32"), None),
    ],
)
def test_rate_of_the_path(target, code, rate):
    assert path_rate(target, code) == rate
