"""Every rewrite of Triton text does what its examples say, refuses what they say, and names its twin in the first."""

import ast

import pytest

from hotloop import registry
from hotloop.rewrite.form import Keeps
from hotloop.rewrite.jitted import catalogue
from hotloop.rewrite.jitted.form import RefusedError, Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.tiles import followed, together
from hotloop.rewrite.jitted.writes import written

ROWS = [(rewrite, example) for rewrite in catalogue.rewrites() for example in rewrite.examples]


def script(text: str) -> Script:
    return Script(text, [one.name for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)][-1])


@pytest.mark.parametrize(("rewrite", "example"), ROWS, ids=lambda one: getattr(one, "name", "example"))
def test_an_example_becomes_what_it_says(rewrite, example):
    if example.after:
        assert rewrite.apply(script(example.before), example.value).text == example.after
    else:
        with pytest.raises(RefusedError) as refused:
            rewrite.apply(script(example.before), example.value)
        assert str(refused.value) == example.refused


def test_files_and_names_agree():
    assert {n.replace("_", "-") for n in registry.names(catalogue.METHODS)} == {r.name for r in catalogue.rewrites()}


@pytest.mark.parametrize("rewrite", catalogue.rewrites(), ids=lambda one: one.name)
def test_a_rewrite_is_whole(rewrite):
    first = rewrite.examples[0]
    assert rewrite.twin[0] in first.after
    assert rewrite.twin[0] != rewrite.twin[1]
    assert any(not example.after for example in rewrite.examples), "one that it refuses"
    assert rewrite.values[0] in (0, "off")
    assert rewrite.keeps in Keeps
    for word in ("What it changes:", "When it applies:", "What it costs:"):
        assert word in rewrite.text
    assert rewrite.lines(script(first.before))
    assert rewrite.possible(script(first.before))[0] == rewrite.values[0]


def test_rewrites_compose_and_what_does_not_apply_is_named():
    text = """import triton
import triton.language as tl


@triton.jit
def softmax(y, x, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * cols + at, mask=at < cols, other=-float("inf"))
    up = tl.exp(row - tl.max(row, axis=0))
    tl.store(y + tl.program_id(0) * cols + at, up / tl.sum(up, axis=0), mask=at < cols)
"""
    made = catalogue.rewritten(script(text), {"exponent-base-two": 1, "reciprocal": 1, "load-hints": "first"})
    for piece in (
        "tl.exp2((row - tl.max(row, axis=0)) * 1.4426950408889634)",
        "up * (1.0 / (tl.sum(up, axis=0)))",
        "evict_first",
    ):
        assert piece in made.text
    assert catalogue.rewritten(script(text), {}).text == text
    with pytest.raises(RefusedError, match="dot-accumulator does not apply to softmax"):
        catalogue.rewritten(script(text), {"dot-accumulator": 1})


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("tl.store(y + at, tl.load(x + at))", {"y", "at"}),
        ("p = y\n    for k in range(3):\n        p += 4\n        tl.store(p, k)", {"y"}),
        ("tl.atomic_add(x + at, 1.0)", {"x", "at"}),
        ("helper(x, y)", {"y"}),
        ("helper(source=y, target=x)", {"x"}),
        ("x = tl.load(x)", set()),
        ("d = tl.make_tensor_descriptor(y, [at], [1], [4])\n    d.store([0], x)", {"y", "at"}),
    ],
)
def test_what_a_function_may_write(body, names):
    helper = "def helper(source, target):\n    tl.store(target, source)\n\n\n"
    assert written(f"{helper}def f(y, x, at):\n    {body}\n", "f") == names


def test_what_is_no_python_is_refused():
    with pytest.raises(RefusedError, match="no Python"):
        catalogue.rewrites()[0].apply(Script("def (", "f"), 8)
    with pytest.raises(RefusedError, match="no function f"):
        Script("x = 1\n", "f").kernel  # noqa: B018


def test_names_of_rewrites_are_no_options_of_a_launch():
    from types import SimpleNamespace

    from hotloop.app.run.kept import patch

    steps = tuple(SimpleNamespace(config={"reciprocal": on, "BLOCK": block}) for on, block in ((0, 64), (1, 128)))
    assert patch._constants("f", steps) == ("f: launch it with BLOCK=128 (was 64)",)
    assert patch._constants("f", steps[:1] * 2) == ()


