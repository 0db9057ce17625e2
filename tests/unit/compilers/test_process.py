import pytest

from hotloop.compilers.process import error_line, failure, refusal
from hotloop.errors import KernelFileError, MachineError, UnsetParameterError
from hotloop.host.toolchain import Ran
from hotloop.model.outcome import CompileFailed, Crashed

REFUSED = (
    "k.hip:3:59: error: '__builtin_amdgcn_mfma_f32_16x16x16f16' needs target feature mai-insts\n1 error generated."
)
BACKEND = (
    "fatal error: error in backend: Cannot select: intrinsic %llvm.amdgcn.mfma.f32.16x16x16f16\n"
    "zig: error: clang frontend command failed with exit code 70 (use -v to see invocation)\n"
)
SEGFAULT = "zig: error: clang frontend command failed with exit code 139 (use -v to see invocation)\n"


def ran(returncode, stderr):
    return Ran(returncode, "", stderr, 1)


def test_a_refusal_carries_the_log_and_its_line():
    assert failure(ran(1, REFUSED)) == CompileFailed(REFUSED, 3)


def test_an_error_of_the_back_end_is_a_crash_that_says_why():
    made = failure(ran(70, BACKEND))
    assert made == Crashed("build", None, BACKEND.splitlines()[0])


def test_a_signal_that_the_driver_reports_is_told():
    assert failure(ran(139, SEGFAULT)) == Crashed("build", 11, SEGFAULT.strip())


def test_a_signal_of_the_process_itself_is_a_crash():
    assert failure(ran(-9, "")) == Crashed("build", 9, "no message")


def test_a_silent_failure_still_has_a_log():
    assert failure(ran(2, "")) == CompileFailed("the compiler ended with 2 and no message", None)


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("a.cu(12): error: identifier is undefined", 12),
        ("ptxas k.ptx, line 33; error   : Unknown symbol 'x'", 33),
        ("k.cl:5:1: warning: w\nk.cl:7:2: fatal error: x", 7),
        ("zig: error: cannot find ROCm device library", None),
        ("nothing wrong", None),
    ],
)
def test_the_line_of_the_first_error(log, line):
    assert error_line(log) == line


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (UnsetParameterError("BLOCK has no value."), "UnsetParameterError"),
        (KernelFileError("it raises."), "UsageError"),
        (MachineError("no compiler."), ""),
    ],
)
def test_a_refusal_keeps_what_the_parent_acts_on(error, kind):
    assert refusal(error) == {"refused": str(error), "kind": kind}
