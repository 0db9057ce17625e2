"""Bytes through the memory levels, against counts by hand."""

import numpy as np
import pytest

from hotloop.emulate.sanitizer.access import Kind
from hotloop.errors import UsageError
from hotloop.predict.accesses import of
from hotloop.predict.card import card
from hotloop.predict.footprint import Footprint
from hotloop.predict.paths import Even
from hotloop.predict.reuse import Residency, flow, together
from hotloop.predict.sample import Sample, _longest, middle
from hotloop.predict.watch import Touch, _conflicts
from hotloop.targets import banks

CARD = card("MI300X")
LINE = 128


def sampled(*rows, group_waves=1, origin=(4, 0, 0), grid=(1 << 30, 1, 1)):
    """Make a sample from (addresses or first byte, lanes, shift along x, kind)."""
    touches = []
    for n, (first, lanes, _, kind) in enumerate(rows):
        addresses = np.asarray(first) if np.ndim(first) else np.arange(lanes) * 4 + first
        wave = np.array([n % group_waves])
        touches.append(Touch(n, kind, 4, wave, addresses[None, :], np.ones((1, len(addresses)), bool)))
    (accesses,) = of(touches, 1, group_waves)
    order = np.argsort(accesses.order)
    paths = Even.along(np.array([(shift, 0, 0) for *_, shift, _ in rows], np.int64), grid, origin)
    return Sample(origin, 2, group_waves, {}, {}, accesses.where(order), paths, True, float(1 << 40), 1.0)


def footprint(sample, groups):
    return Footprint(sample).bytes(LINE, np.arange(groups))


def test_streams_are_fetched_once_and_shared_data_once_for_all():
    assert footprint(sampled((0, 64, 256, Kind.READ)), 1000) == 1000 * 256
    assert footprint(sampled((0, 64, 0, Kind.READ)), 1000) == 256
    halo = sampled((0, 66, 256, Kind.READ))  # two lanes reach into the next group's lines
    assert footprint(halo, 1000) == 1001 * 256 - LINE


def test_a_footprint_of_very_many_groups_follows_from_its_growth():
    assert footprint(sampled((0, 64, 256, Kind.READ)), 1 << 21) == pytest.approx(2**21 * 256)


def test_data_that_fit_into_a_cache_stay_there_and_larger_ones_come_from_memory():
    def moved(groups):
        return flow(sampled((0, 64, 256, Kind.READ)), CARD, Residency(grid=(groups, 1, 1), unit_groups=8), LINE)

    small, middling, large = moved(1 << 10), moved(1 << 17), moved(1 << 22)
    assert (small.warm, small.mall_bytes, small.memory_bytes) == ("second-level cache", 0, 0)
    assert (middling.warm, middling.memory_bytes) == ("memory-side cache", 0)
    assert middling.mall_bytes == pytest.approx(2**17 * 256)
    assert (large.warm, large.memory_bytes) == ("", pytest.approx(2**22 * 256))


def test_the_first_level_cache_serves_what_a_group_reads_again():
    again = sampled(*[(0, 64, 256, Kind.READ)] * 4)
    found = flow(again, CARD, Residency(grid=(1000, 1, 1), unit_groups=1), LINE)
    assert (found.l1_hit, found.wave_filled_bytes, found.written) == (0.75, 256, 0)
    # Another 64 KiB between the two readings push the first lines out of 32 KiB.
    between = [(1 << 20 | n * 256, 64, 0, Kind.READ) for n in range(256)]
    far = sampled((0, 64, 256, Kind.READ), *between, (0, 64, 256, Kind.READ))
    assert flow(far, CARD, Residency(grid=(1000, 1, 1), unit_groups=1), LINE).l1_hit == 0


def test_scattered_lanes_ask_for_a_line_each():
    one = sampled((np.arange(64) * 4096, 64, 256, Kind.READ))
    place = Residency(grid=(8, 1, 1), unit_groups=1)
    assert flow(one, CARD, place, LINE).wave_lines == 64
    assert flow(one, CARD, place, LINE).wave_filled_bytes == 64 * LINE
    assert flow(sampled((0, 64, 256, Kind.READ)), CARD, place, LINE).wave_lines == 2


@pytest.mark.parametrize(("stride", "cycles"), [(1, 2), (2, 4), (32, 64), (0, 2)])
def test_bank_conflicts(stride, cycles):
    model = banks.model("gfx942", "read", 32, 64)  # 32 banks, 32 lanes a cycle
    assert _conflicts(model, 4, np.arange(64) * 4 * stride) == cycles


