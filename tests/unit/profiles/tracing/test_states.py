"""Where waves' time goes by samples and traces."""

import pytest

from hotloop.profiles.profile import SampledInstruction
from hotloop.profiles.trace import TracedInstruction, TracedKernel
from hotloop.profiles.tracing.listing import listing
from hotloop.profiles.tracing.states import of_samples, of_trace


def sample(text, samples, issued=None, **stalls):
    return SampledInstruction(text, "", samples, issued, stalls)


def traced(line, text, latency=0, stall=0, hits=1, **more):
    return TracedInstruction(
        line=line, text=text, address=4 * line, hits=hits, latency_cycles=latency, stall_cycles=stall, **more
    )


def test_stochastic_samples_say_what_is_waited_for():
    found = of_samples([
        sample("s_waitcnt vmcnt(0)", 60, 0, WAITCNT=60), sample("s_waitcnt lgkmcnt(0)", 10, 0, WAITCNT=10),
        sample("s_barrier", 15, 1, BARRIER_WAIT=14), sample("v_add_f32_e32 v0, v0, v1", 10, 4, ARBITER_NOT_WIN=6),
        sample("s_and_b32 s0, s0, s1", 5, 0, ALU_DEPENDENCY=5),
    ])  # fmt: skip
    assert found.shares == {
        "global": pytest.approx(0.6), "constant": pytest.approx(0.1), "barrier": pytest.approx(0.14),
        "issued": pytest.approx(0.05), "ready": pytest.approx(0.06), "fixed": pytest.approx(0.05),
    }  # fmt: skip
    assert found.split


def test_host_trap_samples_say_where_waves_stand_and_no_more():
    found = of_samples(
        [
            sample("s_waitcnt vmcnt(0)", 30),
            sample("s_endpgm", 36),
            sample("ds_read_b32 v0, v1", 4),
            sample("s_waitcnt lgkmcnt(0)", 30),
        ]
    )
    assert found.shares == {"global": 0.3, "local": 0.3}
    assert not found.split


def test_a_trace_counts_stalls_and_private_memory():
    found = of_trace([
        traced(1, "global_load_dwordx4 v[0:3], v4, s[0:1]", 100, 20, hits=9), traced(2, "scratch_load_dword v5, off, s32", 100, 0, hits=3),
        traced(3, "s_waitcnt vmcnt(0)", 500, 480), traced(4, "s_barrier", 200, 150), traced(5, "v_add_f32_e32 v0, v0, v1", 100, 0),
    ])  # fmt: skip
    assert found.shares["global"] == pytest.approx(0.5), "480 at the wait, 20 at the queue"
    assert found.shares["barrier"] == pytest.approx(0.15)
    assert found.spills == 3 / 12


def test_stalls_at_accesses_of_local_memory_are_its_queue_and_waits_for_results_are_not():
    code = [
        traced(9, "ds_read_b32 v6, v21", 400, 380),
        traced(9, "s_waitcnt lgkmcnt(0)", 300, 290),
        traced(9, "v_fma_f32 v1, v2, v3, v1", 30, 10),
    ]
    assert of_trace(code).queue == 380 / 20
    assert of_trace(code[:2]).queue is None, "nothing computes"


def test_nothing_ran():
    assert of_samples([]) is None
    assert of_trace([traced(1, "s_nop 0")]) is None


def test_the_code_of_a_trace_is_a_listing_with_labels():
    code = (
        traced(1, "v_add_u32 v0, v0, v1 // 0001", source="k.cpp:3"),
        traced(2, "s_cbranch_scc1 65533", target=4),
        traced(3, "s_endpgm"),
    )
    assert listing(TracedKernel(name="void k<4>(int)", instructions=code)) == (
        "traced_kernel:\n.L4:\n\t; k.cpp:3\n\tv_add_u32 v0, v0, v1\n\ts_cbranch_scc1 .L4\n\ts_endpgm\n"
    )


@pytest.mark.parametrize(("text", "state"), [
    ("s_waitcnt vmcnt(0) lgkmcnt(0)", "global"), ("s_wait_loadcnt 0x0", "global"), ("s_waitcnt 0", "global"),
    ("s_waitcnt vscnt(0)", "stores"), ("s_wait_storecnt 0x0", "stores"), ("global_store_dwordx4 v[0:1], v[2:5], off", "stores"),
    ("buffer_load_dword v0, v1, s[0:3], 0 offen", "global"), ("s_waitcnt vmcnt(0) vscnt(0)", "global"),
    ("s_waitcnt", "fixed"), ("s_waitcnt expcnt(0)", "fixed"), ("s_waitcnt_depctr 0xfffd", "fixed"),
    ("s_sleep 2", "fixed"), ("s_wait_alu 0xfffe", "fixed"),
])  # fmt: skip
def test_a_stall_is_for_loads_only_where_it_says_so(text, state):
    found = of_trace([traced(0, text, 10, 10)])
    assert {name: share for name, share in found.shares.items() if share} == {state: 1.0}
