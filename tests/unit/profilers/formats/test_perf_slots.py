"""Shares of issue slots, and sums over cores and intervals; texts are shortened from published runs."""

import pytest

from hotloop.model.evidence import Provenance
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.ratios import facts

TOPDOWN = """
 Performance counter stats for 'CPU(s) 1':

                                    retiring      bad speculation       frontend bound        backend bound
S0-D0-C1           1                 8.5%                 0.0%                 0.1%                91.4%

       6.052117775 seconds time elapsed
"""
NEWER = """
 Performance counter stats for 'system wide':

 %  tma_bad_speculation %  tma_backend_bound      %  tma_retiring %  tma_frontend_bound
                    3.0                 56.4                    26.3                   14.3

       0.809000618 seconds time elapsed
"""
BESIDE = """
 Performance counter stats for 'system wide':

            20,759      context-switches                 #    735.7 cs/sec  cs_per_second
             TopdownL1 (cpu_core)                 #      7.8 %  tma_bad_speculation
                                                  #     34.8 %  tma_frontend_bound
             TopdownL1 (cpu_core)                 #     39.0 %  tma_backend_bound
                                                  #     18.4 %  tma_retiring

       1.002366987 seconds time elapsed
"""
INTERVALS = """#           time             retiring      bad speculation       frontend bound        backend bound
     1.001281330                23.0%                15.3%                29.6%                32.1%
     2.003009005                5.0%                 6.8%                46.6%                41.6%
"""
COUNTS = """#           time             counts unit events
     1.000123456     1,234,567,890      cycles                    #    3.000 GHz
     1.000123456       800,000,000      instructions              #    0.65  insn per cycle
     2.000345678     1,000,000,000      cycles                    #    3.000 GHz
     2.000345678       900,000,000      instructions              #    0.90  insn per cycle
     2.000345678     <not counted>      branch-misses
"""


ZEN = """ Performance counter stats for './PiBench':

        73,846,352      ex_ret_brn_misp                  #      0.2 %  bad_speculation_mispredicts
                                                  #      0.0 %  bad_speculation_pipeline_restarts  (25.00%)
     5,036,308,790      ex_no_retire.load_not_complete   #     71.5 %  backend_bound_cpu
                                                  #      4.4 %  backend_bound_memory     (25.00%)
     5,447,384,862      ex_ret_ucode_ops                 #     14.0 %  retiring_fastpath
                                                  #      0.9 %  retiring_microcode       (25.00%)
    57,773,673,933      de_no_dispatch_per_slot.no_ops_from_frontend #      1.6 %  frontend_bound_bandwidth  (25.00%)
     7,987,372,736      cpu/de_no_dispatch_per_slot.no_ops_from_frontend,cmask=0x6/ #      7.6 %  frontend_bound_latency   (25.00%)

      19.119576664 seconds time elapsed
"""
ZEN_FIRST = """     3.003641903     18 657 737 631      ex_ret_ops                       #     63,5 %  retiring                 (19,97%)
     3.003641903        681 847 357      ex_no_retire.load_not_complete   #      4,4 %  backend_bound_cpu
     3.003641903                                                          #      7,8 %  backend_bound_memory     (20,10%)
     3.003641903      3 602 363 546      de_no_dispatch_per_slot.backend_stalls #     12,3 %  backend_bound            (20,10%)
     4.003641903     18 657 737 631      ex_ret_ops                       #     65,5 %  retiring                 (19,97%)
"""


@pytest.mark.parametrize(("text", "shares"), [
    (ZEN, (0.149, 0.002, 0.092, 0.759)), (ZEN_FIRST, (0.645, None, None, 0.123)), (TOPDOWN, (0.085, 0.0, 0.001, 0.914)), (NEWER, (0.263, 0.03, 0.143, 0.564)), (BESIDE, (0.184, 0.078, 0.348, 0.39)),
    (INTERVALS, (0.14, 0.1105, 0.381, 0.3685)),
])  # fmt: skip
def test_shares_of_issue_slots(write, text, shares):
    found = facts(read(write("perf.txt", text)).readings)
    names = ("retiring", "speculation", "frontend", "backend")
    assert [found.get(f"cpu.{name}_share") for name in names] == [
        None if share is None else pytest.approx(share) for share in shares
    ]


