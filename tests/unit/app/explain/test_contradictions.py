"""Files that contradict one another, or are not as their tool wrote them: what holds is told, and why the rest does not."""

from __future__ import annotations

import json

import pytest

from hotloop.app.explain.answer import Request, explain

HEAD = "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,SQ_WAVES,SQ_WAVE_CYCLES,SQ_WAIT_ANY,SQ_WAIT_INST_ANY,SQ_ACTIVE_INST_ANY,SQ_INSTS_LDS\n"
ROW = '0,2,1048576,256,64,"copy(int) [clone .kd]",1000,18440,16384,72000000,{},16100000,280000,0\n'
SYSTEM = "workload_name,gpu_arch,gpu_model,cu_per_gpu,simd_per_cu,se_per_gpu,max_sclk,max_waves_per_cu\nw,gfx942,{},304,4,32,2100,32\n"
AGENTS = (
    '"Node_Id","Logical_Node_Id","Agent_Type","Simd_Count","Cu_Count","Name","Product_Name"\n'
    '0,0,"CPU",0,64,"AMD EPYC","AMD EPYC"\n2,2,"GPU",1024,256,"gfx950","AMD Instinct MI350X"\n'
)


@pytest.fixture
def workload(tmp_path):
    """Make a folder of rocprof-compute with other contents."""

    def make(*, waiting=55_700_000, model="MI300X", system=True, **more):
        (tmp_path / "pmc_perf.csv").write_text(HEAD + ROW.format(waiting))
        if system:
            (tmp_path / "sysinfo.csv").write_text(SYSTEM.format(model))
        for name, text in more.items():
            (tmp_path / f"{name}.csv").write_text(text)
        return tmp_path

    return make


def subject(folder):
    return explain(Request(inputs=(str(folder),)))


def test_a_peak_of_one_die_is_not_the_whole_chip_s(tmp_path):
    """A profiler older than the MI325X writes 768 GB/s beside its 304 units: 671 GB/s are 13 % of what it can, not 87."""
    (tmp_path / "sysinfo.csv").write_text(
        "workload_name,gpu_arch,gpu_model,cu_per_gpu,simd_per_cu,se_per_gpu,max_sclk,max_waves_per_cu,hbm_bw\nw,gfx942,MI300,304,4,32,2100,32,768.0\n"
    )
    (tmp_path / "pmc_perf.csv").write_text(
        "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,SQ_WAVES,GRBM_GUI_ACTIVE,TCC_EA0_RDREQ_sum,"
        "TCC_EA0_RDREQ_32B_sum,TCC_BUBBLE_sum,TCC_EA0_WRREQ_sum,TCC_EA0_WRREQ_64B_sum\n"
        '0,2,2097152,128,64,"turn [clone .kd]",1000,151000,32768,2400000,525134,0,524288,524288,524288\n'
    )
    page = subject(tmp_path)
    assert "hbm-bound" not in {finding.rule for finding in page.findings}
    assert next(fact.value for fact in page.facts if fact.name == "gpu.hbm_utilization") == "0.127"


def test_a_name_of_another_chip_does_not_stand_for_the_device(workload):
    page = subject(workload(model="MI250X"))
    assert "gfx942; the files also tell of an MI250X, which is a gfx90a; peaks of an MI300X" in page.subject.device
    assert subject(workload()).subject.device.startswith("MI300X (gfx942)")


def test_a_list_of_agents_inside_a_workload_names_its_device(workload):
    page = subject(workload(system=False, agent_info=AGENTS))
    assert page.subject.device == "AMD Instinct MI350X (gfx950)"


def test_a_partition_of_a_chip_has_not_the_peaks_of_the_chip(workload):
    folder = workload()
    (folder / "sysinfo.csv").write_text(SYSTEM.format("MI300X").replace(",304,", ",38,"))
    page = subject(folder)
    assert "38 units, where an MI300X has 304" in page.subject.device
    assert "5.3 TB/s" not in page.roofline_words
    assert not any(fact.name == "gpu.hbm_utilization" for fact in page.facts)


