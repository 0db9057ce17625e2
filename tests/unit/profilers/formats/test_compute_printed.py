"""Tables that ``rocprof-compute analyze`` prints; shortened from Omniperf's documentation."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError


def box(*rows):
    """Return a table as it is printed; a row whose first cell is empty goes on with the one above."""
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    line = {
        kind: kind[0] + kind[1].join("═" * (width + 2) for width in widths) + kind[2]
        for kind in ("╒╤╕", "╞╪╡", "├┼┤", "╘╧╛")
    }
    shown = [line["╒╤╕"]]
    for number, row in enumerate(rows):
        if number:
            shown += [line["╞╪╡"]] if number == 1 else [line["├┼┤"]] if row[0] else []
        shown.append("│" + "│".join(f" {cell:{width}} " for cell, width in zip(row, widths, strict=True)) + "│")
    return "\n".join((*shown, line["╘╧╛"], ""))


HEADS = ("Index", "Metric", "Value", "Unit", "Peak", "PoP")
KERNEL = ("0", "vecCopy(double*, double*, double*, int,", "1", "20000.00", "20000.00", "100.00")
REST = ("", "int) [clone .kd]", "", "", "", "")
TOP = ("", "KernelName", "Count", "Sum(ns)", "Mean(ns)", "Pct")
SPEED = box(
    HEADS,
    ("2.1.9", "VALU Util", "5.737225009594725", "Pct", "100", "5.737225009594725"),
    ("2.1.10", "MFMA Util", "0.0", "Pct", "100", "0.0"),
    ("2.1.14", "LDS Bank Conflict", "", "Conflicts/access", "32", ""),
    ("2.1.21", "L2 Cache Hit Rate", "35.55067615693325", "Pct", "100", "35.55067615693325"),
    ("2.1.22", "L2-Fabric Read BW", "419.8496", "Gb/s", "1638.4", "25.6255859375"),
    ("2.1.23", "L2-Fabric Write BW", "293.9456", "Gb/s", "1638.4", "17.941015625"),
    ("2.1.26", "Wave Occupancy", "1821.723057333852", "Wavefronts", "3328", "54.73927455931046"),
)
LIFE = box(("Metric_ID", "Metric", "Avg", "Min", "Max", "Unit"), ("7.2.3", "Wave Cycles", "4000", "4000", "4000", "Cycles per wave"),
           ("7.2.4", "Dependency Wait Cycles", "3600", "3600", "3600", "Cycles per wave"))  # fmt: skip


def page(*kernels, system="", life=""):
    return f"--------\nAnalyze\n--------\n\n0. Top Stat\n{box(TOP, *kernels)}\n{system}\n2. System Speed-of-Light\n{SPEED}\n{life}"


def test_metrics_of_one_kernel(write):
    path = write("analysis.txt", page(KERNEL, REST))
    profile = read(path)
    (kernel,) = profile.kernels
    assert kernel.kernel == "vecCopy(double*, double*, double*, int, int) [clone .kd]"
    assert kernel.duration_ns.total == 20000
    counters = {name: tally.mean for name, tally in kernel.counters.items()}
    assert counters == {"VALUBusy": pytest.approx(5.7372, rel=1e-3), "MfmaUtil": 0.0, "L2CacheHit": pytest.approx(35.55, rel=1e-3),
                        "FetchSize": pytest.approx(8200.2, rel=1e-3), "WriteSize": pytest.approx(5741.1, rel=1e-3),
                        "OccupancyPercent": pytest.approx(54.739, rel=1e-3)}  # fmt: skip
    found = explain(Request(inputs=(str(path),)))
    assert not found.findings, "nothing that was printed tells where the time goes"
    assert found.roofline[0].fraction == pytest.approx((419.8496 + 293.9456) / 1638.4, rel=1e-3)


def test_the_system_and_the_life_of_a_wave(write):
    system = "1. System Info\n" + box(
        ("", "Info"), ("gpu_arch", "gfx90a"), ("gpu_model", "MI210"), ("max_sclk", "1700")
    )
    life = "7.2 Wavefront Runtime Stats\n" + LIFE
    path = write("analysis.txt", page(KERNEL, REST, system=system, life=life))
    profile = read(path)
    assert (profile.architecture, profile.device_name) == ("gfx90a", "MI210")
    found = explain(Request(inputs=(str(path),)))
    assert found.subject.device.startswith("MI210 (gfx90a)")
    assert next(fact.value for fact in found.facts if fact.name == "gpu.wait_share") == "0.900"


def test_means_over_several_kernels_are_nobodys(write):
    other = ("1", "other(int)", "2", "5000.00", "2500.00", "20.00")
    profile = read(write("analysis.txt", page(KERNEL, REST, other)))
    assert [kernel.counters for kernel in profile.kernels] == [{}, {}]
    assert "print them with -k" in profile.notes[0]


def launch(units, grid, group):
    """Return the panels of one launch without the list of kernels, as courses print them; MI300A's 228 units."""
    speed = box(
        ("Metric_ID", "Metric", "Avg", "Unit", "Peak", "Pct of Peak"),
        ("2.1.7", "Active CUs", units, "Cus", "228.00", f"{float(units) / 2.28:.2f}"),
    )
    sizes = box(("Metric_ID", "Metric", "Avg", "Min", "Max", "Unit"), ("7.1.0", "Grid Size", grid, grid, grid, "Work items"),
                ("7.1.1", "Workgroup Size", group, group, group, "Work items"))  # fmt: skip
    return f"2. System Speed-of-Light\n2.1 Speed-of-Light\n{speed}\n7. Wavefront\n7.1 Wavefront Launch Stats\n{sizes}"


