"""Samples of the program counter belong to launches, and a launch to a kernel only where a file says so; times that clocks deny."""

import pytest

from hotloop.app.explain.answer import Request, explain

SAMPLES = '"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id","Wave_Issued_Instruction","Instruction_Type","Stall_Reason","Wave_Count"\n'
TRACE = '"Kind","Agent_Id","Queue_Id","Kernel_Id","Kernel_Name","Dispatch_Id","Correlation_Id","Start_Timestamp","End_Timestamp"\n'
REASON = "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_"


def sample(launch, text, reason="", source="a.cpp:1"):
    issued, why = (0, REASON + reason) if reason else (1, "")
    return f'1,255,{launch},"{text}","{source}",{launch},{issued},"","{why}",4\n'


def run(launch, kernel, begin, end):
    return f'"KERNEL_DISPATCH","Agent 1",1,{launch},"{kernel}",{launch},{launch},{begin},{end}\n'


@pytest.fixture
def folder(tmp_path):
    """Two kernels: one waits at barriers, the other for memory; launches 1 and 2."""
    waits = sample(1, "s_barrier", "BARRIER_WAIT", "first.cpp:7") * 36 + sample(1, "v_add_f32 v0, v0, v1") * 4
    loads = sample(2, "s_waitcnt vmcnt(0)", "WAITCNT", "second.cpp:9") * 72 + sample(2, "v_add_f32 v0, v0, v1") * 8
    (tmp_path / "pc_sampling.csv").write_text(SAMPLES + waits + loads)
    return tmp_path


def explained(folder, first, second, kernel):
    (folder / "kernel_trace.csv").write_text(TRACE + run(first, "first", 100, 900) + run(second, "second", 1000, 1800))
    return explain(Request(inputs=(str(folder),), target="gfx942", kernel=kernel))


@pytest.mark.parametrize(("kernel", "rule", "place"), [
    ("first", "barrier-stalls", "first.cpp:7"), ("second", "exposed-global-latency", "second.cpp:9"),
])  # fmt: skip
def test_samples_go_to_the_kernel_of_their_launch(folder, kernel, rule, place):
    page = explained(folder, 1, 2, kernel)
    assert {finding.rule for finding in page.findings} == {rule}
    assert page.findings[0].share == pytest.approx(0.9)
    places = next(table for table in page.tables if "samples" in table.title)
    assert places.rows[0].cells[0] == place
    assert not any("samples" in note for note in page.notes)


def test_samples_of_launches_that_nobody_names_say_so(folder):
    page = explained(folder, 11, 12, "first")
    assert page.findings[0].rule == "exposed-global-latency"
    assert page.findings[0].confidence == "low"
    assert page.findings[0].share == pytest.approx(0.6)
    assert "the samples are of 2 launches that no file names: they may be of all 2 kernels" in page.notes


COUNTED = 'Dispatch_ID({}), GPU_ID(1), Queue_ID(1), Process_ID(7), Thread_ID(7), Grid_Size(64), Workgroup_Size(64), LDS(0), Scratch_Size(0), Arch_VGPR(8), Accumvgpr_Count(0), SGPR_Count(16), Wave_Size(64), SIG(0), OBJ(1), Kernel_Name("{}"), Begin_Timestamp({}), End_Timestamp({}), Correlation_ID(0), GRBM_COUNT({})\n'


def test_a_time_that_clocks_deny_ranks_no_kernel(tmp_path):
    rows = COUNTED.format(1, "long", 5, 4_430_000_005, "14222.0") + COUNTED.format(2, "short", 5, 20_005, "40000.0")
    (tmp_path / "out.txt").write_text(rows)
    page = explain(Request(inputs=(str(tmp_path / "out.txt"),), target="gfx90a"))
    assert page.subject.kernel == "short", "14,222 clocks do not last 4.43 s"
    assert [(row.name, row.total_ns) for row in page.kernels] == [("short", 20_000.0), ("long", None)]


def test_reserved_private_memory_is_a_guess(tmp_path):
    head = '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n'
    (tmp_path / "counter_collection.csv").write_text(
        f'{head}2,2,1,1,9,9,4096,16,"product",256,2048,1024,48,128,"MemUnitBusy",0.0,10,50\n'
    )
    page = explain(Request(inputs=(str(tmp_path / "counter_collection.csv"),)))
    assert (page.findings[0].rule, page.findings[0].confidence) == ("private-memory", "low")
    assert "low confidence" in page.verdict
