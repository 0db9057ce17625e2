from types import SimpleNamespace

import pytest

from hotloop.errors import NoDeviceError
from hotloop.model.device import Device

pyopencl = pytest.importorskip("pyopencl")
from hotloop.drivers import opencl as _opencl  # noqa: E402 - needs pyopencl


def device(runtime_key, kind="cpu", name="Processor"):
    return Device(name=name, kind=kind, backend="opencl", runtime=f"{runtime_key} 1.0", runtime_key=runtime_key)


INTEL, POCL, NVIDIA = device("intel"), device("pocl", name="pthread-Processor"), device("nvidia", "gpu", "H100")
GRIND, OTHER = device("oclgrind"), device("unheard-of")


@pytest.fixture
def machine(monkeypatch):
    """Return a function that makes up the listed devices and which of them fail the probe, and why."""

    def has(*devices, broken=()):
        monkeypatch.setattr(_opencl, "platforms", lambda: [(d, None) for d in devices])
        monkeypatch.setattr(_opencl, "_open", lambda d, raw: _opencl.Handle(d, raw, None, None))
        reasons = dict(broken)
        monkeypatch.setattr(_opencl, "probe", lambda handle: reasons.get(handle.device.runtime_key, ""))

    return has


@pytest.mark.parametrize(
    ("listed", "name", "chosen"),
    [
        ((POCL, INTEL), "", INTEL),
        ((POCL, INTEL, NVIDIA), "", NVIDIA),
        ((GRIND, OTHER, POCL), "", POCL),
        ((GRIND, OTHER), "", OTHER),
        ((POCL, INTEL), "PoCL", POCL),
        ((POCL, INTEL, NVIDIA), "h100", NVIDIA),
        ((POCL, INTEL), "processor", INTEL),
    ],
)
def test_devices_are_chosen_by_name_then_by_preference(machine, listed, name, chosen):
    machine(*listed)
    assert _opencl.open_device(name).device is chosen


def test_a_device_that_fails_the_probe_is_passed_over(machine):
    machine(INTEL, POCL, broken={"intel": "computes wrong results"})
    assert _opencl.open_device("").device is POCL


def test_when_no_device_works_every_reason_is_told(machine):
    machine(INTEL, POCL, broken={"intel": "no compiler", "pocl": "computes wrong results"})
    with pytest.raises(NoDeviceError, match=r"Processor \(intel\): no compiler; .*computes wrong results"):
        _opencl.open_device("")


def test_a_name_that_matches_nothing_lists_what_there_is(machine):
    machine(INTEL, POCL)
    with pytest.raises(NoDeviceError, match=r"no OpenCL device matches 'gpu'; listed devices: Processor \(intel\)"):
        _opencl.open_device("gpu")


@pytest.mark.parametrize(
    ("platform", "key"),
    [
        ("Intel(R) OpenCL", "intel"),
        ("Portable Computing Language", "pocl"),
        ("NVIDIA CUDA", "nvidia"),
        ("AMD Accelerated Parallel Processing", "amd"),
        ("Oclgrind", "oclgrind"),
        ("Clover Mesa", "clover"),
        ("", "unknown"),
    ],
)
def test_short_names_of_runtimes(platform, key):
    assert _opencl._key(platform) == key


def test_only_the_compilers_own_lines_are_shown():
    error = Exception(
        "clBuildProgram failed: BUILD_PROGRAM_FAILURE\n\nBuild on <pyopencl.Device 'X' on 'Y'>:\n\n"
        "1:2:3: error: bad\n  y[i] = bad;\n(options: -DA=1)\n(source saved as /tmp/x.cl)"
    )
    assert _opencl._log(error) == "1:2:3: error: bad\n  y[i] = bad;"
    assert _opencl._log(Exception("something else\nentirely")) == "something else\nentirely"


@pytest.mark.parametrize(
    ("extensions", "numbers", "target"),
    [
        ("cl_khr_fp64 cl_nv_device_attribute_query", (9, 0), "sm_90"),
        ("cl_nv_device_attribute_query", (), ""),
        ("cl_khr_fp64", (9, 0), ""),
    ],
)
def test_nvidia_says_its_compute_capability(extensions, numbers, target):
    names = ("compute_capability_major_nv", "compute_capability_minor_nv")
    raw = SimpleNamespace(extensions=extensions, **dict(zip(names, numbers, strict=False)))
    assert _opencl._capability(raw) == target