def test_panels_without_the_list_of_kernels(write):
    """A red-black smoother in 16 groups (AMD's training on OpenMP): 12 of 228 units hold work."""
    found = explain(Request(inputs=(str(write("few.txt", launch("12.00", "512.00", "32.00"))),)))
    assert [finding.rule for finding in found.findings] == ["idle-units"]
    assert found.findings[0].share == pytest.approx(0.947, abs=0.002)
    assert not explain(Request(inputs=(str(write("all.txt", launch("220.00", "233472.00", "256.00"))),))).findings


def test_a_comparison_of_two_workloads_is_refused(write):
    heads = ("Metric_ID", "Metric", "Avg", "Avg", "Abs Diff", "Unit")
    text = f"2.1 Speed-of-Light\n2. System Speed-of-Light\n{box(heads, ('2.1.7', 'Active CUs', '12.00', '220.0 (1733.33%)', '91.23', 'Cus'))}"
    with pytest.raises(ProfileError, match="compares two workloads"):
        read(write("both.txt", text))


def test_what_groups_waited_for_is_told(write):
    """A kernel with 92 + 132 vector registers (AMD's Omniperf exercises)."""
    refused = box(("Index", "Metric", "Avg", "Min", "Max", "Unit"), ("6.2.5", "Insufficient SIMD VGPRs", "13733460.00", "13733460.00", "13733460.00", "Simd"),
                  ("6.2.7", "Insufficient CU LDS", "0.00", "0.00", "0.00", "Cu"))  # fmt: skip
    profile = read(write("full.txt", page(KERNEL, REST, life=f"6.2 SPI Resource Allocation\n{refused}")))
    assert profile.notes == ("work-groups waited to start for lack of SIMD VGPRs: 13733460.00 Simd",)


def rates(*rows, top=""):
    """Return a page of the first panel with matrix rates, as ROCm Compute Profiler 3 prints it."""
    return f"{top}\n2. System Speed-of-Light\n2.1 Speed-of-Light\n" + box(
        ("Metric_ID", "Metric", "Avg", "Unit", "Peak", "Pct of Peak"), *rows
    )


PRODUCT = "0. Top Stats\n0.1 Top Kernels\n" + box(
    ("", "Kernel_Name", "Count", "Sum(ns)", "Mean(ns)", "Median(ns)", "Pct"),
    ("0", "gemm_bf16", "20.00", "16000000.00", "800000.00", "799000.00", "100.00"),
)
IDLE = ("2.1.3", "MFMA FLOPs (F16)", "0.00", "Gflop", "1307443.20", "0.00")


@pytest.mark.parametrize(("value", "unit", "peak"), [("1202847.74", "Gflop", "1307443.20"), ("1202.84774", "TFLOP/s", "1307.4432")])  # fmt: skip
def test_a_rate_of_matrix_arithmetic_at_its_peak_is_the_limit(write, value, unit, peak):
    """By hand: 1203 of 1307 Tflop/s in bf16 are 92 % of the peak, so the matrix units are the limit."""
    path = write("analysis.txt", rates(("2.1.2", "MFMA FLOPs (BF16)", value, unit, peak, "92.00"), IDLE, top=PRODUCT))
    (kernel,) = read(path).kernels
    assert kernel.counters["SQ_INSTS_VALU_MFMA_MOPS_BF16"].mean == pytest.approx(1202847.74e9 * 800e-6 / 512)
    answer = explain(Request(inputs=(str(path),)))
    assert [finding.rule for finding in answer.findings] == ["matrix-bound"]
    (roof,) = answer.roofline
    assert (roof.name, roof.fraction) == ("bf16 matrix", pytest.approx(0.92, abs=1e-4))


def test_a_rate_below_its_peak_does_not_say_that_the_units_wait(write):
    """By hand: at 72 % of the peak at a clock that is not told the kernel is near its limit, and nothing else is known."""
    row = ("2.1.2", "MFMA FLOPs (BF16)", "941359.10", "Gflop", "1307443.20", "72.00")
    answer = explain(Request(inputs=(str(write("analysis.txt", rates(row, IDLE, top=PRODUCT))),)))
    assert not answer.findings
    assert answer.roofline[0].fraction == pytest.approx(0.72, abs=1e-4)


