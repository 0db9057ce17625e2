"""Metrics that rocprofv3 derives itself: they stand in the file, and are not called uncounted."""

import pytest

from hotloop.app.explain.answer import Request, explain

HEAD = (
    '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name",'
    '"Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value",'
    '"Start_Timestamp","End_Timestamp"\n'
)
ROW = '6,6,8,2,4121549,4121549,16777216,20,"JacobiIterationKernel",512,0,0,32,32,"{}",{},4655537961650501,4655537962186505\n'
"""A launch of AMD's profiling guide; the occupancy is the one printed there."""


@pytest.mark.parametrize(
    ("counter", "value", "fact", "expected"),
    [
        ("OccupancyPercent", 66.086174, "gpu.occupancy", "0.661"),
        ("VALUBusy", 62.0, "gpu.valu_utilization", "0.620"),
        ("L2CacheHit", 5.469971, "gpu.l2_hit_rate", "0.0547"),
        ("MfmaUtil", 24.0, "gpu.matrix_utilization", "0.240"),
    ],
)
def test_a_derived_counter_is_what_it_says(tmp_path, counter, value, fact, expected):
    path = tmp_path / "jacobi_counter_collection.csv"
    path.write_text(HEAD + ROW.format(counter, value))
    page = explain(Request(inputs=(str(path),), target="gfx90a"))
    assert {cited.name: cited.value for cited in page.facts}[fact] == expected
    assert not any(fact in one.what.split(", ") for one in page.missing)


PAGE = """  softmax_kernel(float *) (8192, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0
    Section: GPU Speed Of Light Throughput
    ----------------------- ----------- ------------
    Metric Name             Metric Unit Metric Value
    ----------------------- ----------- ------------
    DRAM Throughput                   %        {:5.2f}
    Duration                         us        962.50
    ----------------------- ----------- ------------
"""


def test_below_85_percent_of_the_roof_there_is_a_finding_or_what_would_decide_with_its_command(tmp_path):
    path = tmp_path / "page.txt"
    path.write_text(PAGE.format(70))
    verdict = explain(Request(inputs=(str(path),))).verdict
    assert "would decide where the other 30 % go" in verdict
    assert "run ncu --set full" in verdict
    path.write_text(PAGE.format(40))
    unknown = "second-level cache, first-level cache, matrix units, vector units"
    assert (
        f"far from any limit that was counted ({unknown}: not known)" in explain(Request(inputs=(str(path),))).verdict
    )
    path.write_text(PAGE.format(95))
    assert "would decide" not in explain(Request(inputs=(str(path),))).verdict


def test_events_that_tell_nothing_and_those_that_were_not_counted_are_said(tmp_path):
    """A virtual machine without hardware counters, as published."""
    path = tmp_path / "stat.txt"
    path.write_text(
        "Performance counter stats for 'curl -s localhost' (50 runs):\n\n"
        "              6.14 msec task-clock                #    0.494 CPUs utilized            ( +-  0.59% )\n"
        "   <not supported>      cycles\n   <not supported>      instructions\n"
    )
    verdict = explain(Request(inputs=(str(path),))).verdict
    assert "task-clock of a whole process say nothing of a bottleneck; cycles, instructions were not counted" in verdict
    assert "perf stat -e cycles,instructions" in verdict


@pytest.mark.parametrize(("instructions", "misses", "waits"), [(500, 32, True), (500, 3, False), (2000, 65, False)])
def test_counts_of_a_process_that_waits_for_memory_say_so(tmp_path, instructions, misses, waits):
    path = tmp_path / "stat.txt"
    path.write_text(
        "Performance counter stats for './p':\n\n"
        f"  1000000  cycles\n  {instructions}000  instructions\n  {misses}000  cache-misses\n"
    )
    verdict = explain(Request(inputs=(str(path),))).verdict
    assert "no counters" not in verdict
    assert ("waits for memory" in verdict) == waits


def test_what_no_kernel_leaves_at_0_was_not_counted(tmp_path):
    """As on a card whose counters read 0 in rocprofv3."""
    path = tmp_path / "zero_counter_collection.csv"
    path.write_text(HEAD + ROW.format("VALUBusy", 0.0) + ROW.format("OccupancyPercent", 0.0))
    page = explain(Request(inputs=(str(path),), target="gfx90a"))
    assert not {"gpu.valu_utilization", "gpu.occupancy"} & {cited.name for cited in page.facts}
    assert "OccupancyPercent, VALUBusy read 0 for a kernel that ran: taken as not counted" in page.notes


LITTLE = {
    "calls": ("name,src_file,total_ns,counts,mean_ns\nupdate,main.cpp,9000,10,900\n", "ncu --set full"),
    "domains": (
        '"Name","Calls","TotalDurationNs","Percentage"\n"KERNEL_DISPATCH",20,40000000,100\n',
        "rocprofv3 --pmc",
    ),
    "times": ("Kernel,Calls,Total (ms)\nk,4,8.0\n", "rocprofv3 --pmc on AMD"),
    "code of a CPU": (
        "0 <f>:\n  0:\tvaddps ymm0,ymm1,[rdi]\n  5:\tdec rcx\n  8:\tjne 0 <f>\n  a:\tret\n",
        "'perf stat --topdown ./program'",
    ),
    "samples": (
        '"Kernel Name","k"\nAddress,Source,# Samples,stall_math,stall_selected\n0x1,FFMA R1,300,280,20\n',
        "ncu --set full",
    ),
}
"""Inputs that tell too little for a finding, with a command that the verdict must name."""


@pytest.mark.parametrize(("text", "command"), LITTLE.values(), ids=LITTLE)
def test_without_a_finding_the_verdict_says_what_would_decide(tmp_path, text, command):
    path = tmp_path / "little"
    path.write_text(text)
    found = explain(Request(inputs=(str(path),)))
    assert found.findings == ()
    assert "would decide" in found.verdict
    assert command in found.verdict


def test_a_loop_whose_iterations_wait_for_one_another_is_bound_by_latency(tmp_path):
    path = tmp_path / "sum.txt"
    path.write_text(
        "0 <f>:\n  0:\tvaddps ymm0,ymm0,[rdi]\n  5:\tadd rdi,32\n  8:\tdec rcx\n  b:\tjne 0 <f>\n  d:\tret\n"
    )
    page = explain(Request(inputs=(str(path),)))
    assert "Latency-bound" in page.verdict
    assert "keep several independent sums" in page.verdict
    assert "data from memory, 32.0 B an iteration, may take longer" in page.verdict
    assert not [line for row in page.findings[0].advice for line in row.verify if line.startswith(("gpu.", "isa."))]
