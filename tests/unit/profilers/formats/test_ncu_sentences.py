"""What Nsight Compute says in sentences only, and tables that people cut down; texts are shortened from published pages."""

import pytest

from hotloop.profilers.formats.ncu.sentences import EXCESSIVE, THEORETICAL, figures
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

SAID = "On average, each warp of this {} spends {} cycles being stalled {}. More words. This {}represents about {}% of the total average of {} cycles."


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("waiting for the MIO (memory input/output) instruction queue to be not full", "mio_throttle"),
        ("waiting for a scoreboard dependency on a MIO (memory input/output) operation (not to L1TEX)", "short_scoreboard"),
        ("waiting for a scoreboard dependency on a L1TEX (local, global, surface, texture) operation", "long_scoreboard"),
        ("waiting for the L1 instruction queue for local and global (LG) memory operations to be not full", "lg_throttle"),
        ("waiting for sibling warps at a CTA barrier", "barrier"),
        ("on a fixed latency execution dependency", "wait"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("thing", "kind"), [("kernel", ""), ("workload", "stall type ")])
def test_the_reason_of_waiting_is_read_from_the_sentence(words, state, thing, kind):
    text = SAID.format(thing, "6.7", words, kind, "41.8", "16.0")
    assert figures(text) == {f"smsp__average_warps_issue_stalled_{state}_per_issue_active.ratio": pytest.approx(6.688)}


def test_other_sentences_and_impossible_figures_say_nothing():
    assert (
        figures(
            "each warp spends 6.7 cycles being stalled for no known reason. It represents about 140% of the total average of 4 cycles"
        )
        == {}
    )
    assert (
        figures("uncoalesced global accesses resulting in a total of 9 excessive sectors (80% of the total 5 sectors)")
        == {}
    )
    waste = figures(
        "This kernel has uncoalesced global accesses resulting in a total of 2,097,152 excessive sectors (48% of the\n total 4325376 sectors)."
    )
    assert waste == {EXCESSIVE: 2097152, THEORETICAL: 4325376}  # fmt: skip


def test_a_page_tells_its_advice_beside_its_tables(tmp_path):
    text = """  tiled(float *) (32, 32, 1)x(16, 16, 1), Context 1, Stream 7, Device 0, CC 7.5
    Section: Warp State Statistics
    ---------------------------------- ----------- ------------
    Metric Name                        Metric Unit Metric Value
    ---------------------------------- ----------- ------------
    Warp Cycles Per Issued Instruction       cycle        12.27
    ---------------------------------- ----------- ------------

    OPT   Estimated Speedup: 49.14%
          On average, each warp of this kernel spends 6.0 cycles being stalled waiting for sibling warps at a CTA
          barrier. A high number is common. This stall type represents about 49.1% of the total average of 12.3 cycles
          between issuing two instructions.
    ----- ----------------------------------------------------------------------------------------------------
    INF   Check the Warp Stall Sampling table.

    Section: Launch Statistics
    ---------------------------------- ----------- ------------
    Block Size                                              256
    ---------------------------------- ----------- ------------
"""
    path = tmp_path / "page.txt"
    path.write_text(text)
    (kernel,) = read(path).kernels
    assert kernel.counters["smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"].mean == pytest.approx(
        6.04, abs=0.01
    )
    assert kernel.counters["launch__block_size"].mean == 256
    assert len(kernel.counters) == 3


@pytest.mark.parametrize("head", ['"ID","Kernel Name",', "Kernel Name,"])
def test_a_table_of_name_unit_and_value_is_read_without_the_other_columns(tmp_path, head):
    lead = '"0",' if "ID" in head else ""
    path = tmp_path / "asked.csv"
    path.write_text(f"==PROF== Connected\n{head}Metric Name,Metric Unit,Metric Value\n"
                    f'{lead}gemm,gpu__time_duration.sum,usecond,"1,234.5"\n{lead}gemm,DRAM Throughput,%,91.0\n==PROF== Disconnected\n')  # fmt: skip
    profile = read(path)
    (kernel,) = profile.kernels
    assert (profile.tool, kernel.kernel, kernel.duration_ns.mean) == ("ncu", "gemm", 1_234_500)
    assert kernel.counters["gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"].mean == 91


def test_another_vendors_counters_under_these_columns_are_refused(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text(
        "ID,Kernel Name,Section Name,Metric Name,Metric Unit,Metric Value\n0,k,Command line profiler metrics,SQ_INSTS_SALU,inst,3\n"
    )
    with pytest.raises(ProfileError, match="AMD's counter SQ_INSTS_SALU"):
        read(path)


def test_a_table_of_something_else_is_none(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("Kernel Name,Calls,Time\na,1,2\n")
    with pytest.raises(ProfileError, match="names no unit"):
        read(path)
