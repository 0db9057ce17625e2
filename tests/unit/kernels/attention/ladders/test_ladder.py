"""The attention ladder as data, its index maps, and its tile algorithm executed in NumPy."""

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.isa.banks.conflict import conflicts
from hotloop.kernels.attention.ladders import LADDERS, execute, tile_of
from hotloop.kernels.attention.ladders.accesses import accesses
from hotloop.kernels.attention.ladders.posed import ARRAYS, posed
from hotloop.kernels.attention.ladders.tile import LANES, D, Tile
from hotloop.targets.banks import model
from hotloop.techniques.moves import techniques

(LADDER,) = ladder_data.ladders("attention")
NAMES = [rung.name for rung in LADDER.rungs if not rung.series]
"""The HIP rungs; those of FlyDSL: test_flydsl.py."""
V43 = Tile.of(LADDER.changes(LADDER.rung("v4.3")))


def tile(name):
    return tile_of(LADDER, LADDER.rung(name))


# --- data ------------------------------------------------------------------------------------------------------------


def test_rungs_change_one_thing_of_rungs_before_them():
    seen = set()
    for rung in LADDER.rungs:
        assert not rung.after or rung.after in seen
        assert rung.change
        assert not rung.after or tile(rung.name) != tile(rung.after) or rung.options
        seen.add(rung.name)
    assert {rung.technique for rung in LADDER.rungs} - {""} <= set(techniques())


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_predictions_and_limits(target):
    forecast, names = ladder_data.forecast("attention", target), {rung.name for rung in LADDER.on(target)}
    assert (forecast.target, forecast.ladder) == (target, LADDER.name)
    steps = {(step.rung, step.over) for step in forecast.steps}
    assert {forecast.winner, *(name for step in steps for name in step)} <= names
    assert all(0 < step.low < step.high and step.evidence for step in forecast.steps)
    assert set(ladder_data.limits("attention", target)) == names


def test_launch_covers_the_problem():
    unit = LADDERS.unit(LADDER, LADDER.rung("rows-256"), "gfx942", {"queries": 300, "heads": 3})
    assert (unit.grid, unit.threads, unit.entry) == ((2, 3, 1), 512, "attention")
    assert "-DWAVES=8" in unit.options
    assert "-DPREG=1" in unit.options  # of a rung below


@pytest.mark.parametrize(
    ("name", "lds_bytes"), [("v4.1", 23296), ("v4.3", 12800), ("p-registers", 17664), ("double-buffer", 35328)]
)
def test_local_memory(name, lds_bytes):
    """23 and 12.5 KB are what was reported of V4.1 and V4.3."""
    assert tile(name).lds_bytes == lds_bytes


# --- maps ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_places_are_all_different_and_inside(name):
    one = tile(name)
    n, d = np.meshgrid(np.arange(one.bn), np.arange(D), indexing="ij")
    for places, size in ((one.k_place(n, d), one.k_size), (one.v_place(d, n), one.v_size)):
        assert len(np.unique(places)) == one.bn * D
        assert places.min() >= 0
        assert places.max() < size


@pytest.mark.parametrize("name", NAMES)
def test_threads_move_every_element_once(name):
    one = tile(name)
    for rows, together in ((one.bn, 1), (one.bn, one.vrows)):
        row, column = one.moves(rows, together)
        assert row.size * 8 == rows * D
        assert len(np.unique(row * D + column)) == row.size
    assert len(np.unique(one.put_v())) == one.bn * D


@pytest.mark.parametrize("name", NAMES)
def test_operands_of_the_second_product_take_every_key_once(name):
    one = tile(name)
    keys = np.concatenate([one.keys(pack) for pack in range(one.packs)], axis=1)
    for n in range(one.side):
        assert sorted(keys[one.lane()[0] == n].ravel()) == list(range(one.bn))


def test_p_is_in_place_after_the_transposed_product():
    """The layout identity: register i of S' = K Q^T is the operand's element i of O' = V^T P', for both instructions."""
    for side, wide in ((16, 0), (32, 0), (16, 1), (32, 1)):
        one = Tile(bn=32, side=side, wide=wide, preg=1)
        held = np.stack([one.side * t + one.row(i) for t in range(one.tiles) for i in range(one.registers)], axis=1)
        wanted = np.concatenate([one.keys(pack) for pack in range(one.packs)], axis=1)
        assert (held == wanted).all()
        assert held.shape == (LANES, 32 * side // LANES)


def cycles(one, what, target="gfx942"):
    (found,) = (a for a in accesses(one) if a.what == what)
    return conflicts(model(target, found.op, found.bits, LANES), found.addresses_bytes).cycles


def test_padding_takes_away_the_conflicts_of_reading():
    assert (cycles(tile("v4.0"), "read K"), cycles(tile("v4.1"), "read K")) == (64, 4)
    assert cycles(tile("v-transposed"), "write V") == 32
    assert cycles(tile("v4.1"), "write V") == 8


def test_swizzle_takes_away_those_of_storing_v():
    assert cycles(tile("late-sum"), "write V") == 16
    assert [cycles(tile("swizzle"), what) for what in ("read K", "read V", "write V")] == [4, 4, 4]


# --- numerics --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_algorithm_computes_attention(name):
    found = LADDERS.numerics(LADDER, LADDER.rung(name), "gfx950")
    assert found.passed
    assert found.worst_ratio > 0


class _Broken(Tile):
    """A tile with one index wrong."""

    __slots__ = ()

    def row(self, register):
        return super().row(register) ^ 1


class _Shifted(Tile):
    __slots__ = ()

    def operand(self, row0, step):
        return super().operand(row0, step ^ (row0 > 0))


class _Exchanged(Tile):
    __slots__ = ()

    def keys(self, pack):
        return super().keys(pack)[:, ::-1]


@pytest.mark.parametrize("kind", [_Broken, _Shifted, _Exchanged])
def test_wrong_index_is_noticed(kind):
    wrong = kind(**{name: getattr(V43, name) for name in Tile.__slots__})
    assert not execute.error(wrong, 97, 97) <= 1


def test_short_rows_read_nothing_that_was_not_staged():
    assert execute.error(replace(V43, causal=0), 1, 1) <= 1


def test_sizes_of_a_card_are_the_structure_that_the_kernel_reads():
    kernel = posed({"heads": 2, "queries": 5, "keys": 7})
    made = kernel.inputs(kernel.problem, np.random.default_rng(3))
    assert [made[name].shape for name in "qkvo"] == [(1, 2, 5, D), (1, 2, 7, D), (1, 2, 7, D), (1, 2, 5, D)]
    assert made["sizes"][:2].tolist() == [5, 7]
    assert made["sizes"][2:].view(np.float32)[0] == np.float32(D**-0.5)
    assert set(ARRAYS) == set(made)
