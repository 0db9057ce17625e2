"""The Triton kernel for every head size: its numbers in the interpreter, its cuts, and that it waits for a measurement."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.dispatch.select import PEER
from hotloop.kernels.attention import choosing
from hotloop.kernels.attention.choosing import Attention
from hotloop.kernels.attention.general.plan import plan, program
from hotloop.kernels.attention.general.rows import config_for, worth_trying
from hotloop.kernels.attention.general.space import LEAST, MOST, SPACE, START, STEP, widths
from hotloop.kernels.attention.problem import DEFAULT, Shape, shape_of
from hotloop.model.jit import parse
from hotloop.model.program import Value

CACHE = Shape(8, 32, 8, 1, 8192, 128, "bfloat16")


def call(**changed):
    return replace(Attention(2, 16, 4, 1000, 900, 128, "bfloat16", causal=True), **changed)


def test_the_kernel_is_right_in_the_interpreter(interpreted):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    errors = interpreted(Path(__file__).with_name("interpreted.py"))
    assert len(errors) == 9
    assert {case: error for case, error in errors.items() if error > 1} == {}


@pytest.mark.parametrize("size", range(LEAST, MOST + 1, STEP))
def test_two_powers_of_two_cover_a_head_with_little_to_spare(size):
    wide, rest = widths(size)
    assert wide + rest >= size
    assert all(part & (part - 1) == 0 for part in (wide, rest))
    assert wide + rest < 1.34 * max(size, 16)


def test_keys_are_cut_until_the_device_is_full():
    config = config_for(CACHE, 132)
    assert (config["pack"], config["rows"], config["split"]) == (1, 16, 4)  # 64 programs without
    assert config_for(replace(CACHE, batch=64), 132)["split"] == 1
    assert config_for(replace(CACHE, batch=1, length_k=100), 132)["split"] == 1  # too few keys
    assert config_for(replace(CACHE, batch=1, window=512), 132)["split"] <= 8  # what the window shows


@pytest.mark.parametrize("size", [64, 80, 128, 256])
def test_what_is_worth_a_measurement_belongs_to_the_space_and_fits(size, h200):
    for shape in (CACHE, Shape(1, 16, 16, 4096, 4096, size, "bfloat16", causal=True)):
        tried = worth_trying(replace(shape, size=size), h200.compute_units)
        assert len(tried) > 3
        assert all(SPACE.valid(config) for config in tried[:1])
        asked = call(size=size, length_q=shape.length_q, length_k=shape.length_k, narrow="another head")
        assert len(choosing.alternatives(asked, h200)) > 2


@pytest.mark.parametrize(("step", "unit"), [(88, 8), (96, 8), (90, 1)])
def test_strides_are_told_in_units_that_one_access_takes(h200, step, unit):
    shape = Shape(1, 2, 2, 9, 9, 88, "bfloat16")
    lying = dict.fromkeys("qkvo", (18 * step, 9 * step, step, 1))
    (launch,) = program(shape, lying, START, h200).launches
    strides = [one.value for one in launch.arguments if isinstance(one, Value) and one.dtype == "int64"]
    assert strides == [18 * step // unit, 9 * step // unit, step // unit] * 4
    assert parse(program(shape, lying, START, h200).options).values["UNIT"] == unit


def test_pytorch_runs_what_only_this_kernel_takes_until_it_was_measured(h200):
    narrow = choosing.narrowness(size=80, loose="", window=0, shift=0)
    choice = choosing.choose(call(size=80, narrow=narrow), h200)
    assert choice.implementation == PEER
    assert "not 80" in choice.source
    assert "ops.warm" in choice.source
    assert "windows" in choosing.narrowness(size=64, loose="", window=3, shift=0)
    assert "q has strides" in choosing.narrowness(size=64, loose="q", window=0, shift=0)
    assert not choosing.alternatives(call(obstacle="a gradient is wanted"), h200)
    assert not choosing.alternatives(call(), replace(h200, target="sm_70"))


def test_without_pieces_there_is_one_launch(h200):
    problem = DEFAULT.replace(dtype="float16", size=80)
    assert [one.entry for one in plan(problem, START, h200).launches] == ["attend"]
    cut = plan(problem, START.replace(split=4), h200)
    assert [one.entry for one in cut.launches] == ["attend", "merged"]
    shape = shape_of(problem)
    assert cut.scratch[0].scratch_bytes == 4 * 4 * shape.batch * shape.heads * shape.length_q * shape.size
    values = parse(cut.options).values
    assert (values["WIDTH"], values["REST"]) == (64, 16)


@pytest.mark.parametrize(("change", "why"), [({"size": 100}, "multiple of 8"), ({"dtype": "float32"}, "not float32")])
def test_what_the_kernel_does_not_take_is_refused(change, why, h200):
    with pytest.raises(ValueError, match=why):
        plan(DEFAULT.replace(**{"dtype": "float16", **change}), START, h200)
