"""What attention's configurations become: grids, constants, descriptors, scratch; the same launches as before they were planned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.attention import KERNEL
from hotloop.kernels.attention.gluon import plan as gluon
from hotloop.kernels.attention.gluon.rows import row_for
from hotloop.kernels.attention.problem import DEFAULT, shape_of
from hotloop.kernels.attention.triton import plan as triton
from hotloop.kernels.attention.triton.rows import config_for
from hotloop.model.jit import parse
from hotloop.model.program import Address, Array, Value

GLUON, TRITON = KERNEL.implementation("gluon"), KERNEL.implementation("triton")


def sized(batch, heads, kv_heads, length_q, length_k, size, causal, **more):
    return DEFAULT.replace(
        batch=batch, heads=heads, kv_heads=kv_heads, length_q=length_q, length_k=length_k, size=size, causal=causal,
        dtype="bfloat16", **more,
    )  # fmt: skip


def numbers(launch):
    return [argument.value for argument in launch.arguments if isinstance(argument, Value)]


def names(launch):
    return [argument.name for argument in launch.arguments if isinstance(argument, Array)]


# sizes, programs, whether they fetch tiles, constants that the row decides
LONG = [
    ((1, 64, 64, 8192, 8192, 128, 1), 132, True, {"GROUPS": 2, "BN": 128, "STAGES": 2, "SHARE": False, "BAND": 8}),
    ((1, 32, 32, 8192, 8192, 64, 1), 132, True, {"GROUPS": 2, "BN": 128, "STAGES": 3, "SHARE": False, "BAND": 8}),
    ((1, 16, 16, 8192, 8192, 256, 0), 1024, False, {"GROUPS": 2, "BN": 64, "STAGES": 2, "SHARE": True, "BAND": 8}),
    ((3, 5, 5, 777, 777, 128, 0), 105, False, {"GROUPS": 2, "BN": 128, "STAGES": 2, "SHARE": False, "BAND": 8}),
    ((2, 8, 1, 3001, 3001, 128, 1), 132, True, {"GROUPS": 2, "BN": 128, "STAGES": 2, "SHARE": False, "BAND": 8}),
]


@pytest.mark.parametrize(("sizes", "programs", "dynamic", "constants"), LONG)
def test_many_queries_are_one_launch(h200, sizes, programs, dynamic, constants):
    batch, heads, kv_heads, length_q, length_k, size, causal = sizes
    program = GLUON.plan(sized(*sizes), row_for(size).config, h200)
    (launch,), meta = program.launches, parse(program.options)
    assert (launch.entry, launch.groups, launch.local_size) == ("forward", programs, (384,))
    shared = {"D": size, "CAUSAL": bool(causal), "VARLEN": False, "LSE": False, "DYNAMIC": dynamic, "CUT": False}
    wide = {"ROWS": 64, "REGISTERS": 240, "SPARE": 24, "num_warps": 4, "OVERLAP": True, "STAGGER": False}
    assert {**constants, **shared, **wide, "enable_fp_fusion": True}.items() <= meta.values.items()
    absent = {"tail", "tail_head", "tail_row", "lse", "lse_head", "starts_q", "starts_k"} | (
        set() if dynamic else {"counter"}
    )
    assert {name for name, value in meta.values.items() if value is None} == absent
    assert numbers(launch) == [size**-0.5, batch, heads, heads // kv_heads, length_q, length_k, 0, 1]
    assert [(area.name, area.zeroed) for area in program.scratch] == ([("counter", True)] if dynamic else [])
    assert names(launch) == ["q", "k", "v", "o", *(["counter"] if dynamic else [])]
    blocks = {name: made.block for name, made in meta.descriptors.items()}
    assert blocks == {name: (1, 1, 64 if name in "qo" else constants["BN"], size) for name in "qkvo"}
    assert meta.descriptors["q"].strides == (heads * length_q * size, length_q * size, size, 1)


# sizes, rows of a tile, pieces of the keys
FEW = [
    ((1, 32, 8, 1, 8192, 128, 0), 4, 16),
    ((1, 64, 8, 1, 32768, 128, 0), 8, 16),
    ((16, 32, 8, 1, 4096, 128, 0), 4, 1),
    ((64, 32, 8, 1, 2048, 128, 0), 4, 1),
    ((4, 32, 8, 4, 5000, 128, 0), 16, 4),
    ((8, 16, 4, 8, 4100, 256, 0), 32, 4),
    ((1, 8, 2, 3, 1111, 128, 0), 12, 4),
]


@pytest.mark.parametrize(("size", "tile"), [(40, 64), (72, 128), (120, 128), (136, 256)])
def test_heads_between_the_sizes_of_tiles_lie_in_the_next_larger_one(h200, size, tile):
    program = GLUON.plan(sized(2, 6, 2, 1000, 900, size, 1), row_for(tile).config, h200)
    (launch,) = program.launches
    meta = parse(program.options)
    assert (meta.values["D"], launch.local_size) == (tile, (384,))
    assert {name: one.block[3] for name, one in meta.descriptors.items()} == dict.fromkeys("qkvo", tile)
    assert {name: one.shape[3] for name, one in meta.descriptors.items()} == dict.fromkeys("qkvo", size)
    assert meta.descriptors["k"].strides == (2 * 900 * size, 900 * size, size, 1)
    assert numbers(launch)[0] == size**-0.5
    few = GLUON.plan(sized(2, 8, 2, 1, 4096, size, 0), row_for(tile, few=True).config, h200)
    assert len(few.launches) == 1  # pieces of keys are merged by rows of whole tiles


@pytest.mark.parametrize(("sizes", "rows", "split"), FEW)
@pytest.mark.parametrize("lse", [0, 1])
def test_few_queries_share_a_tile_and_cut_the_keys(h200, sizes, rows, split, lse):
    batch, _, kv_heads, _, length_k, size, _ = sizes
    program = GLUON.plan(sized(*sizes, lse=lse), row_for(size, few=True).config, h200)
    first, meta = program.launches[0], parse(program.options)
    assert numbers(first)[-7:] == [batch, kv_heads * split, 1, rows, length_k, 0, split]
    assert meta.values["CAUSAL"] is False
    if split == 1:
        assert [launch.entry for launch in program.launches] == ["forward"]
        assert meta.values["LSE"] is bool(lse)
        return
    assert (meta.values["LSE"], meta.values["CUT"]) == (True, True)
    second = program.launches[1]
    assert (second.entry, second.phase) == ("combine", "merge")
    assert second.arguments[0] == Address("parts")
    assert names(second) == ["parts", "logs", "o", *(["lse"] if lse else [])]
    assert numbers(second) == [rows, split]
    warps = 1 if split * size <= 1024 else 4
    assert (meta.values["combine.num_warps"], second.local_size) == (warps, (32 * warps, 1))
    assert second.groups == batch * kv_heads * rows
    assert meta.values["WIDTH"] >= split > meta.values["WIDTH"] // 2
    areas = {area.name: area.scratch_bytes for area in program.scratch if not area.zeroed}
    assert areas == {"parts": 2 * batch * kv_heads * split * rows * size, "logs": 4 * batch * kv_heads * split * rows}


def test_arrays_that_lie_otherwise_are_not_folded(h200):
    shape = shape_of(sized(2, 8, 2, 1, 4096, 128, 0))
    turned = replace(gluon.Strides.dense(shape), q=(1024, 256, 1024, 1))
    program = gluon.program(shape, turned, row_for(128, few=True).config, h200)
    assert numbers(program.launches[0])[-7:] == [2, 8, 4, 1, 4096, 0, 1]
    assert parse(program.options).descriptors["q"].strides == (1024, 256, 1024, 1)


@pytest.mark.parametrize(
    ("size", "lengths", "grid"), [(128, (300, 200), (3, 12)), (64, (8192, 8192), (64, 12)), (256, (300, 200), (5, 12))]
)
@pytest.mark.parametrize("lse", [0, 1])
def test_the_plain_kernel_has_a_program_for_each_block_of_queries(a100, size, lengths, grid, lse):
    problem, config = sized(2, 6, 3, *lengths, size, 1, lse=lse), config_for(size)
    program = TRITON.plan(problem, config, a100)
    (launch,), meta = program.launches, parse(program.options)
    threads = 32 * config["warps"]
    assert (launch.global_size, launch.local_size) == ((grid[0] * threads, grid[1]), (threads, 1))
    height, keys = config["rows"], config["keys"]
    compiled = {"BM": height, "BN": keys, "D": size, "num_warps": 8, "num_stages": 2, "KEEP": True, "EXIT": True}
    assert {**compiled, "CAUSAL": True, "LSE": bool(lse), "enable_fp_fusion": True}.items() <= meta.values.items()
    assert names(launch) == ["q", "k", "v", "o", *(["lse"] if lse else [])]
    assert numbers(launch) == [size**-0.5, 6, 2, *lengths]
    assert {name: made.block[2] for name, made in meta.descriptors.items()} == {
        "q": height, "k": keys, "v": keys, "o": height
    }  # fmt: skip


def test_scale_and_shift_reach_the_kernel(h200):
    program = GLUON.plan(sized(1, 2, 2, 300, 400, 128, 1, scale=0.3, shift=100), row_for(128).config, h200)
    assert numbers(program.launches[0])[0] == 0.3
    assert numbers(program.launches[0])[-2] == 100


@pytest.mark.parametrize(
    ("change", "config", "target", "said"),
    [
        ({"dtype": "float32"}, {}, "sm_90", "not float32"),
        ({"size": 100}, {}, "sm_90", "head size 100"),
        ({"size": 264}, {}, "sm_90", "head size 264"),
        ({}, {}, "sm_80", "for Hopper GPUs"),
        ({"size": 256}, {"keys": 128}, "sm_90", "of shared memory"),
        ({"size": 128}, {"groups": 3, "keys": 128, "share": 1}, "sm_90", "a thread has 160"),
    ],
)
def test_what_the_hopper_kernel_cannot_do_is_said(h200, change, config, target, said):
    problem = sized(1, 4, 4, 1000, 1000, 128, 1).replace(**change)
    with pytest.raises(ValueError, match=said):
        gluon.plan(problem, row_for(128).config.replace(**config), replace(h200, target=target))


@pytest.mark.parametrize(
    ("change", "said"),
    [({"dtype": "float32"}, "not float32"), ({"size": 8}, "head size 8"), ({"shift": 3}, "has no shift"),
     ({"batch": 16384}, "16384 batches of 4 heads exceed the 65535 blocks")],
)  # fmt: skip
def test_what_the_plain_kernel_cannot_do_is_said(a100, change, said):
    with pytest.raises(ValueError, match=said):
        triton.plan(sized(1, 4, 4, 1000, 1000, 128, 1).replace(**change), config_for(128), a100)


def test_a_start_is_simpler_than_what_is_shipped():
    for implementation, config in ((GLUON, row_for(128).config), (TRITON, config_for(128))):
        assert implementation.space.violation(implementation.start) is None
        assert implementation.space.violation(config) is None
        assert implementation.simplicity(implementation.start) < implementation.simplicity(config)
        assert implementation.traits(sized(1, 4, 4, 1000, 1000, 128, 1), config, None)["config.local_bytes"] > 0
    assert {preset.implementation for preset in KERNEL.presets} == {"gluon"}
