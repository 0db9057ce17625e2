"""A workload as ROCm Compute Profiler 3 writes it: every pass, those of accumulating counters too, in one table.

The figures are those of a public run, a batched product in bf16 with matrix instructions on an MI300X (`HGLiu1998/batched_gemm`,
`workloads/bmm1`), cut down to the counters that decide. By hand: 40.84 µs; 411,655 reads of 128 B and 262,365 writes of 64 B are
69.5 MB, 1.70 TB/s; L2 hits 1,676,913 of 2,218,116; 914,052,313 / 786,432 clocks for a vector memory instruction; 2.147 GFLOP are
4 % of the matrix units; waves wait 58 % of their time, and for local memory at most 33.9 M of 479.2 M clocks, 7 %.
"""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.errors import UsageError
from hotloop.explain.time import guess
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.fact import fact
from hotloop.model.evidence import Evidence, Provenance
from hotloop.targets.chips import Machine

LAUNCH = "Dispatch_ID 2 GPU_ID 0 Grid_Size 524288 Workgroup_Size 256 LDS_Per_Workgroup 2048 Scratch_Per_Workitem 0 Arch_VGPR 48 Accum_VGPR 0 SGPR 32 Wave_Size 64 Kernel_Name gemm Kernel_ID 11"
PASSES = (
    "SQ_WAVE_CYCLES 119805173",
    "SQ_VALU_MFMA_BUSY_CYCLES 4194304 SQ_WAIT_ANY 69636010 SQ_WAIT_INST_ANY 46484604 SQ_WAVES 8192",
    "SQ_INSTS_VMEM 786432",
    "TCC_MISS_sum 541203",
    "SQ_LDS_BANK_CONFLICT 2097152 SQ_LDS_IDX_ACTIVE 4194304",
    "SQ_INSTS_VALU_MFMA_MOPS_BF16 4194304 SQ_INSTS_VALU_MFMA_MOPS_F16 0 SQ_INSTS_VALU_MFMA_MOPS_F32 0 SQ_INSTS_VALU_MFMA_MOPS_F64 0 SQ_INSTS_VALU_MFMA_MOPS_F8 0",
    "SQ_IFETCH_LEVEL 20731231 SQ_ACCUM_PREV_HIRES 20731231",
    "SQ_ACTIVE_INST_VALU 2211840 SQ_BUSY_CU_CYCLES 20531868 SQ_BUSY_CYCLES 2274282 SQ_IFETCH 1146880 SQ_INST_LEVEL_SMEM 12735920 SQ_ACCUM_PREV_HIRES_7 12735920 TCC_EA0_RDREQ_sum 410768",
    "SQ_INSTS_SMEM 49152 SQ_LEVEL_WAVES 487764172 SQ_ACCUM_PREV_HIRES_8 487764172 TCC_EA0_WRREQ_sum 262448 TCC_HIT_sum 1676913",
    "SQ_ACTIVE_INST_ANY 5450159 SQ_INST_LEVEL_LDS 33898291 SQ_ACCUM_PREV_HIRES_9 33898291 TCC_EA0_RDREQ_32B_sum 0",
    "SQ_INSTS_LDS 524288 SQ_INST_LEVEL_VMEM 914052313 SQ_ACCUM_PREV_HIRES_10 914052313 TCC_EA0_WRREQ_64B_sum 262365",
    "GRBM_COUNT 829746 GRBM_GUI_ACTIVE 829746",
    "TCC_BUBBLE_sum 411655 Start_Timestamp 41551804869817.305 End_Timestamp 41551804910640.46",
)
SYSTEM = {"workload_name": "bmm1", "gpu_model": "MI300X_A1", "gpu_arch": "gfx942", "cu_per_gpu": "304", "simd_per_cu": "4",
          "se_per_gpu": "32", "wave_size": "64", "max_waves_per_cu": "32", "max_sclk": "2100", "total_l2_chan": "128",
          "num_xcd": "8"}  # fmt: skip


def workload(folder, ceilings="HBMBw 4244.3501 L2Bw 25345.92 MFMABF16Flops 516455.44", **changed):
    """Write a folder whose table has the passes side by side, some counters with another value."""
    words = LAUNCH.split()
    for number, text in enumerate(PASSES):
        words += [*([f"Kernel_ID_{number}", "11"] if number else []), *text.split()]
    cells = {**dict(zip(words[::2], words[1::2], strict=True)), **{k: str(v) for k, v in changed.items()}}
    (folder / "pmc_perf.csv").write_text(f"{','.join(cells)}\n{','.join(cells.values())}\n")
    (folder / "sysinfo.csv").write_text(f"{','.join(SYSTEM)}\n{','.join(SYSTEM.values())}\n")
    rows = ["device", "0", *ceilings.split()]
    (folder / "roofline.csv").write_text(f"{','.join(rows[::2])}\n{','.join(rows[1::2])}\n")
    return explain(Request(inputs=(str(folder),)))


