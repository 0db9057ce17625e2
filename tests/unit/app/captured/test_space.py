"""Which constants of a captured Triton kernel may be moved, and how far."""

import json

import pytest

from hotloop.app.captured import space
from hotloop.captures.nouns import Captured, Constant, Given, Launched, Sized
from hotloop.rewrite.jitted import catalogue
from hotloop.rewrite.jitted.counted import rounds
from hotloop.rewrite.jitted.form import Script

TEXT = """import triton
import triton.language as tl


@triton.jit
def scaled(y, x, n, cols: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.program_id(0) * cols
    tl.store(y + row + at, tl.load(x + row + at, mask=inside), mask=inside)
"""


def whole_of(text, **constants):
    rows = tuple(Constant(name=name, text=json.dumps(value), form="value") for name, value in constants.items())
    number = Given(name="n", kind="number", dtype="int32", text="1000")
    launched = Launched(grid=(8,), group=None, arguments=(number,), constants=rows)
    captured = Captured(name="scaled", entry="scaled", language="triton", source="scaled.py", launches=(launched,))
    return space.space(captured, launched, Script(text, "scaled"))


def made(text, **constants):
    whole, start = whole_of(text, **constants)
    return {one.name: one.values for one in whole.parameters}, start


def test_sizes_stay_and_blocks_hold_the_row():
    values, start = made(TEXT, cols=512, BLOCK=1024)
    assert "cols" not in values
    assert values["BLOCK"] == (512, 1024)
    assert start["BLOCK"] == 1024


def test_a_block_is_offered_that_a_row_in_rounds_would_fit_in():
    again = "    for first in range(0, n, BLOCK):\n        at = first + tl.arange(0, BLOCK)\n        {}\n"
    loops = again.format("total = tl.sum(tl.load(x + at, mask=at < n))") + again.format(
        "tl.store(y + at, tl.load(x + at, mask=at < n) / total, mask=at < n)"
    )
    head = TEXT.partition("    at =")[0]
    values, _ = made(head + loops, cols=1, BLOCK=64)
    assert values["BLOCK"] == (16, 32, 64, 128, 256, 1024)
    assert "row-kept" in values


def test_a_rewrite_is_in_the_space_that_another_one_opens():
    loop = "    for i in range(min(cols, n - row)):\n        tl.store(y + row + i, tl.load(x + row + i))\n"
    text = TEXT.partition("    at =")[0] + "    row = tl.program_id(0) * cols\n" + loop
    values, start = made(text, cols=64, BLOCK=1)
    assert len(values["loop-lanes"]) > 1
    assert len(values["rows-per-program"]) > 1
    script = Script(text, "scaled")
    assert catalogue.possible("rows-per-program", script) == (0,)
    on = start.replace(**{"loop-lanes": 32})
    assert len(catalogue.possible("rows-per-program", catalogue.before("rows-per-program", script, on))) > 1


def test_a_length_that_a_range_of_itself_is_compared_with_stays():
    assert "cols" not in made(TEXT.replace("arange(0, BLOCK)", "arange(0, cols)"), cols=128, BLOCK=64)[0]


def test_a_block_that_no_dimension_is_counted_by_stays():
    blocks = TEXT.replace("row = tl.program_id(0) * cols", "pid = tl.program_id(0)\n    row = {} * BLOCK")
    assert "BLOCK" in made(blocks.format("pid"), BLOCK=64, cols=1)[0]
    assert "BLOCK" not in made(blocks.format("(pid // 3)"), BLOCK=64, cols=1)[0]


@pytest.mark.parametrize(
    "kept", ["", "    tl.store(s + row, tl.sum(v))\n", "    place = s + row\n    tl.store(place, tl.sum(v))\n"]
)
def test_a_row_of_which_a_program_keeps_something_by_its_number_is_the_problems_own(kept):
    head = TEXT.partition("def ")[0] + "def scaled(y, x, s, n, WIDTH: tl.constexpr):\n    row = tl.program_id(0)\n"
    body = "    at = row * WIDTH + tl.arange(0, WIDTH)\n    v = tl.load(x + at)\n    tl.store(y + at, v)\n"
    values, _ = made(head + body + kept, WIDTH=512)
    assert ("WIDTH" in values) == (not kept)


