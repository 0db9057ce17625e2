"""What Triton and ptxas make of the planned attention kernels: registers, matrix instructions and waits. No GPU."""

from __future__ import annotations

import pytest

from hotloop.kernels.attention.gluon.rows import row_for
from hotloop.kernels.attention.gluon.space import shared_bytes
from hotloop.kernels.attention.triton.rows import config_for

SHARED_BYTES = 227 * 1024
LONG = {"heads": 16, "kv_heads": 4, "length_q": 8192, "length_k": 8192, "dtype": "bfloat16"}
DECODED = {
    "batch": 4,
    "heads": 32,
    "kv_heads": 8,
    "length_q": 1,
    "length_k": 4096,
    "dtype": "bfloat16",
    "causal": 0,
    "lse": 1,
}


@pytest.mark.parametrize(("size", "causal", "packed"), [(128, 0, False), (128, 1, True), (256, 0, False)])
def test_the_specialized_kernel_keeps_everything_in_registers(planned_code, size, causal, packed):
    config = row_for(size).config
    if packed:
        many = {"sequences": 9, "longest_q": 4096, "longest_k": 4096, "heads": 32, "kv_heads": 8, "lse": 1}
        made = planned_code("attention_packed", "gluon", config, {**many, "causal": causal, "size": size}, listed=True)
    else:
        made = planned_code("attention", "gluon", config, {**LONG, "causal": causal, "size": size}, listed=True)
    assert made["registers"] <= 168  # 65536 registers for 384 threads; the groups trade them with setmaxnreg
    # A few numbers of a tile may leave registers between tiles; an accumulator would be some hundred bytes.
    assert made["stack_bytes"] <= 128
    assert shared_bytes(config, size) - 512 < made["shared_bytes"] <= SHARED_BYTES
    scores, output = size // 16, config["keys"] // 16
    # First block, the masked loop of a causal kernel, the other loop; the last output product. Twice, once per group.
    steps = 2 + causal  # the first and last half step count as one
    assert made["wgmma"] == 2 * (steps * scores + steps * output)
    # The first scores, the last output, and two waits a step: more would mean that ptxas waits for every product.
    assert made["waits"] == 2 * (2 * steps)
    assert made["setmaxnreg"] >= 2


def test_the_plain_kernel_fits(planned_code):
    made = planned_code("attention", "triton", config_for(128), {**LONG, "size": 128})
    assert made["registers"] <= 255
    assert made["stack_bytes"] == 0
    assert made["wgmma"] > 0


def test_the_kernel_of_few_queries_has_more_bytes_under_way(planned_code):
    row = row_for(128, few=True)
    made = planned_code("attention", "gluon", row.config, {**DECODED, "size": 128})
    assert made["stack_bytes"] <= 128
    assert shared_bytes(row.config, 128) - 512 < made["shared_bytes"] <= SHARED_BYTES
    assert row.config["stages"] > row_for(128).config["stages"]


@pytest.mark.parametrize("implementation", ["triton", "gluon"])
def test_what_optimize_begins_with_compiles(planned_code, implementation):
    made = planned_code("attention", implementation, {}, {**LONG, "size": 128})
    assert made["wgmma"] > 0
