"""Moves whose sources are their own targets, conversions of 4 bits, and reads past the last argument."""

import numpy as np
import pytest

from hotloop.emulate.errors import UnmodelledError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.memory import in_turn
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.rounding import only_rounding


def executed(text, size=64):
    x, y = np.arange(size, dtype=np.uint32), np.zeros(2 * size, np.uint32)
    return run(load(text), Launch(arguments=[x, y], grid=(1, 1, 1), workgroup=(size, 1, 1)))


@pytest.mark.parametrize(
    ("select", "low", "high"), [("op_sel:[1,0]", 7, 100), ("op_sel:[0,1]", 5, 200), ("op_sel:[1,1]", 7, 200)]
)
def test_a_packed_move_reads_before_it_writes(listing, select, low, high):
    """The upper result is a word of the second source, which here is the lower result's own register."""
    body = f"""
        v_mov_b32 v4, 5
        v_mov_b32 v5, 7
        v_mov_b32 v2, 0x64
        v_mov_b32 v3, 0xc8
        v_pk_mov_b32 v[2:3], v[4:5], v[2:3] {select}
        v_lshlrev_b32_e32 v1, 3, v0
        global_store_dwordx2 v1, v[2:3], s[6:7]
    """
    done = executed(listing(body))
    assert done.arrays[1][:2].tolist() == [low, high]
    assert done.findings == ()


def test_numbers_of_four_bits_are_sixteenths(listing):
    body = """
        v_lshlrev_b32_e32 v2, 8, v0
        v_cvt_off_f32_i4_sdwa v3, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
        v_lshlrev_b32_e32 v1, 2, v0
        global_store_dword v1, v3, s[6:7]
    """
    found = executed(listing(body)).arrays[1].view(np.float32)[:16]
    assert found.tolist() == [n / 16 for n in (*range(8), *range(-8, 0))]


def test_the_argument_block_is_whole_units(listing):
    """What follows the last argument may be read, as compilers do to load four words at once."""
    body = """
        s_load_dwordx4 s[8:11], s[0:1], 0x8
        s_waitcnt lgkmcnt(0)
        v_lshlrev_b32_e32 v1, 2, v0
        global_store_dword v1, v0, s[8:9]
    """
    done = executed(listing(body))
    assert done.arrays[1][:64].tolist() == list(range(64))
    assert done.findings == ()


@pytest.mark.parametrize(
    ("pair", "first"),
    [((1.0, 1.0000001), False), ((1.0, 1.1), True), ((1.4e-38, 1.5e-38), True), ((float("nan"), 1.0), True)],
)
def test_of_lanes_that_store_one_sum_the_first_stays_only_if_they_differ_by_more_than_rounding(pair, first):
    """Lanes fuse their own product into a sum over lanes, so that each has last bits of its own."""
    words = np.array([pair], np.float32).view(np.uint32)
    places, lanes = np.zeros((1, 2), np.int64), np.ones((1, 2), bool)
    assert only_rounding(places, [words], lanes) != first
    _, (stored,) = in_turn(places, [words], lanes, late=not first)
    assert (stored.reshape(-1)[-1] == words[0, 0]) == first


@pytest.mark.parametrize("word", ["s_mov_b32 s9, 0x80100000", "s_mov_b32 s11, 0x827000"])
def test_buffers_that_swizzle_addresses_or_add_the_lane_are_refused(listing, word):
    """They were read as if their records lay one after another: a wrong value without a word."""
    body = f"""
        s_mov_b32 s8, s6
        s_mov_b32 s9, s7
        s_mov_b32 s10, 64
        s_mov_b32 s11, 0x27000
        {word}
        buffer_load_dword v2, v0, s[8:11], 0 idxen
        s_waitcnt vmcnt(0)
    """
    with pytest.raises(UnmodelledError, match="swizzles addresses or adds the lane"):
        executed(listing(body))


def test_masks_of_four_and_doubled_bits(listing):
    body = """
        s_mov_b32 s8, 0x80300001
        s_mov_b32 s9, 0x00000f00
        s_quadmask_b64 s[10:11], s[8:9]
        s_wqm_b64 s[12:13], s[8:9]
        s_bitreplicate_b64_b32 s[14:15], s8
        s_add_u32 s10, s10, s12
        s_add_u32 s10, s10, s15
        v_mov_b32_e32 v2, s10
        v_lshlrev_b32_e32 v1, 2, v0
        global_store_dword v1, v2, s[6:7]
    """
    assert int(executed(listing(body)).arrays[1][0]) == 0x4A1 + 0xF0F0000F + 0xC0000F00 & 0xFFFFFFFF
