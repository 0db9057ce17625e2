"""Flags and limits among the operands of floating-point instructions are bits: scc is the number 1 of the smallest float, not 1.0."""

from pathlib import Path

import numpy as np
import pytest

from hotloop.compilers import executor
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import load

TEXT = (Path(__file__).parents[2] / "golden" / "amdgcn" / "triton_scale_gfx90a.s").read_text()
LINE = "\tv_exp_f32_e32 v2, v2"


def answers(instruction):
    """Return the result arrays of both back ends."""
    assert LINE in TEXT
    program = load(TEXT.replace(LINE, f"\ts_cmp_eq_u32 s10, s10\n\t{instruction}"))
    backends = [None, *filter(None, [executor.native()])]
    results = []
    for backend in backends:
        x = np.linspace(-1, 1, 512, dtype=np.float32)
        launch = Launch(arguments=[x, x.copy(), np.int32(512)], grid=(1, 1, 1), workgroup=(256, 1, 1))
        done = run(program, launch, Options(budget=5000), backend=backend)
        results.append(np.concatenate([array.view(np.uint32) for array in done.arrays[:2]]))
    return results


@pytest.mark.parametrize("operand", ["scc", "src_scc", "src_execz", "src_vccz", "src_shared_limit", "src_shared_base"])
@pytest.mark.parametrize("mnemonic", ["v_exp_f32_e32", "v_max_f32_e32", "v_add_f32_e32", "v_cvt_f32_f16_e32"])
def test_both_back_ends_read_the_same_bits(mnemonic, operand):
    first, *others = answers(f"{mnemonic} v2, {operand}" + (", v2" if mnemonic[2:5] in ("max", "add") else ""))
    for other in others:
        np.testing.assert_array_equal(first, other)


def test_a_flag_is_the_number_one_of_the_smallest_float():
    for result in answers("v_exp_f32_e32 v2, scc"):
        assert np.count_nonzero(result.view(np.float32) == 2.0) == 0
