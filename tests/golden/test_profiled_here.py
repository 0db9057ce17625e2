"""hotloop's own kernels under the real Nsight Compute: the finding that their author expects comes first.

Recorded by tests/device/profile_ncu.py; the pages lie in results/.
"""

from pathlib import Path

import pytest

from hotloop.diagnose.engine import diagnose
from hotloop.metrics.catalogue import derive
from hotloop.profilers.reading import read
from hotloop.profiles.counts import of_kernel

FOLDERS = sorted(Path(__file__).parents[2].glob("results/nvidia-*/ncu"))
EXPECTED = {
    # a persistent wgmma kernel at 4096 cubed, at the speed of cuBLAS: the tensor cores are busy
    "gemm": "matrix-bound",
    # no warp specialization: softmax and products take turns, so the tensor cores wait
    "attention": "low-matrix-utilisation",
    # each row is read once and written once
    "softmax": "hbm-bound",
    "rmsnorm": "hbm-bound",
    "copy": "hbm-bound",
    # neighbouring threads read down a column: one useful word per sector
    "columns": "uncoalesced",
}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
@pytest.mark.parametrize("kernel", EXPECTED)
def test_the_expected_finding_comes_first(folder, kernel):
    profile = read(folder / f"{kernel}.csv")
    evidence = derive(of_kernel(profile, profile.kernels[-1]))
    findings = diagnose(evidence).findings
    assert findings[0].rule == EXPECTED[kernel], [(f.rule, round(f.share, 2)) for f in findings]


def test_there_are_recordings():
    assert FOLDERS
