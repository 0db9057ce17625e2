"""What a rewrite of Triton text is expected to bring follows from the launch."""

import pytest

from hotloop.rewrite.jitted import catalogue, rounds
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.scene import Relaunch, Scene, holds

BY_NAME = {one.name: one for one in catalogue.rewrites()}


def predicted(name, value, **scene):
    rewrite = BY_NAME[name]
    script = Script(rewrite.examples[0].before, rewrite.examples[0].before.split("def ")[1].partition("(")[0])
    return rewrite.predicted(script, Scene(**scene), value)


def test_narrow_rows_want_company_and_wide_ones_do_not():
    narrow = predicted("rows-per-program", 4, grid=(65536,), values={"BLOCK": 128}, units=132)
    wide = predicted("rows-per-program", 4, grid=(65536,), values={"BLOCK": 8192}, units=132)
    few = predicted("rows-per-program", 4, grid=(512,), values={"BLOCK": 128}, units=132)
    assert narrow[1] > 1.3
    assert (wide, few) == (None, None)


def test_one_round_is_not_loaded_ahead():
    once = {"n": 1000, "BLOCK": 1024}
    assert predicted("loop-stages", 3, grid=(8192,), values=once, units=132) is None
    assert predicted("loop-unrolling", 2, grid=(8192,), values=once, units=132) is None
    often = {"n": 16384, "BLOCK": 1024}
    few = predicted("loop-stages", 3, grid=(132,), values=often, units=132)
    many = predicted("loop-stages", 3, grid=(8192,), values=often, units=132)
    assert few[1] > many[1]
    assert predicted("loop-unrolling", 4, grid=(132,), values={"n": 2048, "BLOCK": 1024}, units=132) is None


def test_programs_take_turns_where_there_are_many():
    full = {"values": {"num_warps": 8, "BLOCK": 2048}, "units": 132}
    assert predicted("programs-in-turn", 4, grid=(8192,), **full)[1] > 1.0
    assert predicted("programs-in-turn", 4, grid=(1024,), **full) is None
    assert predicted("programs-in-turn", 4, grid=(8192, 8), **full) is None
    assert predicted("programs-in-turn", 4, grid=(8192,), values={"num_warps": 2, "BLOCK": 64}, units=132) is None
    wide = predicted("programs-in-turn", 1, grid=(2048,), values={"num_warps": 16, "BLOCK": 16384}, units=132)
    assert wide[1] > predicted("programs-in-turn", 4, grid=(8192,), **full)[1]


def test_rounds_are_counted_where_they_are_known():
    text = "import triton.language as tl\n\n\ndef f(n, m):\n    for i in range(0, n, 32):\n        g(i)\n    for j in range(m):\n        g(j)\n"
    script = Script(text, "f")
    assert rounds.most(script, Scene(values={"n": 100, "m": 3})) == 4
    assert rounds.most(script, Scene(values={"n": 100})) is None


def test_indices_are_narrowed_where_the_launch_is_small_enough():
    rewrite = BY_NAME["narrow-indices"]
    for example, condition in (
        (0, "num_programs(0) * stride"),
        (1, "(num_programs(0) * BLOCK + BLOCK) * stride + BLOCK"),
    ):
        text = rewrite.examples[example].before
        guard = rewrite.guard(Script(text, text.split("def ")[1].partition("(")[0]), 1)
        assert f"{condition} <= 2147483647" in guard
        for grid, stride, fits in ((1 << 15, 4096, True), (1 << 20, 4096, False), (4, -1, False)):
            scene = Scene(grid=(grid,), values={"stride": stride, "BLOCK": 1, "n": 1})
            assert holds(guard, scene.facts) == fits
    assert predicted("narrow-indices", 1)[1] <= 1.02


@pytest.mark.parametrize(
    ("condition", "values", "true"),
    [
        ("n % B == 0 and m == B", {"n": 64, "B": 32, "m": 32}, True),
        ("n % B == 0 and m == B", {"n": 64, "B": 32, "m": 31}, False),
        ("n % B == 0", {"n": 64, "B": 0}, False),
        ("VARLEN == 0", {"VARLEN": False}, True),
        ("n <= B", {"n": "text", "B": 4}, False),
        ("n", {"n": 4}, False),
    ],
)
def test_a_condition_that_is_not_known_does_not_hold(condition, values, true):
    assert holds(condition, values) is true


def test_rewrites_that_change_a_launch_follow_each_other():
    text = BY_NAME["programs-in-turn"].examples[0].before
    wanted = {"rows-per-program": 4, "programs-in-turn": 2}
    found = catalogue.relaunches(Script(text, "shares"), wanted)
    assert found == (Relaunch(argument="n_rows", by=4), Relaunch(argument="n_programs", each=2))
    made = catalogue.rewritten(Script(text, "shares"), wanted).text
    assert "def shares(y, x, cols, BLOCK: tl.constexpr, n_rows, n_programs):" in made
    assert "rows = program * 4 + tl.arange(0, 4)[:, None]" in made


@pytest.mark.parametrize(
    ("types", "tried"),
    [
        ({"a": "bfloat16", "b": "bfloat16"}, True),
        ({"a": "float32", "b": "float32"}, False),
        ({"a": "float16", "b": "bfloat16"}, False),
        ({"a": "int8", "b": "int8"}, False),
        ({}, False),
    ],
)
def test_products_of_stored_numbers_are_tried_where_they_have_16_bits(types, tried):
    assert (predicted("stored-products", "both", types=types) is not None) is tried