def test_a_counter_of_another_scale_does_not_become_a_full_wait(workload):
    shares = {fact.name: fact.value for fact in subject(workload(waiting=55_700_000_000)).facts}
    assert "gpu.wait_share" not in shares
    assert {fact.name: fact.value for fact in subject(workload()).facts}["gpu.wait_share"] == "0.774"


def test_a_spreadsheet_of_another_language_is_read_alike(workload):
    folder, table = workload(), HEAD + ROW.format("55700000.5")
    (folder / "pmc_perf.csv").write_text(table)
    usual = subject(folder).facts
    (folder / "pmc_perf.csv").write_text(table.replace(",", ";").replace("55700000.5", "55.700.000,5"))
    assert subject(folder).facts == usual


def test_counters_with_commas_are_left_out_and_that_is_said(workload):
    page = subject(workload(waiting='"55700000,5"'))
    assert not any(fact.name == "gpu.wait_share" for fact in page.facts)
    assert any("written with commas" in note for note in page.notes)
    assert not any("written with commas" in note for note in subject(workload()).notes)


LAUNCH = "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp"
HELD = {"SQ_WAVES": 32768, "SQ_WAVE_CYCLES": 8e9, "SQ_WAIT_ANY": 2.5e9, "SQ_INSTS_LDS": 0}


@pytest.fixture
def counters(tmp_path):
    """Make a file of rocprof v2 that names no chip; 32,768 waves in 8,192 groups."""

    def make(*, spent_ns=400_000, **more):
        values = {**HELD, **more}
        row = f'0,2,2097152,256,64,"work.kd",1000,{1000 + spent_ns}'
        path = tmp_path / "results.csv"
        path.write_text(f"{LAUNCH},{','.join(values)}\n{row},{','.join(map(str, values.values()))}\n")
        return path

    return make


def test_a_full_unit_of_a_chip_that_no_file_names_is_the_limit_not_what_waves_wait_for(counters):
    found = subject(counters(SQ_VALU_MFMA_BUSY_CYCLES=3.6e9, SQ_BUSY_CU_CYCLES=1e9)).findings[0]
    assert (found.rule, found.confidence) == ("matrix-bound", "medium")
    assert "gpu.matrix_utilization is an upper bound" in found.doubts


def test_waiting_that_a_full_memory_may_explain_is_a_guess(counters):
    page = explain(Request(inputs=(str(counters()),), target="gfx942"))
    found = page.findings[0]
    assert (found.rule, found.confidence) == ("exposed-global-latency", "low")
    assert ["symptom of another limit" in doubt for doubt in found.doubts[:2]] == [True, True]
    assert "gpu.hbm_utilization, gpu.matrix_utilization, gpu.valu_utilization would tell" in page.verdict
    assert {"TCC_BUBBLE_sum", "SQ_VALU_MFMA_BUSY_CYCLES", "SQ_ACTIVE_INST_VALU"} <= set(
        page.verdict.partition("--counters ")[2].partition(" -- ")[0].split(",")
    )
    assert (
        "would tell"
        not in explain(
            Request(inputs=(str(counters(**MOVED, SQ_ACTIVE_INST_VALU=1e6, SQ_BUSY_CU_CYCLES=5e8)),), target="gfx942")
        ).verdict
    )


MOVED = {"TCC_EA0_RDREQ_sum": 2e6, "TCC_BUBBLE_sum": 2e6, "TCC_EA0_RDREQ_32B_sum": 0, "TCC_EA0_WRREQ_sum": 0, "TCC_EA0_WRREQ_64B_sum": 0}  # fmt: skip


