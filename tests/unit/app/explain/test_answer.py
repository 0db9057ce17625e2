"""Explaining from files: counters in the form of rocprof v2, listings, and both together."""

from __future__ import annotations

import csv
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.errors import UnknownNameError, UsageError
from hotloop.store import Store

LISTINGS = Path(__file__).parents[3] / "golden" / "amdgcn" / "waits"
HEAD = ("Dispatch_ID", "GPU_ID", "Queue_ID", "PID", "TID", "Grid_Size", "Workgroup_Size", "LDS_Per_Workgroup", "Scratch_Per_Workitem",
        "Arch_VGPR", "Accum_VGPR", "SGPR", "Wave_Size", "Kernel_Name", "Start_Timestamp", "End_Timestamp", "Correlation_ID")  # fmt: skip
WAVES = 32768
LOCAL = {"SQ_WAVES": WAVES, "SQ_WAIT_INST_LDS": 3.05e9, "SQ_ACTIVE_INST_VALU": 1e9, "SQ_INSTS_LDS": 40_000 * WAVES,
         "SQ_WAVE_CYCLES": 8e9, "SQ_WAIT_ANY": 2e9, "SQ_BUSY_CU_CYCLES": 5e10, "GRBM_GUI_ACTIVE": 8 * 42e6}  # fmt: skip
MENDED = {**LOCAL, "SQ_WAIT_INST_LDS": 0.53e9, "SQ_WAVE_CYCLES": 3e9, "SQ_INSTS_LDS": 32_000 * WAVES}


def results(path: Path, *kernels: tuple[str, float, dict[str, float]]) -> str:
    """Write one dispatch for each kernel: name, time in ns, counters."""
    names = list(dict.fromkeys(name for _, _, counters in kernels for name in counters))
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow([*HEAD, *names])
        for number, (kernel, spent_ns, counters) in enumerate(kernels, 1):
            size = (
                number,
                2,
                1,
                7,
                7,
                WAVES * 64,
                256,
                23552,
                0,
                124,
                0,
                32,
                64,
                kernel,
                1000,
                1000 + int(spent_ns),
                0,
            )
            table.writerow([*size, *(counters.get(name, "") for name in names)])
    return str(path)


@pytest.fixture
def attention(tmp_path):
    return results(
        tmp_path / "results.csv", ("flash_attention_v4_0.kd", 41.8e6, LOCAL), ("fill.kd", 1e3, {"SQ_WAVES": 16})
    )


def test_a_local_memory_bound_kernel_from_counters_alone(attention):
    page = explain(Request(inputs=(attention,), target="gfx942"))
    assert page.subject.kernel == "flash_attention_v4_0.kd"
    assert "of 2 the one with the most time" in page.subject.choice
    assert page.subject.device == "gfx942, as you said; data sheet of an MI300X"
    top = page.findings[0]
    assert top.rule == "lds-bound"
    assert page.verdict.startswith("Local memory bound, ")
    ratio = next(fact for fact in top.cited if fact.name == "gpu.lds_wait_ratio")
    assert (ratio.value, ratio.provenance) == ("3.05", "derived")
    assert "SQ_WAIT_INST_LDS / SQ_ACTIVE_INST_VALU" in ratio.source
    finding, advice = page.next
    assert (finding.rule, advice.technique) == ("lds-bound", "operands-in-registers")
    assert 0.9 < advice.predicted.low < 1.0 < advice.predicted.high < 3.0
    assert "gpu.lds_wait_ratio falls (now 3.05)" in advice.verify


def test_what_is_missing_comes_with_counters_and_inputs(attention):
    page = explain(Request(inputs=(attention,), target="gfx942"))
    reasons = {row.reason for row in page.missing}
    assert "SQ_VALU_MFMA_BUSY_CYCLES was not counted" in reasons
    assert "machine code" in {row.what for row in page.missing}
    assert all("sm_90" not in row.what and "legacy" not in row.what for row in page.missing)
    assert page.collect
    assert all(line.startswith("pmc: SQ_WAVES ") for line in page.collect)
    assert "SQ_WAIT_INST_LDS" not in " ".join(page.collect), "it was counted"