def test_intervals_are_added_up(write):
    profile = read(write("perf.txt", COUNTS))
    found = {reading.event: reading for reading in profile.readings}
    assert found["cycles@2.000345678"].value == 1e9
    assert found["cycles"].value == 2_234_567_890
    assert found["branch-misses"].value is None
    assert facts(profile.readings).get("cpu.instructions_per_cycle") == pytest.approx(1.7e9 / 2_234_567_890)


def test_counts_of_slots_are_shares_of_their_sum(write):
    rows = (
        ("slots", 100),
        ("topdown-retiring", 20),
        ("topdown-bad-spec", 10),
        ("topdown-fe-bound", 30),
        ("topdown-be-bound", 40),
    )
    text = "".join(f"{count};;{event};1000;100.00;;\n" for event, count in rows)
    found = facts(read(write("perf.csv", text)).readings)
    assert found.get("cpu.backend_share") == 0.4
    assert found.why_absent("cpu.memory_share") == "the event was not asked for"


def test_shares_of_slots_are_read_from_json_lines(tmp_path):
    path = tmp_path / "stat.json"
    path.write_text(
        '{"interval" : 1.0, "counter-value" : "249.0", "unit" : "", "event" : "cycles", "metric-value" : "0.15", "metric-unit" : "GHz"}\n'
        '{"interval" : 1.0, "metric-value" : "36.7", "metric-unit" : "%  tma_frontend_bound", "metric-threshold" : "bad"}\n'
        '{"interval" : 1.0, "metric-value" : "33.6", "metric-unit" : "%  tma_retiring"}\n'
    )
    found = facts(read(path).readings)
    assert found.get("cpu.frontend_share") == pytest.approx(0.367)
    assert found.get("cpu.backend_share") is None


def test_shares_that_do_not_add_up_are_no_measurements(tmp_path):
    path = tmp_path / "stat.txt"
    path.write_text(NEWER.replace("56.4", "36.9").replace("26.3", " 7.2").replace("14.3", " 6.0"))
    fact = facts(read(path).readings).fact("cpu.backend_share")
    assert fact.provenance.value == "estimated"
    assert "add up to 53 %" in fact.source


def test_slots_of_the_other_thread_belong_to_the_whole(write):
    text = ZEN_FIRST + "".join(
        f"     5.003641903      1 000 000      some.event   #     {share} %  {name}   (20,10%)\n"
        for name, share in (("bad_speculation", "2,0"), ("frontend_bound", "5,0"), ("smt_contention", "16,2"))
    )
    found = facts(read(write("perf.txt", text)).readings)
    assert "add up" not in found.fact("cpu.backend_share").source
    without = facts(read(write("perf.txt", text.replace("smt_contention", "other_thing"))).readings)
    assert "add up to 84 %" in without.fact("cpu.backend_share").source


def shares(text, write):
    return {r.event: r.value for r in read(write("perf.txt", text)).readings if r.unit == "%"}


SEPARATED = (
    "7299859,,branches,1,100.00,32.322,K/sec\n,225,100.00,,,,TopdownL1\n,,,,,45.2,%  tma_backend_bound\n"
    ",,,,,8.1,%  tma_bad_speculation\n,,,,,23.4,%  tma_frontend_bound\n,,,,,23.3,%  tma_retiring\n"
)
SLOTS = {"topdown-be-bound": 45.2, "topdown-fe-bound": 23.4, "topdown-bad-spec": 8.1, "topdown-retiring": 23.3}


@pytest.mark.parametrize("text", [
    " 23.4%  frontend bound\n 45.2%  backend bound\n  8.1%  bad speculation\n 23.3%  retiring\n",
    "frontend bound:  23.4%\nbackend bound:   45.2%\nbad speculation: 8.1%\nretiring:        23.3%\n",
    "  23,4 %  tma_frontend_bound\n  45,2 %  tma_backend_bound\n   8,1 %  tma_bad_speculation\n  23,3 %  tma_retiring\n",
    SEPARATED,
])  # fmt: skip
def test_shares_in_rows_of_their_own(write, text):
    assert shares(text, write).items() >= SLOTS.items()


def test_counts_without_the_first_and_the_last_line(write):
    text = "  11,577,399,763      cycles      # 0.697 GHz   [37.56%]\n   3,590,951,918      instructions  # 0.31  insns per cycle\n               331      context-switches   # 0.020 K/sec\n"
    readings = {r.event: r for r in read(write("perf.txt", text)).readings}
    assert (readings["instructions"].value, readings["cycles"].running_share) == (3590951918, pytest.approx(0.3756))


