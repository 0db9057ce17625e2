import pytest

from hotloop import offline_api
from hotloop.errors import KernelFileError
from hotloop.offline_api import offline, resolve

triton = pytest.importorskip("triton", reason="the package triton is not installed")
tl = pytest.importorskip("triton.language")


@triton.jit
def scale(x_ptr, y, n, s: float, far: "i64", flag: bool, BLOCK: tl.constexpr, DEPTH: tl.constexpr = 2):  # noqa: F821
    tl.store(x_ptr, tl.load(y) * s)


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(offline_api, "REGISTERED", [])
    return offline_api.REGISTERED


def test_types_come_from_declaration_annotation_and_name(registered):
    assert offline(scale, signature={"y": "*bf16"}, constexprs={"BLOCK": 64}) is scale
    made = resolve(registered[0], {})
    assert made.types == {
        "x_ptr": "*fp32", "y": "*bf16", "n": "i32", "s": "fp32", "far": "i64", "flag": "u1",
        "BLOCK": "constexpr", "DEPTH": "constexpr",
    }  # fmt: skip
    assert made.constexprs == {"BLOCK": 64, "DEPTH": 2}
    assert made.divisible == ("x_ptr", "y", "n", "far")


def test_a_decorator_declares_too_and_overrides_win(registered):
    declare = offline(constexprs={"BLOCK": 64, "n": 1}, divisible=["x_ptr"], num_warps=8, num_stages=3, name="small")
    assert declare(scale) is scale
    made = registered[0]
    assert (made.name, made.num_warps, made.num_stages) == ("small", 8, 3)
    resolved = resolve(made, {"BLOCK": 128})
    assert resolved.constexprs == {"n": 1, "BLOCK": 128, "DEPTH": 2}
    assert resolved.types["n"] == "constexpr"
    assert resolved.divisible == ("x_ptr",)


def test_a_constexpr_without_a_value_is_refused_with_what_to_do(registered):
    offline(scale)
    with pytest.raises(
        KernelFileError, match=r"the constexpr BLOCK has no value; declare hl.offline\(.*or give -P BLOCK="
    ):
        resolve(registered[0], {})


@pytest.mark.parametrize("wrong", [{"signature": {"z": "i32"}}, {"constexprs": {"z": 1}}, {"divisible": ["z"]}])
def test_a_parameter_that_is_not_there_is_refused(registered, wrong):
    with pytest.raises(KernelFileError, match="kernel scale has no parameter 'z'; it has: x_ptr, y"):
        offline(scale, **wrong)
    assert registered == []


def test_a_type_that_is_not_tritons_is_refused(registered):
    offline(scale, signature={"y": "float*"}, constexprs={"BLOCK": 1})
    with pytest.raises(KernelFileError, match=r"'float\*' of parameter y is not a Triton type"):
        resolve(registered[0], {})


def test_only_kernels_can_be_declared():
    with pytest.raises(KernelFileError, match="no Triton, Gluon or FlyDSL kernel"):
        offline(len)


def test_an_autotuned_kernel_is_known_by_its_first_configuration():
    tuned = triton.autotune([triton.Config({"BLOCK": 32}, num_warps=2, num_stages=5)], key=[])(scale)
    made = offline_api.undeclared(tuned)
    assert (made.name, made.constexprs, made.num_warps, made.num_stages) == ("scale", {"BLOCK": 32}, 2, 5)
