"""VTune, LIKWID and toplev: what they count of a process, under perf's names; texts are shortened from published runs."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.ratios import facts

EXPLORED = """Elapsed Time:                          2.126s
Clockticks:                   11,397,428,000
Instructions Retired:         23,703,296,000
CPI Rate:                              0.481

Retiring:                              47.4%

Front-End Bound:                       42.7%
  Front-End Latency:                   18.9%
Bad Speculation:                        0.0%
Back-End Bound:                        35.4%
  Memory Bound:                        17.7%
    L1 Bound:                          12.8%
"""
SNAPSHOT = """vtune: Executing actions 75 % Generating a report                              Elapsed Time: 19.836s
    IPC: 1.193
    Average CPU Frequency: 3.380 GHz
Logical Core Utilization: 0.7% (0.868 out of 128)
 | The metric value is low, which may signal a poor logical CPU cores utilization.
Microarchitecture Usage: 24.6% of Pipeline Slots
    Retiring: 24.6% of Pipeline Slots
    Front-End Bound: 9.8% of Pipeline Slots
    Bad Speculation: 15.8% of Pipeline Slots
    Back-End Bound: 49.8% of Pipeline Slots
        Memory Bound: 29.6% of Pipeline Slots
            L1 Bound: 5.5% of Clockticks
        Core Bound: 20.3% of Pipeline Slots
Memory Bound: 29.6% of Pipeline Slots
"""
TABLE = """Hierarchy Level,Metric Name,Metric Value
0,Elapsed Time,149.771137
1,CPI Rate,0.665470
1,DRAM Bound,N/A with HT on
1,Retiring,{}
1,Front-End Bound,{}
1,Bad Speculation,{}
1,Back-End Bound,{}
"""
LIKWID = """--------------------------------------------------------------------------------
CPU name:    AMD EPYC 7702 64-Core Processor
CPU type:    AMD K17 (Zen2) architecture
--------------------------------------------------------------------------------
Region setup, Group 1: MEM
+----------------------+---------+------------+
|         Event        | Counter | HWThread 0 |
+----------------------+---------+------------+
| RETIRED_INSTRUCTIONS |   PMC0  |       1000 |
|  CPU_CLOCKS_UNHALTED |   PMC1  |       4000 |
+----------------------+---------+------------+
|        Metric        | HWThread 0 |
|  Runtime (RDTSC) [s] |     0.0001 |

Region function_a, Group 1: MEM
+----------------------+---------+------------+------------+
|         Event        | Counter | HWThread 0 | HWThread 1 |
+----------------------+---------+------------+------------+
| RETIRED_INSTRUCTIONS |   PMC0  | 3200208000 | 3200208000 |
|  CPU_CLOCKS_UNHALTED |   PMC1  | 1139623000 | 1139623000 |
+----------------------+---------+------------+------------+

+-----------------------------+------------+------------+
|            Metric           | HWThread 0 | HWThread 1 |
+-----------------------------+------------+------------+
|     Runtime (RDTSC) [s]     |     0.3444 |     0.3440 |
|             CPI             |     0.3561 |     0.3561 |
| Memory bandwidth [MBytes/s] |  2456.5124 |      -     |
+-----------------------------+------------+------------+
"""
STAT = """+----------------------------+--------+-----+--------+--------+
|           Metric           |   Sum  | Min |   Max  |   Avg  |
+----------------------------+--------+-----+--------+--------+
|  Runtime (RDTSC) [s] STAT  | 3.8208 | 0.1 | 0.1592 | 0.1592 |
|     Retiring [%] STAT      |  40.0  | 9.0 |  11.0  |  10.0  |
|     Back End [%] STAT      | 320.0  |  79 |   81   |  80.0  |
|     Front End [%] STAT     |  20.0  |   5 |    5   |   5.0  |
|    Speculation [%] STAT    |  20.0  |   5 |    5   |   5.0  |
"""
SEPARATED = """TABLE,Region loop,Group 1 Raw,FLOPS_DP,2
Event,Counter,HWThread 0,HWThread 1
INSTR_RETIRED_ANY,FIXC0,300,100
CPU_CLK_UNHALTED_CORE,FIXC1,100,100
TABLE,Region loop,Group 1 Metric,FLOPS_DP,1
Metric,HWThread 0,HWThread 1,
Runtime (RDTSC) [s],2.5,2.4,
"""
TOPLEV = """S0-C0 Backend_Bound:          53.39 % Slots
S0-C0 Backend_Bound.Memory_Bound: 44.59 % Slots   <==
S0-C0 Backend_Bound.Core_Bound:    8.80 % Slots
"""
TOPLEV_NEWER = """C0    BE             Backend_Bound                   % Slots                       60.0  [ 4.0%]
C1    BE             Backend_Bound                   % Slots                       40.0  [ 4.0%]
C0    BE/Mem         Backend_Bound.Memory_Bound      % Slots                       30.0  [ 4.0%]
"""
CHARACTERIZED = """vtune: Executing actions 75 % Generating a report                              Elapsed Time: 17.590s
    DP GFLOPS: 1.820
    CPI Rate: 0.999
