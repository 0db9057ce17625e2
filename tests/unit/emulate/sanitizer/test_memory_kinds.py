"""Bytes, halves and words; local, private and device memory; atomics, spills and generic addresses: what each leaves defined and ordered."""

import numpy as np
import pytest

from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.errors import Exhausted, UnmodelledError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble

ADDRESS = "v_lshlrev_b32_e32 v1, 2, v0\n"
EARLY = Options(late=False, order=Order.DESCENDING, backwards=True)


def executed(text, options=None, groups=1, items=64, fresh=(), backend=None):
    x, y = np.arange(1024, dtype=np.uint32), np.zeros(1024, np.uint32)
    launch = Launch(
        arguments=[x, y], grid=(groups, 1, 1), workgroup=(items, 1, 1), names=["x", "y"], fresh=frozenset(fresh)
    )
    return run(load(text), launch, options, backend=backend)


def kinds(done):
    return {finding.trouble for finding in done.findings}


# -- private memory ---------------------------------------------------------------------------------------------------

HOLLOW = """
v_mov_b32_e32 v2, 7
v_mov_b32_e32 v3, 0
scratch_store_dword v3, v2, off offset:4
scratch_store_{kind} v3, v40, off offset:{place}
s_waitcnt vmcnt(0)
scratch_load_{read} v5, v3, off offset:{place}
s_waitcnt vmcnt(0)
global_store_dword v1, v5, s[6:7]
"""


@pytest.mark.parametrize(
    ("kind", "place", "read", "found"),
    [
        ("byte", 3, "ubyte", {Trouble.UNINITIALISED}),
        ("byte", 4, "ubyte", {Trouble.UNINITIALISED}),
        ("short", 2, "ushort", {Trouble.UNINITIALISED}),
        ("dword", 4, "dword", {Trouble.UNINITIALISED}),
    ],
)
def test_what_is_stored_undefined_is_undefined_as_wide_as_the_store(listing, kind, place, read, found):
    body = ADDRESS + HOLLOW.format(kind=kind, place=place, read=read)
    assert kinds(executed(listing(body, scratch=64))) == found


@pytest.mark.parametrize(("kind", "place"), [("byte", 3), ("short", 2), ("byte", 8)])
def test_what_stands_beside_a_small_undefined_store_stays_defined(listing, kind, place):
    body = ADDRESS + HOLLOW.format(kind=kind, place=place, read="dword").replace(
        f"scratch_load_dword v5, v3, off offset:{place}", "scratch_load_dword v5, v3, off offset:4"
    )
    assert executed(listing(body, scratch=64)).findings == ()


SPILLED = """
v_mov_b32_e32 v40, 1
v_mov_b32_e32 v41, 2
v_mov_b32_e32 v43, 4
v_mov_b32_e32 v3, 0
scratch_store_dwordx4 v3, v[40:43], off
s_waitcnt vmcnt(0)
scratch_load_dwordx4 v[44:47], v3, off
s_waitcnt vmcnt(0)
global_store_dword v1, v{word}, s[6:7]
"""


@pytest.mark.parametrize("word", [44, 45, 46, 47])
def test_words_of_a_spilled_tuple_are_defined_one_by_one(listing, word):
    done = executed(listing(ADDRESS + SPILLED.format(word=word), scratch=64))
    assert kinds(done) == ({Trouble.UNINITIALISED} if word == 46 else set())


# -- generic addresses ------------------------------------------------------------------------------------------------

GENERIC = """
s_mov_b64 s[8:9], src_shared_base
v_mov_b32_e32 v5, s9
v_lshlrev_b32_e32 v4, {shift}, v0
flat_store_{kind} v[4:5], v0
{wait}
s_barrier
v_xor_b32_e32 v6, {turn}, v4
ds_read_{read} v7, v6
s_waitcnt lgkmcnt(0)
global_store_dword v1, v7, s[6:7]
"""
WAITED = "s_waitcnt vmcnt(0) lgkmcnt(0)"


