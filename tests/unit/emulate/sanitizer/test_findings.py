"""What goes wrong between waves and work-groups: order, publication, waits in vain, alignment."""

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.emulate.execute import Adversary, Backend, Orders, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.emulate.sanitizer.flags import glances, polls

EVERY = [
    Options(),
    Options(late=False, order=Order.DESCENDING, backwards=True),
    Options(order=Order.ASCENDING),
    Options(order=Order.DESCENDING),
]
ADDRESS = "v_lshlrev_b32_e32 v1, 2, v0\n"


def executed(text, options=None, groups=1, items=256, size=1024, dtype=np.uint32):
    x, y = np.arange(size).astype(dtype), np.zeros(size, dtype)
    launch = Launch(arguments=[x, y], grid=(groups, 1, 1), workgroup=(items, 1, 1), names=["x", "y"])
    return run(load(text), launch, options)


def kinds(done):
    return {finding.trouble for finding in done.findings}


# -- alignment --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        ADDRESS + "global_load_dword v2, v1, s[4:5] offset:2\ns_waitcnt vmcnt(0)",
        "v_mov_b32_e32 v1, 2\nglobal_atomic_add v1, v0, s[4:5]",
        "v_mov_b32_e32 v1, 4\nglobal_atomic_add_x2 v1, v[2:3], s[4:5]",
        "v_mov_b32_e32 v1, 4\nds_read_b128 v[4:7], v1\ns_waitcnt lgkmcnt(0)",
        "v_mov_b32_e32 v1, 4\nv_mov_b32_e32 v3, 0\nds_write_b64 v1, v[2:3]",
        "s_add_u32 s4, s4, 2\ns_load_dword s8, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)",
    ],
)
def test_a_misaligned_access_is_found(listing, body):
    prefix = "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 0\n"
    assert Trouble.MISALIGNED in kinds(executed(listing(prefix + body, lds=1024)))


def test_wide_accesses_of_device_memory_may_lie_at_any_element(listing):
    done = executed(listing(ADDRESS + "global_load_dwordx4 v[4:7], v1, s[4:5]\ns_waitcnt vmcnt(0)", lds=1024))
    assert done.findings == ()


# -- a wave's own order -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", EVERY)
def test_a_load_sees_nothing_that_its_own_wave_stores_later(listing, options):
    body = """
    v_mov_b32_e32 v3, 7
    global_load_dword v2, v1, s[4:5]
    global_store_dword v1, v3, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v2, s[6:7]
    """
    done = executed(listing(ADDRESS + body), options)
    assert np.array_equal(done.arrays[1][:256], np.arange(256))
    assert done.arrays[0][5] == 7


@pytest.mark.parametrize("options", EVERY)
def test_local_memory_keeps_a_waves_order_too(listing, options):
    body = """
    ds_write_b32 v1, v0
    ds_read2_b32 v[2:3], v1 offset1:0
    v_mov_b32_e32 v4, 9
    ds_write_b32 v1, v4
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v2, s[6:7]
    """
    done = executed(listing(ADDRESS + body, lds=1024), options)
    assert np.array_equal(done.arrays[1][:256], np.arange(256))


# -- waiting ----------------------------------------------------------------------------------------------------------

LOCK = """
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v2, 1
v_mov_b32_e32 v3, 0
.LBB0_1:
global_atomic_cmpswap v4, v1, v[2:3], s[4:5] glc
s_waitcnt vmcnt(0)
v_cmp_ne_u32_e32 vcc, 0, v4
s_cbranch_vccnz .LBB0_1
global_load_dword v5, v1, s[6:7] sc1
s_waitcnt vmcnt(0)
v_add_u32_e32 v5, 1, v5
global_store_dword v1, v5, s[6:7] sc1
s_waitcnt vmcnt(0)
global_atomic_swap v1, v1, s[4:5]
"""


@pytest.mark.parametrize("options", EVERY[:2])
def test_work_groups_take_turns_by_a_lock(listing, options):
    x, y = np.zeros(4, np.uint32), np.zeros(4, np.uint32)
    done = run(load(listing(LOCK)), Launch(arguments=[x, y], grid=(3, 1, 1), workgroup=(64, 1, 1)), options)
    assert done.findings == ()
    assert done.arrays[1][0] == 3