def test_against_says_which_bottleneck_went(attention, tmp_path):
    after = results(tmp_path / "after.csv", ("flash_attention_v4_1.kd", 18.3e6, MENDED))
    shift = explain(Request(inputs=(attention,), target="gfx942", against=(after,))).shift
    assert shift.verdict.startswith("the bottleneck shifted from lds-bound")
    assert "41.8 ms → 18.3 ms, which is no benchmark" in shift.verdict
    assert shift.kernel == "flash_attention_v4_1.kd", "renamed, and the only one"
    moved = {row.name: (row.before, row.after, row.direction) for row in shift.signals}
    assert moved["gpu.lds_wait_ratio"] == ("3.05", "0.530", "falls")
    assert moved["gpu.lds_per_wave"][2] == "falls"
    shares = {row.name: row.direction for row in shift.findings}
    assert shares["lds-bound"] == "falls"


def test_against_itself_nothing_moves(attention):
    shift = explain(Request(inputs=(attention,), target="gfx942", against=(attention,))).shift
    assert shift.verdict.startswith("the bottleneck stays lds-bound")
    assert {row.direction for row in (*shift.signals, *shift.findings)} == {"same"}


def test_two_files_of_one_kernel_are_one_kernel(tmp_path):
    first = results(tmp_path / "a.csv", ("k.kd", 1e6, {"SQ_WAVES": WAVES, "SQ_WAIT_INST_LDS": 3e9}))
    second = results(tmp_path / "b.csv", ("k.kd", 1e6, {"SQ_WAVES": WAVES, "SQ_ACTIVE_INST_VALU": 1e9}))
    alone = explain(Request(inputs=(first,), target="gfx942"))
    both = explain(Request(inputs=(first, second), target="gfx942"))
    assert "gpu.lds_wait_ratio" not in {fact.name for fact in alone.facts}
    assert {fact.name: fact.value for fact in both.facts}["gpu.lds_wait_ratio"] == "3.00"
    assert both.subject.choice == "the only kernel"


def test_counters_and_code_together_give_lines(attention):
    listing = str(LISTINGS / "gluon_base_gfx950.s")
    page = explain(Request(inputs=(attention, listing)))
    assert page.subject.target == "gfx950"
    assert [i.what for i in page.subject.inputs][1].startswith("amdgcn code")
    loads = next(f for f in page.findings if f.rule == "exposed-loop-loads")
    assert any("4 global loads are issued 12 instructions" in line for line in loads.lines)
    assert any(line.startswith("line ") and "s_waitcnt vmcnt(" in line for line in loads.lines)
    assert any(table.title.startswith("Hot loop of base") for table in page.tables)


def test_code_alone_needs_no_chip_and_knows_no_time():
    page = explain(Request(inputs=(str(LISTINGS / "gluon_stage1_gfx950.s"),)))
    assert page.subject.device == "gfx950"
    assert page.findings[0].rule == "exposed-local-reads"
    assert page.next[1].technique == "local-prefetch"
    assert page.roofline == ()
    assert "no time" in page.roofline_words


def test_a_technique_that_the_processor_lacks_stands_last_with_the_reason():
    page = explain(Request(inputs=(str(LISTINGS.parent / "triton_matmul_gfx1201.s"),)))
    unmet = [a for f in page.findings for a in f.advice if a.unmet]
    assert all(not before.unmet or after.unmet for f in page.findings for before, after in pairwise(f.advice))
    assert unmet
    assert all("gfx1201 has no" in a.unmet[0] for a in unmet)


def test_the_named_kernel_is_explained_though_another_takes_more_time(attention):
    page = explain(Request(inputs=(attention,), kernel="fill", target="gfx942"))
    assert page.subject.kernel == "fill.kd"
    assert page.subject.choice == "asked for by name"


def test_a_counter_that_older_chips_lack_is_a_lower_bound(tmp_path):
    path = results(tmp_path / "r.csv", ("k", 1e6, {"SQ_WAVES": WAVES, "TCC_EA0_RDREQ_sum": 5.0}))
    device = explain(Request(inputs=(path,))).subject.device
    assert device.startswith("a gfx942 or later, which has the counter TCC_EA0_RDREQ_sum")
    assert "MI300X" not in device
    plain = results(
        tmp_path / "p.csv", ("k", 1e6, {"SQ_WAVES": WAVES, "TCC_EA_RDREQ_32B_sum": 5.0})
    )  # gfx908 has it, too
    page = explain(Request(inputs=(plain,)))
    assert "give --target" in page.subject.device
    assert page.roofline == ()


def test_traffic_that_rocprof_derived_gives_a_roofline(tmp_path):
    path = results(tmp_path / "r.csv", ("k", 1e6, {"FETCH_SIZE": 2e6, "WRITE_SIZE": 1e6}))
    page = explain(Request(inputs=(path,), chip="mi300x"))
    (roof,) = page.roofline
    assert roof.name == "device memory"
    assert roof.fraction == pytest.approx(3e6 * 1024 / 1e-3 / 5.3e12)
    assert "data sheet" in roof.source