@pytest.mark.parametrize(("wait", "found"), [(WAITED, set()), ("s_waitcnt vmcnt(0)", {Trouble.LOCAL_RACE})])
def test_a_generic_store_to_local_memory_is_ordered_by_its_wait_and_the_barrier(listing, wait, found):
    body = ADDRESS + GENERIC.format(shift=2, kind="dword", read="b32", turn="0x1fc", wait=wait)
    done = executed(listing(body, lds=512), items=128)
    assert kinds(done) == found
    assert np.array_equal(done.arrays[1][:128], np.arange(128)[::-1])


def test_the_other_half_of_a_word_is_undefined_behind_a_generic_store_of_a_half(listing):
    body = ADDRESS + GENERIC.format(shift=2, kind="short", read="b32", turn="0", wait=WAITED)
    assert kinds(executed(listing(body, lds=256))) == {Trouble.UNINITIALISED}
    whole = body.replace("ds_read_b32", "ds_read_u16")
    assert executed(listing(whole, lds=256)).findings == ()


# -- device memory ----------------------------------------------------------------------------------------------------

WOVEN = """
v_and_b32_e32 v2, 63, v0
v_lshrrev_b32_e32 v3, 6, v0
v_lshl_add_u32 v4, v2, 2, v3
global_store_byte v4, v0, s[6:7]
s_waitcnt vmcnt(0)
s_barrier
v_lshlrev_b32_e32 v5, 2, v2
global_load_dword v6, v5, s[6:7]
s_waitcnt vmcnt(0)
global_store_dword v5, v6, s[4:5]
"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("items", "found"), [(256, set()), (192, {Trouble.UNINITIALISED})])
def test_bytes_of_a_word_belong_to_who_stores_them(listing, items, found, fast):
    """Each wave stores its byte of every word of a buffer of words."""
    backend = executor.native() if fast else None
    done = executed(listing(WOVEN), items=items, fresh=(1,), backend=backend)
    assert kinds(done) == found
    assert done.arrays[1].view(np.uint8)[:256].reshape(64, 4)[5].tolist() == [5, 69, 133, 197 if items == 256 else 0]


# -- atomics ----------------------------------------------------------------------------------------------------------

COUNTED = """
v_mov_b32_e32 v2, 1
ds_{change} v1, v2
s_waitcnt lgkmcnt(0)
ds_read_b32 v3, v1
s_waitcnt lgkmcnt(0)
global_store_dword v1, v3, s[6:7]
"""


@pytest.mark.parametrize("fast", [False, True])
def test_what_an_atomic_makes_of_undefined_local_memory_is_undefined(listing, fast):
    backend = executor.native() if fast else None
    text = listing(ADDRESS + COUNTED.format(change="add_u32"), lds=256)
    assert kinds(executed(text, backend=backend)) == {Trouble.UNINITIALISED}
    set_before = ADDRESS + "v_mov_b32_e32 v9, 0\nds_write_b32 v1, v9\n" + COUNTED.format(change="add_u32")
    assert executed(listing(set_before, lds=256), backend=backend).findings == ()


MARKED = """
v_mov_b32_e32 v2, 1
global_atomic_{change} v3, v1, {data}, s[6:7] {back}
s_waitcnt vmcnt(0)
global_load_dword v3, v1, s[6:7]
s_waitcnt vmcnt(0)
global_store_dword v1, v3, s[4:5]
"""


@pytest.mark.parametrize(("change", "found"), [("add", {Trouble.UNINITIALISED}), ("swap", set())])
def test_what_an_atomic_makes_of_an_output_that_nobody_filled_is_undefined(listing, change, found):
    body = ADDRESS + MARKED.format(change=change, data="v2", back="sc0")
    assert kinds(executed(listing(body), fresh=(1,))) == found
    assert executed(listing(body)).findings == ()


def test_the_old_value_that_an_atomic_returns_is_undefined(listing):
    body = (
        ADDRESS
        + "v_mov_b32_e32 v2, 1\nds_add_rtn_u32 v3, v1, v2\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v3, s[6:7]"
    )
    assert kinds(executed(listing(body, lds=256))) == {Trouble.UNINITIALISED}


TALLIED = """
v_mov_b32_e32 v2, 100
v_mov_b32_e32 v3, 8
s_mov_b64 s[10:11], exec
s_mov_b32 m0, 0x10008
ds_write_b32 v3, v2 offset:4
s_waitcnt lgkmcnt(0)
s_barrier
v_cmp_gt_u32_e32 vcc, 20, v0
s_and_b64 exec, exec, vcc
{change} v4 offset:4
{wait}
s_mov_b64 exec, s[10:11]
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v5, v3 offset:4
s_waitcnt lgkmcnt(0)
global_store_dword v1, v5, s[6:7]
s_and_b64 exec, exec, vcc
global_store_dword v1, v4, s[6:7]
"""


@pytest.mark.parametrize(("change", "left"), [("ds_append", 120), ("ds_consume", 80)])
def test_a_counter_changes_by_the_active_lanes_and_tells_them_what_was_there(listing, change, left):
    done = executed(listing(ADDRESS + TALLIED.format(change=change, wait="s_waitcnt lgkmcnt(0)"), lds=256))
    assert done.findings == ()
    assert done.arrays[1][:64].tolist() == [100] * 20 + [left] * 44


def test_a_counter_of_an_empty_place_is_undefined_and_its_answer_must_be_waited_for(listing):
    body = ADDRESS + "s_mov_b32 m0, 0\nds_append v4\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v4, s[6:7]"
    assert kinds(executed(listing(body, lds=256))) == {Trouble.UNINITIALISED}
    body = ADDRESS + TALLIED.format(change="ds_append", wait="v_add_u32_e32 v4, 1, v4")
    assert Trouble.WAIT in kinds(executed(listing(body, lds=256)))


def test_a_counter_beyond_local_memory_is_out_of_bounds_and_one_in_global_data_share_is_refused(listing):
    body = ADDRESS + "s_mov_b32 m0, 0x100\nds_append v4\ns_waitcnt lgkmcnt(0)"
    assert kinds(executed(listing(body, lds=256))) == {Trouble.BOUNDS}
    with pytest.raises(UnmodelledError, match="ds_append v4 gds"):
        executed(listing(ADDRESS + "s_mov_b32 m0, 0\nds_append v4 gds\ns_waitcnt lgkmcnt(0)", lds=256))


# -- lanes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fast", [False, True])
def test_lanes_that_meet_in_a_place_leave_the_last_one_and_with_early_memory_the_first(listing, fast):
    body = ADDRESS + "v_mov_b32_e32 v3, 0\nglobal_store_dword v3, v0, s[6:7]\n"
    body += "ds_write_b32 v3, v0\ns_waitcnt lgkmcnt(0)\nds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v3, v4, s[6:7] offset:4"
    backend = executor.native() if fast else None
    late, early = (executed(listing(body, lds=256), o, backend=backend).arrays[1][:2] for o in (Options(), EARLY))
    assert late.tolist() == [63, 63]
    assert early.tolist() == [0, 0]


def test_lanes_that_are_off_do_not_read_local_memory(listing):
    """Of two work-groups only some lanes of some waves read: what stands in for the others' places is read by nobody."""
    body = ADDRESS + (
        "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
        "s_lshl_b32 s10, s2, 2\nv_add_u32_e32 v4, s10, v0\nv_cmp_lt_u32_e32 vcc, 64, v4\ns_and_saveexec_b64 s[8:9], vcc\n"
        "s_cbranch_execz .LBB0_2\nds_read_b32 v5, v1\ns_waitcnt lgkmcnt(0)\nds_write_b32 v1, v5\n.LBB0_2:"
    )
    assert executed(listing(body, lds=512), groups=2, items=128).findings == ()