SPIN = """
.LBB0_1:
global_load_dword v2, v1, s[4:5] sc1
s_waitcnt vmcnt(0)
v_readfirstlane_b32 s8, v2
s_cmp_eq_u32 s8, 77
s_cbranch_scc0 .LBB0_1
"""


def test_a_flag_that_nobody_sets_is_waited_for_in_vain(listing):
    done = executed(listing("v_mov_b32_e32 v1, 0\n" + SPIN), groups=2)
    assert kinds(done) == {Trouble.NEVER}
    assert "global_load_dword" in done.findings[0].instruction


@pytest.mark.parametrize("options", EVERY[:2])
def test_a_flag_that_a_later_work_group_sets_is_no_reason_for_a_report(listing, options):
    body = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, 0x4d
    s_cmp_lg_u32 s2, 39
    s_cbranch_scc1 .LBB0_1
    global_store_dword v1, v3, s[4:5] sc1
    s_waitcnt vmcnt(0)
    """
    done = executed(listing(body + SPIN), options, groups=40)  # more waves than are executed at once
    assert done.findings == ()


# -- publication ------------------------------------------------------------------------------------------------------

BEHIND = """
global_store_dword v1, v0, s[6:7]
{wait}
s_barrier
v_xor_b32_e32 v3, 0x3fc, v1
global_load_dword v4, v3, s[6:7]
s_waitcnt vmcnt(0)
global_store_dword v1, v4, s[4:5]
"""


@pytest.mark.parametrize(
    ("target", "wait", "own", "found"),
    [
        ("gfx1030", "s_waitcnt_vscnt null, 0x0", False, set()),
        ("gfx1030", "s_nop 0", False, {Trouble.GLOBAL_RACE}),
        ("gfx1030", "s_nop 0", True, set()),
        ("gfx942", "s_nop 0", True, set()),
    ],
)
def test_a_store_is_published_by_a_wait_before_the_barrier_where_caches_differ(listing, target, wait, own, found):
    text = listing(
        ADDRESS + BEHIND.format(wait=wait), target=target, wave=32 if target > "gfx95" or "10" in target else 64
    )
    if "gfx10" in target:
        text = text.replace(
            "\t.end_amdhsa_kernel", f"\t\t.amdhsa_workgroup_processor_mode {int(not own)}\n\t.end_amdhsa_kernel"
        )
    assert kinds(executed(text)) == found


TICKET = """
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v2, 1
v_mov_b32_e32 v3, s2
v_lshlrev_b32_e32 v6, 2, v3
v_cmp_eq_u32_e32 vcc, 0, v0
s_and_saveexec_b64 s[8:9], vcc
global_store_dword v6, v3, s[6:7]
{release}
global_atomic_add v4, v1, v2, s[4:5] glc sc1
s_waitcnt vmcnt(0)
v_cmp_eq_u32_e32 vcc, 3, v4
s_and_b64 exec, exec, vcc
s_cbranch_execz .LBB0_2
global_load_dwordx4 v[8:11], v1, s[6:7]
s_waitcnt vmcnt(0)
v_add3_u32 v8, v8, v9, v10
v_add_u32_e32 v8, v8, v11
global_store_dword v1, v8, s[6:7] offset:64
.LBB0_2:
"""


@pytest.mark.parametrize(
    ("release", "found"),
    [
        ("buffer_wbl2 sc1\ns_waitcnt vmcnt(0)", set()),
        ("s_waitcnt vmcnt(0)", {Trouble.GLOBAL_RACE}),  # the store is done, but in the second cache of one die
        ("s_nop 0", {Trouble.GLOBAL_RACE}),
    ],
)
@pytest.mark.parametrize("options", EVERY[:2])
def test_the_last_work_group_may_read_what_the_others_released(listing, release, found, options):
    x, y = np.zeros(4, np.uint32), np.zeros(32, np.uint32)
    launch = Launch(arguments=[x, y], grid=(4, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(TICKET.format(release=release))), launch, options)
    assert kinds(done) == found
    assert done.arrays[1][16] == 6


def test_a_wave_that_overwrites_what_another_one_reads_races(listing):
    body = """
    v_subrev_u32_e32 v3, 4, v1
    v_max_i32_e32 v3, 0, v3
    global_load_dword v2, v3, s[6:7]
    s_waitcnt vmcnt(0)
    {barrier}
    v_add_u32_e32 v2, 1, v2
    global_store_dword v1, v2, s[6:7]
    """
    assert {f.trouble for f in executed(listing(ADDRESS + body.format(barrier="s_nop 0"))).suspects} == {
        Trouble.GLOBAL_RACE
    }
    done = executed(listing(ADDRESS + body.format(barrier="s_barrier")))
    assert done.findings == done.suspects == ()


SWAP = """
v_mov_b32_e32 v1, 0
global_load_dword v4, v1, s[4:5]
s_waitcnt vmcnt(0)
.LBB0_1:
v_mov_b32_e32 v3, v4
v_add_u32_e32 v2, 1, v4
global_atomic_cmpswap v4, v1, v[2:3], s[4:5] glc
s_waitcnt vmcnt(0)
v_cmp_ne_u32_e32 vcc, v4, v3
s_and_b64 exec, exec, vcc
s_cbranch_execnz .LBB0_1
"""


def test_the_load_before_a_loop_around_a_compare_and_swap_is_no_race(listing):
    x = np.zeros(1, np.uint32)
    launch = Launch(arguments=[x, x.copy()], grid=(5, 1, 1), workgroup=(32, 1, 1))
    done = run(load(listing(SWAP)), launch, Options(waves=2))
    assert done.findings == ()
    assert done.arrays[0][0] == 160


def test_the_argument_block_may_be_read_at_any_address(listing):
    """Compilers load two neighbouring 16-bit arguments as one word."""
    body = "v_mov_b32_e32 v1, 0\nglobal_load_dword v2, v1, s[0:1] offset:6\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v2, s[4:5]"
    found = run(
        load(listing(body)), Launch(arguments=[np.zeros(4, np.uint32)] * 2, grid=(1, 1, 1), workgroup=(1, 1, 1))
    )
    assert found.findings == ()


# -- values that nobody has defined -----------------------------------------------------------------------------------

THROUGH_LOCAL = """
    v_lshlrev_b32_e32 v1, 2, v0
    s_and_saveexec_b64 s[8:9], s[10:11]
    v_mov_b32_e32 v2, v0
    s_mov_b64 exec, s[8:9]
    {write}
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    {mask}
    global_store_dword v1, v4, s[6:7]
    """


@pytest.mark.parametrize(
    "write", ["ds_write_b32 v1, v2", "ds_write2st64_b32 v1, v2, v2 offset1:4", "ds_write_b16 v1, v2\nds_write_b16 v1, v2 offset:2"]
)  # fmt: skip
def test_an_undefined_register_may_pass_through_local_memory(listing, write):
    # What a masked atomic returns has no value in the other lanes; compilers exchange the whole register.
    head = "s_mov_b32 s10, 0xf0f0\ns_mov_b32 s11, 0\n"
    masked = "s_mov_b64 exec, s[10:11]" if "b16" not in write else "s_mov_b64 exec, 0"
    text = head + THROUGH_LOCAL
    assert executed(listing(text.format(write=write, mask=masked), lds=4096)).findings == ()
    found = executed(listing(text.format(write=write, mask=""), lds=4096)).findings
    assert {one.trouble for one in found} == {Trouble.UNINITIALISED}
    assert "global_store_dword" in found[0].instruction


def test_a_race_over_an_undefined_value_is_a_race(listing):
    body = "v_mov_b32_e32 v1, 0\nds_write_b32 v1, v2\nds_read_b32 v4, v1\ns_waitcnt lgkmcnt(0)"
    assert Trouble.LOCAL_RACE in kinds(executed(listing(body, lds=1024)))


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("known", ["0x461c4000", "0xc61c4000", "0x70e270e2", "0xf0e2f0e2"])
@pytest.mark.parametrize(
    "ins", ["v_max_f32_e32", "v_min_f32_e32", "v_max_i32_e32", "v_min_u32_e32", "v_pk_max_f16", "v_pk_min_f16"]
)
def test_a_maximum_or_minimum_with_an_undefined_value_is_undefined(listing, ins, known, native):
    # Ten thousand and less, and halves of that size: undefined bits may be beyond any known number.
    body = f"v_mov_b32_e32 v3, {known}\n{ins} v3, v3, v40\n{ADDRESS}global_store_dword v1, v3, s[6:7]"
    x, y = np.arange(64, dtype=np.uint32), np.zeros(64, np.uint32)
    launch = Launch(arguments=[x, y], grid=(1, 1, 1), workgroup=(64, 1, 1))
    done = run(load(listing(body)), launch, backend=executor.native() if native else None)
    assert kinds(done) == {Trouble.UNINITIALISED}


def test_a_group_that_is_complete_at_a_barrier_goes_on_though_the_next_one_spins(listing):
    body = """
        v_mov_b32_e32 v1, 0
        v_cmp_eq_u32_e32 vcc, 0, v0
        s_and_saveexec_b64 s[8:9], vcc
        s_cbranch_execz .LB
        s_cmp_eq_u32 s2, 0
        s_cbranch_scc1 .LB
        .LA:
        global_load_dword v2, v1, s[4:5] sc1
        s_waitcnt vmcnt(0)
        v_cmp_eq_u32_e32 vcc, 0, v2
        s_cbranch_vccnz .LA
        .LB:
        s_or_b64 exec, exec, s[8:9]
        s_barrier
        v_mov_b32_e32 v3, 1
        s_cmp_lg_u32 s2, 0
        s_cbranch_scc1 .LC
        v_cmp_eq_u32_e32 vcc, 0, v0
        s_and_saveexec_b64 s[8:9], vcc
        global_store_dword v1, v3, s[4:5] sc1
        .LC:
    """
    flag = np.zeros(1, np.uint32)
    launch = Launch(arguments=[flag, np.zeros(1, np.uint32)], grid=(2, 1, 1), workgroup=(128, 1, 1), names=["f", "y"])
    done = run(load(listing(body)), launch)
    assert done.findings == ()
    assert done.arrays[0][0] == 1


SWAPPED = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 0
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    .LA:
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v4, 1, v3
    ds_cmpst_rtn_b32 v5, v1, v3, v4
    s_waitcnt lgkmcnt(0)
    v_cmp_ne_u32_e32 vcc, v5, v3
    s_and_saveexec_b64 s[8:9], vcc
    s_cbranch_execnz .LA
    s_mov_b64 exec, -1
    {between}
    v_readfirstlane_b32 s10, v0
    s_cmp_lg_u32 s10, 0
    s_cbranch_scc1 .LC
    ds_read_b32 v6, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v6, s[6:7]
    .LC:
"""