def test_the_width_of_blocks_that_the_host_describes_is_the_problems_own():
    head = (
        TEXT.partition("def ")[0] + "def scaled(y, x, n, ROWS: tl.constexpr, KEYS: tl.constexpr, HEAD: tl.constexpr):\n"
    )
    body = """    first = tl.program_id(0) * ROWS
    q = x.load([first, 0])
    total = tl.zeros([ROWS, HEAD], tl.float32)
    for key in range(0, n, KEYS):
        total += tl.dot(tl.dot(q, x.load([key, 0]).T).reshape([ROWS, KEYS]), x.load([key, 0]))
    y.store([first, 0], total)
"""
    values, _ = made(head + body, ROWS=64, KEYS=32, HEAD=128)
    assert values["HEAD"] == (128,)
    assert len(values["ROWS"]) > 1 < len(values["KEYS"])


def test_a_parameter_called_like_an_option_is_the_option_and_no_block():
    text = TEXT.replace("BLOCK: tl.constexpr)", "BLOCK: tl.constexpr, num_warps: tl.constexpr)")
    values, start = made(text, cols=512, BLOCK=1024, num_warps=16)
    assert values["num_warps"] == (1, 2, 4, 8, 16, 32)
    assert start["num_warps"] == 4  # given by position: the compiler is not told