def facts(page):
    return {cited.name: cited.value for cited in page.facts}


def used(page):
    return {roof.name: roof.fraction for roof in page.roofline}


def test_figures_and_verdict_are_those_counted_by_hand(tmp_path):
    page = workload(tmp_path)
    assert page.subject.device.startswith("MI300X_A1 (gfx942)")
    assert facts(page)["gpu.duration_ns"] == "40.8 µs"
    assert facts(page)["gpu.hbm_bytes"] == "66.3 MiB"
    assert facts(page)["gpu.l2_hit_rate"] == "0.756"
    assert facts(page)["gpu.vmem_latency_cycles"] == "1162 cycle"
    assert facts(page)["gpu.lds_latency_cycles"] == "64.7 cycle"
    assert facts(page)["gpu.fetch_wait_share"] == "0.00497", "(20.73 M - 16 × 1.147 M) / (119.8 M × 4)"
    assert facts(page)["gpu.global_wait_share"] == "0.506", (
        "(69.64 M × 4 - 33.9 M) / (119.8 M × 4), less the late fetches"
    )
    assert used(page)["device memory"] == pytest.approx(0.401, abs=0.002)
    assert page.findings[0].rule == "exposed-global-latency"
    assert page.findings[0].confidence == "medium"


def test_waiting_that_local_memory_explains_is_not_global_memory_s(tmp_path):
    page = workload(tmp_path, SQ_ACCUM_PREV_HIRES_9=280_000_000)
    assert facts(page)["gpu.global_wait_share"] == "0"
    assert "exposed-global-latency" not in {finding.rule for finding in page.findings}


def test_operations_of_eight_bits_are_counted(tmp_path):
    ceilings = "HBMBw 4244.3501 MFMABF16Flops 516455.44 MFMAF8Flops 1867987.4"
    page = workload(tmp_path, ceilings, SQ_INSTS_VALU_MFMA_MOPS_BF16=0, SQ_INSTS_VALU_MFMA_MOPS_F8=41943040)
    assert facts(page)["gpu.flops"] == "21474836480 flop"
    assert used(page)["fp8 matrix"] == pytest.approx(0.282, abs=0.002), "526 of 1,868 TFLOP/s"


def test_a_ceiling_that_is_exceeded_gives_way_to_the_data_sheet(tmp_path):
    page = workload(tmp_path, SQ_INSTS_VALU_MFMA_MOPS_BF16=62914560)
    assert used(page)["bf16 matrix"] == pytest.approx(0.603, abs=0.002), "789 TFLOP/s, benchmarked at 516, peak 1,307"


def test_a_kernel_without_local_memory_has_no_roof_of_it(tmp_path):
    ceilings = "HBMBw 4244.3501 LDSBw 73037.4"
    assert "local memory" in used(workload(tmp_path, ceilings))
    assert "local memory" not in used(workload(tmp_path, ceilings, SQ_INSTS_LDS=0)), "flat accesses count, too"


def test_sums_that_the_tool_did_not_accumulate_are_not_zero(tmp_path):
    """rocprofv3 writes 0 for a level's sum that it was not told to accumulate."""
    page = workload(tmp_path, SQ_ACCUM_PREV_HIRES_9=0, SQ_ACCUM_PREV_HIRES_10=0)
    assert not {"gpu.vmem_latency_cycles", "gpu.lds_latency_cycles", "gpu.global_wait_share"} & facts(page).keys()
    assert (
        "SQ_INST_LEVEL_LDS_ACCUM, SQ_INST_LEVEL_VMEM_ACCUM read 0 for a kernel that ran: taken as not counted"
        in page.notes
    )
    assert not any("read 0" in note for note in workload(tmp_path, SQ_ACCUM_PREV_HIRES_9=0, SQ_INSTS_LDS=0).notes)