@pytest.mark.parametrize(("between", "wanted"), [("s_barrier", set()), ("", {Trouble.LOCAL_RACE})])
def test_a_load_before_a_compare_and_swap_is_as_atomic_but_one_in_a_later_phase_is_not(listing, between, wanted):
    launch = Launch(arguments=[np.zeros(1, np.uint32), np.zeros(1, np.uint32)], grid=(1, 1, 1), workgroup=(128, 1, 1), names=["x", "y"])  # fmt: skip
    done = run(load(listing(SWAPPED.format(between=between), lds=4)), launch)
    assert kinds(done) == wanted
    if not wanted:
        assert done.arrays[1][0] == 128


PUBLISHED = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, 1
    s_branch .LS
    .LP:
    global_store_dword v1, v3, s[4:5] offset:64
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[4:5] sc1
    s_endpgm
    .LS:
    global_load_dword v2, v1, s[4:5] sc1
    s_cmp_eq_u32 s2, 0
    s_cbranch_scc1 .LP
    .LW:
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s8, v2
    s_cmp_eq_u32 s8, 1
    s_cbranch_scc1 .LD
    global_load_dword v2, v1, s[4:5] sc1
    s_branch .LW
    .LD:
    buffer_inv sc1
    global_load_dword v4, v1, s[4:5] offset:64
    s_waitcnt vmcnt(0)
    global_store_dword v1, v4, s[6:7]
