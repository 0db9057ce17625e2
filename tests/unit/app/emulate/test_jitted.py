"""Triton programs compiled launch by launch for a processor that is not here, and executed."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from hotloop.app.emulate import compiled, jitted
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.errors import UsageError
from hotloop.model.jit import Descriptor, Meta
from hotloop.model.kernel import Empty
from hotloop.model.program import Array, Input, Launch, Local, Null, Program, Value
from hotloop.targets.target import Target

AIM = Target.parse("gfx942")
BLOCK = 64
TEXT = """
import triton
import triton.language as tl

@triton.jit
def scaled(x, y, n, factor, BLOCK: tl.constexpr, KIND: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, (tl.load(x + at, mask=at < n).to(KIND) * factor).to(y.dtype.element_ty), mask=at < n)

@triton.jit
def joined(y, z, n, bias, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + at, tl.load(y + at, mask=at < n) + n, mask=at < n)
"""
compiles = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")


def program(n, text=TEXT, **more):
    meta = Meta(
        values={"BLOCK": BLOCK, "num_warps": 1, "joined.num_warps": 2, "scaled.waves_per_eu": 1},
        expressions={"KIND": "triton.language.float32"}, **{"dtypes": dict.fromkeys("xyz", "float16"), **more},
    )  # fmt: skip
    work = (-(-n // BLOCK) * BLOCK,)
    first = Launch("scaled", (Array("x"), Array("y"), Input("n", "int64"), Value(3.0, "float32")), work, (BLOCK,))
    second = Launch("joined", (Array("y"), Array("z"), Input("n", "int64"), Null()), (2 * work[0],), (2 * BLOCK,))
    return Program("triton", text, meta.options, (first, second))


def request(launch, **more):
    return jitted.Each(program(5, **more), AIM)._request(launch)


def test_a_launch_is_compiled_for_what_it_passes():
    first, second = program(5).resolved({"n": 5}).launches
    asked = request(first)
    assert dict(asked.parameters) == {"BLOCK": BLOCK, "KIND": "tl.float32", "num_warps": 1, "waves_per_eu": 1}
    assert [(one.kind, one.value) for one in asked.passed] == [
        ("*fp16", None),
        ("*fp16", None),
        ("i32", 5),
        ("fp32", 3),
    ]
    assert dict(request(second).parameters) == {"BLOCK": BLOCK, "num_warps": 2}
    assert request(second).passed[3].kind == ""
    assert jitted._number(1 << 31, "int32").kind == "i64"
    assert jitted._number((1 << 63) - 1, "uint64").kind == "i64"
    assert jitted._number(1 << 63, "uint64").kind == "u64"
    assert jitted._number(1, "bool").kind == "i1"


@pytest.mark.parametrize(
    ("more", "argument", "words"),
    [
        ({"descriptors": {"x": Descriptor((4,), (4,))}}, Array("x"), "tensor descriptors"),
        ({}, Local(64), "an array or a number, not Local"),
        ({"dtypes": {"x": "complex64"}}, Array("x"), "x is an array of complex64, a type that Triton does not have"),
        ({"text": TEXT.replace("scaled", "other")}, Array("x"), "no kernel named 'scaled'"),
    ],
)
def test_what_triton_cannot_be_told_from_here_is_a_sentence(more, argument, words):
    with pytest.raises(UsageError, match=words):
        request(Launch("scaled", (argument,), (64,), (64,)), **more)


@compiles
@pytest.mark.parametrize("n", [1, 100])
def test_launches_run_one_after_the_other(n):
    """With 1 the number is a constant of the code, which does not take it."""
    made = program(n)
    x = np.arange(n, dtype=np.float16)
    inputs = {"x": x, "y": Empty((n,), "float16"), "z": Empty((n,), "float16"), "n": n}
    answer = execute(compiled.task("scaled", made, compiled.compiled(made, AIM), inputs), Adversary())
    assert answer.findings == ()
    assert np.array_equal(answer.arrays["z"], 3 * x + np.float16(n))


@compiles
def test_a_mask_that_is_one_too_wide_is_found():
    made = program(100, TEXT.replace("mask=at < n).to(KIND)", "mask=at <= n).to(KIND)"))
    inputs = {"x": np.ones(100, np.float16), "y": Empty((100,), "float16"), "z": Empty((100,), "float16"), "n": 100}
    answer = execute(compiled.task("scaled", made, compiled.compiled(made, AIM), inputs), Adversary())
    assert [told.finding.trouble for told in answer.findings] == ["out of bounds"]
