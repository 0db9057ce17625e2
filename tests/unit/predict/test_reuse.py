"""Bytes through the memory levels, against counts by hand."""

from dataclasses import replace

import numpy as np
import pytest

from hotloop.emulate.access import Kind
from hotloop.errors import UsageError
from hotloop.predict.card import card
from hotloop.predict.reuse import Residency, flow, footprint
from hotloop.predict.sample import Sample, middle
from hotloop.predict.watch import Touch, _conflicts
from hotloop.targets import banks

CARD = card("MI300X")
LINE = 128


def sampled(*rows, group_waves=1):
    """Make a sample from (first byte, lanes, shift along x, kind)."""
    touches = tuple(
        Touch(n, n, kind, 4, np.arange(lanes) * 4 + first) for n, (first, lanes, _, kind) in enumerate(rows)
    )
    shifts = np.array([(shift, 0, 0) for *_, shift, _ in rows], np.int64)
    return Sample((4, 0, 0), 2, group_waves, {}, {}, touches, shifts, True, 1.0)


def test_streams_are_fetched_once_and_shared_data_once_for_all():
    stream = sampled((0, 64, 256, Kind.READ))
    assert footprint(stream, LINE, np.arange(1000), (1000, 1, 1)) == 1000 * 256
    shared = sampled((0, 64, 0, Kind.READ))
    assert footprint(shared, LINE, np.arange(1000), (1000, 1, 1)) == 256
    halo = sampled((0, 66, 256, Kind.READ))  # two lanes reach into the next group's lines
    assert footprint(halo, LINE, np.arange(1000), (1000, 1, 1)) == 1001 * 256 - LINE


def test_a_footprint_of_very_many_groups_follows_from_its_growth():
    stream = sampled((0, 64, 256, Kind.READ))
    assert footprint(stream, LINE, np.arange(1 << 21), (1 << 21, 1, 1)) == pytest.approx(2**21 * 256)


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
    assert flow(again, CARD, Residency(grid=(1000, 1, 1), unit_groups=1), LINE).l1_hit == 0.75
    # Another 64 KiB between the two readings push the first lines out of 32 KiB.
    between = [(1 << 20 | n * 256, 64, 0, Kind.READ) for n in range(256)]
    far = sampled((0, 64, 256, Kind.READ), *between, (0, 64, 256, Kind.READ))
    assert flow(far, CARD, Residency(grid=(1000, 1, 1), unit_groups=1), LINE).l1_hit == 0


def test_scattered_lanes_ask_for_a_line_each():
    wide = Touch(0, 0, Kind.READ, 4, np.arange(64) * 4096)
    one = replace(sampled((0, 64, 256, Kind.READ)), touches=(wide,))
    place = Residency(grid=(8, 1, 1), unit_groups=1)
    assert flow(one, CARD, place, LINE).wave_lines == 64
    assert flow(sampled((0, 64, 256, Kind.READ)), CARD, place, LINE).wave_lines == 2


@pytest.mark.parametrize(("stride", "cycles"), [(1, 2), (2, 4), (32, 64), (0, 2)])
def test_bank_conflicts(stride, cycles):
    model = banks.model("gfx942", "read", 32, 64)  # 32 banks, 32 lanes a cycle
    assert _conflicts(model, 4, np.arange(64) * 4 * stride) == cycles


def test_groups_are_taken_from_the_middle_and_beside_it():
    assert middle((8, 4, 1)) == [(4, 2, 0), (5, 2, 0), (4, 3, 0)]
    assert middle((1, 1, 2)) == [(0, 0, 1), (0, 0, 0)]


def test_cards():
    assert card("gfx942").name == "MI300X"
    assert (card("MI300A").units, card("MI300A").dies) == (228, 6)
    assert (card("W7800").units, card("W7800").unit_simds, card("W7800").simds) == (35, 4, 2)
    with pytest.raises(UsageError, match="no chip is known for gfx1250"):
        card("gfx1250")
