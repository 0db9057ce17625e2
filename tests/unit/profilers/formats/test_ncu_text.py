"""Nsight Compute's pages, written here in small: preamble, units, separators, locales, damage."""

from __future__ import annotations

import csv
import io

import pytest

from hotloop.app.explain.answer import Request, explain, explained
from hotloop.profilers.formats.ncu.number import foreign, number, scale
from hotloop.profilers.formats.ncu.report import MissingReportReaderError
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

PREAMBLE = (
    "==WARNING== Note: Running with unmodified GPU clocks.\n"
    "==PROF== Connected to process 7 (/usr/bin/python3)\n"
    "==WARNING== Unable to access the following 2 metrics: ctc__a.sum, ctc__b.sum.per_second.\n\n\n"
    "==PROF== Disconnected from process 7\n"
)
FIXED = [
    "ID",
    "Process ID",
    "Process Name",
    "Host Name",
    "Kernel Name",
    "Context",
    "Stream",
    "Block Size",
    "Grid Size",
    "Device",
    "CC",
]
RAW = [
    *FIXED,
    "gpu__time_duration.sum",
    "dram__bytes_read.sum",
    "launch__registers_per_thread",
    "launch__func_cache_config",
]
UNITS = [*[""] * len(FIXED), "ns", "byte", "register/thread", ""]
DETAILS = [*FIXED, "Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type", "Rule Description",
           "Estimated Speedup Type", "Estimated Speedup"]  # fmt: skip
NAME = "void at::<unnamed>::k<float, 4, [lambda(int, float) (instance 1)]>(long, T3)"


def kernel(index="0", name=NAME, capability="9.0"):
    return [index, "7", "python3", "127.0.0.1", name, "1", "7", "(256, 1, 1)", "(1056, 2, 1)", "0", capability]


def table(*rows):
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return text.getvalue()


def raw(*rows, units=UNITS, columns=RAW, before=PREAMBLE):
    return before + table(columns, units, *rows)


@pytest.fixture
def written(tmp_path):
    def write(text, name="page.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8") if isinstance(text, str) else path.write_bytes(text)
        return path

    return write


def test_raw_page(written):
    rows = (
        [*kernel(), "43,136", "1,234,567.50", "44", "CachePreferNone"],
        [*kernel("1", "k2(int)"), "nan", "", "no data", "x"],
    )
    profile = read(written(raw(*rows)))
    first, second = profile.dispatches
    assert (profile.tool, profile.architecture, profile.source) == ("ncu", "sm_90", "page.csv")
    assert (first.kernel, first.dispatch_id, first.process_id, first.device) == (NAME, 0, 7, "0")
    assert (first.grid_items, first.workgroup_items, first.wave_size, first.vgprs) == (1056 * 2 * 256, 256, 32, 44)
    assert first.duration_ns == 43_136
    assert first.counters["dram__bytes_read.sum"] == 1_234_567.5
    assert "launch__func_cache_config" not in first.counters
    assert (second.duration_ns, dict(second.counters)) == (None, {})
    assert [(a.name, a.reason) for a in profile.absent if a.name.startswith("ctc")] == [
        ("ctc__a.sum", "Nsight Compute could not access it"), ("ctc__b.sum.per_second", "Nsight Compute could not access it"),
    ]  # fmt: skip
    assert profile.notes == ("Nsight Compute: Note: Running with unmodified GPU clocks.",)


def test_automatic_units_come_back_to_base_units(written):
    units = [*[""] * len(FIXED), "usecond", "Mbyte", "register/thread", ""]
    profile = read(written(raw([*kernel(), "43.14", "12.31", "44", ""], units=units)))
    assert profile.dispatches[0].duration_ns == pytest.approx(43_140)
    assert profile.dispatches[0].counters["dram__bytes_read.sum"] == pytest.approx(12.31e6)


@pytest.mark.parametrize(
    ("value", "number"),
    [("1.234.567,50", 1_234_567.5), ("43,1", 43.1), ("1 234", 1234), ("1\u202f234,5", 1234.5), ("1'234.5", 1234.5)],
)
def test_a_page_in_another_language_is_read_in_it(written, value, number):
    profile = read(written(raw([*kernel(), value, "1", "44", ""])))
    assert profile.dispatches[0].duration_ns == pytest.approx(number)


@pytest.mark.parametrize(("value", "other"), [("1.234.567,50", "2.5"), ("43,1", "1,234.5"), ("1 234", "1,234,567"), ("1'234", "2,5")])  # fmt: skip
def test_numbers_in_several_spellings_are_refused(written, value, other):
    rows = [*kernel(), value, other, "44", ""], [*kernel("1"), "43,1", "7.25", "44", ""]
    with pytest.raises(ProfileError, match=r"localized numbers.*LC_ALL=C"):
        read(written(raw(*rows)))


