"""Launches in databases and binary traces: Nsight Systems, nvprof, Perfetto; made here, with the columns of the tools."""

import sqlite3

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

LAUNCH = (
    "start INTEGER, end INTEGER, deviceId INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, "
    "blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER"
)
NSYS = f"""CREATE TABLE StringIds (id INTEGER, value TEXT);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, cuDevice INTEGER, name TEXT, computeMajor INTEGER, computeMinor INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL ({LAUNCH}, demangledName INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, copyKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, nameId INTEGER);
INSERT INTO StringIds VALUES (1, 'stencil(float*)'), (2, 'cudaLaunchKernel_v7000');
INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'Tesla T4', 7, 5), (1, 1, 'Tesla V100', 7, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 2000, 0, 40, 8, 2, 1, 256, 1, 1, 1024, 512, 16, 1), (5000, 9000, 0, 40, 8, 2, 1, 256, 1, 1, 1024, 512, 16, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (0, 700, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 50, 2), (60, 90, 2);"""
NVPROF = f"""CREATE TABLE StringTable (_id_ INTEGER, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL (_id_ INTEGER, {LAUNCH}, name INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_DEVICE (id INTEGER, name INTEGER, computeCapabilityMajor INTEGER, computeCapabilityMinor INTEGER);
INSERT INTO StringTable VALUES (1, '_Z5saxpyifPfS_'), (2, 'Tesla P100');
INSERT INTO CUPTI_ACTIVITY_KIND_DEVICE VALUES (0, 2, 6, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (1, 0, 180, 0, 16, 4, 1, 1, 64, 1, 1, 0, 0, 0, 1);"""


def made(path, script):
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    return path


def test_launches_of_nsight_systems(tmp_path):
    profile = read(made(tmp_path / "report.sqlite", NSYS))
    (kernel,) = profile.kernels
    assert (profile.tool, profile.architecture, profile.device_name) == (
        "nsys",
        "sm_75",
        "Tesla T4",
    )  # the card that was used
    assert (kernel.kernel, kernel.dispatches, kernel.duration_ns.total) == ("stencil(float*)", 2, 6000)
    assert (kernel.grid_items, kernel.workgroup_items, kernel.vgprs, kernel.lds_bytes, kernel.scratch_bytes) == (
        4096,
        256,
        40,
        1536,
        16,
    )
    assert {(call.domain, call.name, call.duration_ns.total) for call in profile.calls} == {
        ("copy", "host to device", 700), ("CUDA runtime", "cudaLaunchKernel_v7000", 80),
    }  # fmt: skip


def test_copies_of_nsight_systems_that_outlast_its_kernels_are_told(tmp_path):
    """Drawn: the database calls them 'host to device', which the verdict did not know for a copy."""
    path = made(tmp_path / "report.sqlite", f"{NSYS} INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (0, 90000, 1);")
    assert "most of it host to device" in explain(Request(inputs=(str(path),))).verdict


def test_launches_of_nvprof(tmp_path):
    profile = read(made(tmp_path / "run.nvvp", NVPROF))
    assert (profile.architecture, profile.kernels[0].kernel, profile.kernels[0].duration_ns.total) == (
        "sm_60",
        "_Z5saxpyifPfS_",
        180,
    )


def test_a_database_without_launches_is_no_other_tools(tmp_path):
    made(
        tmp_path / "host.sqlite",
        "CREATE TABLE OSRT_API (start INTEGER, value TEXT); INSERT INTO OSRT_API VALUES (1, 'KERN rocpd_')",
    )
    with pytest.raises(ProfileError, match="database of no profiler that hotloop knows"):
        read(tmp_path / "host.sqlite")


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number, value):
    """Return a field of a message: bytes or a number."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def packet(*fields):
    return field(1, field(10, 7) + b"".join(fields))


def event(kind, track, *fields):
    return field(11, field(9, kind) + field(11, track) + b"".join(fields))


CLOCK = field(6, field(1, field(1, 64) + field(2, 1_000_000) + field(3, 1)))
"""A clock that counts from packet to packet."""
NAMES = field(
    12, field(1, field(1, 1) + field(2, b"rocm_kernel_dispatch")) + field(2, field(1, 1) + field(2, b"jacobi(double*)"))
)
GRID = field(4, field(10, b"grid_size") + field(3, 4096))


def test_launches_of_a_perfetto_trace(write):
    begin, end = event(1, 5, field(3, 1), field(10, 1), GRID), event(2, 5)
    host = event(1, 6, field(22, b"hip_api"), field(23, b"hipMalloc"))
    packets = [
        packet(CLOCK, field(59, field(58, 64)), field(13, 1)),
        packet(field(8, 1000), NAMES, begin), packet(field(8, 10), host), packet(field(8, 40), event(2, 6)), packet(field(8, 250), end),
        packet(field(8, 1000), begin), packet(field(8, 300), end),
    ]  # fmt: skip
    profile = read(write("results.pftrace", b"".join(packets)))
    (kernel,) = profile.kernels
    assert (profile.tool, kernel.kernel, kernel.dispatches, kernel.grid_items) == (
        "rocprofv3",
        "jacobi(double*)",
        2,
        4096,
    )
    assert (kernel.duration_ns.minimum, kernel.duration_ns.maximum) == (300, 300)
    assert [(call.domain, call.name, call.duration_ns.total) for call in profile.calls] == [
        ("hip_api", "hipMalloc", 40)
    ]
    cut = read(write("cut.pftrace", b"".join(packets)[:-3]))
    assert cut.kernels[0].dispatches == 1
    assert any("cut off" in note for note in cut.notes)