def test_rates_without_a_list_of_kernels_are_shares_only(write):
    """Without a time of a launch no amount is known: neither operations nor bytes are counted as none."""
    busy = ("2.1.3", "MFMA FLOPs (F16)", "1804271.62", "Gflop", "1961164.80", "92.00")
    read_rate = ("2.1.21", "L2-Fabric Read BW", "410.10", "Gb/s", "5300.00", "7.74")
    path = write("analysis.txt", rates(busy, read_rate))
    (kernel,) = read(path).kernels
    assert set(kernel.counters) == {"MfmaRateOfPeak"}
    assert [finding.rule for finding in explain(Request(inputs=(str(path),))).findings] == ["matrix-bound"]


@pytest.mark.parametrize("unit", ["OPs per wave", "Instr per wave", "Gb/s"])
def test_what_is_no_rate_of_arithmetic_is_left_out(write, unit):
    (kernel,) = read(write("analysis.txt", rates(("2.1.2", "MFMA FLOPs (BF16)", "12", unit, "13", "92.00")))).kernels
    assert not kernel.counters


def test_a_name_cut_at_the_width_of_its_box_is_whole_again(write):
    cut = ("0", "void benchmark_func<HIP_vector_type<floa", "3.00", "10122632.00", "3374210.67", "8.24")
    rest = ("", "t, 2u>, 256, 8u, 512u>(int*)", "", "", "", "")
    (kernel,) = read(write("analysis.txt", "0. Top Stats\n0.1 Top Kernels\n" + box(TOP, cut, rest))).kernels
    assert kernel.kernel == "void benchmark_func<HIP_vector_type<float, 2u>, 256, 8u, 512u>(int*)"


def hanging(number, name, percent, moved):
    """Return the tables that newer versions hang below a kernel; rows were cut out of the first."""
    boxes = (
        ("4.1 Roofline Rate Metrics", box(("Metric_ID", "Metric", "Value", "Unit", "Peak (Empirical)"),
                                          ("4.1.1", "VALU FLOPs (F64)", "210.5", "Gflop/s", "80000.0"), ("...", "...", "...", "...", "..."),
                                          ("4.1.9", "HBM Bandwidth", moved, "Gb/s", "3300.0"))),
        ("4.2 Roofline AI Plot Points", box(("Metric_ID", "Metric", "Value", "Unit"), ("4.2.0", "AI HBM", "0.08", "Flops/byte"))),
    )  # fmt: skip
    hung = "".join(
        f"  ├─ {title}:\n" + "".join(f"  |   {line}\n" for line in text.splitlines()) for title, text in boxes
    )
    return f"Kernel {number}: {name} ({percent}%)\n  |\n{hung}\n"


def test_tables_that_hang_below_kernels_are_theirs(write):
    """By hand: 2805 of 3300 GB/s are 85 % of what the device was measured to reach."""
    path = write("trees.txt", hanging(0, "advance", "12.5", "2805.0") + hanging(1, "exchange (int)", "10.6", "330.0"))
    profile = read(path)
    assert {k.kernel: k.counters["HbmRateOfPeak"].mean for k in profile.kernels} == {
        "advance": pytest.approx(85.0),
        "exchange (int)": pytest.approx(10.0),
    }
    assert not profile.notes
    answer = explain(Request(inputs=(str(path),), kernel="advance"))
    assert [finding.rule for finding in answer.findings] == ["hbm-bound"]
    assert not explain(Request(inputs=(str(path),), kernel="exchange (int)")).findings


def test_tables_below_kernels_do_not_run_into_the_list(write):
    top = PRODUCT + "4. Roofline\n" + hanging(0, "gemm_bf16", "100.0", "2805.0")
    (kernel,) = read(write("whole.txt", top + "\n2. System Speed-of-Light\n" + SPEED)).kernels
    assert (kernel.kernel, kernel.dispatches) == ("gemm_bf16", 20)
    assert {"HbmRateOfPeak", "L2CacheHit"} <= set(kernel.counters)


def test_panels_whose_heads_were_left_out(tmp_path):
    """A tutorial shows parts of its panels: the column with letters is the unit, and tells whether a peak or a range stands beside it."""
    path = tmp_path / "jacobi.md"
    path.write_text(
        "SOL info:\n\n```\n├───┼───┤\n│ 2.1.18      │ vL1D Cache Hit Rate       │ 50.0    │ Pct              │ 100.0    │ 50.0          │\n├───┼───┤\n"
        "│ 2.1.22      │ L2-Fabric Read BW         │ 800.45  │ Gb/s             │ 1638.4   │ 48.86         │\n├───┼───┤\n"
        "│ 2.1.23      │ L2-Fabric Write BW        │ 528.23  │ Gb/s             │ 1638.4   │ 32.24         │\n├───┼───┤\n```\n\n"
        "```\n│ 7.2.0       │ Kernel Time (Nanosec)      │ 503043.00 │ 503043.00 │ 503043.00 │ Ns              │\n```\n"
    )
    page = explain(Request(inputs=(str(path),)))
    assert [finding.rule for finding in page.findings] == ["hbm-bound"]
    assert page.findings[0].share == pytest.approx((800.45 + 528.23) / 1638.4, abs=1e-3)