# -- alignment --------------------------------------------------------------------------------------------------------

WIDE = "v_lshlrev_b32_e32 v3, 2, v0\nds_write_b32 v3, v0\n{small}\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v4, 1\nds_read_b64 v[5:6], v4\ns_waitcnt lgkmcnt(0)\n"


def test_wide_reads_at_odd_places_are_the_compilers_own_where_there_are_bytes(listing):
    done = executed(listing(WIDE.format(small="s_nop 0"), lds=256))
    assert kinds(done) == {Trouble.MISALIGNED}
    done = executed(listing(WIDE.format(small="ds_write_b8 v3, v0"), lds=256))
    assert done.findings == ()
    assert any("not aligned" in note for note in done.notes)


@pytest.mark.parametrize("fast", [False, True])
def test_a_scalar_load_between_words_is_reported_by_both_back_ends(listing, fast):
    body = (
        ADDRESS
        + "s_add_u32 s4, s4, 2\ns_load_dword s8, s[4:5], 0x8\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, s8\nglobal_store_dword v1, v2, s[6:7]"
    )
    backend = executor.native() if fast else None
    assert kinds(executed(listing(body), backend=backend)) == {Trouble.MISALIGNED}


@pytest.mark.parametrize("mnemonic", ["ds_write_b8_d16_hi", "global_store_short_d16_hi"])
def test_only_the_stored_bits_of_an_upper_half_must_be_defined(listing, mnemonic):
    store = "ds_write_b8_d16_hi v1, v40" if mnemonic.startswith("ds") else "global_store_short_d16_hi v1, v40, s[6:7]"
    body = (
        ADDRESS
        + f"v_lshlrev_b32_e32 v40, 16, v0\nv_and_b32_e32 v41, 0xff000000, v41\nv_or_b32_e32 v40, v40, v41\n{store}"
    )
    found = kinds(executed(listing(body, lds=512)))
    assert found == (set() if mnemonic.startswith("ds") else {Trouble.UNINITIALISED})