def test_semicolons_of_a_spreadsheet(written):
    cells = (("DRAM Throughput", "%", "64,25"), ("Duration", "us", "1.024,50"), ("L2 Cache Throughput", "%", "9,312"))
    rows = [DETAILS, *([*kernel(), "GPU Speed Of Light Throughput", *cell, "", "", "", "", ""] for cell in cells)]
    text = "\n".join(";".join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows)
    (launch,) = read(written(text)).dispatches
    assert launch.duration_ns == pytest.approx(1_024_500)
    assert launch.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 64.25
    assert launch.counters["lts__throughput.avg.pct_of_peak_sustained_elapsed"] == 9.312


def test_semicolons_leave_no_doubt_or_are_refused(written):
    """Who saves with semicolons writes decimals with commas: 1,234 is no thousand beside 2.5."""
    rows = [RAW, UNITS, [*kernel(), "1,234", "2.5", "44", ""]]
    with pytest.raises(ProfileError, match="localized numbers"):
        read(written("\n".join(";".join(row) for row in rows)))


def test_titles_of_the_first_versions_in_a_table(written):
    named = (
        ("SOL DRAM", "%", "73.1"),
        ("SOL L1/TEX Cache", "%", "68.5"),
        ("SM [%]", "%", "14.5"),
        ("Duration", "nsecond", "211,232"),
    )
    rows = [[*kernel(), "GPU Speed Of Light", *cell, "", "", "", "", ""] for cell in named]
    (launch,) = read(written(table(DETAILS, *rows))).dispatches
    assert launch.duration_ns == 211_232
    assert launch.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"] == 73.1
    assert launch.counters["l1tex__throughput.avg.pct_of_peak_sustained_active"] == 68.5
    assert launch.counters["sm__throughput.avg.pct_of_peak_sustained_elapsed"] == 14.5


def test_blanks_behind_the_last_column(written):
    head = ",".join(f'"{name}"' for name in DETAILS[:15]) + " " * 40
    row = ",".join(
        f'"{cell}"' for cell in [*kernel(), "Command line profiler metrics", "dram__bytes_read.sum", "byte", "2,816"]
    )
    (launch,) = read(written(f"{head}\n{row}\n")).dispatches
    assert launch.counters["dram__bytes_read.sum"] == 2816


def test_windows_line_ends_and_messages_after_the_table(written):
    text = raw([*kernel(), "5", "1", "44", ""]) + "==PROF== Report: x\n==WARNING== Backing up device memory.\n"
    profile = read(written(text.replace("\n", "\r\n")))
    assert len(profile.dispatches) == 1
    assert profile.notes[-1] == "Nsight Compute: Backing up device memory."


def test_a_line_break_and_a_message_within_a_name(written):
    name = "k<\n==WARNING== no message>"
    profile = read(written(raw([*kernel(name=name), "5", "1", "44", ""], before="")))
    assert profile.dispatches[0].kernel == name
    assert profile.notes == ()


def test_two_chips_give_no_architecture(written):
    profile = read(written(raw([*kernel(), "5", "1", "44", ""], [*kernel("1", capability="8.0"), "5", "1", "44", ""])))
    assert profile.architecture is None
    assert profile.kernels[0].dispatches == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PREAMBLE, "no table"),
        (PREAMBLE + "==WARNING== No kernels were profiled.\n", "no table"),
        (PREAMBLE + table(RAW, UNITS), "no kernel was profiled"),
        (PREAMBLE + table(RAW), "units is missing"),
        (PREAMBLE + table(RAW, [*kernel(), "5", "1", "44", ""]), "units is missing"),
        (raw([*kernel(), "5", "1"]), "cut off before its first launch"),
        (raw([*kernel(), "5", "1"], [*kernel("1"), "5", "1", "44", ""]), "cells under a header"),
        (raw([*kernel(), "5", "1", "44", "", "more"]), "cells under a header"),
        (PREAMBLE + table(DETAILS, [*kernel(), "S"]), "cut off before its first launch"),
        (PREAMBLE + table(DETAILS), "no kernel was profiled"),
    ],
)
def test_damage_is_told_in_one_sentence(written, text, reason):
    with pytest.raises(ProfileError, match=reason) as caught:
        read(written(text))
    assert "page.csv" in str(caught.value)


