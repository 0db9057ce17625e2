"""`hotloop patch` with the assembler and the executor: the convolution's dot products, a wrong patch, a listing with a launch."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, unit_of
from hotloop.app.ladder.subjects import posed
from hotloop.app.patch import trial
from hotloop.app.patch.proof import prove
from hotloop.cli.commands.patch import COMMAND
from hotloop.compilers.assemble import assemble
from hotloop.compilers.offer import Compiled
from hotloop.host import toolchain
from hotloop.isa.patch import recipe as recipes
from hotloop.isa.patch.stages import patch
from hotloop.model.outcome import CompileFailed
from hotloop.predict.change import clocked
from hotloop.report.code.patch import clock
from hotloop.targets.target import Target

pytestmark = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
ROOT = Path(__file__).parents[2]
DOT2 = (ROOT / "examples" / "patch" / "dot2.toml").read_text()
SCALE = ROOT / "tests" / "golden" / "amdgcn" / "triton_scale_gfx90a.s"
SIZES = {"n": 1, "c": 1, "d": 3, "pd": 0}
(LADDER,) = ladder_data.ladders("conv3d")


@cache
def convolution():
    rung = LADDER.rung("v97")
    made = compile_rung(LADDER, rung, Target.parse("gfx950"), SIZES)
    assert isinstance(made, Compiled)
    unit = unit_of(LADDER, rung, "gfx950", SIZES)
    return made, trial.of_rung(LADDER, rung, unit, SIZES)


def proven(text, names=("normal",)):
    made, trials = convolution()
    patched = patch(made.listing, recipes.parse(text, "r.toml"))
    assert isinstance(assemble(patched.text, Target.parse("gfx950"), made.kernel), Compiled)
    chosen = [one for one in trials if one.name in names]
    return patched, prove(made.listing, patched.text, made.kernel, "gfx950", chosen)


def test_dot_products_of_one_output_compute_the_same_and_the_other_output_needs_what_they_left():
    patched, proof = proven(DOT2, ("normal", "special"))
    ((_, found),) = patched.found
    dots = [one for one in patched.applied if one.what == "rule dot2"]
    assert len(dots) == 30
    assert len({one.after[1].split()[1] for one in dots}) == 1
    assert (len(found.kept), len(found.spare)) == (45, 15)
    assert proof.holds
    assert proof.rows[0].beyond == 0
    assert proof.rows[0].executed[1] >= proof.rows[0].executed[0]  # as reported: nothing is saved by one output alone


def test_what_nobody_needs_can_be_swept():
    patched, proof = proven("sweep = true\n" + DOT2)
    assert sum(one.what == "sweep" for one in patched.applied) >= 15
    assert proof.holds
    assert proof.rows[0].executed[1] < proof.rows[0].executed[0]


def test_weights_in_the_wrong_order_are_found():
    _, proof = proven(DOT2.replace("$t, $w0, $w1", "$t, $w1, $w0"))
    assert not proof.holds
    assert proof.rows[0].beyond > 0


def test_a_wait_that_is_needed_is_missed():
    made, trials = convolution()
    line = next(n for n, text in enumerate(made.listing.splitlines(), 1) if "lgkmcnt(1)" in text)
    text = made.listing.splitlines()[line - 1].strip()
    edit = f"[[edits]]\nline = {line}\nexpect = '{text}'\nlines = []\n"
    patched = patch(made.listing, recipes.parse(edit, "r.toml"))
    proof = prove(made.listing, patched.text, made.kernel, "gfx950", trials[:1])
    assert not proof.holds
    assert any("missing wait" in finding for row in proof.rows for finding in row.findings)


def test_what_does_not_assemble_is_a_failure():
    made, _ = convolution()
    text = made.listing.replace("v_cvt_pk_bf16_f32", "v_cvt_pk_bf17_f32", 1)
    failed = assemble(text, Target.parse("gfx950"), made.kernel)
    assert isinstance(failed, CompileFailed)


LAUNCH = """
grid = [3]
workgroup = [256]
[[arguments]]
buffer = "float32"
count = 3000
[[arguments]]
buffer = "float32"
count = 3000
output = true
[[arguments]]
value = 3000
type = "int32"
"""


def run(*arguments):
    return CliRunner().invoke(COMMAND, [str(a) for a in arguments], standalone_mode=False)


def test_a_listing_is_patched_and_executed(tmp_path):
    (tmp_path / "launch.toml").write_text(LAUNCH)
    (tmp_path / "waits.toml").write_text("drop_waits = true\n[[rules]]\nname='twice'\nfind=['v_mul_f32 $a, $b, $c']\nreplace=['v_mul_f32_e64 $a, $b, $c']\nleast=0\n")  # fmt: skip
    done = run(SCALE, "--recipe", tmp_path / "waits.toml", "--launch", tmp_path / "launch.toml", "--json", "-o", tmp_path / "p.s", "--object", tmp_path / "p.hsaco")  # fmt: skip
    assert done.exception is None, done.output
    told = json.loads(done.stdout)
    assert done.return_value == 0
    assert told["proof"]["identical"]
    assert (tmp_path / "p.s").read_text().count(".amdgcn_target") == 1
    assert (tmp_path / "p.hsaco").read_bytes()[:4] == b"\x7fELF"


def test_without_a_launch_nothing_is_proven(tmp_path):
    (tmp_path / "r.toml").write_text("sweep = true\n")
    done = run(SCALE, "--recipe", tmp_path / "r.toml")
    assert done.exception is None
    assert done.return_value == 1
    assert "not executed" in done.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid = 3", "no argument has output = true"),
        ("[[arguments]]\nbuffer='float32'\ncount=3\noutput=true", "grid is one to three positive numbers"),
        ("grid=[1]\nworkgroup=[64]\n[[arguments]]\nbuffer='flot'\ncount=3\noutput=true", "'flot' is no type"),
        ("grid=[1]\nworkgroup=[64]\n[[arguments]]\nbuffer='float32'\noutput=true", "argument 0 has neither a value"),
        ("grid = ", "is not TOML"),
    ],
)
def test_a_launch_that_cannot_be_read_is_a_sentence(text, message):
    with pytest.raises(Exception, match=message):
        trial.of_file(text, "launch.toml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("conv3d:v97", "--recipe", "R"), "say which with --target"),
        (("conv3d:v96", "--recipe", "R", "--target", "gfx950"), "v96"),
        (("conv3d:v97", "--recipe", "R", "--target", "gfx950", "--shape", "c=two"), "write name=value"),
        (("conv3d:v97", "--recipe", "R", "--target", "gfx950", "--shape", "n=0"), "--shape: n=0 is too small"),
        (("conv3d:v97", "--recipe", "R", "--target", "gfx950", "--shape", "zz=1"), "has no size 'zz'; it has n, "),
        (("missing.s", "--recipe", "R"), "missing.s cannot be read as text"),
        (("gemm:base", "--recipe", "R", "--target", "gfx942"), "launched by a plan of gemm"),
    ],
)
def test_bad_input_is_a_sentence(arguments, message, tmp_path):
    (tmp_path / "r.toml").write_text("sweep = true\n")
    done = run(*(tmp_path / "r.toml" if a == "R" else a for a in arguments))
    assert message in str(done.exception)


def test_only_some_groups_of_a_large_grid_are_executed():
    assert trial.some((2, 3, 2)) is None
    chosen = trial.some((59, 512, 1))
    assert len(chosen) == 12
    assert np.array_equal(chosen[0], [0, 0, 0])
    assert len({tuple(row) for row in chosen}) == 12


def test_the_predicted_time_stands_beside_the_proof(tmp_path):
    made, trials = convolution()
    patched, _ = proven(DOT2, ())
    told = clocked(made.listing, patched.text, made.kernel, Target.parse("gfx950"), trials[0].launch)
    assert told.before is not None
    assert told.after is not None
    assert told.after.wave_instructions >= told.before.wave_instructions  # nothing is saved by one output alone
    (line, terms) = clock(told)
    assert "predicted, not measured" in line
    assert "MI350X" in line
    assert terms.strip()
    unknown = clocked(made.listing, patched.text, made.kernel, Target.parse("gfx950"), trials[0].launch, "H100")
    assert "no time is predicted" in next(iter(clock(unknown)))


def test_a_rung_without_a_shape_is_executed_on_few_work_groups():
    """The ladder's own problem has 30,208 of them and a reference of 16 billion operations."""
    ladder = ladder_data.ladder_for("conv3d", "gfx950")
    rung = ladder.chosen(["v97-batched"], "gfx950")[-1]
    sizes = trial.small(ladder, rung, "gfx950")
    kernel = posed(ladder, {**ladder.varied(rung), **sizes})
    assert set(sizes) <= {"n", "c", "d"}
    assert kernel.work(kernel.problem).flops <= trial.MOST_FLOPS