# -- order between work-groups ----------------------------------------------------------------------------------------

HANDED = """
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v2, 1
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
s_cmp_eq_u32 s2, 1
s_cbranch_scc1 .LBB0_1
global_store_dword v1, v2, s[6:7] offset:64
{release}
global_store_dword v1, v2, s[6:7]
s_endpgm
.LBB0_1:
global_load_dword v4, v1, s[6:7] glc
s_waitcnt vmcnt(0)
v_cmp_eq_u32_e32 vcc, 0, v4
s_cbranch_vccnz .LBB0_1
global_load_dword v5, v1, s[6:7] offset:64
s_waitcnt vmcnt(0)
global_store_dword v1, v5, s[4:5]
"""


@pytest.mark.parametrize(("release", "found"), [("s_waitcnt vmcnt(0)", set()), ("s_nop 0", {Trouble.GLOBAL_RACE})])
@pytest.mark.parametrize("options", [Options(), EARLY])
def test_a_flag_that_is_stored_plainly_releases_where_atomic_stores_have_no_mark(listing, release, found, options):
    assert kinds(executed(listing(HANDED.format(release=release), target="gfx90a"), options, groups=2)) == found


MEET = """
s_waitcnt vmcnt(0)
buffer_wbl2 sc1
s_waitcnt vmcnt(0)
global_atomic_add v3, v2, s[6:7] offset:128 sc1
.LBB0_{count}:
global_load_dword v4, v3, s[6:7] offset:128 sc1
s_waitcnt vmcnt(0)
v_cmp_gt_u32_e32 vcc, {count}, v4
s_cbranch_vccnz .LBB0_{count}
"""
NEIGHBOURS = """
v_mov_b32_e32 v3, 0
v_mov_b32_e32 v2, 1
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
s_xor_b32 s10, s2, 1
s_lshl_b32 s10, s10, 2
s_lshl_b32 s11, s2, 2
v_mov_b32_e32 v6, s10
v_mov_b32_e32 v7, s11
v_mov_b32_e32 v10, 99
{first}
global_load_dword v5, v6, s[4:5]
s_waitcnt vmcnt(0)
{second}
global_store_dword v7, v10, s[4:5]
"""