MEMORY = {"SQ_INSTS_VALU_MFMA_MOPS_F16": 1.1e12 / 512, "SQ_LDS_IDX_ACTIVE": 6e9, "SQ_LDS_BANK_CONFLICT": 1e9,
          "TCP_TOTAL_CACHE_ACCESSES_sum": 4e8, "TCP_TCC_READ_REQ_sum": 6e7, "TCP_TCC_WRITE_REQ_sum": 1e6,
          "TCP_TCC_ATOMIC_WITH_RET_REQ_sum": 0, "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum": 0, "TCC_EA0_RDREQ_sum": 9e6,
          "TCC_EA0_RDREQ_32B_sum": 0, "TCC_BUBBLE_sum": 4e6, "TCC_EA0_WRREQ_sum": 1e6, "TCC_EA0_WRREQ_64B_sum": 1e6}  # fmt: skip


def timeless(path: Path, counters: dict[str, float]) -> str:
    """Write one launch whose time stamps are missing."""
    text = Path(results(path, ("attention.kd", 1.0, counters))).read_text()
    path.write_text(text.replace(",1000,1001,0,", ",,,0,"))
    return str(path)


def test_counters_without_times_are_a_diagnosis_and_a_roofline_at_most(tmp_path):
    """42 M clocks of one die at 2.1 GHz are 20 ms, so 55 TFLOP/s at most; the ratio of waiting needs no time at all."""
    page = explain(Request(inputs=(timeless(tmp_path / "r.csv", {**LOCAL, **MEMORY}),), target="gfx942"))
    top = page.findings[0]
    assert top.rule == "lds-bound"
    assert page.verdict.startswith("Local memory bound, 38 % of the time")
    assert {fact.name: fact.provenance for fact in page.facts}["gpu.lds_wait_ratio"] == "derived", "no clock is in it"
    assert {fact.name: (fact.value, fact.provenance) for fact in page.facts}["gpu.duration_ns"] == (
        "20.0 ms",
        "estimated",
    )
    assert [point.level for point in page.picture.points] == ["lds", "l1", "l2", "hbm"]
    assert page.picture.points[0].flops_per_s == pytest.approx(55e12)
    assert "estimated from clocks" in page.picture.note
    assert all(slope.sheet for slope in page.picture.slopes)
    assert page.missing[0].what == "time of a launch"
    assert page.commands[0] == "rocprofv2 --kernel-trace --plugin file -d results ./program"
    assert page.commands[1].startswith("hotloop profile --target gfx942 --kernel attention --counters ")


def test_without_clocks_no_time_is_made_up(tmp_path):
    counters = {"SQ_WAVES": WAVES, "SQ_WAIT_INST_LDS": 3e9, "SQ_ACTIVE_INST_VALU": 1e9}
    page = explain(Request(inputs=(timeless(tmp_path / "r.csv", counters),), target="gfx942"))
    assert page.findings[0].rule == "lds-bound"
    assert "gpu.duration_ns" not in {fact.name for fact in page.facts}
    assert page.roofline == ()
    assert page.picture is None


def test_registers_of_the_launch_say_how_many_groups_fit(attention):
    """124 registers are 128: 4 waves each of 4 SIMDs; 23,552 B of local memory: 2 groups of 4 waves, so 2 of 8 slots."""
    facts = {fact.name: fact.value for fact in explain(Request(inputs=(attention,), target="gfx942")).facts}
    assert facts["gpu.limit_registers"] == "4.00 group"
    assert facts["gpu.limit_local"] == "2.00 group"
    assert facts["gpu.limit_waves"] == "8.00 group"
    assert facts["gpu.occupancy_limit"] == "0.250"
    assert facts["gpu.rounds"] == "13.5", "8,192 groups over 304 units of two"


