"""A kernel of a source whose other kernels cannot be built: checked, optimized, and its diff is of the whole source."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotloop.app.bare import kernel as bare
from hotloop.app.bare.wish import wish
from hotloop.app.run.kept.patch import Patch, _whole
from hotloop.errors import KernelFileError, MachineError

LIMIT_S = 60.0
STRANGE = """kernel void other(global Strange *x) {
    x[0] = 1;
}
kernel void scale(global const float *x, global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = 2.0f * x[i];
}
"""


@pytest.fixture
def source(tmp_path) -> Path:
    file = tmp_path / "kernel.cl"
    file.write_text(STRANGE)
    return file


def test_the_kernel_that_is_asked_for_works_beside_one_that_cannot_be_built(source):
    try:
        bare._engine(LIMIT_S)
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")
    made = bare.load(source, "scale", wish(("n=1000",)), LIMIT_S)
    program = made.implementations[0].plan(made.problem, made.implementations[0].start, None)
    assert "Strange" not in program.source
    with pytest.raises(KernelFileError, match="Strange"):
        bare.load(source, "", wish(("n=1000",)), LIMIT_S)


def test_the_diff_is_of_the_source_with_what_was_not_built(source):
    first = STRANGE.index("kernel void scale")
    before = "".join(c if c == "\n" else " " for c in STRANGE[:first]) + STRANGE[first:]
    patch = Patch(path=str(source), before=before, after=before.replace("2.0f * x[i]", "x[i] + x[i]"), launches=())
    whole = _whole(patch)
    assert whole.before == STRANGE
    assert whole.after == STRANGE.replace("2.0f * x[i]", "x[i] + x[i]")
    source.write_text(STRANGE.replace("2.0f", "3.0f"))
    assert _whole(patch) == patch