Effective CPU Utilization: 2.4%
Memory Bound: 8.7% of Pipeline Slots
    Cache Bound: 18.8% of Clockticks
"""
ACCESS = """Elapsed Time: 12.482s
    CPU Time: 96.120s
    Memory Bound: 61.3% of Pipeline Slots
        DRAM Bound: 48.7% of Clockticks
            DRAM Bandwidth Bound: 83.0% of Elapsed Time
    Loads: 61,203,836,000
"""
"""What 'memory-access' tells: no other kind of slot, so the back end loses at least what waits for memory."""
UPROF = """AMDuProfPcm - PROFILE REPORT
CORE METRICS
Metric,System (Aggregated)
Utilization (%),98.20
IPC (Sys + User),0.61
Frontend_Bound,4.1
Bad_Speculation,0.8
Backend_Bound,77.3
Backend_Bound.Memory,61.0
Retiring,17.8
"""
UPROF_SERIES = """Utilization (%),Eff Freq (MHz),IPC (Sys + User),IPC (Sys),CPI (Sys + User),
99.1,3560.53,0.40,0.10,2.5,
99.4,3581.83,0.42,0.10,2.38,
"""


def known(write, text, *names):
    found = facts(read(write("profile.txt", text)).readings)
    return [found.get(f"cpu.{name}") for name in names]


SLOTS = ("retiring_share", "speculation_share", "frontend_share", "backend_share", "memory_share")


@pytest.mark.parametrize(("text", "shares", "per_clock"), [
    (EXPLORED, (0.474, 0.0, 0.427, 0.354, 0.177), 2.0797), (SNAPSHOT, (0.246, 0.158, 0.098, 0.498, 0.296), 1.193),
    (TABLE.format(24.6, 9.8, 15.8, 49.8), (0.246, 0.158, 0.098, 0.498, None), 1.5027),
    (TABLE.format(0.246, 0.098, 0.158, 0.498), (0.246, 0.158, 0.098, 0.498, None), 1.5027),
    (TABLE.format(24.6, 9.8, "", ""), (None, None, None, None, None), 1.5027),
    (TOPLEV, (None, None, None, 0.5339, 0.4459), None), (TOPLEV_NEWER, (None, None, None, 0.5, 0.3), None),
    (STAT, (0.1, 0.05, 0.05, 0.8, None), None), (LIKWID, (None,) * 5, 2.8081), (SEPARATED, (None,) * 5, 2.0),
    ("TABLE,Group 1 Metric,MEM,3\nMetric,HWThread 0,HWThread 1\nRuntime (RDTSC) [s],10.2,10.2\nCPI,3.0,5.0\n", (None,) * 5, 0.25),
    (CHARACTERIZED, (None, None, None, None, 0.087), 1.001), (ACCESS, (None, None, None, 0.613, 0.613), None), (UPROF, (0.178, 0.008, 0.041, 0.773, 0.61), 0.61),
    (UPROF_SERIES, (None,) * 5, 0.41),
])  # fmt: skip
def test_slots_and_instructions(write, text, shares, per_clock):
    *found, rate = known(write, text, *SLOTS, "instructions_per_cycle")
    assert found == [None if share is None else pytest.approx(share) for share in shares]
    assert rate == (None if per_clock is None else pytest.approx(per_clock, rel=1e-3))


def test_the_longest_region_speaks_and_names_the_others(write):
    path = write("likwid.txt", LIKWID)
    profile = read(path)
    assert profile.device_name == "AMD EPYC 7702 64-Core Processor"
    assert profile.notes == ("the longest region, function_a, is shown; others: setup",)
    page = explain(Request(inputs=(str(path),)))
    assert page.subject.device == "AMD EPYC 7702 64-Core Processor"
    assert "2.46 GB/s" in page.verdict


def test_slots_that_add_up_to_more_than_the_whole_are_doubted(write):
    page = explain(Request(inputs=(str(write("summary.txt", EXPLORED)),)))
    assert [(finding.rule, finding.confidence) for finding in page.findings] == [
        ("frontend-bound", "low"),
        ("backend-bound", "low"),
    ]


def test_two_results_in_one_file_are_not_mixed(write):
    profile = read(write("summary.txt", EXPLORED + EXPLORED.replace("47.4%", "69.0%")))
    assert facts(profile.readings).get("cpu.retiring_share") == pytest.approx(0.474)
    assert "the first one's are used" in profile.notes[0]


@pytest.mark.parametrize(("text", "said"), [
    ("Hierarchy Level,Metric Name,Metric Value\n0,Collection and Platform Info,\n", "collect 'uarch-exploration'"),
    (LIKWID.partition("+")[0] + "| Metric | HWThread 0 |\n", "nothing was counted"),
    ("| Metric | HWThread 0 |\n| Energy [J] | 3.0 |\n", "count the groups TMA or MEM"),
    ("C0 BE Backend_Bound.Core_Bound.Ports % Slots 3.0\n", "toplev -l1"),
])  # fmt: skip
def test_nothing_that_helps_is_said(write, text, said):
    with pytest.raises(ProfileError, match=said):
        read(write("profile.txt", text))


def test_a_bandwidth_that_no_memory_has_is_absent_with_the_reason(write):
    rows = (
        "|        Metric        |  Core 0 |",
        "|          CPI         |  1.2012 |",
        "| Memory bandwidth [MBytes/s] | 3.349518e+15 |",
    )
    head = "CPU name:\tIntel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz\nGroup 1: MEM\n"
    (reading,) = (
        r for r in read(write("likwid.txt", head + "\n".join(rows) + "\n")).readings if r.event == "memory-bandwidth"
    )
    assert reading.value is None
    assert "more than any memory moves" in reading.reason


def test_vtunes_summaries_without_slots_tell_how_many_cores_worked(tmp_path):
    path = tmp_path / "summary.txt"
    path.write_text(
        "Effective Physical Core Utilization: 11.7% (2.345 out of 20)\n    Serial Time (outside parallel regions): 14.605s (36.2%)\n"
    )
    assert facts(read(path).readings).get("cpu.busy_cores") == 2.345


def test_older_summaries_of_vtune_count_cores_and_their_threads(tmp_path):
    path = tmp_path / "summary.txt"
    path.write_text(
        "vtune: Executing actions 75 % Generating a report                              Elapsed Time: 1.626s\n    IPC: 1.140\n"
        "Logical Core Utilization: 11.9% (1.186 out of 10)\n | The metric value is low\n"
        "    Physical Core Utilization: 11.9% (1.185 out of 10)\n"
    )
    profile = read(path)
    known = facts(profile.readings)
    assert (known.get("cpu.busy_cores"), known.get("cpu.instructions_per_cycle")) == (1.185, 1.14)
    assert not profile.notes


TIMELESS = """CPU name:       Intel(R) Core(TM) i7-8665U CPU @ 1.90GHz
Group 1: MEM_DP
+---+---+---+
|                   Event                  | Counter | HWThread 0 |
|             INSTR_RETIRED_ANY            |  FIXC0  |   85244025 |
|           CPU_CLK_UNHALTED_CORE          |  FIXC1  |  282125410 |
|                DRAM_READS                | MBOX0C1 |      -     |
+---+---+---+
|               Metric              | HWThread 0 |
|        Runtime (RDTSC) [s]        |          0 |
|    Memory bandwidth [MBytes/s]    |          0 |
"""


def test_rates_over_a_time_of_zero_are_none(write):
    """Published by a student under a virtual machine: 0 MB/s would say that nothing is moved."""
    profile = read(write("likwid.txt", TIMELESS))
    (rate,) = (reading for reading in profile.readings if reading.event == "memory-bandwidth")
    assert rate.value is None
    assert "a time of 0" in rate.reason
    assert facts(profile.readings).get("cpu.memory_bytes_per_s") is None


def test_two_runs_of_likwid_in_one_text_are_two(write):
    profile = read(write("likwid.txt", TIMELESS + TIMELESS.replace("282125410", "278747389")))
    assert profile.notes[0] == "the longest region, the program, is shown; others: the program, run 2"
    assert {reading.value for reading in profile.readings if reading.event == "cycles"} == {282125410}