"""


def test_a_flag_is_met_when_its_load_reads_memory_which_may_be_later_than_it_was_issued(listing):
    launch = Launch(arguments=[np.zeros(32, np.uint32), np.zeros(1, np.uint32)], grid=(2, 1, 1), workgroup=(64, 1, 1), names=["x", "y"])  # fmt: skip
    done = run(load(listing(PUBLISHED)), launch)
    assert done.findings == ()
    assert done.arrays[1][0] == 1


@pytest.mark.parametrize("options", EVERY)
def test_a_copy_that_another_wave_drops_is_suspected_whichever_comes_first(listing, options):
    # Triton's replicated layouts: all waves load an element, one stores it. With that wave ahead the others read what it stored.
    body = """
    v_and_b32_e32 v1, 63, v0
    v_lshlrev_b32_e32 v1, 2, v1
    global_load_dword v2, v1, s[4:5]
    s_waitcnt vmcnt(0)
    v_add_u32_e32 v2, 1, v2
    v_cmp_gt_u32_e32 vcc, 64, v0
    s_and_saveexec_b64 s[8:9], vcc
    global_store_dword v1, v2, s[4:5]
    """
    done = executed(listing(body), options, items=128)
    assert done.findings == ()
    assert np.array_equal(done.arrays[0][:64], np.arange(64) + 1)
    assert {one.trouble for one in done.suspects} <= {Trouble.GLOBAL_RACE}
    assert done.suspects or options.order is Order.DESCENDING


DATA, FLAG = "ds_write_b32 v1, v3", "s_waitcnt lgkmcnt(0)\nds_add_u32 v1, v3 offset:256"


@pytest.mark.parametrize("options", EVERY)
@pytest.mark.parametrize(
    ("before", "after", "races"),
    [
        (f"{DATA}\n{FLAG}", "", False),
        (f"{FLAG}\n{DATA}", "", True),  # the flag comes before the data
        (f"{DATA}\nds_add_u32 v1, v3 offset:256", "", True),  # nobody waited for the data
        (f"{DATA}\n{FLAG}\n{DATA.replace('v3', 'v6')}", "", True),  # written again, whether or not it was read
        (f"{DATA}\n{FLAG}\n.L_back:\nds_read_b32 v2, v1 offset:512\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32_e32 vcc, 0, v2\ns_cbranch_vccnz .L_back\n{DATA.replace('v3', 'v6')}",
         "ds_add_u32 v1, v3 offset:512", False),
    ],
)  # fmt: skip
def test_waves_that_wait_for_flags_in_local_memory_are_ordered_by_them(listing, options, before, after, races):
    # The first wave stores data and sets a flag, the second one waits for it and reads the data; then it may say that it did.
    body = f"""
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, 1
    v_mov_b32_e32 v6, 7
    v_cmp_gt_u32_e32 vcc, 64, v0
    s_and_saveexec_b64 s[8:9], vcc
    ds_write_b32 v1, v1 offset:256
    ds_write_b32 v1, v1 offset:512
    s_mov_b64 exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_cmp_gt_u32_e32 vcc, 64, v0
    s_cbranch_vccz .L_second
    {before}
    s_endpgm
    .L_second:
    ds_read_b32 v2, v1 offset:256
    s_waitcnt lgkmcnt(0)
    v_cmp_eq_u32_e32 vcc, 0, v2
    s_cbranch_vccnz .L_second
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    {after}
    """
    done = executed(listing(body, lds=1024), options, items=128)
    assert (Trouble.LOCAL_RACE in {one.trouble for one in done.findings}) is races


LOOK, WAIT, GO = "ds_read_b32 v2, v1", "s_waitcnt lgkmcnt(0)", "v_cmp_eq_u32_e32 vcc, 0, v2"


@pytest.mark.parametrize(
    ("ahead", "inside", "first_looks", "waiting"),
    [
        ([LOOK, WAIT, GO, "s_cbranch_vccz .LD"], [LOOK, WAIT, GO, "s_cbranch_vccnz .LB"], 1, 1),
        ([LOOK.replace("v2", "v5")], [LOOK, WAIT, GO, "s_cbranch_vccnz .LB"], 0, 1),  # what it brings is for later
        ([LOOK, WAIT, GO, "v_mov_b32_e32 v2, 0"], [LOOK, WAIT, GO, "s_and_saveexec_b64 s[8:9], vcc", "s_cbranch_execnz .LB"], 0, 1),
        ([], ["s_add_u32 s8, s8, 1", LOOK, WAIT, "v_add_u32_e32 v3, v2, v3", "s_cmp_lt_u32 s8, 9", "s_cbranch_scc1 .LB"], 0, 0),  # it counts
        ([], ["ds_wrxchg_rtn_b32 v2, v1, v3", WAIT, GO, "s_cbranch_vccz .LB"], 0, 1),
    ],
)  # fmt: skip
def test_a_load_waits_for_a_flag_where_it_decides_whether_a_loop_goes_on(listing, ahead, inside, first_looks, waiting):
    code = load(listing("\n".join([*ahead, ".LB:", *inside, ".LD:", "s_nop 0"]), lds=64)).code
    assert (len(glances(code)), len(polls(code))) == (first_looks, waiting)


def test_a_lock_that_is_exchanged_is_one_under_its_newer_name(listing):
    body = ".LB:\nds_storexchg_rtn_b32 v2, v1, v3\ns_waitcnt lgkmcnt(0)\nv_cmp_eq_u32_e32 vcc_lo, 0, v2\ns_cbranch_vccz .LB"
    assert len(polls(load(listing(body, target="gfx1100", wave=32, lds=64)).code)) == 1


@pytest.mark.parametrize(("arrivals", "races"), [(3, False), (2, True)])
def test_a_wave_that_is_left_behind_shows_who_does_not_wait_for_it(listing, arrivals, races):
    # Three waves store and count themselves; each waits until so many have arrived, and reads what the first one stored.
    body = f"""
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, 1
    ds_write_b32 v1, v1 offset:256
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_lshlrev_b32_e32 v5, 2, v0
    v_cmp_gt_u32_e32 vcc, 32, v0
    s_and_saveexec_b64 s[8:9], vcc
    ds_write_b32 v5, v0
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    ds_add_u32 v1, v3 offset:256
    .LB:
    ds_read_b32 v2, v1 offset:256
    s_waitcnt lgkmcnt(0)
    v_cmp_gt_u32_e32 vcc, {arrivals}, v2
    s_cbranch_vccnz .LB
    ds_read_b32 v4, v1 offset:64
    s_waitcnt lgkmcnt(0)
    """
    task = Task(label="k", target="gfx942", steps=(), arrays={})
    program = load(listing(body, lds=1024))
    step = Step(program=program, listing="", arguments=(), grid=(1, 1, 1), workgroup=(192, 1, 1))
    orders = [options.order for options in Adversary().further(replace(task, steps=(step,)))]
    assert {Order.FIRST_LAGS, Order.LAST_LAGS} < {*orders}
    found = [executed(listing(body, lds=1024), Options(order=order), items=192) for order in Order]
    assert any(Trouble.LOCAL_RACE in kinds(done) for done in found) is races


@pytest.mark.parametrize(("early", "moved"), [(False, False), (True, True)])
def test_work_groups_one_after_the_other_show_who_reads_before_it_waits(listing, early, moved):
    # The second work-group waits for the first one's flag; with atomic loads nothing but the result tells that it looked at the data before.
    look = "global_load_dword v4, v1, s[4:5] offset:64 sc1\ns_waitcnt vmcnt(0)\n"
    body = f"""
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, 7
    s_mov_b64 exec, 1
    s_cmp_eq_u32 s2, 0
    s_cbranch_scc0 .L_second
    global_store_dword v1, v3, s[4:5] offset:64 sc1
    s_waitcnt vmcnt(0)
    global_store_dword v1, v3, s[4:5] sc1
    s_endpgm
    .L_second:
    {look if early else ""}
    .LB:
    global_load_dword v2, v1, s[4:5] sc1
    s_waitcnt vmcnt(0)
    v_cmp_ne_u32_e32 vcc, 7, v2
    s_cbranch_vccnz .LB
    {"" if early else look}
    global_store_dword v1, v4, s[6:7]
    """
    text = listing(body)
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(2, 1, 1), workgroup=(64, 1, 1))
    task = Task(label="k", target="gfx942", steps=(step,), arrays={name: np.zeros(32, np.uint32) for name in "xy"})
    assert bool(execute(task, Adversary()).findings) is moved


LOOKED = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 7
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_mov_b32_e32 v3, {compared}
    v_mov_b32_e32 v4, {new}
    {atomic}
    s_waitcnt lgkmcnt(0)
    {after}
"""
_READ = "ds_read_b32 v6, v1\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v7, 2, v0\nglobal_store_dword v7, v6, s[6:7]"
_WRITE = "ds_write_b32 v1, v4"
_CAS = "ds_cmpst_rtn_b32 v5, v1, v3, v4"


