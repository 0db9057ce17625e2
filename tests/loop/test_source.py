"""What a person adds to a bare source in Python: a reference by name, and the kernel file that init --from writes."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.app import userfile
from hotloop.app.bare import kernel as bare
from hotloop.app.bare import reference
from hotloop.app.bare.wish import wish
from hotloop.cli.main import main
from hotloop.errors import HotloopError, MachineError

TEXT = """#define AT(i) x[i]
__kernel void scale(__global const float *x, __global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) y[i] = 2.0f * AT(i);
}
"""
JUDGES = """def right(x, n): return 2 * x[:n]
def wrong(**known): return dict(y=2 * known["x"] + 1)
def short(x): return x[:3]
def odd(z): return z
def other(x): return dict(q=x)
def raising(x): raise ValueError("no such thing")
"""


@pytest.fixture(scope="module", autouse=True)
def runtime():
    try:
        bare._engine(60.0)
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.fixture
def said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "scale.cl").write_text(TEXT)
    (tmp_path / "judges.py").write_text(JUDGES)

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(list(words))
        out = capsys.readouterr()
        return int(left.value.code or 0), " ".join((out.out + out.err).split())

    return run


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    file = tmp_path_factory.mktemp("source") / "scale.cl"
    file.write_text(TEXT)
    (file.parent / "judges.py").write_text(JUDGES)
    return bare.load(file, "", wish(("n=100",)), 60.0), file.parent / "judges.py"


def answered(kernel, judge: str) -> np.ndarray:
    made, judges = kernel
    judge = judge.replace("judges.py", str(judges))
    named = reference.named(made, judge, 60.0)
    return named.reference(named.problem, named.inputs(named.problem, np.random.default_rng(0)))["y"]


def test_a_function_of_the_user_says_what_is_right(kernel):
    made, _ = kernel
    x = made.inputs(made.problem, np.random.default_rng(0))["x"]
    np.testing.assert_array_equal(answered(kernel, "judges.py:right"), 2.0 * x.astype("f8"))
    np.testing.assert_array_equal(answered(kernel, "judges.py:wrong"), 2.0 * x.astype("f8") + 1)


@pytest.mark.parametrize(
    ("judge", "told"),
    [
        ("judges.py:short", "returns 3 elements of y, the kernel writes 100"),
        ("judges.py:odd", "takes z, which the kernel has not; it has n, x, y"),
        ("judges.py:other", "returns q, the kernel writes y"),
        ("judges.py:raising", "raises ValueError: no such thing"),
        ("judges.py:none", "has no function none"),
        ("nowhere:right", "cannot be loaded"),
        ("os.path:exists", "takes path, which the kernel has not"),
        ("judges", "write MODULE:FUNCTION"),
    ],
)
def test_a_reference_that_cannot_be(judge, told, kernel):
    with pytest.raises(HotloopError, match=told):
        answered(kernel, judge)


def test_a_kernel_file_of_a_source(said, tmp_path):
    assert said("init", "--from", "scale.cl:scale")[0] == 2, "n is missing"
    code, out = said("init", "--from", "scale.cl:scale", "--size", "n=100")
    assert code == 0
    assert "wrote scale.py" in out
    assert said("init", "--from", "scale.cl:scale", "--size", "n=100")[0] == 2, "it exists already"
    assert said("init", "--size", "n=100")[0] == 2, "a template has no sizes"
    code, out = said("tune", "scale.cl:scale")
    assert code == 2
    assert "hotloop init --from scale.cl --size NAME=N writes" in out, "what a verb without --size can be given"
    file = tmp_path / "scale.py"
    right = "import numpy as np\n" + file.read_text().replace(
        "# inputs=inputs", "inputs=lambda p, rng: dict(x=np.ones(p.n))"
    )
    file.write_text(right)
    made = userfile.find("scale.py")
    inputs = made.inputs(made.problem, np.random.default_rng(0))
    assert made.reference(made.problem, inputs)["y"].tolist() == [2.0] * 100
    file.write_text("from judges import wrong\n" + right.replace("# reference=reference", "reference=wrong"))
    code, out = said("check", "scale.py", "--level", "quick")
    assert code == 1, "the text is not what its author says"
