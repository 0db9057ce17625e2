from pathlib import Path

import pytest

from hotloop.app.code.offline import compile_offline, compiler_of, device_for
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.outcome import NotApplicable
from hotloop.targets.target import Target


@pytest.mark.parametrize(
    ("name", "text", "front_end"),
    [
        ("k.hip", "", "hip"), ("k.cpp", "", "hip"), ("k.cl", "", "opencl"), ("k.cu", "", "cuda"), ("k.ptx", "", "cuda"),
        ("k.py", "import triton\n", "triton"), ("k.ttgir", "", "triton"),
        ("k.py", "from triton.experimental import gluon\n", "gluon"), ("k.glir", "", "gluon"),
    ],
)  # fmt: skip
def test_the_ending_chooses_the_front_end(tmp_path, name, text, front_end):
    (tmp_path / name).write_text(text)
    assert compiler_of(tmp_path / name).name == front_end


def test_other_endings_are_refused_with_those_that_are_known():
    with pytest.raises(UsageError, match=r"k.f90 cannot be compiled offline; endings that can: .*\.cl, .*\.py"):
        compiler_of(Path("k.f90"))


@pytest.mark.parametrize(
    ("spec", "target", "message"),
    [
        ("no.cl", "gfx942", "there is no file no.cl"),
        ("no.py", "gfx942", "no.py cannot be read: No such file"),
        ("no.cl", "h100", "target 'h100' is not understood"),
        ("nofamily", "gfx942", "unknown kernel family or file 'nofamily'"),
    ],
)
def test_a_request_that_cannot_be_met(spec, target, message):
    with pytest.raises(UsageError, match=message):
        compile_offline(spec, target)


def test_a_language_that_cannot_reach_a_target_says_which_can(tmp_path):
    (tmp_path / "k.py").write_text("import triton\n")
    with pytest.raises(UsageError, match="write HIP or OpenCL C"):
        compile_offline(str(tmp_path / "k.py"), "gfx1012")


def test_a_family_checks_its_parameters_before_any_compiler_runs():
    with pytest.raises(UnknownNameError, match="unknown parameter of the implementation opencl 'NOPE'"):
        compile_offline("gemm", "gfx942", parameters={"NOPE": 1})


def test_a_plan_that_does_not_fit_the_gpu_is_not_applicable():
    huge = {"MWI": 8, "NWI": 64, "VW": 16, "MDIM": 32, "NDIM": 32, "KWG": 32}
    made = compile_offline("gemm", "gfx942", parameters=huge)
    assert isinstance(made, NotApplicable)
    assert "local memory exceed the device's 65536 B" in made.reason


@pytest.mark.parametrize(("target", "local_bytes"), [("gfx942", 65536), ("gfx950", 163840), ("sm_90", 49152)])
def test_the_device_that_is_not_there_has_its_local_memory(target, local_bytes):
    device = device_for(Target.parse(target))
    assert (device.target, device.local_mem_bytes, device.local_mem_dedicated) == (target, local_bytes, True)


def test_a_folder_that_is_called_like_a_source_is_none(tmp_path):
    from hotloop.app.code.compiled import uncompiled

    (tmp_path / "folder.cl").mkdir()
    (tmp_path / "kernel.cl").touch()
    assert [uncompiled(str(tmp_path / name)) for name in ("folder.cl", "kernel.cl")] == [False, True]