@pytest.mark.parametrize(
    ("atomic", "compared", "new", "after", "wanted"),
    [
        (_CAS, 3, 9, _READ, set()),
        (_CAS, 7, 7, _READ, set()),
        ("ds_add_rtn_u32 v5, v1, v3", 0, 0, _READ, set()),
        ("ds_and_rtn_b32 v5, v1, v3", -1, 0, _READ, set()),
        (_CAS, 7, 9, _READ, {Trouble.LOCAL_RACE}),
        ("ds_add_rtn_u32 v5, v1, v3", 1, 0, _READ, {Trouble.LOCAL_RACE}),
        (_CAS, 3, 9, _WRITE, {Trouble.LOCAL_RACE}),
        (_CAS, 3, 9, f"s_barrier\n{_WRITE}", set()),
    ],
)
@pytest.mark.parametrize("options", EVERY)
def test_an_atomic_of_local_memory_that_stores_nothing_only_reads(listing, atomic, compared, new, after, wanted, options):  # fmt: skip
    body = LOOKED.format(atomic=atomic, compared=compared, new=new, after=after)
    launch = Launch(arguments=[np.zeros(1, np.uint32), np.zeros(128, np.uint32)], grid=(1, 1, 1), workgroup=(128, 1, 1), names=["x", "y"])  # fmt: skip
    assert kinds(run(load(listing(body, lds=4)), launch, options)) == wanted


