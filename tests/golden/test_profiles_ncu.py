"""Recorded Nsight Compute pages of an H100, and the diagnosis that an expert gives each kernel.

The recordings lie beside the repository (``shared/samples``, or where HOTLOOP_SHARED says); without them the tests skip.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from hotloop.diagnose.engine import diagnose
from hotloop.metrics.catalogue import derive
from hotloop.metrics.hierarchy import Load, position, reported
from hotloop.model.evidence import Provenance
from hotloop.profilers.reading import read
from hotloop.profiles.counts import of_dispatch
from hotloop.profiles.failure import ProfileError

SHARED = Path(os.environ.get("HOTLOOP_SHARED", Path(__file__).parents[3] / "shared"))
FOLDER = SHARED / "samples" / "ncu-h100"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the recordings are not at {FOLDER}")

EXPECTED = {
    # Philox and Box-Muller: integer work, 76 % of the issue slots; 1.6 rounds without a tail, because it loops over the grid
    0: ("issue-bound", "instruction-overhead"),
    # 19 blocks on 132 units for 3 µs: start and end, then empty units
    7: ("launch-bound-gpu", "idle-units"),
    # tensor cores at 90 %: nothing to do, although occupancy is 15 % and producer warps wait at barriers
    8: ("matrix-bound",),
    # 88 % of the issue slots, 89 % of the instructions multiply: only tensor cores go further; conflicts cost nothing
    9: ("issue-bound", "valu-bound", "tensor-cores-unused"),
    # 132 persistent blocks of causal tiles: the mean unit idles for a third of the time, then softmax between products
    10: ("unbalanced", "low-matrix-utilisation", "launch-bound-gpu"),
    # one output per thread with index arithmetic: 3.7 % multiply-adds in full issue slots; caches and memory idle
    11: ("issue-bound", "instruction-overhead"),
    # a cast: full occupancy, half of the bandwidth, two thirds of the time waiting for loads: more bytes in flight
    12: ("exposed-global-latency",),
    # softmax of rows: 61 % of the bandwidth and 70 % of the issue slots, no single limit; reductions wait at barriers
    13: ("barrier-stalls",),
    # reading by columns: 32 sectors per load, 2 of 32 bytes used; L2 at 91 % is the symptom
    14: ("uncoalesced", "l2-bound"),
    # sum in one round: loads wait, and at 12 µs start and end are 15 %
    15: ("exposed-global-latency", "launch-bound-gpu", "unbalanced", "barrier-stalls"),
    # scan over rows in four blocks of 132 units
    16: ("idle-units", "exposed-global-latency"),
    # 2 µs: nothing but start and end
    17: ("launch-bound-gpu",),
    # sort in one block
    18: ("idle-units",),
}
SAME_FILL = (1, 2, 3, 4, 5, 6)


@cache
def mix():
    return read(FOLDER / "torch-mix-raw.csv")


@cache
def known(index):
    return derive(of_dispatch(mix(), mix().dispatches[index]))


def findings(index):
    """Findings but for the profile's other kernels, of which every row of a mix has many."""
    return [finding for finding in diagnose(known(index)).findings if finding.rule != "foreign-kernel"]


def test_every_launch_is_read():
    profile = mix()
    assert [d.dispatch_id for d in profile.dispatches] == list(range(19))
    assert (profile.architecture, profile.device_name, len(profile.kernels)) == ("sm_90", "NVIDIA H100 80GB HBM3", 13)
    assert max(len(d.kernel) for d in profile.dispatches) == 1299
    assert all(len(d.counters) > 2000 for d in profile.dispatches)
    assert len([a for a in profile.absent if a.name.startswith("ctc__")]) == 6
    assert {f.name: f.value for f in profile.facts}["multiprocessor_count"] == "132"


@pytest.mark.parametrize("index", sorted(EXPECTED))
def test_the_diagnosis_is_that_of_an_expert(index):
    assert tuple(finding.rule for finding in findings(index)) == EXPECTED[index]


@pytest.mark.parametrize("index", SAME_FILL)
def test_fills_of_other_sizes_are_limited_by_instructions_too(index):
    assert {finding.rule for finding in findings(index)} <= {
        "instruction-overhead",
        "issue-bound",
        "launch-bound-gpu",
        "tail-effect",
    }