LANES = """import triton
import triton.language as tl


@triton.jit
def f(y, x, z, n, SIZE: tl.constexpr):
    b = tl.program_id(0) * SIZE
    s = 0.0
    for i in range({loop}):
        v = tl.load(x + b + i)
        {body}
"""


@pytest.mark.parametrize(
    ("loop", "body", "piece"),
    [
        ("SIZE", "tl.store(y + b + i, v if v > 0 else -v)", "tl.where(v > 0, v, -v)"),
        ("SIZE", "tl.store(y + b + i, v)\n        if v > 0:\n            tl.store(y + b + i, 3)", "v, mask=there)\n"),
        (
            "SIZE",
            "if v > 1:\n            w = 1\n        else:\n            w = 2\n        tl.store(y + b + i, w)",
            "w = tl.where(there_3, 2, w)",
        ),
        (
            "SIZE",
            "if v > 0 and i > 4:\n            v = 9.0\n        tl.store(y + b + i, v)",
            "there & ((v > 0) & (i > 4))",
        ),
        ("SIZE", "s = tl.maximum(s, v)", "tl.max(tl.where(there, v, -float('inf')), axis=0)"),
        (
            "SIZE",
            "if SIZE > n:\n            tl.store(y + i, v)\n        else:\n            tl.store(y + 2 * i, v)",
            "tl.store(y + 2 * i, v, mask=there)",
        ),
        ("SIZE", "s += v", "tl.where(there, v, 0).to(tl.float32)"),
        ("SIZE", "if v and n:\n            tl.store(y + b + i, v)", "there & ((v != 0) & (n != 0))"),
        (
            "SIZE",
            "if n > 1:\n            v = 1\n        elif v > 0:\n            v = 2\n        tl.store(y + i, v)",
            "        else:\n            there_2 = ",
        ),
        ("min(n, SIZE)", "q = 1\n        tl.store(y + i, v)\n    tl.store(z, q)", "range(0, min(n, SIZE), 64)"),
        ("SIZE", "tl.store(y + i, v, mask=tl.load(z + i) > 0)", "tl.load(z + i, mask=there) > 0) & there"),
        ("3, SIZE", "tl.store(y + b + i, v)", "range(3, SIZE, 64)"),
        ("min(n - b, SIZE)", "tl.store(y + b + i, v)", "range(0, SIZE, 64)"),
        ("SIZE", "tl.store(y + b + 2 * i, v)\n        tl.store(y + b + 2 * i + 1, v)", "y + b + 2 * i + 1, v, mask"),
    ],
)
def test_rounds_become_lanes(loop, body, piece):
    made = catalogue.rewritten(script(LANES.format(loop=loop, body=body)), {"loop-lanes": 64})
    assert piece in made.text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("s += v\n        tl.store(y + b + i, s)", "needs s of the round before"),
        ("tl.store(y + b + i, v * s)\n        s = v", "needs s of the round before"),
        ("s += 1\n        tl.store(y + b + i, v)", "the same in each round"),
        ("tl.store(y + b + (v > 0).to(tl.int32), v)", "is not known to differ"),
        ("tl.store(y + b, v)", "is not known to differ"),
        ("tl.store(y + b + i, v)\n        tl.store(y + b + i + 1, v)", "where another does"),
        ("tl.store(x + b + i + 1, v)", "read what another has written"),
        ("tl.store(y + b + i, v)\n    tl.store(z, v)", "v is used after the loop"),
        ("tl.atomic_add(z, v)", "do more than compute"),
        ("w = tl.cumsum(v)\n        tl.store(y + b + i, w)", "what cumsum does"),
        ("p = y + i\n        q = y + i + 1\n        tl.store(q, tl.load(p))", "read what another has written"),
        ("w = tl.load(i + y - 1)\n        tl.store(y + i, w)", "read what another has written"),
        ("tl.store(y + i, v)\n        tl.store(y + i - 1, v)", "where another does"),
        ("tl.store(y + i, v)\n        tl.store(y + 2 * i, v)", "where another does"),
        ("tl.store(y + i, v)\n        tl.store(y + i + n, v)", "where another does"),
        (
            "if i > n:\n            tl.store(y + i, v)\n        else:\n            tl.store(y + 2 * i, v)",
            "where another does",
        ),
        ("i = i // 2\n        tl.store(y + i, v)", "gives i another value"),
        ("s += s * v\n        tl.store(y + i, v)", "needs s of the round before"),
        ("s: tl.float32 = s + v\n        tl.store(y + i, v)", "another form"),
        ("w = tl.atomic_add(z, 1)\n        tl.store(y + i, w)", "do more than compute"),
        ("w = tl.load(x + i - 1) if i > 0 else 0.0\n        tl.store(y + i, w)", "for some rounds only"),
        ("tl.store(y + i, get(y, i - 1))", "do more than compute"),
        ("tl.store(y + i.to(tl.int8), v)", "is not known to differ"),
        ("tl.store(y + i * 0, v)", "is not known to differ"),
        ("SIZE = 5\n        tl.store(y + i, v)", "how far its loop goes"),
    ],
)
def test_rounds_that_need_each_other_are_no_lanes(body, reason):
    helper = (
        "\n\n@triton.jit\ndef get(p, i):\n    v = tl.load(p + i)\n    if v > 0:\n        return v\n    return 0.0\n"
    )
    with pytest.raises(RefusedError, match=reason):
        catalogue.rewritten(Script(LANES.format(loop="SIZE", body=body) + helper, "f"), {"loop-lanes": 64})


