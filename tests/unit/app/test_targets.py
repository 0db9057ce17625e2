import pytest

from hotloop.app import targets
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.device import Device

DEVICE = Device(name="D", kind="cpu", backend="opencl", runtime="r", runtime_key="r")


@pytest.mark.parametrize(
    ("text", "changes", "best", "implementation"),
    [
        ("gemm", (), False, ""),
        ("gemm@best", (), True, ""),
        ("gemm@VW=8,MWI=6", (("VW", 8), ("MWI", 6)), False, ""),
        ("gemm@opencl", (), False, "opencl"),
        ("gemm@opencl,VW=4", (("VW", 4),), False, "opencl"),
        ("gemm@A=0.5,B=text", (("A", 0.5), ("B", "text")), False, ""),
    ],
)
def test_targets_are_a_kernel_and_a_wish(text, changes, best, implementation):
    target = targets.parse(text)
    assert (target.text, target.kernel.family) == (text, "gemm")
    assert (target.changes, target.best, target.implementation) == (changes, best, implementation)


@pytest.mark.parametrize("text", ["gemm@VW=8,MWI", "gemm@a,b", "gemm@VW=1,opencl"])
def test_wishes_that_are_not_understood(text):
    with pytest.raises(UsageError, match="is not NAME=VALUE; write"):
        targets.parse(text)


def test_the_best_known_variant_needs_a_store_that_knows_one():
    target = targets.parse("gemm@best")
    with pytest.raises(UsageError, match=r"nothing is known yet about gemm.* on D; run: hotloop optimize gemm"):
        target.variant(target.kernel.problem, DEVICE, None)


def test_the_implementation_meant_decides_the_language():
    assert targets.parse("gemm").chosen.language == "opencl"
    with pytest.raises(UnknownNameError, match="unknown implementation 'cuda'"):
        _ = targets.parse("gemm@cuda").chosen
