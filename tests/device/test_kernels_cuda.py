"""The CUDA rungs on a real GPU, verified against float64 by the benchmark scripts' own checks; needs nvcc and PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.device
SCRIPTS = Path(__file__).parents[2] / "benchmarks" / "gpu"


@pytest.fixture(scope="module")
def harness():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    sys.path.insert(0, str(SCRIPTS))
    try:
        import harness

        yield harness
    finally:
        sys.path.remove(str(SCRIPTS))


def _wrong(cases, built, verify):
    assert not [(name, one.log) for name, one in built.items() if one.path is None]
    checked = {name: verify(name, case, built[name].path) for name, case in cases.items()}
    return {name: facts for name, facts in checked.items() if not facts["ok"]}


def test_conv3d_rungs_agree_with_float64(harness):
    """With NaN and infinities among the inputs, too."""
    known, script = (harness.load_by_path(SCRIPTS / f"{name}.py") for name in ("conv3d_cases", "conv3d_check"))
    cases = known.awkward() | {"best": (known.VIDEO, known.rungs.best(known.VIDEO))}
    built = script.compile_all(cases, 4)
    assert not _wrong(cases, built, lambda _name, case, path: script.verify(*case, path))


def test_row_operations_agree_with_float64(harness):
    script = harness.load_by_path(SCRIPTS / "reductions.py")
    cases = script.awkward()
    built = script.compile_all(cases, 4)
    assert not _wrong(cases, built, lambda _name, case, path: script.verify(case, path))