def test_the_matrix_product_is_at_its_roof():
    product = read(FOLDER / "gemm-raw.csv")
    launch = product.dispatches[1]
    facts = derive(of_dispatch(product, launch))
    assert facts.get("gpu.matrix_flops") == 2 * 4096**3
    assert facts.get("gpu.legacy_matrix_share") == 0
    moved = {"hbm": facts.get("gpu.hbm_bytes"), "l2": facts.get("gpu.l2_bytes")}
    found = position(
        Load({"bf16 matrix": facts.get("gpu.matrix_flops")}, moved, launch.duration_ns), *reported(launch.counters)
    )
    assert found.binding == "bf16 matrix"
    assert found.fraction == pytest.approx(facts.get("gpu.matrix_utilization"), abs=0.02), "two ways to the same number"
    assert {p.level: p.fraction for p in found.points}["hbm"] == pytest.approx(
        facts.get("gpu.hbm_utilization"), abs=0.01
    )


def test_metrics_agree_with_counting_by_hand():
    simt, attention, copy = known(9), known(10), known(14)
    assert simt.get("gpu.vector_flops") == pytest.approx(2 * 2048**3, rel=0.01)
    assert simt.get("gpu.fma_share") == pytest.approx(2048**3 / 32 / 301_505_536, rel=0.01)
    assert simt.get("gpu.lds_conflicts_per_access") == pytest.approx(11_192_351 / (40_648_539 - 11_192_351))
    assert attention.get("gpu.imbalance") == pytest.approx(1 - 58_554.04 / 88_863)
    assert attention.get("gpu.flops") == pytest.approx(16 * 2 * 2048**2 * 128, rel=0.1), (
        "the causal formula, diagonal tiles whole"
    )
    assert copy.get("gpu.load_sectors") == 32
    assert copy.get("gpu.sector_use") == pytest.approx(2 / 32)
    assert copy.get("gpu.hbm_bytes") == 33_579_776 + 21_635_328


@pytest.mark.parametrize("index", range(19))
def test_waiting_adds_up_and_every_fact_says_where_it_is_from(index):
    facts = known(index)
    short = facts.get("gpu.duration_ns") < 5000
    assert facts.get("gpu.stall_identity") == pytest.approx(1, abs=0.1 if short else 0.04), (
        "passes are different executions"
    )
    assert all(f.source and f.provenance in (Provenance.MEASURED, Provenance.DERIVED) for f in facts.facts)
    assert all(a.reason for a in facts.absent)
    shares = [f for f in facts.facts if f.unit == "1" and f.name.endswith(("_share", "_utilization"))]
    assert all(-0.01 <= f.value <= 1.01 for f in shares), [(f.name, f.value) for f in shares]


def test_the_details_page_gives_the_same_numbers():
    path = FOLDER / "torch-mix-details.csv"
    profile = read(path)
    assert [d.dispatch_id for d in profile.dispatches] == [0, 1, 2, 3]
    facts = derive(of_dispatch(profile, profile.dispatches[0]))
    for name in (
        "gpu.issue_utilization",
        "gpu.occupancy",
        "gpu.occupancy_limit",
        "gpu.rounds",
        "gpu.vgprs",
        "gpu.duration_ns",
    ):
        assert facts.get(name) == pytest.approx(known(0).get(name), rel=0.01), name
    assert known(0).get("gpu.busy_share") > 0.94, "hotloop does not believe in the tail: units are busy"


@pytest.mark.parametrize("name", ["gemm-raw.csv", "torch-mix-details.csv"])
def test_a_page_cut_off_anywhere_is_read_or_refused_in_one_sentence(name, tmp_path):
    whole = (FOLDER / name).read_bytes()
    path = tmp_path / "cut.csv"
    for share in range(1, 40):
        path.write_bytes(whole[: len(whole) * share // 40])
        message = refusal(path)
        assert message is None or (message.endswith(".") and "\n" not in message)


def refusal(path):
    try:
        assert read(path).kernels
    except ProfileError as error:
        return str(error)
    return None