def test_counts_of_two_kinds_of_cores_are_no_quotient(write):
    text = (
        " Performance counter stats for 'x':\n\n 24,000 cpu_atom/instructions/u (1.89%)\n 44,840 cpu_core/instructions/u (98.11%)\n"
        " <not counted> cpu_lowpower/instructions/u (0.00%)\n 12,000 cpu_atom/cycles/u (1.89%)\n 22,420 cpu_core/cycles/u (98.11%)\n"
        " <not counted> cpu_lowpower/cycles/u (0.00%)\n"
    )
    known = {f.name: f.value for f in facts(read(write("perf.txt", text)).readings).facts}
    assert known["cpu.instructions_per_cycle"] == pytest.approx(2.0)


KINDS = """
     4,567,890,123      cpu_core/cycles/u                #    3.700 GHz                         (83.33%)
     {}      cpu_atom/cycles/u                                                       (50.00%)
             TopdownL1 (cpu_core)                 #     29.3 %  tma_backend_bound
                                                  #     10.1 %  tma_bad_speculation
                                                  #     20.6 %  tma_frontend_bound
                                                  #     40.0 %  tma_retiring             (83.33%)
             TopdownL1 (cpu_atom)                 #     65.0 %  tma_backend_bound
                                                  #     25.0 %  tma_frontend_bound

       1.237123456 seconds time elapsed
"""


@pytest.mark.parametrize(("cycles", "back", "front"), [
    ("<not counted>", 0.293, 0.206), ("9,567,890,123", 0.65, 0.25),
])  # fmt: skip
def test_slots_are_those_of_the_kind_of_cores_that_did_the_work(write, cycles, back, front):
    found = facts(read(write("stat.txt", KINDS.format(cycles))).readings)
    assert [found.get("cpu.backend_share"), found.get("cpu.frontend_share")] == [
        pytest.approx(back),
        pytest.approx(front),
    ]


def test_slots_of_two_kinds_without_clocks_are_nobodys(write):
    shares = "".join(line for line in KINDS.splitlines(keepends=True) if "cycles" not in line)
    assert facts(read(write("stat.txt", shares)).readings).get("cpu.backend_share") is None


def test_shares_that_are_no_number_were_not_counted(write):
    rows = "".join(f"          #      nan %  tma_{name}\n" for name in ("backend_bound", "retiring", "frontend_bound"))
    profile = read(write("stat.txt", f"   TopdownL1{rows}"))
    assert [reading.value for reading in profile.readings] == [None] * 3
    assert "no issue slots" in profile.absent[0].reason


@pytest.mark.parametrize(("text", "rate", "back"), [
    ("CPUs utilized,insn per cycle,GHz,branch-misses of all branches,\n0.998,0.42,3.1,0.9,\n", 0.42, None),
    (("time;%  tma_retiring;%  tma_backend_bound;%  tma_frontend_bound;%  tma_bad_speculation;\n"
     "1.000123456;20.0;60.0;15.0;5.0;\n2.000123456;30.0;50.0;15.0;5.0;\n"), None, 0.55),
])  # fmt: skip
def test_metrics_alone_in_columns(write, text, rate, back):
    found = facts(read(write("stat.csv", text)).readings)
    assert found.get("cpu.instructions_per_cycle") == rate
    assert found.get("cpu.backend_share") == (None if back is None else pytest.approx(back))


WITH_SLOTS = """ Performance counter stats for './solver {size}':

     {cycles}      cycles                    #    2.000 GHz
     {instructions}      instructions              #    1.00  insn per cycle
     10,000,000,000      slots                     #   10.000 G/sec
      4,400,000,000      topdown-retiring          #     44.0% retiring
      1,000,000,000      topdown-bad-spec          #     10.0% bad speculation
        600,000,000      topdown-fe-bound          #      6.0% frontend bound
      4,000,000,000      topdown-be-bound          #     40.0% backend bound

       {seconds} seconds time elapsed

"""


def test_shares_behind_counts_of_slots_are_not_read_again(write):
    text = WITH_SLOTS.format(size=1, cycles="2,000,000,000", instructions="2,000,000,000", seconds=1)
    found = facts(read(write("stat.txt", text)).readings)
    assert [found.get(f"cpu.{kind}_share") for kind in ("backend", "frontend", "retiring")] == [0.4, 0.06, 0.44]