def test_sums_of_several_long_tables_keep_their_levels(tmp_path):
    """A table for each pass, a row for each counter, all sums under one name and in the order of the alphabet."""
    describing = {"Dispatch_ID": 0, "GPU_ID": 0, "Grid_Size": 524288, "Workgroup_Size": 256, "Kernel_Name": "gemm"}
    passes = ({"SQ_ACCUM_PREV_HIRES": 914052313, "SQ_INSTS_VMEM": 786432, "SQ_INST_LEVEL_VMEM": 0},
              {"SQ_ACCUM_PREV_HIRES": 33898291, "SQ_INSTS_LDS": 524288, "SQ_INST_LEVEL_LDS": 0})  # fmt: skip
    for number, counters in enumerate(passes):
        rows = [[*describing, "Counter_Name", "Counter_Value"]]
        rows += [[*map(str, describing.values()), name, str(value)] for name, value in counters.items()]
        (tmp_path / f"results_pmc_perf_{number}.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    (tmp_path / "sysinfo.csv").write_text(f"{','.join(SYSTEM)}\n{','.join(SYSTEM.values())}\n")
    found = facts(explain(Request(inputs=(str(tmp_path),))))
    assert (found["gpu.vmem_latency_cycles"], found["gpu.lds_latency_cycles"]) == ("1162 cycle", "64.7 cycle")


def test_a_folder_of_workloads_is_not_taken_for_one(tmp_path):
    """Counters of two machines were put together under the name of the first, with the ceilings of the second."""
    for name in ("MI300X", "MI200"):
        (tmp_path / "copy" / name).mkdir(parents=True)
        workload(tmp_path / "copy" / name)
    with pytest.raises(UsageError, match=r"holds 2 workloads of rocprof-compute \(MI200, MI300X\): give one of them"):
        explain(Request(inputs=(str(tmp_path / "copy"),)))
    alone = tmp_path / "alone"
    (alone / "MI300X").mkdir(parents=True)
    workload(alone / "MI300X")
    one, itself = (explain(Request(inputs=(str(path),))) for path in (alone, alone / "MI300X"))
    assert (one.verdict, one.subject.device) == (itself.verdict, itself.subject.device)


def test_counters_of_another_processor_are_not_the_kernels(tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    workload(tmp_path / "first")
    workload(tmp_path / "second", SQ_WAVES=4096, TCC_HIT_sum=1)
    system = (tmp_path / "second" / "sysinfo.csv").read_text()
    (tmp_path / "second" / "sysinfo.csv").write_text(system.replace("gfx942", "gfx90a").replace("MI300X_A1", "MI200"))
    alone = explain(Request(inputs=(str(tmp_path / "first"),)))
    both = explain(Request(inputs=(str(tmp_path / "first"), str(tmp_path / "second"))))
    assert both.facts == alone.facts
    assert any("only those of the kernel's are used" in note for note in both.notes)


def test_a_counter_below_zero_is_left_out_and_said(tmp_path):
    workload(tmp_path, SQ_WAIT_ANY=-69636010)
    found = explain(Request(inputs=(str(tmp_path),)))
    assert "SQ_WAIT_ANY cannot be below 0: left out" in found.notes
    assert not any(fact.name == "gpu.wait_share" for fact in found.facts)


def test_an_estimated_time_in_which_the_bytes_do_not_fit_is_refused():
    """4 GB in at least 1 ms would be 4 TB/s of 1.6: the clocks are not those of the launch."""
    values = {"SQ_BUSY_CYCLES": 8 * 1.7e6}
    moved = Evidence((fact("gpu.hbm_bytes", 4e9, Provenance.MEASURED),))
    machine = Machine(shader_engines=8, clock_hz=1.7e9, hbm_bytes_per_s=1.6e12)
    counts = Counts(
        architecture="gfx90a",
        values=values,
        launch=Launch(items=1 << 20, group_items=256, wave_size=64),
        machine=machine,
    )
    assert guess(counts, moved) is None
    fits = Evidence((fact("gpu.hbm_bytes", 1e9, Provenance.MEASURED),))
    assert guess(counts, fits).duration_ns == pytest.approx(1e6)


def test_a_folder_of_tables_of_which_none_is_read_tells_why_of_the_first(tmp_path):
    (tmp_path / "steps.csv").write_text("step,loss\n1,0.5\n2,0.4\n")
    with pytest.raises(UsageError, match=r"steps\.csv is no profile that hotloop can read: its columns"):
        explain(Request(inputs=(str(tmp_path),)))
    (tmp_path / "notes.md").write_text("more\n")
    with pytest.raises(UsageError, match="the folder holds no file of a profiler"):
        explain(Request(inputs=(str(tmp_path),)))
