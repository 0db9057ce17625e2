"""What a compiler's words about loops say against a prediction."""

import pytest

from hotloop.app.predict import answer, unrolled
from hotloop.errors import MissingExtraError
from hotloop.host import toolchain

LOOP = "%s\n    for (int i = 0; i < 15; i++) s += a[i];"
SAID = "k.hip:%d:5: remark: unrolled loop by a factor of 5%s [-Rpass=loop-unroll]"


@pytest.mark.parametrize(
    "pragma",
    ["#pragma unroll", "  # pragma unroll  // whole", "#pragma clang loop unroll(full)", "#pragma unroll(enable)"],
)
def test_a_loop_meant_to_be_unrolled_that_was_not_is_a_doubt(pragma):
    (doubt,) = unrolled.doubts("\n".join([SAID % (2, "")] * 2), LOOP % pragma)
    assert "line 2" in doubt
    assert "5 times" in doubt


@pytest.mark.parametrize(
    ("pragma", "log"),
    [
        ("", SAID % (2, "")),
        ("#pragma unroll 5", SAID % (2, "")),
        ("#pragma nounroll", SAID % (2, "")),
        ("#pragma unroll", SAID % (2, " with run-time trip count")),
        ("#pragma unroll", "k.hip:2:5: remark: completely unrolled loop with 15 iterations [-Rpass=loop-unroll]"),
        ("#pragma unroll", SAID % (9, "")),
        ("#pragma unroll", SAID % (1, "")),
    ],
)
def test_other_loops_are_none(pragma, log):
    assert unrolled.doubts(log, LOOP % pragma) == ()


KERNEL = """
__global__ void sums(float *y, const float *x)
{
    float s = 0;
#pragma unroll
    for (int i = 0; i < 15; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
            s += x[threadIdx.x * 31 + i * i * j] * x[threadIdx.x + 17 * i + j];
    y[threadIdx.x] = s;
}
"""


def test_the_limit_reaches_the_compiler_and_its_words_the_answer(tmp_path, monkeypatch):
    try:
        toolchain.clang()
    except MissingExtraError:
        pytest.skip("no compiler of the package ziglang here")
    path = tmp_path / "sums.hip"
    path.write_text(KERNEL)
    request = answer.Request(
        text=str(path), targets=("gfx1100",), given=("y=f32:64", "x=f32:8192"), grid=(8, 1, 1), workgroup=(64, 1, 1)
    )
    (whole,) = answer.predict(request)
    assert not any("unrolled" in doubt for doubt in whole.doubts)
    monkeypatch.setattr(unrolled, "OPTIONS", ("-mllvm", "-pragma-unroll-threshold=400", "-Rpass=loop-unroll"))
    (partly,) = answer.predict(request)
    assert any("loop of line 6" in doubt for doubt in partly.doubts)
    assert not partly.trusted