def test_slots_in_two_units_are_no_parts_of_a_whole(write):
    text = WITH_SLOTS.format(size=1, cycles="2,000,000,000", instructions="2,000,000,000", seconds=1)
    mixed = text.replace("4,400,000,000      topdown-retiring          #     44.0% retiring", "44.0 %  retiring")
    assert facts(read(write("stat.txt", mixed)).readings).get("cpu.backend_share") is None


def test_of_several_runs_in_a_text_the_longest_speaks(write):
    short = WITH_SLOTS.format(size=1, cycles="1,000,000,000", instructions="4,000,000,000", seconds=1)
    long = WITH_SLOTS.format(size=9, cycles="6,000,000,000", instructions="3,000,000,000", seconds=3)
    extra = " Performance counter stats for './solver 9':\n\n    30,000,000      branch-misses\n\n   2.5 seconds time elapsed\n"
    profile = read(write("notes.txt", f"{short}---\n\n{long}{extra}{short}"))
    found = facts(profile.readings)
    assert found.get("cpu.instructions_per_cycle") == 0.5
    assert found.get("cpu.branch_lost_share") == pytest.approx(15 * 30e6 / 6e9)
    assert "4 runs" in profile.notes[0]
    assert "./solver 9" in profile.notes[0]


def separated(cycles, instructions):
    return f"# started on Sun Dec  3 10:27:03 2023\n\n{cycles},,cycles,1,100.00,,\n{instructions},,instructions,1,100.00,,\n"


def json_lines(cycles, instructions):
    row = '{{"counter-value" : "{}", "unit" : "", "event" : "{}", "pcnt-running" : 100.00}}\n'
    return row.format(cycles, "cycles") + row.format(instructions, "instructions")


@pytest.mark.parametrize("run", [separated, json_lines])
def test_runs_that_were_appended_are_not_mixed(write, run):
    profile = read(write("stat.txt", run(400, 800) + run(20000, 10000) + run(400, 400)))
    assert facts(profile.readings).get("cpu.instructions_per_cycle") == 0.5
    assert "3 runs" in profile.notes[0]


def test_of_toplevs_runs_the_first_speaks(write):
    run = "FE  Frontend_Bound  % Slots  {}\nBE  Backend_Bound  % Slots  {}\nRET  Retiring  % Slots  20.0\n"
    profile = read(write("toplev.txt", run.format("9.1", "70.9") + run.format("50.0", "10.0")))
    assert facts(profile.readings).get("cpu.backend_share") == pytest.approx(0.709)
    assert "only the first is read" in profile.notes[0]


def test_more_than_any_core_can_do_is_absent(write):
    text = " Performance counter stats for 'a':\n\n  1,000  cycles\n 25,000  instructions\n   400  cache-references\n   900  cache-misses\n"
    found = facts(read(write("stat.txt", text)).readings)
    assert found.get("cpu.instructions_per_cycle") is None
    assert found.get("cpu.cache_miss_rate") is None
    assert "more than can be" in found.why_absent("cpu.cache_miss_rate")


def test_groups_of_events_that_share_one_are_one_run(write):
    rows = ("400,,cycles", "800,,instructions", "410,,cycles", "90,,branches", "9,,branch-misses")
    profile = read(write("stat.csv", "".join(f"{row},1,50.00,,\n" for row in rows)))
    assert facts(profile.readings).get("cpu.branch_miss_rate") == pytest.approx(0.1)
    assert not any("runs" in note for note in profile.notes)


def test_toplevs_nodes_are_read_as_people_quote_them(write):
    text = "Sample output:\n\nFE    Frontend_Bound:      12.3 %\n    FE    Fetch_Latency:   8.1 %\nBE    Backend_Bound:       61.4 %   <- most\nRET   Retiring:            20.6 %\n"
    assert facts(read(write("page.md", text)).readings).get("cpu.backend_share") == pytest.approx(0.614)


def test_the_time_for_which_cores_were_counted_is_read_from_json_lines(write):
    """Published in a mail about perf; 16 cores for a second."""
    text = (
        '{"interval" : 1.0, "counter-value" : "2497454658.0", "unit" : "", "event" : "cycles", "event-runtime" : 16045374810, "pcnt-running" : 100.00}\n'
        '{"interval" : 1.0, "metric-value" : "36.7", "metric-unit" : "%  tma_frontend_bound"}\n'
    )
    share = facts(read(write("perf.json", text)).readings).fact("cpu.frontend_share")
    assert (share.value, share.provenance) == (pytest.approx(0.367), Provenance.ESTIMATED)


