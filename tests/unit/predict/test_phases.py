"""How long a wave takes alone: what it waits for, by hand."""

import pytest

from hotloop.isa.amdgcn.slots import Group
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.predict.card import card
from hotloop.predict.phases import Levels, alone, phases
from hotloop.predict.sample import Sample

ROUNDS = 100
LISTING = """\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"
\t.type\tk,@function
k:
\ts_mov_b32 s0, 0
.LBB0_1:
\tglobal_load_dword v2, v[0:1], off
\ts_add_i32 s0, s0, 1
\ts_cmp_lg_u32 s0, 100
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v2, v2, v2
\tglobal_store_dword v[4:5], v2, off
\ts_cbranch_scc1 .LBB0_1
{before}\ts_endpgm
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
"""


def spent(target, store_cycles, before=""):
    (function,) = DIALECT.parse(LISTING.format(target=target, before=before))
    counts = {
        i.address: 1.0 if i.mnemonic in ("s_mov_b32", "s_endpgm", "s_sendmsg") else ROUNDS
        for i in function.instructions
    }
    sample = Sample((0, 0, 0), 1, 1, counts, {}, None, None, True, 0.0, 1.0)
    levels = Levels(100, 100, 40, 40, store_cycles)
    return alone(phases(function, sample, card(target), levels, levels)).middle


@pytest.mark.parametrize(("target", "waits"), [("gfx942", ROUNDS), ("gfx1012", 0)])
def test_the_counter_of_loads_waits_for_stores_where_it_counts_them(target, waits):
    # Of 1000 cycles of a store all but those pass until the next load is waited for; RDNA counts stores apart, and waits at the end alone.
    longer = spent(target, 1000) - spent(target, 0)
    assert (waits * 900 if waits else 1000) <= longer <= (waits + 1) * 1000


def test_registers_given_back_free_a_waves_place_before_its_stores_are_done():
    freed = "\ts_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n"
    assert spent("gfx1100", 1000, freed) < spent("gfx1100", 1000) - 900


def test_latencies_are_given_for_stores_too():
    assert Levels(1, 2, 3, 4, 5).by_group()[Group.STORE] == 5


def test_halts_and_meetings_are_counted_over_the_launch():
    code = LISTING.format(target="gfx942", before="").replace("\tv_add_f32", "\ts_barrier\n\tv_add_f32")
    (function,) = DIALECT.parse(code)
    counts = {i.address: 1.0 if i.mnemonic in ("s_mov_b32", "s_endpgm") else ROUNDS for i in function.instructions}
    sample = Sample((0, 0, 0), 1, 1, counts, {}, None, None, True, 0.0, 1.0)
    levels = Levels(100, 100, 40, 40, 0)
    loop = next(part for part in phases(function, sample, card("gfx942"), levels, levels) if part.meetings)
    assert loop.meetings == ROUNDS
    assert loop.halts == pytest.approx(ROUNDS, rel=0.1)  # one long one an iteration; short ones beside it hardly count
