"""Conflict counts against cases that can be counted by hand or that vendors publish."""

from math import gcd

import pytest

from hotloop.isa.banks.conflict import conflicts, worth
from hotloop.targets.banks import model


def column(target, bits, stride_bytes, op="read", wave=None):
    banks = model(target, op, bits, wave)
    return conflicts(banks, [lane * stride_bytes for lane in range(banks.lanes)])


@pytest.mark.parametrize("stride", range(1, 129))
def test_a_column_of_words_is_free_exactly_when_the_stride_in_banks_is_odd(stride):
    """The padding rule with its oddness condition, and how bad every other stride is."""
    found = column("gfx942", 32, 4 * stride)
    assert found.degree == gcd(stride, 32)
    assert found.free is (stride % 2 == 1)


@pytest.mark.parametrize(("target", "phases"), [("gfx942", 2), ("gfx950", 1), ("gfx1100", 1), ("sm_90", 1)])
def test_neighbours_are_free(target, phases):
    found = column(target, 32, 4)
    assert (found.cycles, found.ideal_cycles, found.free) == (phases, phases, True)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_one_word_for_all_is_broadcast(bits):
    banks = model("sm_90", "read", bits)
    assert conflicts(banks, [64] * 32).cycles == 1


def test_sixty_four_banks_halve_the_conflicts_of_gfx950():
    assert [column(t, 32, 4 * 32).cycles for t in ("gfx942", "gfx950")] == [64, 32]
    assert column("gfx950", 32, 4 * 32).degree == 32


def test_wide_accesses_take_their_phases():
    assert [column("sm_90", bits, bits // 8).cycles for bits in (32, 64, 128)] == [1, 2, 4]
    assert [column("gfx942", bits, bits // 8).cycles for bits in (32, 64, 128)] == [2, 4, 8]
    assert [column("gfx950", bits, bits // 8).cycles for bits in (32, 64, 128)] == [1, 2, 4]
    assert [column("gfx1100", 32, 4, wave=wave).cycles for wave in (32, 64)] == [1, 2]


@pytest.mark.parametrize(
    ("target", "other", "together"),
    [("gfx942", 20, True), ("gfx942", 4, False), ("gfx950", 12, True), ("gfx950", 4, False)],
)
def test_phases_of_ds_read_b128_are_not_consecutive(target, other, together):
    """Which lane meets lane 0: AMD's blog on CK-Tile for gfx942, HipKittens' measurement for gfx950."""
    banks = model(target, "read", 128)
    places = {0: 0, other: 4 * banks.banks}  # two words of one bank; everybody else reads one word elsewhere
    found = conflicts(banks, [places.get(lane, 64) for lane in range(64)])
    assert found.cycles == len(banks.phases) + together


def test_writes_of_gfx950_see_32_banks():
    assert column("gfx950", 64, 128, op="write").degree == 16
    assert column("gfx950", 64, 128, op="read").degree == 16
    assert column("gfx950", 64, 8, op="write").cycles == 4


def test_misaligned_lanes_are_listed():
    found = column("gfx942", 64, 260)
    assert found.misaligned == tuple(range(1, 64, 2))


def test_ideal_counts_words_that_no_layout_can_save():
    """16-byte steps put 4 different words on every bank of a 64-lane phase: nothing better exists."""
    found = column("gfx942", 128, 16)
    assert found.free
    assert all(phase.ideal == 1 for phase in found.phases)


@pytest.mark.parametrize(
    ("cycles", "share", "saving", "words"),
    [(2, 0.01, 0.005, "leave it"), (2, 0.1, 0.05, "one comparison"), (4, 0.4, 0.3, "likely")],
)
def test_worth_is_bounded_by_the_share_of_the_loop(cycles, share, saving, words):
    found = worth(cycles, 1, share)
    assert found.saving == pytest.approx(saving)
    assert words in found.verdict