@pytest.mark.parametrize(
    ("clocks", "scale", "bound"),
    [(1.3e5, 1, ()), (1.3e6, 10, ()), (1.1e6, 10, ("hbm-bound",))],
    ids=["a short launch", "not full at a usual clock", "full at any usual clock"],
)
def test_a_time_that_is_only_a_least_one_shows_no_full_memory(counters, clocks, scale, bound):
    """At the peak clock these are 256 MB in 62 µs or ten times as much in 619 µs, 78 % of the peak, and in 524 µs, 92 %."""
    path = counters(spent_ns=0, SQ_BUSY_CYCLES=32 * clocks, **{name: scale * value for name, value in MOVED.items()})
    page = explain(Request(inputs=(str(path),), target="gfx942"))
    assert tuple(finding.rule for finding in page.findings if finding.rule == "hbm-bound") == bound


def test_a_finding_below_the_limit_that_the_kernel_is_near_names_it(counters):
    waiting = {"SQ_WAIT_ANY": 7e9, "SQ_BUSY_CU_CYCLES": 5e8, "SQ_ACTIVE_INST_VALU": 1e6}
    spent_ns = 69_000  # 256 MB are 70 % of the peak
    page = explain(Request(inputs=(str(counters(spent_ns=spent_ns, **MOVED, **waiting)),), target="gfx942"))
    assert page.findings[0].rule == "exposed-global-latency"
    assert "device memory is the nearest roof: 70.0 % of it is used, so the kernel is near its limit" in page.verdict


def test_a_unit_that_works_most_of_the_time_is_named_beside_a_smaller_finding(counters):
    """Matrix units busy at 75 %, memory at 17 %: the largest finding is what waiting leaves uncovered."""
    busy = {"SQ_WAIT_ANY": 4e9, "SQ_BUSY_CU_CYCLES": 5e8, "SQ_ACTIVE_INST_VALU": 1e6, "SQ_VALU_MFMA_BUSY_CYCLES": 1.5e9}
    page = explain(Request(inputs=(str(counters(spent_ns=280_000, **MOVED, **busy)),), target="gfx942"))
    assert page.findings[0].share < 0.6
    assert "yet matrix units work at" in page.verdict


def test_a_processor_that_lacks_a_counter_is_doubted(workload):
    head, row = HEAD.strip() + ",TCC_BUBBLE_sum\n", ROW.format(55_700_000).strip() + ",5\n"
    folder = workload()
    (folder / "pmc_perf.csv").write_text(head + row)
    assert "yet" not in subject(folder).subject.device
    (folder / "sysinfo.csv").write_text(SYSTEM.format("MI200").replace("gfx942", "gfx90a"))
    assert "yet the counter TCC_BUBBLE_sum is of a gfx942 or later" in subject(folder).subject.device


V3 = '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"\n'


def test_counters_of_one_die_are_found_out_though_no_file_tells_the_size_of_a_wave(tmp_path):
    """rocprofv3 writes no size of waves; the processor has one only. 224 lookups of 64 lanes are of two different amounts."""
    counted = {"SQ_WAVES": 4096, "SQ_INSTS_VMEM": 8192, "TCP_TOTAL_CACHE_ACCESSES_sum": 224 * 8192}
    path = tmp_path / "1_counter_collection.csv"
    path.write_text(
        V3
        + "".join(
            f'1,1,"Agent 1",1,1,1,2097152,1,"k",256,0,0,8,0,16,"{n}",{v},1000,401000\n' for n, v in counted.items()
        )
    )
    page = explain(Request(inputs=(str(path),), target="gfx942"))
    assert page.findings[0].rule == "partial-counters"
    assert "gpu.lines_per_vmem" not in {fact.name for fact in page.facts}


def test_a_small_finding_is_no_limit_of_the_kernel(counters):
    busy = {"SQ_WAIT_ANY": 2.4e9, "SQ_BUSY_CU_CYCLES": 5e8, "SQ_ACTIVE_INST_VALU": 2.5e8}
    page = explain(Request(inputs=(str(counters(spent_ns=90_000, **MOVED, **busy)),), target="gfx942"))
    assert page.verdict.startswith(
        "No single limit takes the time; the largest finding is: Exposed global memory latency, 1"
    )