@pytest.mark.parametrize("meet", [True, False])
@pytest.mark.parametrize("options", [Options(), EARLY])
def test_a_store_to_what_another_work_group_reads_races_unless_they_have_met_since(listing, meet, options):
    body = NEIGHBOURS.format(first=MEET.format(count=2), second=MEET.format(count=4) if meet else "")
    assert kinds(executed(listing(body), options, groups=2)) == (set() if meet else {Trouble.GLOBAL_RACE})


# -- no end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fast", [False, True])
def test_a_kernel_that_never_ends_says_what_was_reported_before(listing, fast):
    body = (
        ADDRESS
        + "v_mov_b32_e32 v5, 0\nglobal_store_dword v1, v40, s[6:7]\n.LBB0_1:\nv_add_u32_e32 v5, 1, v5\ns_branch .LBB0_1"
    )
    backend = executor.native() if fast else None
    with pytest.raises(
        Exhausted, match="did not end within 3000.*reported before that was uninitialised at line"
    ) as spent:
        executed(listing(body), Options(budget=3000), backend=backend)
    assert "stores v40" in spent.value.found


# -- results that depend on order -------------------------------------------------------------------------------------

DRAWN = """
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v2, 4
v_mov_b32_e32 v5, s2
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
{draw}
global_store_dword v3, v5, s[6:7] sc1
"""
SKIPPED = """
v_mov_b32_e32 v3, 0
global_atomic_add v1, v2, s[4:5]
s_cmp_eq_u32 s2, 77
s_cbranch_scc0 .LBB0_9
global_atomic_add v3, v1, v2, s[4:5] sc0
s_waitcnt vmcnt(0)
.LBB0_9:
"""


@pytest.mark.parametrize(
    ("draw", "told", "noted"),
    [
        ("global_atomic_add v3, v1, v2, s[4:5] sc0\ns_waitcnt vmcnt(0)", False, True),
        ("v_mov_b32_e32 v3, 0\nglobal_atomic_add v1, v2, s[4:5]", True, False),
        (SKIPPED, True, False),
    ],
)
def test_an_atomic_that_returns_explains_why_results_depend_on_order(listing, draw, told, noted):
    text = listing(DRAWN.format(draw=draw))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(3, 1, 1), workgroup=(64, 1, 1))
    arrays = {"x": np.zeros(1, np.uint32), "y": np.zeros(3, np.uint32)}
    answer = execute(Task(label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset()), Adversary())
    assert {one.finding.trouble for one in answer.findings} == ({Trouble.ORDER} if told else set())
    assert any("who came first" in note for note in answer.notes) == noted


LEADER = """
s_mov_b64 s[10:11], exec
s_mov_b64 exec, 1
v_mov_b32_e32 v40, 7
s_mov_b64 exec, s[10:11]
v_mov_b32_e32 v3, 0
{move}
s_waitcnt lgkmcnt(0)
global_store_dword v1, v5, s[6:7]
"""


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    ("move", "found"),
    [
        ("ds_bpermute_b32 v5, v3, v40", set()),
        ("ds_bpermute_b32 v5, v1, v40", {Trouble.UNINITIALISED}),
        ("ds_bpermute_b32 v5, v40, v1", {Trouble.UNINITIALISED}),
        ("ds_swizzle_b32 v5, v40 offset:swizzle(BROADCAST,32,0)", {Trouble.UNINITIALISED}),
    ],
)
def test_a_register_that_only_the_leading_lane_sets_comes_to_the_others_from_it(listing, move, found, fast):
    """An atomic add for a whole wave: one lane has the result, all read that lane."""
    done = executed(listing(ADDRESS + LEADER.format(move=move)), backend=executor.native() if fast else None)
    assert kinds(done) == found
    assert found or (done.arrays[1][:64] == 7).all()