COPIES = """
    v_mov_b32_e32 v1, 0
    {number}
    v_mov_b32_e32 v3, {one}
    v_mov_b32_e32 v4, {other}
    v_cmp_lt_u32_e32 vcc, {least}, v2
    v_cndmask_b32_e32 v5, v3, v4, vcc
    {store} v1, v5, s[6:7]
"""
_LANE, _WAVE, _GROUP = (31, "v_mov_b32_e32 v2, v0"), (63, "v_mov_b32_e32 v2, v0"), (0, "v_mov_b32_e32 v2, s2")
_SIZES = {31: (1, 64), 63: (1, 128), 0: (2, 64)}
_F32, _F16, _I32 = ("global_store_dword", np.float32), ("global_store_short", np.float16), ("global_store_dword", np.int32)  # fmt: skip


@pytest.mark.parametrize(
    ("who", "what", "one", "other", "wanted"),
    [
        (_LANE, _F32, 0x40490FDB, 0x40490FDA, set()),
        (_WAVE, _F32, 0x40490FDB, 0x40490FDA, set()),
        (_LANE, _F16, 0x4248, 0x4249, set()),
        (_WAVE, _F16, 0x4248, 0x4249, set()),
        (_LANE, _F32, 0x40490FDB, 0x40491000, {Trouble.ORDER}),
        (_WAVE, _F32, 0x40490FDB, 0x40491000, {Trouble.GLOBAL_RACE, Trouble.ORDER}),
        (_LANE, _F16, 0x4248, 0x424B, {Trouble.ORDER}),
        (_LANE, _I32, 0x40490FDB, 0x40490FDA, {Trouble.ORDER}),
        (_WAVE, _I32, 0x40490FDB, 0x40490FDA, {Trouble.GLOBAL_RACE, Trouble.ORDER}),
        (_GROUP, _F32, 0x40490FDB, 0x40490FDA, {Trouble.GLOBAL_RACE, Trouble.ORDER}),
        (_LANE, ("global_store_dword", np.float64), 1, 2, {Trouble.ORDER}),
        (_WAVE, ("global_store_short", np.float32), 1, 2, {Trouble.GLOBAL_RACE, Trouble.ORDER}),
    ],
)
@pytest.mark.parametrize("orders", [Orders.OPPOSITE, Orders.EVERY])
def test_copies_of_one_sum_that_lanes_or_waves_of_a_group_store_to_one_place_are_a_note(
    listing, who, what, one, other, wanted, orders
):  # fmt: skip
    """Which copy stays is open on a card; compilers let each lane hold what all have summed up, and all of them store it."""
    (least, number), (store, dtype) = who, what
    groups, items = _SIZES[least]
    text = listing(COPIES.format(number=number, least=least, store=store, one=one, other=other))
    y = np.zeros(1, dtype)
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(groups, 1, 1), workgroup=(items, 1, 1))
    task = Task(label="k", target="gfx942", steps=(step,), arrays={"x": np.zeros(1, dtype), "y": y})
    answer = execute(task, Adversary(orders=orders, backend=Backend.NUMPY))
    assert {one.finding.trouble for one in answer.findings} == wanted
    assert any("copies of one sum" in note for note in answer.notes) == (not wanted)