def test_doubts_are_said(attention, tmp_path):
    sure = explain(Request(inputs=(attention,), target="gfx942")).findings[0]
    assert (sure.rule, sure.confidence, sure.doubts) == ("lds-bound", "high", ())
    few = {"SQ_WAVES": WAVES, "SQ_WAIT_INST_LDS": 3e9, "SQ_ACTIVE_INST_VALU": 1e9}
    bare = explain(Request(inputs=(timeless(tmp_path / "bare.csv", few),), target="gfx942")).findings[0]
    assert (bare.rule, bare.confidence) == ("lds-bound", "low")  # of how much of the time nobody counted
    assert bare.doubts == (
        "it may be the symptom of another limit: gpu.lds_wait_share is not known",
        "not known: gpu.lds_wait_share, gpu.lds_per_wave, gpu.lds_conflicts_per_access and 5 more",
    )
    partial = explain(
        Request(inputs=(timeless(tmp_path / "part.csv", {**few, "SQ_WAVES": WAVES / 32}),), target="gfx942")
    )
    low = next(f for f in partial.findings if f.rule == "lds-bound")
    assert low.confidence == "low"
    assert low.doubts[0] == "the counters saw 3.1 % of the waves"


@pytest.mark.parametrize(("inputs", "words"), [
    (("/nope.csv",), "there is no file /nope.csv"),
    (("a\0b",), "unknown kernel family"),
    (("nosuchfamily",), "unknown kernel family"),
])  # fmt: skip
def test_bad_inputs_are_one_sentence(inputs, words):
    with pytest.raises(UsageError, match=words) as caught:
        explain(Request(inputs=inputs))
    assert "\n" not in str(caught.value)


def test_a_text_is_neither_profile_nor_code(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("some notes\nabout kernels\n")
    with pytest.raises(UsageError, match="no profile that hotloop can read.*; nor can it be read as code:"):
        explain(Request(inputs=(str(path),)))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (
            "k.cl",
            "__kernel void k(__global float *a) { a[0] = 1; }\n",
            r"k\.cl is a source.*'hotloop explain \S+k\.cl --target gfx942'",
        ),
        ("k.cu", "__global__ void k(float *a) { a[0] = 1; }\n", r"k\.cu is a source.*--target sm_90'"),
        (
            "k.py",
            "import triton\n\n@triton.jit\ndef k(x):\n    pass\n",
            r"k\.py is a source.*'hotloop isa \S+k\.py .*-P NAME=VALUE",
        ),
        ("k.f90", "program p\nend program p\n", "it is a source: give the machine code"),
    ],
)
def test_of_a_source_is_said_what_to_run(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        explain(Request(inputs=(str(path),)))


def test_unknown_names_are_refused(attention):
    for request, words in (
        (Request(inputs=(attention,), kernel="gemm"), "there is no kernel 'gemm'; the inputs have flash"),
        (Request(inputs=(attention,), kernel="l"), "several kernels are named like 'l'"),
    ):
        with pytest.raises(UsageError, match=words):
            explain(request)
    for request in (Request(inputs=(attention,), target="gfx1"), Request(inputs=(attention,), chip="MI9")):
        with pytest.raises(UnknownNameError):
            explain(request)


def test_the_command_to_explain_again_takes_the_store_and_quotes_the_files(tmp_path):
    inputs = results(tmp_path / "my results.csv", ("flash_attention_v4_0.kd", 41.8e6, LOCAL))
    store = tmp_path / "a store.sqlite"
    Store.open(store).close()
    (again,) = explain(Request(inputs=(inputs,), store=str(store))).commands
    assert shlex.split(again, comments=True) == [
        "hotloop", "explain", "--store", str(store), inputs, "--target", "gfx942"
    ]  # fmt: skip


def test_requests_to_memory_count_bytes_where_their_name_tells_an_older_chip(tmp_path):
    counters = {
        "TCC_EA_RDREQ_sum": 10.0,
        "TCC_EA_RDREQ_32B_sum": 2.0,
        "TCC_EA_WRREQ_sum": 5.0,
        "TCC_EA_WRREQ_64B_sum": 4.0,
    }
    page = explain(Request(inputs=(results(tmp_path / "r.csv", ("k", 1e6, counters)),)))
    assert {fact.name: fact.value for fact in page.facts}["gpu.hbm_bytes"] == "864 B"


def test_a_compilers_messages_about_spilled_registers_are_in_the_verdict(tmp_path):
    """Drawn: 165 registers in memory stood in a table only, under 'no rule found a bottleneck'."""
    path = tmp_path / "ptxas.txt"
    path.write_text(
        "ptxas info    : Compiling entry function '_Z4loopPKfPfi' for 'sm_89'\n"
        "ptxas info    : Function properties for _Z4loopPKfPfi\n"
        "    312 bytes stack frame, 660 bytes spill stores, 656 bytes spill loads\n"
        "ptxas info    : Used 24 registers, used 0 barriers, 372 bytes cmem[0]\n"
    )
    assert "the compiler keeps 165 vector registers in memory" in explain(Request(inputs=(str(path),))).verdict
