"""FlyDSL kernels compiled for GPUs that are not here, by the real compiler; skipped where it is not installed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hotloop.app.code.offline import compile_offline, compiler_of, mistakes
from hotloop.cli.commands.isa import COMMAND
from hotloop.compilers.offer import Compiled
from hotloop.errors import MissingExtraError, UnknownNameError, UsageError
from hotloop.frontends.flydsl import COMPILER
from hotloop.host import toolchain
from hotloop.model.outcome import CompileFailed, Crashed
from hotloop.targets.target import Target

needs_flydsl = pytest.mark.skipif(
    toolchain.package("flydsl") is None or toolchain.package("ziglang") is None,
    reason="the packages flydsl and ziglang are not installed",
)
EXAMPLE = Path(__file__).parents[2] / "examples" / "attention_flydsl.py"
HEAD = """
import hotloop as hl
import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir.dialects import arith as raw

"""
SCALE = """
@flyc.kernel
def scale(A: fx.Tensor, B: fx.Tensor, n: fx.Int32, TIMES: fx.Constexpr[int]):
    at = fx.block_idx.x * 64 + fx.thread_idx.x
    if at < n:
        total = fx.Float32(0.0)
        for i in fx.range_constexpr(TIMES):
            total = total + A[at].to(fx.Float32)
        B[at] = total

