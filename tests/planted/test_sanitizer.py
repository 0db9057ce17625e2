"""Bugs that no result on a CPU shows, found on the simulator with their source lines; clean kernels give no finding."""

from __future__ import annotations

import pytest

from hotloop import registry
from hotloop.app import userfile
from hotloop.app.verify import checker as verify_checker
from hotloop.host import oclgrind
from hotloop.model.kernel import Variant
from hotloop.verify.catalogue.mutant import Edit, Mutant, planted
from hotloop.verify.catalogue.specimens import gemm
from hotloop.verify.sanitizer import BOUNDS, DIVERGENCE, RACE, UNINITIALISED


@pytest.fixture
def simulated(simulate):
    def run(name, edits=(), config=None, **options):
        specimen = registry.load(verify_checker.SPECIMENS, name, "SPECIMEN")
        kernel = specimen.kernel or userfile.find(specimen.family or name)
        implementation = kernel.implementation(specimen.implementation or None)
        mutant = Mutant(name="planted", kind="", bug="", edits=tuple(Edit(*edit) for edit in edits))
        variant = Variant(planted(implementation, mutant), config or specimen.config or implementation.start)
        return simulate(kernel, variant, [kernel.problem.replace(**SMALL[name])], **options)

    return run


SMALL = {
    "softmax": {"rows": 2, "columns": 33},
    "transpose": {"rows": 9, "columns": 11},
    "stencil": {"height": 5, "width": 7},
    "rowsum": {"rows": 3, "columns": 37},
    "layernorm": {"rows": 2, "columns": 19},
    "conv3d": {"channels": 2, "depth": 2, "height": 3, "width": 5},
    "attention": {"length": 9},
    "histogram": {"n": 200},
    "axpy": {"n": 70},
    "gemm": {"m": 19, "n": 21, "k": 18},
    "gemm_scheduled": {"m": 33, "n": 35, "k": 40},
    "gemm_skinny": {"m": 11, "n": 3, "k": 45},
}


def test_every_opencl_specimen_is_simulated():
    languages = {
        n: registry.load(verify_checker.SPECIMENS, n, "SPECIMEN").language
        for n in registry.names(verify_checker.SPECIMENS)
    }
    assert set(SMALL) == {name for name, language in languages.items() if language == "opencl"}


@pytest.mark.parametrize("name", sorted(SMALL))
def test_clean_kernels_give_no_finding(simulated, name):
    answer = simulated(name, config={"gemm": gemm.NAIVE}.get(name))
    assert answer.findings == ()
    assert answer.failures == ()
    assert answer.passed


BARRIER = "        barrier(CLK_LOCAL_MEM_FENCE);\n"
PLANTED = [
    ("softmax", (("part[lane] += part[lane + span];\n" + BARRIER, "part[lane] += part[lane + span];\n"),), None, RACE, "part[lane + span]"),
    ("softmax", (("top = part[0];\n    barrier(CLK_LOCAL_MEM_FENCE);\n", "top = part[0];\n"),), None, RACE, "part["),
    ("rowsum", (("i < last; i += WG", "i <= last; i += WG"),), None, BOUNDS, "x[(size_t)row * columns + i]"),
    ("histogram", (("atomic_inc(mine + x[i])", "mine[x[i]] += 1"),), None, RACE, "mine[x[i]]"),
    ("histogram", (("atomic_add(counts + bin, mine[bin])", "counts[bin] += mine[bin]"),), None, RACE, "counts[bin]"),
    ("histogram", (("if (i < n && x[i] >= 0", "if (x[i] >= 0"),), None, BOUNDS, "x[i] >= 0"),
    ("rowsum", (("    sums[lane] = sum;", "    sums[lane + 1] = sum;"),), None, BOUNDS, "sums[lane + 1]"),
    ("histogram", (("bin < BINS; bin += WG) mine[bin] = 0;", "bin < BINS - 1; bin += WG) mine[bin] = 0;"),), None, UNINITIALISED, "mine"),
    ("transpose", (("    barrier(CLK_LOCAL_MEM_FENCE);\n", "    if (row < rows && column < columns) barrier(CLK_LOCAL_MEM_FENCE);\n"),), None, DIVERGENCE, "barrier"),
    ("stencil", (("clamp(y + dy, 0, height - 1)", "min(y + dy, height - 1)"),), None, BOUNDS, "image"),
    ("attention", (("for (int c = 0; c < D; ++c) out[c] = 0.0f;", "for (int c = 0; c < D - 1; ++c) out[c] = 0.0f;"),), None, UNINITIALISED, ""),
    ("gemm", (("row0 + e / KWG < M ? (ACC)A[A_AT(row0 + e / KWG, k + e % KWG)] : (ACC)0", "(ACC)A[A_AT(row0 + e / KWG, k + e % KWG)]"),), gemm.NAIVE, BOUNDS, "A_AT"),
    ("gemm", (("                    ADVANCE_B(KWG);\n                    SYNC();\n", "                    ADVANCE_B(KWG);\n"),), gemm.NAIVE, RACE, ""),
    ("gemm", (("                    SYNC();\n                    if (depth_now == KWG) {", "                    if (depth_now == KWG) {"),), gemm.NAIVE, RACE, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "edits", "config", "kind", "text"), PLANTED, ids=lambda v: v if isinstance(v, str) else ""
)
def test_planted_bugs_are_found_with_their_line(simulated, name, edits, config, kind, text):
    needed = oclgrind.CHECKS[1:] if kind == UNINITIALISED else oclgrind.CHECKS[:1]
    answer = simulated(name, edits, config, checks=needed)
    hits = [one for one in answer.findings if one.kind == kind]
    assert hits, answer
    assert not answer.passed
    assert hits[0].kernel
    assert hits[0].places
    assert any(text in place.text for one in hits for place in one.places), hits
