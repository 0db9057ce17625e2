"""The clustered kernel: what its launches are given, which problems it leaves to others, and which configurations are tried first."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import pytest

from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.expected import Work
from hotloop.kernels.gemm.hopper_cluster import likely
from hotloop.kernels.gemm.hopper_cluster.plan import instruction
from hotloop.kernels.gemm.hopper_cluster.space import SPACE, START, columns, deepest, shared_bytes
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.products import Product, choose, foreseen
from hotloop.kernels.gemm.surveyed import CLUSTER
from hotloop.model.program import Array, Local, Null, Tiled, Value

CLUSTERED = KERNEL.implementation(CLUSTER)
CONFIG = deepest(START.replace(BM=48, GROUPS=2, SPLITS=3, SHARES=2, CHAIN=1))


def problem(**changes):
    return DEFAULT.replace(
        **{"m": 90, "n": 1034, "k": 4104, "dtype": "bfloat16", "op": "nt", "epilogue": "bias"} | changes
    )


def test_a_launch_is_given_both_matrices_as_the_copy_engine_sees_them(h200):
    program = CLUSTERED.plan(problem(), CONFIG, h200)
    (launch,) = program.launches
    a = Tiled("a", "bfloat16", (90, 4104), 4104, (24, 64))
    b = Tiled("b", "bfloat16", (1034, 4104), 4104, (128, 64))
    sizes = tuple(Value(size, "int32") for size in (90, 1034, 4104))
    assert launch.arguments[:-1] == (a, b, Array("c"), Array("bias"), *sizes)
    assert isinstance(launch.arguments[-1], Local)
    assert launch.global_size == (2 * 5 * 6 * 384,)  # rows of tiles, pairs of tiles, blocks of a cluster, threads
    assert launch.local_size == (384,)
    assert launch.early
    assert {"-DROWS=48", "-DCOLS=128", "-DSPLITS=3", "-DSHARES=2", "-DBIAS=1", "-DACT=0", "-DHALF=0"} <= set(
        program.options
    )
    assert program.source.startswith("#define MULTIPLY ")


def test_weights_by_rows_come_in_steps_of_k_and_are_turned(h200):
    program = CLUSTERED.plan(problem(op="nn", n=1048), CONFIG, h200)
    assert program.launches[0].arguments[1] == Tiled("b", "bfloat16", (4104, 1048), 1048, (64, 64))
    assert "-DBY_ROWS=1" in program.options
    assert "adds, 1, 1, 1, 0;" in program.source
    assert "adds, 1, 1, 0, 0;" in CLUSTERED.plan(problem(), CONFIG, h200).source


def test_without_a_bias_nothing_is_read_and_without_chains_launches_wait(h200):
    (launch,) = CLUSTERED.plan(problem(epilogue="silu"), CONFIG.replace(CHAIN=0), h200).launches
    assert launch.arguments[3] == Null()
    assert not launch.early


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"op": "nn"}, "multiples of 16 bytes"),
        ({"op": "tt"}, "by columns"),
        ({"n": 1033}, "odd"),
        ({"k": 128}, "2 steps of k cannot be shared by 3"),
        ({"dtype": "float32"}, "bfloat16"),
        ({"k": 4100}, "multiples of 16 bytes"),
    ],
)
def test_other_problems_are_refused(h200, changes, why):
    with pytest.raises(ValueError, match=why):
        CLUSTERED.plan(problem(**changes), CONFIG, h200)


def test_other_devices_are_refused(h200):
    with pytest.raises(ValueError, match="sm_90 only"):
        CLUSTERED.plan(problem(), CONFIG, replace(h200, target="sm_80"))


def test_an_instruction_has_a_sum_for_each_two_columns():
    text = instruction(48, "bfloat16")
    assert "m64n48k16.f32.bf16.bf16" in text
    assert text.count('"+f"') == 24
    assert "%24, %25, adds" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    "work", [Work(1, 4096, 4096), Work(23, 18944, 3584), Work(155, 6592, 9856), Work(700, 1024, 1024)]
)
@pytest.mark.parametrize("fused", [False, True])
def test_what_is_tried_is_valid_and_ordered_by_time(work, fused):
    tried = list(likely.clusters(work, fused=fused))
    assert tried
    assert [us for _, us in tried] == sorted(us for _, us in tried)
    for config, us in tried:
        assert SPACE.violation(config) is None
        assert shared_bytes(config) <= 227 * 1024
        assert us > 0
        lost = -(-work.m // config.integer("BM")) * config.integer("BM") - work.m
        assert lost < max(32, work.m / 4)  # tiles have about as many rows as there are


def test_many_rows_are_left_to_others():
    assert not list(likely.clusters(Work(1025, 4096, 4096)))


def test_grids_of_clusters_fill_whole_waves():
    for config, _ in likely.clusters(Work(64, 12288, 4096)):
        taken = likely.waves(config, Work(64, 12288, 4096))
        if config.integer("SPLITS") > 1 and taken > 1:
            assert taken / ceil(taken) >= 0.8
    assert columns(CONFIG) == 128


def test_few_rows_of_weights_as_linear_layers_hold_them_are_clustered(h200):
    product = Product(23, 5120, 1280, "bfloat16", "bias-gelu-erf", op="nt")
    assert choose(product, h200).implementation == CLUSTER
    by_rows = next(choice for choice, _ in foreseen(replace(product, op="nn"), h200))
    assert by_rows.implementation == CLUSTER  # a first call compares it with PyTorch's function
    for other in (replace(product, op="tn"), replace(product, compiled=False)):
        assert all(choice.implementation != CLUSTER for choice, _ in foreseen(other, h200))