KEPT = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v3, {one}
    v_mov_b32_e32 v4, {other}
    v_cmp_lt_u32_e32 vcc, 63, v0
    v_cndmask_b32_e32 v5, v3, v4, vcc
    v_mov_b32_e32 v6, v5
    {store}
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v7, v1
    v_lshlrev_b32_e32 v2, 2, v0
    s_waitcnt lgkmcnt(0)
    global_store_dword v2, v7, s[6:7]
"""


@pytest.mark.parametrize("store", ["ds_write_b32 v1, v5", "ds_write_b64 v1, v[5:6]"])
@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (0x40490FDB, 0x40490FDA, set()),
        (0x40490FDB, 0x40491000, {Trouble.LOCAL_RACE}),
        (7, 8, {Trouble.LOCAL_RACE}),
        (0x7F800000, 0x7F7FFFFF, {Trouble.LOCAL_RACE}),
    ],
)
@pytest.mark.parametrize("options", EVERY)
def test_copies_of_one_sum_that_waves_store_to_one_place_of_local_memory_are_no_race(
    listing, store, one, other, wanted, options
):  # fmt: skip
    """As code that converts the layout of a sum which each wave holds: the same copy stays in every order."""
    text = listing(KEPT.format(one=one, other=other, store=store), lds=64)
    launch = Launch(arguments=[np.zeros(1), np.zeros(128, np.uint32)], grid=(1, 1, 1), workgroup=(128, 1, 1), names=["x", "y"])  # fmt: skip
    done = run(load(text), launch, options)
    assert kinds(done) & {Trouble.LOCAL_RACE} == wanted
    if not wanted:
        assert set(done.arrays[1].tolist()) == {min(one, other)}
        assert any("copies of one sum" in note for note in done.notes)


DOUBLES = """
    v_lshlrev_b32_e32 v1, 2, v0
    global_load_dword v2, v1, s[4:5]
    s_waitcnt vmcnt(0)
    global_store_dword v1, v2, s[6:7]
"""


@pytest.mark.parametrize("options", EVERY)
def test_floats_may_be_stored_in_parts(listing, options):
    """As code that copies words does: a part of a float is no number that could be compared."""
    x, y = np.arange(32.0), np.zeros(32)
    launch = Launch(arguments=[x, y], grid=(1, 1, 1), workgroup=(64, 1, 1), names=["x", "y"])
    done = run(load(listing(DOUBLES)), launch, options)
    assert kinds(done) == set()
    assert done.arrays[1].tolist() == x.tolist()
