"""Which other launches of a captured kernel are offered, and which of them first."""

import pytest

from hotloop.app.captured.geometry import offers
from hotloop.model.space import Config, Parameter, Space
from hotloop.rewrite.jitted.form import Script

TEXT = """import triton
import triton.language as tl


@triton.jit
def scaled(y, x, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))
"""


def offered(block, warps, text=TEXT, programs=100_000):
    space = Space(
        (
            Parameter("BLOCK", tuple(block * 4 >> at for at in range(6, -1, -1)) if block > 64 else (block,)),
            Parameter("num_warps", tuple(sorted({1, 2, 4, 8, 16, warps}))),
            Parameter("num_stages", (1, 2, 3, 4, 5)),
        )
    )  # fmt: skip
    config = Config(BLOCK=block, num_warps=warps, num_stages=3)
    rows = offers(space, config, Script(text, "scaled"), {"programs": programs, "units": 132})
    return sorted(((dict(one.changes), one.gain.high) for one in rows), key=lambda row: -row[1])


@pytest.mark.parametrize(("block", "warps", "best"), [(8192, 4, 16), (2048, 8, 4), (64, 4, 1)])
def test_warps_go_towards_what_a_thread_should_have(block, warps, best):
    assert next(change for change, _ in offered(block, warps) if set(change) == {"num_warps"}) == {"num_warps": best}


def test_a_tile_that_is_too_much_for_its_threads_gets_smaller_or_more_of_them():
    text = """import triton.language as tl


def scaled(y, x, R: tl.constexpr, C: tl.constexpr):
    at = tl.arange(0, R)[:, None] * 4096 + (tl.program_id(0) * C + tl.arange(0, C))[None, :]
    tl.store(y + at, tl.load(x + at))
"""
    extents = tuple(Parameter(name, (16, 32, 64, 128)) for name in "RC")
    space = Space((*extents, Parameter("num_warps", (2, 4, 8, 16)), Parameter("num_stages", (3,))))
    rows = offers(
        space, Config(R=128, C=128, num_warps=4, num_stages=3), Script(text, "scaled"), {"programs": 9999, "units": 132}
    )
    high = {tuple(sorted(one.changes.items())): one.gain.high for one in rows}
    assert high[("num_warps", 16),] > high[("num_warps", 2),]
    assert high[("C", 32),] > 1.25


def test_both_directions_are_offered_where_a_thread_has_what_it_should_have():
    warps = {change["num_warps"] for change, _ in offered(2048, 4) if set(change) == {"num_warps"}}
    assert warps == {2, 8}


def test_large_programs_are_offered_as_many_smaller_ones_with_as_much_for_each_thread():
    both = [change for change, _ in offered(16384, 32) if len(change) == 2]
    assert {"BLOCK": 2048, "num_warps": 4} in both
    assert {"BLOCK": 1024, "num_warps": 2} in both


def test_larger_blocks_are_not_offered_where_units_would_be_idle():
    blocks = {change["BLOCK"] for change, _ in offered(1024, 4, programs=200) if set(change) == {"BLOCK"}}
    assert blocks == {256, 512}


def test_stages_are_offered_of_loops_only():
    loop = TEXT.replace("    at =", "    for first in range(4):\n        pass\n    at =")
    assert not any("num_stages" in change for change, _ in offered(1024, 4))
    assert any("num_stages" in change for change, _ in offered(1024, 4, loop))


def test_a_product_is_offered_whole_tiles():
    text = TEXT.replace("tl.store(y + at, tl.load(x + at))", """steps = tl.arange(0, STEP)
    tl.store(y + tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS), tl.dot(x, x))""").replace(
        "BLOCK: tl.constexpr", "BLOCK: tl.constexpr, COLUMNS: tl.constexpr, STEP: tl.constexpr"
    )  # fmt: skip
    extents = tuple(Parameter(name, (32, 64, 128, 256)) for name in ("BLOCK", "COLUMNS", "STEP"))
    space = Space((*extents, Parameter("num_warps", (2, 4, 8, 16)), Parameter("num_stages", (1, 2, 3, 4))))
    config = Config(BLOCK=64, COLUMNS=64, STEP=32, num_warps=4, num_stages=2)
    rows = offers(space, config, Script(text, "scaled"), {"programs": 9999, "units": 132})
    first = next(one for one in rows if one.technique == "larger-tile")
    assert first.changes == {"BLOCK": 128, "COLUMNS": 256, "STEP": 64, "num_warps": 8, "num_stages": 3}


@pytest.mark.parametrize(("programs", "most"), [(33, 4.0), (66, 2.0), (120, 1.1), (100_000, 1.06)])
def test_where_units_have_no_program_smaller_blocks_promise_as_much_as_more_of_them_work(programs, most):
    high = {change["BLOCK"]: high for change, high in offered(2048, 4, programs=programs) if set(change) == {"BLOCK"}}
    assert high[512] == pytest.approx(most, rel=0.1)
    assert high.get(4096, 1.0) < 1.2  # units would wait for still fewer


