"""bfloat16 arrays of a user's file through the worker and back, on the CPU: OpenCL C takes them as 16-bit integers."""

from importlib.util import find_spec

import pytest

from hotloop.cli.main import main

pytestmark = [
    pytest.mark.skipif(find_spec("pyopencl") is None, reason="pyopencl is not installed"),
    pytest.mark.usefixtures("kept_engines"),
]
FILE = '''
import hotloop as hl

SOURCE = """
float wide(ushort x) { return as_float((uint)x << 16); }
ushort narrow(float x) { const uint bits = as_uint(x); return isnan(x) ? 0x7FC0 : (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16; }
__kernel void scale(__global const ushort *x, __global ushort *y) {
    const int i = get_global_id(0);
    y[i] = narrow(2.5f * wide(x[i]));
}
"""

@hl.kernel(
    problem=dict(n=4096), work=lambda p: hl.Work(flops=p.n, bytes=4 * p.n), awkward=lambda p: [dict(n=1), dict(n=61)],
    tolerance=hl.Tolerance(eps_dtype="float32"), linear=["x"],
)
class scale:
    def inputs(p, rng): return dict(x=rng.standard_normal(p.n).astype(hl.bfloat16), y=hl.empty(p.n, "bfloat16"))
    def reference(p, x, y): return dict(y=2.5 * x.astype("f8"))
    opencl = hl.OpenCL(SOURCE, entry="scale", global_size=lambda p, c: (p.n,))
'''


@pytest.fixture
def run(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("COLUMNS", "300")

    def ran(right, wrong, *verb):
        file = tmp_path / "scale.py"
        assert right in FILE
        file.write_text(FILE.replace(right, wrong))
        with pytest.raises(SystemExit) as left:
            main([*verb, str(file)])
        captured = capfd.readouterr()
        # a line may break anywhere: how long a sentence is depends on the inputs that were drawn
        return left.value.code, " ".join((captured.out + captured.err).split())

    return ran


def test_a_right_kernel_is_verified_and_timed(run):
    code, text = run("", "", "bench", "--mode", "hot")
    assert code == 0, text
    assert "hot caches" in text


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("2.5f", "2.52f", "of its bound"),
        ("y[i] =", "if (i) y[i] =", "never written"),
        ("y[i] =", "y[i + (i == 60)] =", "canary after y overwritten at +0 B"),
        ("wide(x[i])", "wide(x[i + 1])", "error"),
        ("wide(x[i])", "wide(x[i] & 0xFFF0)", "of its bound"),
    ],
)
def test_wrong_ones_are_caught(run, right, wrong, why):
    code, text = run(right, wrong, "check", "--level", "quick")
    assert code == 1, text
    assert why in text


def test_a_type_that_numpy_does_not_have_either_is_one_sentence(run):
    code, text = run('"bfloat16")', '"bfloat17")', "check")
    assert code == 2, text
    assert "bfloat17" in text
    assert "Traceback" not in text
