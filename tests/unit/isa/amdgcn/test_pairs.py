from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.gpumix import gpu_mix
from hotloop.isa.instruction import InstructionKind
from hotloop.isa.mix import mix
from hotloop.isa.summary import counting

TEXT = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
kernel:
.LBB0_1:
\tv_dual_fmac_f32 v1, v2, v3 :: v_dual_fmac_f32 v4, v5, v6
\tv_dual_mul_f32 v7, v2, v3 :: v_dual_mov_b32 v8, v9
\tv_fmac_f32_e32 v10, v2, v3
\ts_cbranch_scc1 .LBB0_1
\ts_endpgm
"""


def test_both_halves_of_a_pair_count():
    (function,) = DIALECT.parse(TEXT)
    loop = function.instructions[:-1]
    assert counting.unit(loop) == ("FMA", 4)
    counts = {row.what: row.count for row in counting.counts(loop, 4)}
    assert counts == {"multiply-add": 3, "multiply or add": 1, "move": 1, "branch": 1}
    assert gpu_mix(function).count(InstructionKind.FMA) == 3
    assert mix(function).get("static.fma_share") == 4 / 6
