import pytest

from hotloop import offline_api
from hotloop.compilers import passing
from hotloop.compilers.offer import Passed
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


@triton.jit(do_not_specialize=["seed"])
def strided(x_ptr, y, bias, n, step, far: "i64", seed, WIDE: tl.constexpr, BLOCK: tl.constexpr):  # noqa: F821
    tl.store(x_ptr, tl.load(y) * n)


ARRAYS = [Passed("*fp16"), Passed("*bf16"), Passed("*fp32")]


def followed(numbers, overrides, **declared):
    """Return what is compiled where arrays, the third perhaps left out, are passed with numbers."""
    made = offline_api.Offline("strided", strided, **declared)
    made, folded = passing.told(made, [*ARRAYS[:2], numbers[0], *numbers[1:]], overrides)
    return offline_api.resolve(made, {"BLOCK": 8, **overrides}), folded


def test_a_launch_decides_types_constants_and_what_is_a_multiple_of_16():
    numbers = [Passed("i32", 197), Passed("i32", 1), Passed("i64", 1), Passed("i32", 1)]
    made, folded = followed([Passed("*fp32"), *numbers], {"WIDE": False})
    assert list(made.types.values())[:7] == ["*fp16", "*bf16", "*fp32", "i32", "constexpr", "i64", "i32"]
    assert made.constexprs == {"BLOCK": 8, "WIDE": False, "step": 1}
    assert (made.divisible, folded) == (("x_ptr", "y", "bias"), (4,))


def test_what_a_launch_leaves_out_is_none_and_multiples_of_16_are_noted():
    numbers = [Passed("i32", 192), Passed("i32", 0), Passed("i64", 32), Passed("i32", 16)]
    made, folded = followed([Passed(), *numbers], {"WIDE": True})
    assert made.constexprs["bias"] is None
    assert (made.divisible, folded) == (("x_ptr", "y", "n", "step", "far"), (2,))


def test_a_launch_follows_what_is_declared_and_what_the_command_line_says():
    numbers = [Passed("i32", 1), Passed("i64", 64), Passed("i32", 3)]
    declared = {"signature": {"y": "*u8"}, "constexprs": {"n": 5}, "divisible": ["far"]}
    made, folded = followed([Passed("*fp32"), *numbers], {"step": "u32", "WIDE": True, "bias": "*fp64"}, **declared)
    assert list(made.types.values())[:7] == ["*fp16", "*u8", "*fp64", "constexpr", "u32", "i64", "i32"]
    assert (made.divisible, folded) == (("far",), ())


def test_rules_of_a_kernel_see_the_numbers_of_a_launch():
    ruled = {"WIDE": lambda given: given["n"] % 4 == 0}
    numbers = [Passed("i32", 12), Passed("i32", 2), Passed("i64", 3), Passed("i32", 4)]
    assert followed([Passed("*fp32"), *numbers], {}, heuristics=ruled)[0].constexprs["WIDE"] is True


def test_a_launch_that_the_file_knows_gets_the_arguments_of_another_one():
    known = {"x_ptr": offline_api.Pointer("float32"), "n": 64, "step": 4, "WIDE": True}
    numbers = [Passed("i32", 12), Passed("i32", 1), Passed("i64", 1)]
    made, folded = passing.told(offline_api.Offline("strided", strided, arguments=known), [*ARRAYS, None, *numbers], {})
    assert made.arguments["x_ptr"] == offline_api.Pointer("float16")
    assert (made.arguments["n"], made.arguments["step"], folded) == (12, 1, (5,))