def test_constants_that_no_grid_depends_on_are_told():
    grids = tuple(
        Sized(constants={"ROWS": rows, "COLUMNS": columns}, grid=(64 // rows,))
        for rows in (1, 2)
        for columns in (8, 16)
    )
    assert space.without_effect(grids) == {"COLUMNS"}
    assert space.without_effect(()) == frozenset()


@pytest.mark.parametrize(
    ("body", "shaping"),
    [
        ("tl.store(y + tl.arange(0, BLOCK), HEADS)", {"BLOCK"}),
        ("for k in range(0, HEADS, BLOCK):\n        tl.store(y + k, k)", {"BLOCK"}),
        ("for k in range(tl.cdiv(HEADS, BLOCK)):\n        tl.store(y + k, k)", {"BLOCK"}),
        ("half = BLOCK // 2\n    tl.store(y + HEADS + tl.zeros((half,), tl.int32), 0)", {"half", "BLOCK", "tl"}),
        ("p = tl.make_block_ptr(y, (HEADS,), (1,), (0,), (BLOCK,), (0,))", {"BLOCK"}),
        ("tl.store(y + block(HEADS, BLOCK), 0)", {"BLOCK"}),
        ("tl.store(y + elsewhere(HEADS), 0)", {"HEADS"}),
    ],
)
def test_extents_are_of_blocks_and_not_of_the_problem(body, shaping):
    text = f"import triton.language as tl\n\n\ndef block(n, m):\n    return n + tl.arange(0, m)\n\n\ndef f(y, HEADS, BLOCK):\n    {body}\n"
    script = Script(text, "f")
    assert space._shaping(script, script.kernel) - {"tl"} == shaping - {"tl"}


def test_a_few_rows_are_a_block_where_the_grid_follows_them():
    row = "    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)\n    tl.store(y + row, tl.load(x + row))\n"
    text = (TEXT.partition("    at =")[0] + row).replace("BLOCK: tl", "ROWS: tl")
    assert made(text, ROWS=2)[0]["ROWS"] == (1, 2, 4, 8, 16, 32)
    assert "ROWS" not in made(text.replace("tl.program_id(0) * ROWS", "tl.program_id(0) * n"), ROWS=2)[0]


HEADS = """import triton
import triton.language as tl


@triton.jit
def scaled(y, x, n, KEYS: tl.constexpr, HEAD: tl.constexpr, ROUND: tl.constexpr):
    at = tl.arange(0, HEAD)
    for first in range(0, n, KEYS):
        key = first + tl.arange(0, KEYS)
        tl.store(y + key[:, None] * 64 + at[None, :], tl.load(x + key[:, None] * 64 + at[None, :]))
"""


def test_what_nothing_steps_by_is_the_problems_own():
    values, start = made(HEADS, KEYS=32, HEAD=64, ROUND=1)
    assert values["HEAD"] == (64,)
    assert len(values["KEYS"]) > 2
    assert start["HEAD"] == 64


@pytest.mark.parametrize(
    "stepping",
    [
        "at = tl.program_id(0) * HEAD + tl.arange(0, HEAD)",
        "at = (n % HEAD) + tl.arange(0, HEAD)",
        "at = tl.arange(0, HEAD)\n    x += HEAD",
        "at = tl.where(tl.arange(0, HEAD) < 16, 1, 0)",
        "at = tl.arange(0, HEAD)\n    tl.device_print('', at < ROUND)",
    ],
)
def test_what_steps_or_is_cut_by_half_may_change(stepping):
    values, _ = made(HEADS.replace("at = tl.arange(0, HEAD)", stepping), KEYS=32, HEAD=64, ROUND=1)
    assert len(values["HEAD"]) > 2


def test_halves_of_a_row_that_is_masked_are_its_own():
    halves = HEADS.replace(
        "at = tl.arange(0, HEAD)", "at = tl.arange(0, HEAD // 2)\n    tl.store(y + at, 1.0, mask=at < 64 // 2)"
    )
    assert made(halves, KEYS=32, HEAD=64, ROUND=1)[0]["HEAD"] == (64,)
    assert len(made(halves, KEYS=32, HEAD=256, ROUND=1)[0]["HEAD"]) > 2


LENGTHS = """import triton
import triton.language as tl


@triton.jit
def scaled(y, x, n, d: tl.constexpr, STEP: tl.constexpr):
    at = tl.program_id(0) * d * n + tl.arange(0, STEP)[:, None] * d + tl.arange(0, d)[None, :]
    for _ in range(n):
        tl.store(y + at, tl.load(x + at))
        at += STEP * d
"""


def test_the_length_of_a_row_in_memory_is_the_problems_own():
    values, _ = made(LENGTHS, d=64, STEP=32)
    assert values["d"] == (64,)
    assert len(values["STEP"]) > 2


def test_every_second_element_of_a_row_and_a_named_half_are_the_problems_own():
    pairs = HEADS.replace("at = tl.arange(0, HEAD)", "at = tl.arange(0, HEAD // 2) * 2")
    assert made(pairs, KEYS=32, HEAD=64, ROUND=1)[0]["HEAD"] == (64,)
    named = "half = ROUND // 2\n    at = tl.arange(0, HEAD)\n    tl.store(y + at, 1.0, mask=at < half)"
    assert made(HEADS.replace("at = tl.arange(0, HEAD)", named), KEYS=32, HEAD=64, ROUND=96)[0]["HEAD"] == (64,)


ROUNDS = """import triton
import triton.language as tl


@triton.jit
def scaled(y, x, n, STEP: tl.constexpr, COUNT: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, STEP)
    for _ in range(COUNT):
        tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)
        at += STEP
"""


def test_a_count_of_rounds_follows_the_extent_of_a_round():
    values, start = made(ROUNDS, STEP=64, COUNT=5)
    assert start["COUNT"] == 5
    assert set(values["COUNT"]) >= {3, 5, 10}
    assert rounds(Script(ROUNDS, "scaled"), {"STEP": 64, "COUNT": 5}, {"STEP": 128}) == {"COUNT": 3}
    whole, start = whole_of(ROUNDS, STEP=64, COUNT=5)
    assert whole.valid(start)
    assert whole.valid(start.replace(STEP=128, COUNT=3))
    assert whole.violation(start.replace(STEP=128)) == "COUNT counts rounds of STEP"


@pytest.mark.parametrize(
    "otherwise", [("at += STEP", "at += 32"), ("at < n)", "at < n * COUNT)"), ("range(COUNT)", "range(1, COUNT)")]
)
def test_a_count_that_is_used_otherwise_stays(otherwise):
    assert "COUNT" not in made(ROUNDS.replace(*otherwise), STEP=64, COUNT=5)[0]


def test_blocks_may_grow_further_where_all_programs_change_one_place():
    text = (
        TEXT.partition("    at =")[0]
        + "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    tl.atomic_max(y, tl.max(tl.load(x + at)))\n"
    )
    assert max(made(text, BLOCK=512)[0]["BLOCK"]) == 8192
    assert max(made(text.replace("max(y, ", "max(y + tl.program_id(0), "), BLOCK=512)[0]["BLOCK"]) == 2048
