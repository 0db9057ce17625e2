import json

import pytest

from hotloop.errors import UsageError
from hotloop.isa.matrix.explain import explain_matrix, names


def test_text_has_shape_cost_formulas_and_picture():
    text = explain_matrix("v_mfma_f32_32x32x8f16").text
    assert text.startswith("v_mfma_f32_32x32x8_f16: D[32x32] = A[32x8] * B[8x32] + C\n")
    assert "gfx942: 32 cycles (8 passes), 512 operations per cycle and SIMD" in text
    assert "row = 8 * (i / 4) + 4 * (lane / 32) + i % 4, column = lane % 32" in text
    assert "row  4: column 0-31 = lanes 32-63 v0" in text


def test_json_has_the_complete_maps():
    data = json.loads(json.dumps(explain_matrix("m16n8k8.f32.tf32").as_json()))
    assert (data["m"], data["n"], data["k"], data["flops"]) == (16, 8, 8, 2048)
    assert [o["operand"] for o in data["operands"]] == ["A", "B", "D"]
    assert data["operands"][0]["row"][5] == [1, 9, 1, 9]
    assert data["operands"][0]["column"][5] == [1, 1, 5, 5]


def test_targets_choose_between_generations():
    assert explain_matrix("v_wmma_f32_16x16x16_f16", "gfx1201").instruction.family == "wmma-gfx12"
    assert explain_matrix("v_wmma_f32_16x16x16_f16").instruction.family == "wmma-gfx11"
    assert "scales: one E8M0 byte" in explain_matrix("v_mfma_scale_f32_32x32x64_f8f6f4").text
    with pytest.raises(UsageError):
        explain_matrix("v_nothing")


def test_names():
    assert "v_mfma_f32_16x16x8_xf32" in names("gfx942")
    assert "v_mfma_f32_16x16x8_xf32" not in names("gfx950")
    assert len(names()) > 400
