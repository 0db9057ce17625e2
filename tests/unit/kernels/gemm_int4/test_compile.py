"""What Triton and ptxas make of the planned products with 4-bit weights: registers, memory, instructions. No GPU."""

import pytest

from hotloop.kernels.gemm_int4.rule import SHIPPED

SHARED_BYTES = 227 * 1024


@pytest.mark.parametrize(("rows", "columns", "dtype"), [(16, 64, "bfloat16"), (64, 128, "float16")])
def test_weights_of_four_bits_go_from_their_lane_to_the_product(planned_code, rows, columns, dtype):
    config = SHIPPED.replace(BM=rows, BN=columns, SPLITS=4)
    sizes = {"m": rows, "n": 4096, "k": 4096, "dtype": dtype, "epilogue": "bias-gelu-erf"}
    made = planned_code("gemm_int4", "triton", config, sizes, listed=True)
    assert made["registers"] <= 255
    assert made["stack_bytes"] == 0
    assert made["shared_bytes"] <= SHARED_BYTES / (2 if rows == 64 else 4)
    blocks, counts = columns // 64, made["instructions"]
    assert made["wgmma"] == 8 * blocks
    # six instructions widen four weights; each lane has 64 of a block
    assert counts["HFMA2"] <= 36 * blocks
    assert counts["PRMT"] <= 40 * blocks


def test_what_optimize_begins_with_compiles_and_packed_math_saves_instructions(planned_code):
    plain, packed = (planned_code("gemm_int4", "triton", {"PACKED": way}, {}, listed=True) for way in (0, 1))
    assert plain["stack_bytes"] == packed["stack_bytes"] == 0
    assert sum(packed["instructions"].values()) < sum(plain["instructions"].values())
