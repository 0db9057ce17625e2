"""perf stat in its three forms; texts of real runs, shortened."""

import pytest

from hotloop.model.evidence import Provenance
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.ratios import facts

TEXT = """
 Performance counter stats for './gemm 512' (5 runs):

          1,234.56 msec task-clock                       #    3.994 CPUs utilized            ( +-  0.21% )
                 5      context-switches                 #    4.050 /sec
     4,321,098,765      cycles                           #    3.500 GHz                      ( +-  0.33% )  (33.31%)
       987,654,321      instructions:u                   #    0.23  insn per cycle           (66.70%)
             1.234      L1-dcache-load-misses            #    0.00% of all L1-dcache accesses
   <not supported>      LLC-loads
     <not counted>      cpu/event=0xc7,umask=0x20/                                            (0.00%)
             12.50 Joules power/energy-pkg/

          0.309111 +- 0.000722 seconds time elapsed  ( +-  0.23% )

       1.230000000 seconds user
       0.004000000 seconds sys
"""


def readings(path):
    profile = read(path)
    return profile, {r.event: r for r in profile.readings}


def test_text(write):
    profile, found = readings(write("perf.txt", TEXT))
    assert found["task-clock"].value == 1234.56
    assert found["task-clock"].unit == "msec"
    assert found["task-clock"].spread_share == pytest.approx(0.0021)
    assert found["cycles"].value == 4321098765
    assert found["cycles"].running_share == pytest.approx(0.3331)
    assert found["instructions:u"].running_share == pytest.approx(0.667)
    assert found["L1-dcache-load-misses"].value == 1234
    assert found["LLC-loads"].value is None
    assert "does not have" in profile.why_absent("LLC-loads")
    assert "never on a hardware counter" in profile.why_absent("cpu/event=0xc7,umask=0x20/")
    assert found["power/energy-pkg/"].unit == "Joules"
    assert found["seconds time elapsed"].value == 0.309111
    assert found["seconds user"].value == 1.23
    assert len(found) == 11
    assert "extrapolated" in profile.notes[0]


def test_other_locales(write):
    text = (
        TEXT.replace("1,234.56", "1.234,56").replace("4,321,098,765", "4.321.098.765").replace("0.309111", "0,309111")
    )
    _, found = readings(write("perf.txt", text))
    assert (found["task-clock"].value, found["cycles"].value, found["seconds time elapsed"].value) == (
        1234.56,
        4321098765,
        0.309111,
    )


@pytest.mark.parametrize("mark", ["'", "\u2019", "\u202f", "\u00a0", " "])
def test_groups_of_three_in_any_locale(write, mark):
    """A Swiss page, and French ones before and after a browser copied them: no count may be lost in silence."""
    _, found = readings(write("perf.txt", TEXT.replace("4,321,098,765", f"4{mark}321{mark}098{mark}765")))
    assert found["cycles"].value == 4321098765


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_separated(write, mark):
    rows = [
        "# started on Sat Nov 21", "",
        "0.599,msec,task-clock,768106,100.00,0.091,CPUs utilized",
        "<not supported>,,cycles,0,100.00,,",
        "123456,,instructions:u,768106,25.00,1.302,K/sec",
        "47,,page-faults,1.88%,524693,100.00,84.308,K/sec",
    ]  # fmt: skip
    profile, found = readings(write("perf.csv", "\n".join(rows).replace(",", mark)))
    assert found["task-clock"].value == 0.599
    assert found["cycles"].value is None
    assert found["instructions:u"].running_share == 0.25
    assert found["page-faults"].spread_share == pytest.approx(0.0188)
    assert profile.format == "stat -x (separated)"


def test_values_for_each_core_or_interval(write):
    profile, found = readings(write("perf.csv", "CPU0,1,100,,cycles,5,100.00,,\nCPU1,1,200,,cycles,5,100.00,,\n"))
    assert found["cycles@CPU0,1"].value == 100
    assert found["cycles@CPU1,1"].value == 200
    assert "each core" in profile.notes[0]
    _, found = readings(write("i.csv", "1.001,100,,cycles,5,100.00,,\n2.002,200,,cycles,5,100.00,,\n"))
    assert found["cycles@2.002"].value == 200


def test_json(write):
    text = (
        '{"counter-value" : "0.599675", "unit" : "msec", "event" : "task-clock", "event-runtime" : 599675, "pcnt-running" : 50.00}\n'
        '{"counter-value" : "<not counted>", "unit" : "", "event" : "cycles", "pcnt-running" : 0.00}\n'
    )
    _, found = readings(write("perf.json", text))
    assert found["task-clock"].value == 0.599675
    assert found["task-clock"].running_share == 0.5
    assert found["cycles"].value is None


def test_nothing_counted(write):
    with pytest.raises(ProfileError, match="no event"):
        read(write("perf.txt", " Performance counter stats for 'true':\n\n"))


def test_quotients_are_facts_and_what_was_not_counted_is_absent(write):
    path = write(
        "perf.csv",
        "# started on Sat Nov 21 2026\n\n"
        "12000000000;;cycles:u;4321500000;100.00;2.777;GHz\n"
        "9000000000;;instructions:u;4321500000;100.00;0.75;insn per cycle\n"
        "<not supported>;;branch-misses;0;100.00;;\n"
        "200000000;;cache-references;2000000000;46.00;;\n"
        "90000000;;cache-misses;2000000000;46.00;;\n",
    )
    found = facts(read(path).readings)
    assert found.get("cpu.instructions_per_cycle") == 0.75
    assert found.fact("cpu.instructions_per_cycle").provenance is Provenance.DERIVED
    assert found.get("cpu.cache_miss_rate") == 0.45
    assert found.fact("cpu.cache_miss_rate").provenance is Provenance.ESTIMATED, "the events took turns"
    assert found.get("cpu.cache_misses_per_instruction") == 0.01
    assert "does not have the event" in found.why_absent("cpu.branch_miss_rate")
    assert found.why_absent("cpu.l1_miss_rate") == "the event was not asked for"


def test_intervals_that_were_pasted_without_their_head(write):
    rows = ("5,109,360,888      cycles    #    0.638 GHz    (38.46%)", "5,574,865,332      instructions   #  1.09  insn per cycle",
            "1,022,617,146      branches", "9,171,905      branch-misses   #    0.49% of all branches")  # fmt: skip
    profile = read(write("perf.txt", "".join(f"   123.100852112      {row}\n" for row in rows)))
    assert {r.event: r.value for r in profile.readings}["instructions"] == 5574865332


def test_rows_of_an_early_perf_with_shares_in_brackets(write):
    rows = "     9,109,469,170 instructions              #    4.51  insns per cycle\n     2,019,864,136 cycles                  [45.14%]\n"
    cycles = next(r for r in read(write("perf.txt", rows)).readings if r.event == "cycles")
    assert cycles.value == 2019864136
    assert cycles.running_share == pytest.approx(0.4514)


def test_lines_that_an_article_numbers_and_what_the_program_said(write):
    lines = ("11 PASS", "12", "13  Performance counter stats for './t -n 5':", "14", "15  \t1,666,805,699  \tcpu_core/cache-misses:u/   (96.40%)")  # fmt: skip
    profile = read(write("perf.txt", "\n".join((*lines, "17", "18    \t7.707666261 seconds time elapsed"))))
    assert [(r.event, r.value) for r in profile.readings] == [
        ("cpu_core/cache-misses:u/", 1666805699), ("seconds time elapsed", 7.707666261),
    ]  # fmt: skip
