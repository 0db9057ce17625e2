"""A command that runs in this process, and a user's file that each test spoils in its own way."""

import json
import subprocess
import sys

import pytest

from hotloop.cli.main import main

USER_FILE = '''
import numpy as np
import hotloop as hl
{top}
SOURCE = """__kernel void twice(__global float *x, __global float *y, const int n) {{
    const int i = get_global_id(0);
    {body}
}}
"""


@hl.kernel(problem=dict(n=100), work={work}, awkward={awkward})
class twice:
    def inputs(p, rng):
        {inputs}

    def reference(p, x, y, n):
        {reference}

    opencl = hl.OpenCL(SOURCE, entry="twice", params=dict(K=[1, 2]), {geometry}, {more})
'''
HEALTHY = {
    "top": "",
    "body": "if (i < n) y[i] = 2 * x[i];",
    "work": "lambda p: hl.Work(flops=p.n, bytes=8 * p.n)",
    "awkward": "lambda p: [dict(n=1), dict(n=61)]",
    "inputs": "return dict(x=rng.standard_normal(p.n, 'f4'), y=hl.empty(p.n), n=np.int32(p.n))",
    "reference": "return dict(y=2 * x.astype('f8'))",
    "geometry": "global_size=lambda p, c: (p.n,)",
    "more": "",
}


@pytest.fixture
def user_file(tmp_path):
    def write(**changes):
        path = tmp_path / "twice.py"
        path.write_text(USER_FILE.format(**{**HEALTHY, **changes}))
        return str(path)

    return write


class Ended:
    """What a command left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def refused(self, code, *words):
        """Check for one sentence on standard error, which says what it should."""
        assert self.code == code, (self.code, self.out, self.err)
        sentences = [line for line in self.err.splitlines() if line.startswith("hotloop: ")]
        assert len(sentences) == 1, self.err
        assert "defect" not in sentences[0]
        assert "Traceback" not in self.err + self.out
        assert all(word in sentences[0] for word in words), sentences[0]
        return self

    def answered(self, code, kind, *words):
        """Check for the same as one JSON object on standard output."""
        self.refused(code, *words)
        error = json.loads(self.out)["error"]
        assert (error["kind"], error["exit_code"]) == (kind, code)
        assert self.err == f"hotloop: {error['message']}\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return a function that runs a command in this process, on a store of its own unless one is named."""
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))

    def start(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ended(left.value.code, out, err)

    return start


@pytest.fixture(scope="session")
def opencl():
    answer = subprocess.run(
        [sys.executable, "-m", "hotloop", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    found = json.loads(answer.stdout)["findings"]
    if not any(row["what"].startswith("OpenCL device") and row["works"] for row in found):
        pytest.skip("no OpenCL device works here")


@pytest.fixture
def ended():
    """Return the class of what a command left behind, for commands in a process of their own."""
    return Ended