def test_the_command_that_would_decide_brings_all_that_its_facts_are_made_of(tmp_path):
    """A reason names the first counter that is missing; alone it gives nothing."""
    path = tmp_path / "results.csv"
    path.write_text(f"{LAUNCH},SQ_BUSY_CU_CYCLES\n0,2,2097152,256,64,work.kd,1000,401000,500000000\n")
    verdict = explain(Request(inputs=(str(path),), target="gfx942")).verdict
    assert "gpu.global_wait_share and gpu.hbm_utilization would decide what limits it" in verdict
    named = verdict.partition("--counters ")[2].partition(" -- ")[0].split(",")
    assert {
        "SQ_WAIT_ANY",
        "SQ_WAIT_INST_LDS",
        "SQ_WAVE_CYCLES",
        "TCC_BUBBLE_sum",
        "TCC_EA0_RDREQ_sum",
        "TCC_EA0_WRREQ_sum",
    } <= set(named)


def test_idle_matrix_units_are_a_guess_where_nothing_tells_how_full_the_memory_is(counters):
    """Drawn: a kernel at 83 % of the memory's peak, whose bytes written were not counted, was told to wait with 94 %."""
    little = {"SQ_VALU_MFMA_BUSY_CYCLES": 2.1e8, "SQ_BUSY_CU_CYCLES": 1e9, "SQ_WAIT_ANY": 0}
    unknown = explain(Request(inputs=(str(counters(**little)),), target="gfx942"))
    found = unknown.findings[0]
    assert (found.rule, found.confidence) == ("low-matrix-utilisation", "low")
    assert "gpu.hbm_utilization would tell whether it is the symptom" in unknown.verdict
    known = explain(Request(inputs=(str(counters(**little, **MOVED)),), target="gfx942")).findings[0]
    assert (known.rule, known.confidence) == ("low-matrix-utilisation", "medium")


@pytest.fixture
def graphics(tmp_path):
    """Make a counter file of rocprofv3: 1,048,576 work-items in groups of 256, 1 ms."""

    def make(**values):
        path = tmp_path / "1_counter_collection.csv"
        row = '1,1,"Agent 1",1,1,1,1048576,1,"k",256,0,0,8,0,16,"{}",{},1000,1001000\n'
        path.write_text(V3 + "".join(row.format(*pair) for pair in values.items()))
        return path

    return make


def test_counters_of_a_graphics_chip_that_no_file_names_are_not_read_as_a_compute_chip_s(graphics):
    """Its waves' time is in clocks: read in fours of them, occupancy would be four times as high."""
    path = graphics(SQ_WAVES=32768, SQ_WAVE_CYCLES=2e9, GRBM_GUI_ACTIVE=2e6, GL2C_HIT_sum=1e6, GL2C_MISS_sum=1e6)
    page = subject(path)
    assert page.subject.device.startswith("an AMD RDNA chip, whose counters these are")
    facts = {fact.name: fact.value for fact in page.facts}
    assert facts["gpu.l2_hit_rate"] == "0.500"
    assert "gpu.occupancy" not in facts
    assert "--target gfx1100" in page.commands[0]


@pytest.mark.parametrize(
    ("waves", "told", "wrong"),
    [(32768, True, False), (16384, True, False), (24000, False, False), (40000, True, True), (12000, True, True)],
)
def test_the_size_of_a_graphics_chip_s_waves_is_the_one_that_makes_up_those_counted(graphics, waves, told, wrong):
    """More waves than the smallest size makes, or fewer than the largest, are no size's."""
    page = explain(Request(inputs=(str(graphics(SQ_WAVES=waves)),), target="gfx1100"))
    assert ("gpu.counted_waves_share" in {fact.name for fact in page.facts}) == told
    assert ("partial-counters" in {finding.rule for finding in page.findings}) == wrong


