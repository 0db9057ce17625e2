"""Packed attention's problem, reference and plan."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.kernels.attention.reference import attend
from hotloop.kernels.attention_packed import KERNEL
from hotloop.kernels.attention_packed.gluon.rows import TABLE, row_for
from hotloop.kernels.attention_packed.problem import DEFAULT, awkward, lengths_of, shape_of, work
from hotloop.kernels.attention_packed.reference import inputs, magnitude, reference, tolerances
from hotloop.model.jit import parse
from hotloop.model.program import Address, Value

SMALL = DEFAULT.replace(dtype="float32", size=64, sequences=4, longest_q=9, longest_k=9, lse=1)


def test_lengths_follow_from_the_problem_alone():
    assert lengths_of(DEFAULT.replace(lengths="equal", sequences=2)) == ((512, 512), (512, 512))
    halved = lengths_of(DEFAULT.replace(lengths="halving", sequences=4, longest_q=5, longest_k=5))[0]
    assert halved == (5, 2, 1, 0)
    queries, keys = lengths_of(DEFAULT)
    assert queries == keys == lengths_of(DEFAULT.replace(dtype="float16"))[0]
    assert queries[0] == max(queries) == 512
    assert len(set(queries)) > 3


@pytest.mark.parametrize("causal", [0, 1])
def test_the_reference_is_attention_of_each_sequence(causal):
    problem = SMALL.replace(causal=causal, longest_k=9 if causal else 30, lengths="halving", sequences=5)
    arrays = inputs(problem, np.random.default_rng(1))
    made, size = reference(problem, arrays), magnitude(problem, arrays)
    for i in range(5):
        rows, keys = (slice(*arrays[name][i : i + 2]) for name in ("starts_q", "starts_k"))
        if rows.start == rows.stop:
            continue
        alone = (arrays[name][part].swapaxes(0, 1)[None] for name, part in (("q", rows), ("k", keys), ("v", keys)))
        o, lse, _ = attend(*alone, causal=bool(causal))
        np.testing.assert_allclose(made["o"][rows], o[0].swapaxes(0, 1))
        np.testing.assert_allclose(made["lse"][:, rows], lse[0])
    assert (size["o"] > 0).all()
    assert (size["lse"] > 0).all()
    assert tolerances(problem) > 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"lengths": "odd"}, "lengths='odd' is not one of equal, halving, random"),
        ({"dtype": "int8"}, "dtype='int8'"),
        ({"longest_k": 100}, "as many keys as queries"),
        ({"kv_heads": 3}, "no multiple of kv_heads=3"),
        ({"size": 0}, "size=0 is not positive"),
        ({"lse": 2}, "neither 0 nor 1"),
    ],
)
def test_sizes_without_meaning_are_refused(change, said):
    with pytest.raises(ValueError, match=said):
        shape_of(DEFAULT.replace(**change))


@pytest.mark.parametrize("problem", [DEFAULT, *awkward(DEFAULT)], ids=str)
def test_every_problem_has_a_plan(h200, problem):
    implementation = KERNEL.implementation("gluon")
    shape, arrays = shape_of(problem), inputs(problem, np.random.default_rng(2))
    program = implementation.plan(problem, row_for(shape.size).config, h200)
    meta, (launch,) = parse(program.options), program.launches
    assert Address("o") in launch.arguments
    assert meta.values["VARLEN"] is True
    assert meta.descriptors["q"].shape == (1, shape.heads, shape.rows_q, shape.size)
    assert meta.descriptors["q"].strides[1:] == (shape.size, shape.heads * shape.size, 1)
    numbers = [argument.value for argument in launch.arguments if isinstance(argument, Value)]
    step = (shape.size, shape.heads * shape.size)
    assert numbers[:2] == [*step]
    assert numbers[-7:-2] == [shape.sequences, shape.heads, shape.bound.group, shape.longest_q, shape.longest_k]
    assert arrays["starts_q"][-1] == len(arrays["q"])
    assert work(problem).flops > 0


def test_rows_are_those_of_attention():
    assert [row.sizes["size"] for row in TABLE] == [64, 128, 256]
    assert len(KERNEL.presets) == 3
