"""Programs that nobody prepared: captured as they are, their kernels checked, rewritten, patched and adopted."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from typed import run

from hotloop.app.bare import kernel as bare
from hotloop.app.capture import adopt
from hotloop.app.captured import load as captured
from hotloop.app.run.kept import patch as patches
from hotloop.app.run.kept.result import Hosted
from hotloop.captures import folder as folders
from hotloop.errors import MachineError, UnknownNameError
from hotloop.model.codec import decode, encode
from hotloop.model.kernel import Variant
from hotloop.model.verdict import Comparison, Verdict

LIMIT_S = 60.0
PROGRAM = '''import os
import sys
import threading

import numpy as np
import pyopencl as cl

TEXT = """
__kernel void spread(__global float *y, __global const float *x, const float factor, const int n) {
    int i = get_global_id(0);
    if (i < n) {
        float sum = 0.0f;
        for (int k = 0; k < 8; k++) sum += factor * x[i * 8 + k];
        y[i] = sum;
    }
}
typedef struct { int first; float scale; } Opts;
__kernel void parts(__global float *y, __global const float *x, __local float *own, const Opts opts, __global int *skip) {
    int l = get_local_id(0);
    own[l] = x[get_global_id(0)] * opts.scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && !skip) y[get_group_id(0)] = own[0] + own[1] + opts.first;
}
"""


def main():
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    n = 64
    x = np.linspace(-1, 1, 8 * n).astype(np.float32)
    read = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    y = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * n)
    program = cl.Program(context, TEXT).build("-DUNUSED=1")
    spread, parts = program.spread, program.parts
    del program
    opts = np.array([(3, 0.5)], dtype=[("first", "i4"), ("scale", "f4")])
    for _ in range(3):
        spread(queue, (n,), None, y, read, np.float32(0.25), np.int32(n))
    worker = threading.Thread(target=spread, args=(queue, (n,), None, y, read, np.float32(0.25), np.int32(n)))
    worker.start()
    worker.join()
    found = np.empty(n, np.float32)
    cl.enqueue_copy(queue, found, y)
    print("sum", round(float(found.sum()), 3), file=sys.stderr)
    parts(queue, (n,), (8,), y, read, cl.LocalMemory(4 * 8), opts, None)
    queue.finish()
    if "crash" in sys.argv:
        os._exit(9)
    if "fork" in sys.argv and os.fork() == 0:
        sys.exit(0)


main()
'''


@pytest.fixture(scope="module", autouse=True)
def runtime():
    try:
        bare._engine(LIMIT_S)
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.py").write_text(PROGRAM)
    return folder


@pytest.fixture(scope="module")
def made(place):
    code = run(
        "capture", "--no-roof", "--out", place / "p.capture", "--", sys.executable, place / "program.py", "--token", "secret"
    )  # fmt: skip
    assert code == 0
    return place / "p.capture"


def test_everything_about_a_launch_is_recorded(made, place):
    capture = folders.read(made)
    assert (capture.ended, capture.returncode, capture.cut, capture.problems) == ("itself", 0, 0, ())
    assert "secret" not in (made / "capture.json").read_text()
    assert capture.command[-1] == "(2 more)"
    by_name = {one.name: one for one in capture.kernels}
    spread, parts = by_name["spread"], by_name["parts"]
    assert (spread.calls, spread.main.grid, spread.main.group, spread.main.threads) == (4, (64,), None, 2)
    assert Path(spread.path) == place / "program.py"
    assert "-DUNUSED=1" in spread.options
    assert [one.kind for one in spread.main.arguments] == ["array", "array", "bytes", "bytes"]
    x = folders.values(made, spread.main.arguments[1], "float32")
    np.testing.assert_array_equal(x, np.linspace(-1, 1, 512).astype("f4"))
    assert [one.kind for one in parts.main.arguments] == ["array", "array", "local", "bytes", "null"]
    assert (parts.main.group, parts.main.arguments[2].size) == ((8,), 32)
    assert (made.stat().st_mode & 0o077) == 0, "its owner's only"


def test_sizes_stay_open_where_the_text_says_them(made):
    kernel = captured.load(made, "spread", LIMIT_S)
    assert dict(kernel.problem.sizes) == {"factor": 0.25, "n": 64, "inputs": "alike"}
    exact, *others = kernel.awkward(kernel.problem)
    assert exact.sizes["inputs"] == "captured"
    assert [one.sizes["n"] for one in others] == []  # 64 is small itself
    inputs = kernel.inputs(exact, np.random.default_rng(0))
    np.testing.assert_array_equal(inputs["x"], np.linspace(-1, 1, 512).astype("f4"))
    expected = inputs["x"].astype("f8").reshape(64, 8).sum(1) * 0.25
    np.testing.assert_allclose(kernel.reference(exact, inputs)["y"], expected, atol=1e-15)
    fresh = kernel.inputs(kernel.problem, np.random.default_rng(0))["x"]
    assert fresh.shape == (512,)
    assert not np.array_equal(fresh, inputs["x"])


def test_a_program_that_changed_since_is_told(made, place):
    told = "has changed since the capture"
    assert not any(told in one for one in captured.load(made, "spread", LIMIT_S).remarks())
    program = place / "program.py"
    before = program.read_bytes()
    try:
        program.write_bytes(before + b"\n# later\n")
        assert told in captured.load(made, "spread", LIMIT_S).remarks()[0]
        program.unlink()
        assert "is not there any more" in captured.load(made, "spread", LIMIT_S).remarks()[0]
    finally:
        program.write_bytes(before)


def test_local_memory_structures_and_null_pointers_are_given_again(made):
    kernel = captured.load(made, "parts", LIMIT_S)
    exact = kernel.awkward(kernel.problem)[0]
    inputs = kernel.inputs(exact, np.random.default_rng(0))
    y = kernel.reference(exact, inputs)["y"][:8]
    x = inputs["x"].reshape(-1, 8)[:8]
    np.testing.assert_allclose(y, 0.5 * x[:, 0] + 0.5 * x[:, 1] + 3, rtol=1e-6)


def test_a_winner_becomes_a_patch_of_the_program_and_is_adopted(made, place, capfd, tmp_path):
    kernel = captured.load(made, "spread", LIMIT_S)
    implementation = kernel.implementations[0]
    changed = implementation.start.replace(**{"spread.outputs-per-item": "2x1x1"})
    device = bare._engine(LIMIT_S).select("")
    steps = tuple(_step(implementation.name, config) for config in (implementation.start, changed))
    journal = _Journal()
    patches.record(journal, kernel, kernel.problem, device, steps, "2 × faster")
    found = decode(json.loads(journal.rows[0]), patches.Patch)
    assert found == decode(encode(found), patches.Patch)
    assert Path(found.path) == place / "program.py"
    assert found.stands
    assert "+" in found.diff
    compile(found.after, "program.py", "exec")
    path = tmp_path / "adoption.json"
    adopted = adopt.adoption(found)
    assert adopted.steps == (2,)
    own = _said(place / "program.py", None, capfd)
    adopt.write([adopted], path)
    assert _said(place / "program.py", path, capfd) == own, "the winner computes the same"
    path.write_text(path.read_text().replace(json.dumps(adopted.device), '"another device"'))
    adopt.run([sys.executable, str(place / "program.py")], path)
    assert "the program's own kernel runs: the device is" in capfd.readouterr().err


SIZES = '''import numpy as np
import pyopencl as cl
import sys

TEXT = """__kernel void smooth(__global float *y, __global const float *x, const int w) {
    int i = get_global_id(0), j = get_global_id(1);
    float s = 0.0f;
    for (int k = 0; k < 3; k++) s += x[j * (w + 2) + i + k];
    y[j * w + i] = s;
}
"""
context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
kernel = cl.Program(context, TEXT).build().smooth
for w, h in ((96, 40), (50, 7), (33, 5)):
    x = np.arange(h * (w + 2), dtype=np.float32)
    a = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
    y = np.full(w * h + 100, -1.0, np.float32)
    b = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=y)
    for _ in range(w // 30):
        kernel(queue, (w, h), None, b, a, np.int32(w))
    cl.enqueue_copy(queue, y, b)
    print("sum", w, h, float(np.dot(y, np.arange(len(y)) % 13)), file=sys.stderr)
'''


@pytest.mark.parametrize("form", ["4x1x1", "1x2x16"])
def test_a_patch_is_right_for_every_size_that_the_program_launches(form, tmp_path, capfd):
    (tmp_path / "sizes.py").write_text(SIZES)
    command = ("--no-roof", "--out", tmp_path / "s.capture", "--", sys.executable, tmp_path / "sizes.py")
    assert run("capture", *command) == 0
    own = [line for line in capfd.readouterr().err.splitlines() if line.startswith("sum")]
    kernel = captured.load(tmp_path / "s.capture", "smooth", LIMIT_S)
    implementation = kernel.implementations[0]
    changed = implementation.start.replace(**{"smooth.outputs-per-item": form})
    device = bare._engine(LIMIT_S).select("")
    steps = tuple(_step(implementation.name, config) for config in (implementation.start, changed))
    journal = _Journal()
    gain = Comparison(
        verdict=Verdict.FASTER, speedup=2.0, low=1.9, high=2.1, confidence=0.95, margin=0.02, log_ratios=()
    )  # fmt: skip
    patches.record(journal, kernel, kernel.problem, device, steps, "", gain)
    pinned = decode(json.loads(journal.rows[0]), patches.Patch)
    assert pinned.diff == ""
    assert "launches it with others" in pinned.launches[0]
    (usual,) = (one.main.grid for one in folders.read(tmp_path / "s.capture").kernels)
    assert adopt.adoption(pinned).own_sizes == usual, "adopted for the launches on which it won only"
    hosted = Hosted(variant=Variant(replace(implementation, plan=implementation.hosted), changed), comparison=gain)
    patches.record(journal, kernel, kernel.problem, device, steps, "", gain, hosted)
    found = decode(json.loads(journal.rows[1]), patches.Patch)
    assert "the host must stay as it is" in found.launches[0]
    assert "get_global_size(" in found.diff
    found.write()
    assert _said(tmp_path / "sizes.py", None, capfd) == own


def _step(implementation, config):
    from types import SimpleNamespace

    return SimpleNamespace(implementation=implementation, config=config)


class _Journal:
    def __init__(self):
        self.rows = []

    def record(self, _key, text):
        self.rows.append(text)


def _said(program, adoption, capfd):
    from hotloop.host import program as programs

    if adoption is None:
        programs.run([sys.executable, str(program)], adopt.environment(), None)
    else:
        adopt.run([sys.executable, str(program)], adoption)
    err = capfd.readouterr().err
    assert "own kernel runs" not in err
    return [line for line in err.splitlines() if line.startswith("sum")]


def test_a_program_that_crashes_leaves_what_it_launched(place, capfd):
    code = run(
        "capture", "--no-roof", "--no-values", "--force", "--out", place / "c.capture", "--", sys.executable,
        place / "program.py", "crash",
    )  # fmt: skip
    text = " ".join(capfd.readouterr().out.split())
    assert code == 1
    assert "It ended with code 9: what it launched until then is recorded." in text
    assert "1 of 1 processes ended without a word" in text
    capture = folders.read(place / "c.capture")
    assert {one.name: one.calls for one in capture.kernels} == {"spread": 4, "parts": 1}
    assert not any(one.values for kernel in capture.kernels for one in kernel.main.arguments)
    assert list((place / "c.capture" / "values").iterdir()) == []
    inputs = captured.load(place / "c.capture", "spread", LIMIT_S)
    assert inputs.inputs(inputs.problem, np.random.default_rng(0))["x"].std() > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "name the program behind --"),
        (("--", "no-such-program"), "no-such-program cannot be started"),
        (("--", "true"), "it is no Python program"),
        (("--", sys.executable, "-I", "-c", "pass"), "ignores its environment with -I"),
        (("--", sys.executable, "-c", "pass"), "It launched no kernel"),
        (("--show", "nowhere"), "nowhere is no capture"),
    ],
)
def test_what_cannot_be_captured_is_a_sentence(arguments, sentence, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run("capture", *arguments) in (1, 2)
    captured_text = capfd.readouterr()
    assert sentence in " ".join((captured_text.out + captured_text.err).split())


def test_a_folder_is_replaced_only_when_it_is_a_capture(made, place, capfd, tmp_path):
    command = ("--", sys.executable, "-c", "pass")
    assert run("capture", "--out", made, *command) == 2
    assert "give --force" in capfd.readouterr().err
    assert run("capture", "--force", "--out", place, *command) == 2
    assert (place / "program.py").exists()
    with pytest.raises(UnknownNameError, match="did you mean spread"):
        captured.load(made, "spred", LIMIT_S)
    assert captured.names(str(tmp_path)) is None
    nothing = tmp_path / "nothing.capture"
    for told in ("It launched no kernel", "It launched no kernel"):
        assert run("capture", "--out", nothing, *command) == 1, "nothing is lost with a capture of nothing"
        assert told in " ".join(capfd.readouterr().out.split())


def test_a_program_that_runs_too_long_is_ended():
    from hotloop.host import program

    left = program.run(["sh", "-c", 'trap "exit 5" INT; while :; do sleep 0.05; done'], {}, 0.5)
    assert left.late
    assert left.returncode in (5, -2), "asked to end; on a busy machine perhaps before it could listen"


def test_arrays_beyond_the_limit_keep_their_beginning(place, tmp_path):
    code = run(
        "capture", "--no-roof", "--max-bytes", "300", "--out", tmp_path / "b.capture", "--", sys.executable, place / "program.py"
    )  # fmt: skip
    assert code == 0
    capture = folders.read(tmp_path / "b.capture")
    rows = [one for kernel in capture.kernels for one in kernel.main.arguments if one.values]
    assert sum((tmp_path / "b.capture" / one.values).stat().st_size for one in rows) <= 300
    kernel = captured.load(tmp_path / "b.capture", "spread", LIMIT_S)
    inputs = kernel.inputs(kernel.awkward(kernel.problem)[0], np.random.default_rng(0))
    assert inputs["x"].shape == (512,)


@pytest.mark.skipif(find_spec("torch") is None or find_spec("triton") is None, reason="needs PyTorch and Triton")
def test_a_triton_program_is_captured_in_the_interpreter_and_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    (tmp_path / "t.py").write_text(
        "import torch\nimport triton\nimport triton.language as tl\n\n\n"
        "@triton.autotune(configs=[triton.Config({'BLOCK': b}) for b in (32, 64)], key=['n'])\n"
        "@triton.jit\ndef act(y, x, n, BLOCK: tl.constexpr):\n"
        "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
        "    tl.store(y + at, tl.exp(tl.load(x + at, mask=at < n)), mask=at < n)\n\n\n"
        "x = torch.randn(100)\ny = torch.empty_like(x)\n"
        "act[lambda meta: (triton.cdiv(100, meta['BLOCK']),)](y, x, 100)\n"
        "assert torch.allclose(y, x.exp())\n"
    )
    assert run("capture", "--out", tmp_path / "t.capture", "--", sys.executable, tmp_path / "t.py") == 0
    kernel = captured.load(tmp_path / "t.capture", "act", LIMIT_S)
    start = kernel.implementations[0].start
    assert (start["BLOCK"], start["exponent-base-two"]) == (32, 0)
    assert folders.read(tmp_path / "t.capture").kernels[0].tuner.keys == ("n",)
    assert run("check", tmp_path / "t.capture/act@exponent-base-two=1,BLOCK=64", "--level", "quick") == 0


def test_ctrl_c_during_a_capture_is_told_by_the_exit_code(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    stops_us = "import os, signal, sys, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(0.3); sys.exit(1)"
    assert run("capture", "--no-roof", "--", sys.executable, "-c", stops_us) == 130
    assert "It was stopped by Ctrl-C" in " ".join(capfd.readouterr().out.split())
