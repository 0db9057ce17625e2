"""Triton programs compiled launch by launch for a processor that is not here, and executed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from hotloop.app.emulate import ask, compiled, jitted
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.compilers.offer import Request
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.errors import UsageError
from hotloop.isa.sourcemap import source_lines
from hotloop.model.jit import Descriptor, Meta
from hotloop.model.kernel import Empty
from hotloop.model.outcome import CompileFailed
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
        (
            {"descriptors": {"x": Descriptor((4,), (4,), layout="NVMMASharedLayout()")}},
            Array("x"),
            "an engine that NVIDIA's",
        ),
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


@compiles
@pytest.mark.parametrize(("stored", "told"), [("tl.sum(x, axis=0)", 1), ("tl.sum(tl.where(at < n, x, 0), axis=0)", 0)])
def test_lanes_of_a_masked_load_that_nobody_has_defined_are_found_where_they_reach_a_result(tmp_path, stored, told):
    head = TEXT[: TEXT.index("@triton.jit")]
    file = tmp_path / "k.py"
    file.write_text(
        f"{head}@triton.jit\ndef total(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n    at = tl.arange(0, BLOCK)\n"
        f"    x = tl.load(x_ptr + at, mask=at < n)\n    tl.store(y_ptr, {stored})\n",
        encoding="utf-8",
    )
    given = ("x=f32:50", "y=f32:1:fresh", "n=i32:=50")
    asked = ask.Request(
        text=f"{file}:total", target="gfx942", parameters={"BLOCK": 64}, given=given, grid=(1, 1, 1), workgroup=None
    )
    found = [one.finding for one in ask.emulate(asked).findings]
    assert [one.trouble for one in found] == [Trouble.UNINITIALISED] * told
    assert all("(line 8)" in one.text for one in found)


def test_lines_of_a_listing_are_those_of_the_user_s_file(tmp_path):
    row = f'\t.file\t1 "{tmp_path}" "kernel.py"\n\t.loc\t1 8 3\n\ts_nop 0\n\ts_endpgm\n'
    told = source_lines(jitted._named(row, tmp_path / "kernel.py", Path("glu.py")), [3])
    assert [(one.file, one.line) for one in told] == [("glu.py", 8)]


def test_the_compiler_s_words_name_the_file_of_the_user(tmp_path):
    written = tmp_path / "kernel.py"
    failed = CompileFailed(f"{written}:8:1: error: unsupported target: 'gfx9999'", None)
    told = jitted._said(failed, written, Request(source=Path("glu.py"), target=AIM))
    assert "glu.py:8:1: error: unsupported" in told
    assert str(tmp_path) not in told
    unfit = CompileFailed("error: Result has an invalid layout: #ttg.slice<{dim = 1}>.", None)
    told = jitted._said(unfit, written, Request(source=Path("glu.py"), target=AIM))
    assert told.endswith("; a warp has 64 threads on gfx942, and so must each layout")


TILES = """
import triton
import triton.language as tl
from doubling_of_the_test import doubled

@triton.jit
def tiles(x, y, z, BM: tl.constexpr, BN: tl.constexpr):
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    z.store(at, x.load(at) + doubled(y.load(at)))
"""


@compiles
@pytest.mark.parametrize("aim", ["gfx942", "gfx1201"])
def test_descriptors_become_addresses_and_numbers_and_modules_of_the_users_are_found(aim, tmp_path):
    helper = "import triton\n\n\n@triton.jit\ndef doubled(value):\n    return 2 * value\n"
    tmp_path.joinpath("doubling_of_the_test.py").write_text(helper)
    made = dict.fromkeys("xz", Descriptor((33, 40), (16, 32))) | {"y": Descriptor((33, 40), (16, 32), (48, 1))}
    meta = Meta(
        values={"BM": 16, "BN": 32, "num_warps": 1}, dtypes=dict.fromkeys("xyz", "float32"), descriptors=made,
        search=(str(tmp_path),),
    )  # fmt: skip
    wave = Target.parse(aim).wave_size
    launch = Launch("tiles", (Array("x"), Array("y"), Array("z")), (3 * wave, 2), (wave, 1))
    posed = Program("triton", TILES, meta.options, (launch,))
    x, y = np.random.default_rng(1).standard_normal((2, 33, 48)).astype(np.float32)
    inputs = {"x": np.ascontiguousarray(x[:, :40]), "y": y, "z": Empty((33, 40), "float32")}
    answer = execute(
        compiled.task("tiles", posed, compiled.compiled(posed, Target.parse(aim)), inputs), Adversary(unused=False)
    )
    assert answer.findings == ()
    assert np.array_equal(answer.arrays["z"], x[:, :40] + 2 * y[:, :40])


GLUON = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

@gluon.jit
def turned(x, y, n, FROM: gl.constexpr, TO: gl.constexpr):
    at = gl.arange(0, 256, layout=FROM)
    value = gl.convert_layout(gl.load(x + at, mask=at < n, other=0.0), TO)
    back = 255 - gl.arange(0, 256, layout=TO)
    gl.store(y + back, value, mask=back >= 256 - n)
"""


@compiles
def test_layouts_of_gluon_reach_the_compiler():
    one, other = (
        f"BlockedLayout(size_per_thread=[{n}], threads_per_warp=[64], warps_per_cta=[1], order=[0])" for n in (1, 4)
    )
    meta = Meta(values={"num_warps": 1}, expressions={"FROM": one, "TO": other}, dtypes=dict.fromkeys("xy", "float32"))
    launch = Launch("turned", (Array("x"), Array("y"), Value(200, "int32")), (64,), (64,))
    made = Program("gluon", GLUON, meta.options, (launch,))
    inputs = {"x": np.arange(200, dtype=np.float32), "y": np.zeros(256, np.float32)}
    answer = execute(compiled.task("turned", made, compiled.compiled(made, AIM), inputs), Adversary())
    assert answer.findings == ()
    assert np.array_equal(answer.arrays["y"][56:], np.arange(200)[::-1])