@pytest.mark.parametrize(
    ("rewrite", "body"),
    [
        ("loop-lanes", "p = y - 1\n    for i in range(n):\n        tl.store(y + i, tl.load(p + i))"),
        ("loop-lanes", "for i in tl.range(0, n, step=2):\n        tl.store(y + i, 1.0)"),
        ("loop-lanes", "for i in range(tl.load(y)):\n        tl.store(y + i, 1.0)"),
        ("loop-lanes", "at = own(64)\n    for i in range(n):\n        tl.store(y + i * 64 + at, 1.0)"),
        ("paired-stores", "tl.store(y + n + a * 2, a)\n    tl.store(y + a * 2 + 1, a)"),
        ("paired-stores", "tl.store(y + a * 2, a)\n    tl.store(y + a * 2 + 1, tl.load(y + a * 2))"),
        ("paired-stores", "i = z + a\n    z += 9\n    tl.store(y + i * 2, a)\n    tl.store(y + i * 2 + 1, a)"),
        (
            "lane-sums",
            "s = tl.load(z)\n    for r in range(n):\n        s += tl.sum(tl.load(x + a))\n    tl.store(y, s)",
        ),
        ("lane-sums", "s = 0\n    for r in range(n):\n        s = max(s, tl.max(tl.load(x + a)))\n    tl.store(y, s)"),
        ("rows-per-program", "v = tl.load(x + tl.program_id(0) + a)\n    tl.store(y + tl.program_id(0), v.shape[0])"),
        (
            "rows-per-program",
            "tl.inline_asm_elementwise('red.global.add.u32 [$1], 1;', '=r,l', [x], tl.int32, False, 1)\n    tl.store(y + tl.program_id(0), 1.0)",
        ),
        (
            "rows-per-program",
            "count_one(x)\n    tl.store(y + tl.program_id(0), 1.0)",
        ),  # imported: who knows what it does
        ("rows-per-program", "helpers.count_one(x)\n    tl.store(y + tl.program_id(0), 1.0)"),
    ],
)
def test_what_would_compute_something_else_is_refused(rewrite, body):
    head = LANES.partition("    b =")[0].replace("n, SIZE: tl.constexpr", "n")
    text = f"{head}    a = tl.arange(0, 64)\n    {body}\n\n\n@triton.jit\ndef own(B: tl.constexpr):\n    return tl.arange(0, B)\n"
    with pytest.raises(RefusedError):
        catalogue.rewritten(Script(text, "f"), {rewrite: {"loop-lanes": 32, "rows-per-program": 4}.get(rewrite, 1)})


