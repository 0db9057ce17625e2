"""Scalars that the compiler keeps in lanes of a vector register."""

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.summary.facts import lane_spills

SPILLED = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
kernel:
\tv_writelane_b32 v71, s15, 0
\tv_readlane_b32 s4, v71, 0
\tv_add_f32_dpp v5, v5, v5 row_shr:1 row_mask:0xf bank_mask:0xf
\tv_readlane_b32 s27, v5, 31
\ts_endpgm
"""


def test_lanes_of_a_sum_are_no_spills():
    (function,) = DIALECT.parse(SPILLED)
    code = function.instructions
    assert lane_spills(code, code) == 2
    assert lane_spills(code[1:], code) == 1, "the store stands before the loop"
    assert lane_spills(code[1:], code[1:]) == 0