@flyc.jit
def launch(A: fx.Tensor, B: fx.Tensor, n: fx.Int32, TIMES: fx.Constexpr[int], stream: fx.Stream = fx.Stream(None)):
    scale(A, B, n, TIMES).launch(grid=(n // 64, 1, 1), block=(64, 1, 1), stream=stream)
"""
DECLARED = 'hl.offline(launch, signature=dict(A="*fp16", B="*fp32"), constexprs=dict(TIMES=3))\n'


def file(tmp_path, text):
    path = tmp_path / "kernel.py"
    path.write_text(HEAD + text)
    return str(path)


def kernel(body, arguments="A: fx.Tensor"):
    names = ", ".join(part.split(":")[0] for part in arguments.split(", "))
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return (
        f"@flyc.kernel\ndef kernel({arguments}):\n    tid = fx.thread_idx.x\n{lines}\n"
        f"@flyc.jit\ndef launch({arguments}):\n    kernel({names}).launch(grid=(1, 1, 1), block=(64, 1, 1))\n"
        f'hl.offline(launch, signature=dict(A="*fp32"))\n'
    )


@needs_flydsl
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_listing_and_resources(tmp_path, target):
    made = compile_offline(file(tmp_path, SCALE + DECLARED), target)
    assert isinstance(made, Compiled)
    assert (made.language, made.dialect, made.target) == ("flydsl", "amdgcn", target)
    assert made.kernel.startswith("scale")
    assert made.binary[:4] == b"\x7fELF"
    assert made.compiler.startswith("flydsl ")
    (known,) = made.resources
    assert known.total_vgprs
    assert (known.vgpr_spills, known.lds_bytes, known.wave_size) == (0, 0, 64)
    assert target in made.listing.splitlines()[0]


@needs_flydsl
@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_attention_example_keeps_its_limits(target):
    """The rung p-registers of the attention ladder, as FlyDSL makes it."""
    made = compile_offline(str(EXAMPLE), target)
    assert isinstance(made, Compiled)
    assert mistakes(str(EXAMPLE)) == ()
    (known,) = made.resources
    assert (known.lds_bytes, known.vgpr_spills, known.workgroup_max) == (17664, 0, 256)
    assert known.total_vgprs <= 128
    count = {name: made.listing.count(f"\t{name}") for name in ("v_mfma_f32_16x16x16_f16", "s_barrier", "ds_read2_b64")}
    assert count == {"v_mfma_f32_16x16x16_f16": 32, "s_barrier": 2, "ds_read2_b64": 16}


@needs_flydsl
def test_parameters_win_over_the_declaration(tmp_path):
    path = file(tmp_path, SCALE + DECLARED)
    few, many = (compile_offline(path, "gfx942", parameters={"TIMES": times}) for times in (1, 9))
    assert "TIMES=9" in many.options
    assert len(many.listing) > len(few.listing)


@needs_flydsl
@pytest.mark.parametrize(
    ("text", "name", "error", "words"),
    [
        (SCALE, "", UsageError, "the type of A is not known"),
        (SCALE + DECLARED.replace(", constexprs=dict(TIMES=3)", ""), "", UsageError, "constexpr TIMES has no value"),
        (SCALE + DECLARED.replace("*fp16", "fp16[4,"), "", UsageError, "is not understood"),
        (SCALE + DECLARED, ":nothing", UsageError, "nothing"),
        ("x = 1\n", "", UsageError, "no launcher"),
        (SCALE + "raise RuntimeError('why')\n", "", UsageError, "raises RuntimeError"),
    ],
)
def test_what_the_user_did_wrong_is_one_sentence(tmp_path, text, name, error, words):
    with pytest.raises(error, match=".*") as caught:
        compile_offline(file(tmp_path, text) + name, "gfx942")
    assert words in str(caught.value)
    assert caught.value.exit_code == 2
    assert isinstance(caught.value, UnknownNameError) or "\n" not in str(caught.value)


@needs_flydsl
def test_instruction_of_another_target_is_an_outcome(tmp_path):
    body = (
        "four = fx.Vector.filled(4, 0.0, fx.Float16)\nsum = fx.Vector.filled(4, 0.0, fx.Float32)\n"
        "out = fx.rocdl.mfma_f32_16x16x16f16(fx.Vector[fx.Float32, 4].ir_type, [four, four, sum, 0, 0, 0])\n"
        "A[tid] = fx.Vector(out)[0]"
    )
    path = file(tmp_path, kernel(body))
    assert isinstance(compile_offline(path, "gfx1030"), Crashed | CompileFailed)


@needs_flydsl
@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("wrapped-value", "A[tid] = fx.Float32(raw.addf(fx.Float32(1.0), A[tid]))"),
        ("nested-operation", "x = fx.as_ir_value(A[tid])\nA[tid] = fx.Float32(raw.AddFOp(raw.MulFOp(x, x), x).result)"),
        ("python-range", "parts = [fx.Float32(0.0), fx.Float32(1.0)]\nfor i in range(2):\n    A[tid] = parts[i]"),
        ("python-range", "parts = []\nfor i in range(2):\n    parts.append(A[tid + i])\nA[tid] = parts[0]"),
        ("runtime-const-expr", "if fx.const_expr(tid == 0):\n    A[tid] = fx.Float32(1.0)"),
        ("branch-value", "if tid < 3:\n    v = A[tid]\nA[tid] = v"),
    ],
)
def test_compiler_refuses_what_the_rules_name(tmp_path, rule, body):
    path = file(tmp_path, kernel(body))
    assert {mistake.rule for mistake in mistakes(path)} == {rule}
    assert isinstance(compile_offline(path, "gfx942"), CompileFailed)


@needs_flydsl
def test_an_early_return_is_accepted_and_ignored(tmp_path):
    early = file(tmp_path, kernel("if tid < 3:\n    return\nA[tid] = fx.Float32(1.0)"))
    assert [mistake.silent for mistake in mistakes(early)] == [True]
    made = compile_offline(early, "gfx942")
    assert isinstance(made, Compiled)
    assert "v_cmp" not in made.listing  # no lane is left out
    assert "global_store" in made.listing


@needs_flydsl
def test_isa_tells_of_mistakes(tmp_path):
    path = file(tmp_path, kernel("if tid < 3:\n    return\nA[tid] = fx.Float32(1.0)"))
    made = CliRunner().invoke(COMMAND, [path, "--target", "gfx942", "--json"], standalone_mode=False)
    assert made.return_value == 0
    assert "early-return" in made.stderr
    told = json.loads(made.stdout)
    assert [mistake["rule"] for mistake in told["mistakes"]] == ["early-return"]
    assert told["kernels"]


def test_files_of_flydsl_go_to_its_front_end(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text(HEAD)
    assert compiler_of(path).name == "flydsl"
    path.write_text("import triton\n")
    assert compiler_of(path).name == "triton"
    path.write_text("from triton.experimental import gluon\n")
    assert compiler_of(path).name == "gluon"
    assert mistakes(str(path)) == ()


def test_nvidia_is_refused():
    assert "sm_90" in COMPILER.refusal(Target.parse("sm_90"))
    assert COMPILER.refusal(Target.parse("gfx950")) == ""


@pytest.mark.skipif(toolchain.package("flydsl") is not None, reason="flydsl is installed")
def test_without_flydsl_the_extra_is_named(tmp_path):
    with pytest.raises(MissingExtraError, match=r"hotloop\[flydsl\]"):
        compile_offline(file(tmp_path, SCALE + DECLARED), "gfx942")