def test_scalar_loads_have_a_cache_of_their_own_and_come_from_the_same_memory():
    place = Residency(grid=(1 << 20, 1, 1), unit_groups=8)
    vector = Touch(0, Kind.READ, 4, np.array([0]), np.arange(64)[None, :] * 4, np.ones((1, 64), bool))
    (made,) = of(
        [vector, Touch(1, Kind.READ, 64, np.array([0]), np.array([[1 << 40]]), np.ones((1, 1), bool), scalar=True)],
        1,
        1,
    )

    def moved(step):
        paths = Even.along(np.array([(256, 0, 0), (step, 0, 0)], np.int64), (1 << 30, 1, 1), (4, 0, 0))
        return flow(Sample((4, 0, 0), 2, 1, {}, {}, made, paths, True, float(1 << 50), 1.0), CARD, place, LINE)

    shared, streamed = moved(0), moved(128)
    assert (
        (shared.wave_lines, shared.l1_hit, shared.load_lines)
        == (streamed.wave_lines, streamed.l1_hit, streamed.load_lines)
        == (2, 0, 2)
    )
    assert shared.l2_bytes == pytest.approx(2**20 * (256 + LINE / 8))  # of eight resident groups the first one asks
    assert streamed.l2_bytes == streamed.footprint_bytes == pytest.approx(2**20 * (256 + LINE))


def test_a_load_hits_if_all_of_its_lines_do():
    # Read again with half of the lanes a line of their own: each second load misses one line of two, and its wave waits for it.
    place = Residency(grid=(1000, 1, 1), unit_groups=1)
    again = np.concatenate((np.arange(32) * 4, np.arange(32) * 4 + (1 << 20)))
    found = flow(sampled((0, 32, 256, Kind.READ), (again, 64, 256, Kind.READ)), CARD, place, LINE)
    assert (found.l1_hit, found.load_hit) == (pytest.approx(1 / 3), 0)
    assert flow(sampled(*[(again, 64, 256, Kind.READ)] * 2), CARD, place, LINE).load_hit == 0.5


def test_the_longest_wave_is_told_from_the_mean():
    touches = [
        Touch(n, Kind.READ, 4, np.array([0]), np.arange(64)[None, :] * 4, np.ones((1, 64), bool)) for n in range(3)
    ]
    touches.append(Touch(3, Kind.READ, 4, np.array([1]), np.arange(64)[None, :] * 4, np.ones((1, 64), bool)))
    assert _longest(of(touches, 1, 4), 4) == 3  # 3, 1, 0 and 0 accesses
    assert _longest(of([], 1, 4), 4) == 1


def test_groups_are_taken_from_the_middle_and_beside_it():
    assert middle((8, 4, 1)) == [(4, 2, 0), (5, 2, 0), (6, 2, 0), (4, 3, 0)]
    assert middle((1, 1, 2)) == [(0, 0, 0), (0, 0, 1)]  # the last one is often cut off


def test_cards():
    assert card("gfx942").name == "MI300X"
    assert (card("MI300A").units, card("MI300A").dies) == (228, 6)
    assert (card("W7800").units, card("W7800").unit_simds, card("W7800").simds) == (35, 4, 2)
    assert (card("gfx1032").name, card("W6600").units) == ("RX 6600 XT", 14)
    with pytest.raises(
        UsageError, match="no chip is known for gfx1250.* chips are known for gfx906, gfx908, gfx90a, .*gfx1201"
    ):
        card("gfx1250")  # a chip of another target would not do
    with pytest.raises(UsageError, match="no chip is known for MI9; name one with --chip: MI50, MI60, MI100, "):
        card("MI9")


@pytest.mark.parametrize(
    ("chip", "groups", "resident"), [("MI300A", 2, 1), ("MI300A", 100_000, 8), ("W7800", 100_000, 16)]
)
def test_a_unit_holds_groups_of_one_die_at_no_fixed_distance(chip, groups, resident):
    machine = card(chip)
    numbers = together(groups, resident, machine)
    assert len(set(numbers.tolist())) == len(numbers) == min(groups, resident)
    assert 0 <= numbers.min() <= numbers.max() < groups
    assert len(set((numbers % machine.dies).tolist())) == 1
    assert numbers.max() - numbers.min() < resident * machine.units
    assert resident == 1 or len(set(np.diff(numbers).tolist())) > 1