def test_details_page(written):
    light, advised = "GPU Speed Of Light Throughput", "SpeedOfLight"
    rows = (
        [*kernel(), light, "Duration", "us", "43.07"],
        [*kernel(), light, "Memory Throughput", "%", "18.27"],
        [*kernel(), "Memory Workload Analysis", "Memory Throughput", "Gbyte/second", "288.46"],
        [*kernel(), "Launch Statistics", "Cluster Scheduling Policy", "", "PolicySpread"],
        [*kernel(), "Launch Statistics", "Stack Size", "", "1,024"],
        [*kernel(), advised, "", "", "", "SOLBottleneck", "OPT", "Compute, more\nthan memory.", "global", "6.97"],
        [*kernel("1"), light, "Duration", "us", "2.00"],
    )
    path = written(PREAMBLE + table(DETAILS, *rows))
    first, second = read(path).dispatches
    assert first.duration_ns == pytest.approx(43_070)
    assert first.counters["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] == 18.27
    assert first.counters["dram__bytes.sum.per_second"] == pytest.approx(288.46e9)
    assert first.counters["Launch Statistics/Stack Size"] == 1024
    assert len(first.counters) == 4
    assert second.duration_ns == pytest.approx(2000)


@pytest.mark.parametrize("columns", [("Metric Name", "Metric Value", "Metric Unit"), ("Metric Name", "Metric Value")])
def test_metrics_by_name_whose_units_stand_last_or_nowhere(written, columns):
    """Drawn: a test's table, which was refused because 'the row of units is missing'."""
    rows = [
        ("gpu__time_duration.sum", "20,000", "nsecond"),
        ("sm__throughput.avg.pct_of_peak_sustained_elapsed", "85.0", "%"),
    ]
    head = ("ID", "Kernel Name", *columns)
    (launch,) = read(written(table(head, *(("0", "matmul", *row[: len(columns)]) for row in rows)))).dispatches
    assert launch.counters["sm__throughput.avg.pct_of_peak_sustained_elapsed"] == 85.0
    assert launch.duration_ns == 20_000


def test_a_report_file_needs_the_vendors_reader(written):
    with pytest.raises(MissingReportReaderError, match=r"ncu_report.*--import") as caught:
        read(written(b"NVR\0" + bytes(64), "run.ncu-rep"))
    assert caught.value.exit_code == 3
    assert "pip install ncu-report" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.00", 0.0),
        ("-1,000", -1000.0),
        ("1e-3", 0.001),
        ("12 (3; 4; 5)", 12.0),
        ("1,23", None),
        ("inf", None),
        ("all", None),
    ],
)
def test_numbers(text, expected):
    assert number(text) == expected


def test_english_numbers_are_never_foreign():
    assert not [
        text for text in ("1,234", "1,234,567.89", "0.5", "1234.5", "1e9", "(256, 1, 1)", "nan", "") if foreign(text)
    ]


@pytest.mark.parametrize(
    ("unit", "factor"),
    [("", 1), ("%", 1), ("byte", 1), ("Kbyte", 1e3), ("msecond", 1e6), ("second", 1e9), ("Ghz", 1e9), ("cycle/usecond", 1e6),
     ("Tbyte/s", 1e12), ("byte/ns", 1e9), ("Kbyte/block", 1e3), ("inst/cycle", 1), ("Minst", 1e6), ("sample", 1)],
)  # fmt: skip
def test_scales(unit, factor):
    assert scale(unit) == pytest.approx(factor)


@pytest.mark.parametrize("capability", ["9.0", "9,0", "9.000000E+00"])
def test_a_compute_capability_that_was_rewritten_is_understood(write, capability):
    rows = [RAW, UNITS, [*kernel(capability=capability), "5", "64", "32", "0"]]
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(rows)
    assert read(write("raw.csv", out.getvalue())).architecture == "sm_90"


def test_a_summary_over_launches(write):
    text = (
        '==PROF== Connected\n"Process ID","Kernel Name","Invocations","Section Name","Metric Name","Metric Unit","Minimum","Maximum","Average"\n'
        '"1","scale","2","GPU Speed Of Light Throughput","DRAM Throughput","%","5","15","10"\n'
        '"1","scale","2","GPU Speed Of Light Throughput","Duration","us","1","3","2"\n'
    )
    profile = read(write("summary.csv", text))
    assert profile.kernels[0].duration_ns.total == 2000
    assert any("means over all launches" in note for note in profile.notes)