PARTS = """import triton
import triton.language as tl


@triton.jit
def walk(acc, x, n, at, BLOCK: tl.constexpr, STAGE: tl.constexpr):
    \"\"\"Adds what stands in its part.\"\"\"
    lo = 0
    if STAGE == 2:
        lo = n  # the second part
    x += lo
    for k in range(0, n, BLOCK):
        acc += tl.load(x + at)
        x += BLOCK
    return acc, x


@triton.jit
def whole(y, x, n, BLOCK: tl.constexpr, STAGE: tl.constexpr):
    at = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    acc, _ = walk(acc, x, n, at, BLOCK, 4 - STAGE)
    total, end = walk(acc, x + n, n, at, BLOCK=BLOCK, STAGE=2)
    tl.store(y + at, total)
"""


def test_functions_of_the_file_are_put_in_where_they_are_called():
    made = inlined(Script(PARTS, "whole"))
    assert (
        made.text.partition("def whole")[2]
        == """(y, x, n, BLOCK: tl.constexpr, STAGE: tl.constexpr):
    at = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    x_2 = x
    lo = 0
    if (4 - STAGE) == 2:
        lo = n  # the second part
    x_2 += lo
    for k in range(0, n, BLOCK):
        acc += tl.load(x_2 + at)
        x_2 += BLOCK
    _ = x_2
    acc_2 = acc
    x_3 = x + n
    lo_2 = 0
    if 2 == 2:
        lo_2 = n  # the second part
    x_3 += lo_2
    for k_2 in range(0, n, BLOCK):
        acc_2 += tl.load(x_3 + at)
        x_3 += BLOCK
    total, end = acc_2, x_3
    tl.store(y + at, total)
"""
    )
    assert inlined(made) is made


@pytest.mark.parametrize(
    ("piece", "other"),
    [
        ("    lo = 0\n", "    lo = 0\n    if n < 0:\n        return acc, x\n"),
        ("acc += tl.load(x + at)", "acc += 1.0"),
        ("@triton.jit\ndef walk", "@triton.jit(noinline=True)\ndef walk"),
        ("def walk(acc, x,", "def walk(acc, x, *rest,"),
    ],
)
def test_functions_that_return_early_or_read_nothing_stay_where_they_are(piece, other):
    script = Script(PARTS.replace(piece, other).replace("for k in range(0, n, BLOCK):", "if n > 0:"), "whole")
    assert inlined(script) is script


def test_a_rewrite_finds_loops_that_stand_in_other_functions():
    script = Script(PARTS, "whole")
    assert catalogue.possible("loop-stages", script)[1:]
    text = catalogue.rewritten(script, {"loop-stages": 3}).text
    assert text.count("tl.range(0, n, BLOCK, num_stages=3)") == 2
    assert catalogue.rewritten(script, {}).text == PARTS
    assert set(catalogue.lines("loop-stages", script)) <= set(range(20, 30))  # where the kernel calls them


def test_extents_that_one_number_of_programs_counts_change_together():
    body = "    a = tl.program_id(0) * A + tl.arange(0, A)\n    b = tl.program_id(0) * B + tl.arange(0, B)\n    tl.store(y + a, b)\n"
    script = Script(f"import triton.language as tl\n\n\ndef f(y, A, B):\n{body}", "f")
    own = {"A": 32, "B": 64}
    assert together(script) == (("A", "B"),)
    with pytest.raises(ValueError, match="grow and shrink together"):
        followed(script, own, 1, {"A": 64, "B": 64})
    (part,) = followed(script, own, 1, {"A": 64, "B": 128})
    assert part.grid((10,)) == (5,)


def test_what_widens_nothing_is_refused_for_that_and_not_for_its_addresses():
    text = """import triton
import triton.language as tl


@triton.jit
def doubled(y, x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x = stride + row * n + x
    at = tl.arange(0, BLOCK)
    tl.store(y + row * n + at, 2.0 * tl.load(x + at, mask=at < n), mask=at < n)
"""
    with pytest.raises(RefusedError, match="it widens no number"):
        next(one for one in catalogue.rewrites() if one.name == "narrow-indices").apply(script(text), 1)


def test_neighbours_by_a_stride_must_be_neighbours_in_the_launch():
    rewrite = next(one for one in catalogue.rewrites() if one.name == "neighbour-pairs")
    plain, strided = (
        next(one for one in rewrite.examples if one.after and ("step" in one.before) is by) for by in (False, True)
    )
    assert rewrite.guard(script(plain.before), 1) == ""
    assert rewrite.guard(script(strided.before), 1) == "step == 1"