def test_counters_that_a_graphics_chip_did_not_deliver_are_named_with_what_makes_it(graphics):
    page = explain(Request(inputs=(str(graphics(SQ_WAVES=32768, FETCH_SIZE=0, SQ_INSTS_VALU=0)),), target="gfx1201"))
    note = next(note for note in page.notes if "taken as not counted" in note)
    assert note.startswith("FETCH_SIZE, SQ_INSTS_VALU read 0")
    assert "--perf-level STABLE_STD" in note
    assert not page.findings


def _trace(kernel, device):
    event = {
        "ph": "X",
        "cat": "kernel",
        "name": kernel,
        "ts": 5,
        "dur": 4200,
        "args": {"device": 0, "grid": [24, 1, 1], "block": [544, 1, 1]},
    }
    return json.dumps({"deviceProperties": [{"id": 0, **device}], "traceEvents": [event]})


H100 = {"name": "NVIDIA H100 80GB HBM3", "computeMajor": 9, "computeMinor": 0, "numSms": 132}


@pytest.mark.parametrize(
    ("kernel", "rules"),
    [("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(int)", []), ("reduce_rows(float*)", ["idle-units"])],
)
def test_the_few_groups_of_a_collective_are_its_channels(tmp_path, kernel, rules):
    path = tmp_path / "t.json"
    path.write_text(_trace(kernel, H100))
    page = explain(Request(inputs=(str(path),)))
    assert [finding.rule for finding in page.findings] == rules
    assert page.verdict.startswith("It is a collective") == (not rules)


def test_a_device_is_known_by_the_name_that_it_is_sold_under(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(
        _trace("scan(float*)", {"name": "AMD Instinct MI300X", "computeMajor": 9, "computeMinor": 4, "numSms": 304})
    )
    assert explain(Request(inputs=(str(path),))).subject.target == "gfx942"


def test_a_busy_unit_without_a_name_is_not_far_from_any_limit(tmp_path):
    """Published for a product on an H20: nothing but this row says that the kernel uses three quarters of something."""
    ruler = f"    {'-' * 30} {'-' * 11} {'-' * 12}\n"
    rows = (("DRAM Throughput", "21.27"), ("L1/TEX Cache Throughput", "35.09"), ("Compute (SM) Throughput", "77.56"))
    speed = "".join(f"    {title:30} {'%':>11} {value:>12}\n" for title, value in rows)
    path = tmp_path / "page.txt"
    path.write_text(f"    Section: GPU Speed Of Light Throughput\n{ruler}{speed}{ruler}")
    words = explain(Request(inputs=(str(path),))).roofline_words
    assert "yet the busiest unit of the compute units works at 77.6 % of the peak" in words
    assert "far from any limit" not in words


def test_full_issue_slots_are_not_far_from_any_limit(tmp_path):
    ruler = f"    {'-' * 30} {'-' * 11} {'-' * 12}\n"
    rows = (
        ("DRAM Throughput", "%", "15.44"),
        ("Elapsed Cycles", "cycle", "1000000"),
        ("SM Active Cycles", "cycle", "960000"),
    )
    speed = "".join(f"    {title:30} {unit:>11} {value:>12}\n" for title, unit, value in rows)
    page = f"    Section: GPU Speed Of Light Throughput\n{ruler}{speed}{ruler}"
    page += (
        f"    Section: Scheduler Statistics\n{ruler}    {'One or More Eligible':30} {'%':>11} {'90.00':>12}\n{ruler}"
    )
    path = tmp_path / "page.txt"
    path.write_text(page)
    words = explain(Request(inputs=(str(path),))).roofline_words
    assert "yet the issue slots work at 86.4 % of the peak" in words
    assert "far from any limit" not in words