def test_samples_of_a_page_of_source(write):
    head = "Address,Source,Warp Stall Sampling (All Samples),Warp Stall Sampling (Not-issued Samples),# Samples,stall_long_sb,stall_selected,stall_long_sb (Not Issued)\n"
    page = f'"Kernel Name","spmv(int)"\n{head}0x7f00,LDG.E R4,40,30,40,10,5,9\n0x7f10,FFMA R10,160,150,160,150,5,140\nKernel Name,tiny\n{head}0x8f00,EXIT,1,1,1,0,0,0\n'
    profile = read(write("source.csv", page))
    assert [(row.instruction, row.samples, row.issued, row.stalls, row.dispatch_id) for row in profile.samples] == [
        ("LDG.E R4", 40, 5, {"long_sb": 10}, 1),
        ("FFMA R10", 160, 5, {"long_sb": 150}, 1),
        ("EXIT", 1, 0, {}, 2),
    ]
    assert [kernel.kernel for kernel in profile.kernels] == ["spmv(int)", "tiny"]
    answer = explain(Request(inputs=(str(write("source.csv", page)),), kernel="spmv"))
    assert answer.verdict.startswith("Exposed global memory latency, 80 %")
    assert "; 93.8 % of these waits at FFMA R10; gpu.hbm_utilization, " in answer.verdict  # what would tell follows
    assert any("80.0 %" in cell for table in answer.tables for row in table.rows for cell in row.cells)


def test_lines_of_source_with_their_instructions_count_once(write):
    page = (
        '"Kernel Name","producer"\n"File Path","/home/u/k.cu"\n"Function Name","producer"\n"Line No","Source","Address","Source","# Samples","stall_no_inst","stall_long_sb"\n'
        '"41","v = x[i];","-","-","70","5","60"\n"","","0x12","LDG R4","10","0","5"\n"","","0x13","LDG R6","60","5","55"\n'
        '"File Path","/home/u/inlined.h"\n"Function Name","producer"\n"Line No","Source","Address","Source","# Samples","stall_no_inst","stall_long_sb"\n'
        '"7","sync();","-","-","30","30","0"\n"","","0x14","BAR","30","30","0"\n'
    )
    path = write("source.csv", page)
    profile = read(path)
    assert [(row.instruction, row.source, row.samples) for row in profile.samples] == [
        ("LDG R4", "k.cu:41", 10), ("LDG R6", "k.cu:41", 60), ("BAR", "inlined.h:7", 30),
    ]  # fmt: skip
    facts = {fact.name: fact.value for fact in explained(Request(inputs=(str(path),)))[1].evidence.facts}
    assert (facts["gpu.global_wait_share"], facts["gpu.fetch_wait_share"]) == (pytest.approx(0.6), pytest.approx(0.35))


@pytest.mark.parametrize(("pipe", "heading"), [("adu", "indexed constants"), ("lsu", "loads and stores")])
def test_executed_instructions_of_a_pipe_name_the_unit(write, pipe, heading):
    names = ("gpu__time_duration.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed",
             f"sm__inst_executed_pipe_{pipe}.avg.pct_of_peak_sustained_active", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active")  # fmt: skip
    page = f"ID,Process ID,Kernel Name,Device,CC,{','.join(names)}\n,,,,,us,%,%,%\n0,7,k,0,9.0,10,91.2,93.4,21.5\n"
    answer = explain(Request(inputs=(str(write("raw.csv", page)),)))
    assert [finding.rule for finding in answer.findings] == ["unit-bound"]
    assert heading in answer.verdict


@pytest.mark.parametrize("pipe", ["fma", "alu", "fp64"])
def test_a_vector_pipe_is_named_by_its_instructions(write, pipe):
    page = (f"ID,Process ID,Kernel Name,Device,CC,gpu__time_duration.sum,sm__throughput.avg.pct_of_peak_sustained_elapsed,sm__inst_executed_pipe_{pipe}.avg.pct_of_peak_sustained_active\n"
            ",,,,,us,%,%\n0,7,k,0,9.0,10,91.2,93.4\n")  # fmt: skip
    answer = explain(Request(inputs=(str(write("raw.csv", page)),)))
    assert [finding.rule for finding in answer.findings] == ["valu-bound"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (raw([*kernel(), "5", "1", "44", ""], [*kernel("1"), "6", "2", "44", ""])[:-30], 1),
        (raw([*kernel(), "5", "1", "44", ""], [*kernel("1"), "6", "2"]), 1),
        (PREAMBLE + table(DETAILS, [*kernel(), "S", "Duration", "ns", "44"], [*kernel("1"), "S", "Duration", "ns", "4488"])[:-3], 1),
        (PREAMBLE + table(DETAILS, [*kernel(), "S", "Duration", "ns", "44"], [*kernel("1"), "S"]), 1),
    ],
)  # fmt: skip
def test_a_page_that_is_cut_off_keeps_what_stands_before(written, text, left):
    """The third ends within the value's quotes, which would be read as 44 ns where 4,488 stood."""
    profile = read(written(text))
    assert len(profile.dispatches) == left
    assert "cut off in its last row" in profile.notes[-1]