def test_blocks_that_go_together_are_offered_together():
    text = TEXT.replace(
        "    tl.store(", "    to = tl.program_id(0) * ROWS + tl.arange(0, ROWS)\n    tl.store("
    ).replace("BLOCK: tl", "ROWS: tl.constexpr, BLOCK: tl")
    extents = tuple(Parameter(name, (16, 32, 64, 128), "", "extent of a block") for name in ("ROWS", "BLOCK"))
    space = Space((*extents, Parameter("num_warps", (2, 4, 8)), Parameter("num_stages", (3,))))
    config = Config(ROWS=32, BLOCK=64, num_warps=4, num_stages=3)
    rows = [
        dict(one.changes) for one in offers(space, config, Script(text, "scaled"), {"programs": 9999, "units": 132})
    ]
    assert {"ROWS": 64, "BLOCK": 128} in rows
    assert {"ROWS": 16, "BLOCK": 32} in rows
    assert {"ROWS": 64, "BLOCK": 128, "num_warps": 8} in rows
    assert not any(("ROWS" in row) != ("BLOCK" in row) for row in rows)


def test_a_product_in_another_function_of_the_file_is_one():
    text = """import triton
import triton.language as tl


@triton.jit
def step(acc, x, y, BLOCK: tl.constexpr, N):
    for _ in range(0, N, BLOCK):
        acc = tl.dot(tl.load(x), tl.load(y), acc)
    return acc


@triton.jit
def scaled(z, x, y, N, BLOCK: tl.constexpr):
    acc = step(tl.zeros((BLOCK, BLOCK), tl.float32), x, y, BLOCK, N)
    tl.store(z + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None], acc)
"""
    stages = {change.get("num_stages") for change, _ in offered(128, 4, text)}
    assert 5 in stages


def test_where_matrices_are_multiplied_other_sides_of_the_same_size_grow_too():
    text = TEXT.replace("    tl.store(", "    to = tl.program_id(0) * ROWS + tl.arange(0, ROWS)\n    tl.dot(x, y)\n    tl.store(").replace(
        "BLOCK: tl", "ROWS: tl.constexpr, STEP: tl.constexpr, HEAD: tl.constexpr, BLOCK: tl"
    )  # fmt: skip
    extents = (*(Parameter(name, (16, 32, 64, 128), "", "extent of a block") for name in ("ROWS", "BLOCK", "STEP")), Parameter("HEAD", (32,), "", "extent of a block"))  # fmt: skip
    space = Space((*extents, Parameter("num_warps", (2, 4, 8)), Parameter("num_stages", (3,))))
    config = Config(ROWS=32, BLOCK=32, STEP=32, HEAD=32, num_warps=4, num_stages=3)
    rows = [
        dict(one.changes) for one in offers(space, config, Script(text, "scaled"), {"programs": 9999, "units": 132})
    ]
    assert {"ROWS": 64, "BLOCK": 64} in rows
    assert {"ROWS": 64, "BLOCK": 64, "STEP": 64, "num_warps": 8} in rows
    assert not any("HEAD" in row for row in rows)


def test_rounds_over_keys_are_offered_tiles_of_rows_and_steps():
    text = """import triton.language as tl


def scaled(z, x, y, n, ROWS: tl.constexpr, KEYS: tl.constexpr, HEAD: tl.constexpr):
    at = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    for first in range(0, (tl.program_id(0) + 1) * ROWS, KEYS):
        tl.store(z + at, tl.dot(x, y))
"""
    extents = [Parameter(name, (16, 32, 64, 128), "", "extent of a block") for name in ("ROWS", "KEYS")]
    head = Parameter("HEAD", (64,), "", "extent of a block")
    space = Space((*extents, head, Parameter("num_warps", (2, 4, 8)), Parameter("num_stages", (1, 2, 3, 4))))
    config = Config(ROWS=64, KEYS=32, HEAD=64, num_warps=4, num_stages=3)
    rows = offers(space, config, Script(text, "scaled"), {"programs": 9999, "units": 132})
    tiles = [one.changes for one in rows if one.technique == "larger-tile"]
    assert {"ROWS": 128, "KEYS": 128, "num_warps": 8} in tiles
    assert {"ROWS": 128, "num_stages": 4} in tiles


def test_larger_blocks_come_first_where_all_programs_change_one_place():
    one = TEXT.replace("tl.store(y + at, tl.load(x + at))", "tl.atomic_max(y, tl.max(tl.load(x + at)))")
    assert offered(512, 4, one)[0] == ({"BLOCK": 2048}, 2.6)
    apart = one.replace("tl.atomic_max(y,", "tl.atomic_max(y + tl.program_id(0),")
    assert offered(512, 4, apart)[0] != ({"BLOCK": 2048}, 2.6)
    assert not any(change.get("BLOCK", 0) > 512 for change, _ in offered(512, 4, one, programs=100) if len(change) == 1)