def test_a_page_whose_remarks_lost_their_mark_is_read(write):
    text = (
        "         16,803.59 msec task-clock:u                         0.999 CPUs utilized\n"
        "   175,007,954,055      instructions:u                       4.12  insn per cycle              (90.91%)\n"
        "    42,444,050,519      cycles:u                             2.526 GHz                         (90.90%)\n"
        "                        TopdownL1                       0.4 %  tma_backend_bound\n"
        "                                                       62.3 %  tma_bad_speculation\n"
        "                                                        0.7 %  tma_frontend_bound\n"
        "                                                       36.6 %  tma_retiring             (90.90%)\n"
    )
    found = facts(read(write("perf.txt", text)).readings)
    assert found.get("cpu.instructions_per_cycle") == pytest.approx(4.12, abs=0.01)
    assert found.get("cpu.backend_share") == pytest.approx(0.004)


def test_shares_of_two_kinds_of_cores_without_their_names_are_nobodys(write):
    """Of a hybrid processor those of the small cores, counted in 1 % of the run, stood for the program."""
    kinds = ("backend_bound", "bad_speculation", "frontend_bound", "retiring")
    big, small = (
        "".join(f" #     {share} %  tma_{kind}\n" for kind, share in zip(kinds, shares, strict=True))
        for shares in ((16.0, 20.7, 37.1, 26.2), (25.7, 16.3, 24.1, 33.9))
    )
    counts = (
        "    61,227,574,418      cpu_core/instructions/           #    2.75  insn per cycle              (34.70%)\n"
    )
    found = facts(read(write("perf.txt", counts + big + small)).readings)
    assert "two kinds of cores" in found.why_absent("cpu.frontend_share")
    assert facts(read(write("one.txt", counts + big)).readings).get("cpu.frontend_share") == pytest.approx(0.371)


def test_the_least_counted_event_of_toplev_says_how_much_of_the_run_was_seen(write):
    """Shares that were counted in 5 % of the run were told with high confidence: the row MUX was not read."""
    page = (
        "BE             Backend_Bound                          % Slots                  89.48\n"
        "BE/Mem         Backend_Bound.Memory_Bound             % Slots                  77.10\n"
    )
    multiplexed = "MUX                                                   %                         5.26\n"
    assert facts(read(write("a.txt", page + multiplexed)).readings).fact("cpu.backend_share").counted_share == 0.0526
    assert facts(read(write("b.txt", page)).readings).fact("cpu.backend_share").counted_share == 1


def test_nodes_of_the_third_level_alone_are_toplevs_and_say_nothing_of_the_slots(write):
    row = "S0-C0-T0 BE/Mem  Backend_Bound.Memory_Bound.L1_Bound   % Stalls    11.3  < [ 3.3%]\n"
    with pytest.raises(ProfileError, match="none of its first level"):
        read(write("top.txt", row))


def test_counts_of_slots_win_over_shares_that_stand_beside_some_of_them(write):
    text = (
        " Performance counter stats for 'taskset -c 2 perf bench sched messaging':\n\n"
        "     4,266,060,558      TOPDOWN.SLOTS:u              #     32.0 %  tma_frontend_bound\n"
        "                                                     #      5.2 %  tma_bad_speculation\n"
        "       588,397,905      topdown-retiring:u           #     13.8 %  tma_retiring\n"
        "                                                     #     49.0 %  tma_backend_bound\n"
        "     1,376,283,990      topdown-fe-bound:u\n"
        "     2,096,827,304      topdown-be-bound:u\n"
        "       217,425,841      topdown-bad-spec:u\n"
    )
    assert facts(read(write("perf.txt", text)).readings).get("cpu.backend_share") == pytest.approx(0.49, abs=0.001)


def test_two_counts_of_which_one_says_what_it_is_part_of_are_perfs(write):
    text = "91,002,054      cache-references:u\n44,991,746      cache-misses:u      # 49.440 % of all cache refs\n"
    assert facts(read(write("perf.txt", text)).readings).get("cpu.cache_miss_rate") == pytest.approx(0.494, abs=0.001)
