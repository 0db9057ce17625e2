"""Winners as code without hotloop: what is written, what is refused, and that it computes the same."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import alone
import numpy as np
import pytest

from hotloop import registry
from hotloop.app.export import found as look
from hotloop.app.export import write
from hotloop.app.export.closure import Closure
from hotloop.app.export.found import Found, _problem, _slots
from hotloop.app.run.kept import record
from hotloop.app.run.kept.result import Result
from hotloop.app.session import Options
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.energy import Objective
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Conditions, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.model.trial import Trial
from hotloop.model.verdict import Comparison, Verdict
from hotloop.store import Store

INTERPRETER = Device(
    name="Interpreter", kind="gpu", backend="triton", runtime="Triton", runtime_key="interpreter", target="sm_90",
    compute_units=4, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
H200 = replace(INTERPRETER, runtime_key="cuda", name="NVIDIA H200", compute_units=132)
SMALL = {"BM": 32, "BN": 32, "BK": 32}
CASES = {
    "persistent": ("gemm", SMALL | {"num_stages": 2}, {"m": 40, "n": 64, "k": 96, "dtype": "float16", "op": "nt", "epilogue": "bias-gelu-erf"}),
    "split": ("gemm", SMALL | {"num_stages": 2, "SPLITS": 2}, {"m": 40, "n": 64, "k": 96, "dtype": "float16"}),
    "triton": ("gemm", SMALL | {"SPLITS": 2}, {"m": 40, "n": 61, "k": 96, "dtype": "float16", "op": "tn"}),
    "softmax": ("reduction", {}, {"rows": 8, "columns": 64, "dtype": "float32"}),
}  # fmt: skip


def found(family, implementation, config, sizes, device=INTERPRETER):
    kernel = registry.load("hotloop.kernels", family, "KERNEL")
    made = kernel.implementation(implementation)
    problem = kernel.problem.replace(**sizes)
    variant = Variant(made, made.start.replace(**config))
    program = variant.program(problem, device)
    return Found(
        kernel=kernel, problem=problem, device=device, variant=variant, program=program, slots=_slots(kernel, problem, program),
        run="12345678", finished="2026-11-23T00:00:00", call_ns=1e4, verdict="",
    )  # fmt: skip


def case(name):
    family, config, sizes = CASES[name]
    return found(family, "triton" if family == "reduction" else name, config, sizes)


def imported(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module


@pytest.mark.parametrize("form", write.FORMATS)
@pytest.mark.parametrize("name", list(CASES))
def test_what_is_written_imports_no_hotloop_and_says_where_it_comes_from(name, form):
    one = case(name)
    files = write.files(one, form)
    for path, text in files.items():
        if path.endswith(".py"):
            assert {module.partition(".")[0] for module in imported(text)} <= {
                "torch", "triton", "contextlib", "json", "numpy", "pathlib", "kernels", "__future__", one.name,
            }  # fmt: skip
    main = files["torch-ext/" + one.name + "/kernel.py" if form == "hf-kernel" else f"{one.name}.py"]
    assert "SPDX-License-Identifier: Apache-2.0" in main
    assert one.problem.key in main
    assert "12345678" in main


def test_a_checkout_that_is_not_installed_has_its_licence(monkeypatch):
    def missing(name):
        raise write.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(write.metadata, "files", missing)
    assert any(
        "Apache License" in text
        for path, text in write.files(case("triton"), "hf-kernel").items()
        if path.startswith("LICENSE")
    )


CLUSTERED = (
    "gemm",
    "hopper-cluster",
    {"SPLITS": 2, "CHAIN": 1},
    {"m": 40, "n": 520, "k": 1032, "dtype": "bfloat16", "op": "nt", "epilogue": "bias"},
)
CONVOLVED = ("conv3d_depthwise", "cuda", {}, {"dtype": "bfloat16"})


@pytest.mark.parametrize("form", write.FORMATS)
@pytest.mark.parametrize("given", [CLUSTERED, CONVOLVED], ids=["gemm", "conv3d"])
def test_cuda_is_written_with_its_source_and_compiled_where_it_runs(given, form):
    one = found(*given, H200)
    files = write.files(one, form, tested=False)
    (text,) = {text for path, text in files.items() if path.endswith((f"{one.name}.py", "/kernel.py"))}
    modules = {module.partition(".")[0] for module in imported(text)}
    assert modules == {"__future__", "ctypes", "cuda", "functools", "pathlib", "sys", "sysconfig", "torch"}
    names = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    (launch,) = one.program.launches
    assert {"compiled", "launch", one.name} <= names
    assert ("_map" in names) == (given is CLUSTERED)
    assert f"_submit(kernels[{launch.entry!r}], " in text
    assert f"), {launch.early})" in text
    assert one.program.source in text
    if form == "hf-kernel":
        assert "add_op_namespace_prefix" in text
        assert "cuda-bindings" in files["README.md"]


@pytest.mark.skipif(not (find_spec("torch") and find_spec("cuda")), reason="needs PyTorch and cuda.bindings")
@pytest.mark.parametrize("given", [CLUSTERED, CONVOLVED], ids=["gemm", "conv3d"])
def test_exported_cuda_compiles_where_hotloop_cannot_be_imported(given, tmp_path):
    one = found(*given, H200)
    write.write(write.files(one, "python", tested=False), tmp_path)
    script = f"import sys; sys.modules['hotloop'] = None; import {one.name} as made; code, names = made.compiled(9, 0); print(code[:4], *names)"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert ran.stdout.strip() == f"{bytes([127])[:1] + b'ELF'!r} {one.program.launches[0].entry}", ran.stderr[-2000:]


@pytest.mark.parametrize("name", ["hopper", "hopper-skinny"])
def test_gluon_takes_along_definitions_of_one_name_from_two_modules(name):
    files = write.files(
        found("gemm", name, {}, {"m": 64, "n": 512, "k": 1024, "dtype": "bfloat16", "op": "nt"}, H200), "python"
    )
    (text,) = [text for path, text in files.items() if not path.endswith("_test.py")]
    tree = ast.parse(text)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != "_"]
    assert len(functions) == len(set(functions))
    assert "_layouts.NVMMASharedLayout" in text
    assert "TRANSB=True" in text


def test_two_definitions_of_one_name_are_told_apart_and_attributes_stay():
    closure = Closure()
    one = "def activate(x):\n    return x.activate + activate_all\n\n\nactivate_all = 1"
    other = "A, B = 1, 2\n\n\ndef activate(y):\n    return y.B + B"
    assert closure.add("one", "activate", one) == "activate"
    assert closure.add("other", "activate", other) == "activate_2"
    text = "\n".join(closure.texts)
    assert "def activate_2(y):\n    return y.B + B" in text
    assert "B = 2" in text
    assert "A = 1" not in text


def test_the_package_has_the_layout_of_kernels():
    one = case("persistent")
    files = write.files(one, "hf-kernel")
    metadata = json.loads(files["build/torch-cuda/metadata.json"])
    assert metadata == {
        "name": one.name.replace("_", "-"), "id": f"_{one.name}", "version": 1, "license": "Apache-2.0", "python-depends": [],
        "backend": {"type": "cuda"},
    }  # fmt: skip
    assert files["build/torch-cuda/kernel.py"] == files[f"torch-ext/{one.name}/kernel.py"]
    assert "Apache License" in files["LICENSE"]
    assert json.loads(files["provenance.json"])["run"].startswith("12345678")


def test_a_users_own_file_keeps_its_owners_licence():
    one = case("split")
    mine = replace(one, kernel=replace(one.kernel, origin="/home/me/kernel.py"))
    files = write.files(mine, "hf-kernel")
    assert "LICENSE" not in files
    assert "licence is its owner's" in files["build/torch-cuda/kernel.py"]


def test_what_has_no_form_is_refused_in_one_sentence(tmp_path):
    opencl = found(
        "gemm", "opencl", {}, {"m": 16, "n": 16, "k": 16}, replace(INTERPRETER, backend="opencl", kind="cpu")
    )
    with pytest.raises(UsageError, match="--format python exports OpenCL"):
        write.files(opencl, "hf-kernel")
    with pytest.raises(UsageError, match="changes an array in place"):
        write.files(found("gemm", "triton", SMALL, {"m": 16, "n": 16, "k": 16, "beta": 1.0}), "python")
    files = write.files(opencl, "python")
    write.write(files, tmp_path)
    with pytest.raises(UsageError, match="is there already"):
        write.write(files, tmp_path)
    assert len(write.write(files, tmp_path, force=True)) == 2


def test_a_problem_is_found_by_its_key():
    one = case("persistent")
    assert _problem(one.kernel, one.problem.key) == one.problem


@pytest.mark.skipif(not (find_spec("torch") and find_spec("triton")), reason="needs PyTorch and Triton's interpreter")
@pytest.mark.skipif(
    tuple(map(int, np.__version__.split(".")[:2])) >= (2, 4),
    reason="Triton's interpreter alone, without hotloop's mend, counts no loops with this NumPy",
)
@pytest.mark.parametrize(
    ("name", "form"),
    [("persistent", "hf-kernel"), ("split", "python"), ("triton", "python"), ("softmax", "hf-kernel")],
)
def test_it_computes_the_same_where_hotloop_cannot_be_imported(name, form, tmp_path):
    write.write(write.files(case(name), form), tmp_path)
    (test,) = tmp_path.glob("*_test.py" if form == "python" else "tests/test_*.py")
    ran = alone.ran(test, tmp_path, TRITON_INTERPRET="1", PYTHONPATH=str(tmp_path))
    assert ran.stdout.startswith("right at"), ran.stderr[-2000:]


def recorded(store, fingerprint, objective=Objective.TIME):
    """Record a run of gemm whose start won, with a trial of this fingerprint, None: of what it is now; return the run's identity."""
    kernel = registry.load("hotloop.kernels", "gemm", "KERNEL")
    made = kernel.implementation("triton")
    problem = kernel.problem.replace(m=16, n=16, k=16)
    outcome = Measured(samples=(Sample(wall_ns=1e4, calls=1),), conditions=Conditions("f"))
    step = Step(
        index=0, technique="baseline", change="start", why="", implementation="triton", config=made.start, outcome=outcome,
        decision=Decision.BASELINE, reason="",
    )  # fmt: skip
    head = record.Head(
        title="t", kind="tune", command=(), started="", device=INTERPRETER, problem=problem.key, work=kernel.work(problem), objective=objective
    )  # fmt: skip
    gain = Comparison(
        verdict=Verdict.FASTER, speedup=1.5, low=1.4, high=1.6, confidence=0.99, margin=0.02, log_ratios=(0.4,)
    )
    with store.begin_run("tune", json.dumps({"spec": "gemm"}), "t") as run:
        record.write_head(run, head)
        record.Walk(run, head).write(step)
        record.write_tail(run, record.tail_of(Result(steps=[step], overall=gain), "now", "finished", ()))
        run.trial(
            Trial(
                family="gemm", problem=problem.key, sizes=Config(problem.sizes), implementation="triton", config=made.start, device="d",
                fingerprint=fingerprint or Variant(made, made.start).fingerprint(problem, INTERPRETER), device_fingerprint="f",
                outcome=outcome, created="2030-01-01T00:00:00+00:00",
            )
        )  # fmt: skip
    return run.id


def test_what_is_exported_is_what_was_verified_and_timed(tmp_path):
    """A kernel file that was changed since the run was exported with the run's figures."""
    place = tmp_path / "store.sqlite"
    with Store.open(place) as store:
        good, other = recorded(store, None, Objective.ENERGY), recorded(store, "another source")
    assert look.found(good, Options(store=str(place))).provenance["measured"].endswith("(1.40-1.60) by energy per call")
    with pytest.raises(UsageError, match="gemm was changed since"):
        look.found(other, Options(store=str(place)))
