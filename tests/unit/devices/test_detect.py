"""Understanding what Linux says about a processor; a whole machine is planted in a folder."""

import pytest

from hotloop.devices.detect import (
    Cache,
    detect,
    llc_bytes,
    parse_cache,
    parse_cpuinfo,
    parse_cpus,
    parse_memory,
    parse_quota,
    usable_cores,
)
from hotloop.targets.cpus import of_machine

CPUINFO = (
    "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: Some CPU @ 2.0GHz: fast\nflags\t\t: fpu sse4_2 avx avx2 fma\n"
    "\nprocessor\t: 1\nmodel name\t: Another\nflags\t\t: fpu\n"
)
SKX = frozenset({"avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl"})


def test_cpuinfo_gives_the_first_processor():
    assert parse_cpuinfo(CPUINFO) == ("Some CPU @ 2.0GHz: fast", frozenset({"fpu", "sse4_2", "avx", "avx2", "fma"}))


def test_cpuinfo_of_arm_has_features_and_no_name():
    assert parse_cpuinfo("processor\t: 0\nFeatures\t: fp asimd asimdhp\n") == (
        "",
        frozenset({"fp", "asimd", "asimdhp"}),
    )
    assert parse_cpuinfo("") == ("", frozenset())


@pytest.mark.parametrize(
    ("machine", "flags", "expected"),
    [
        ("x86_64", SKX, "x86-64-avx512"),
        ("x86_64", SKX - {"avx512vl"}, "x86-64-avx2"),  # Knights Landing: no 512-bit code from ordinary compilers
        ("x86_64", {"avx2", "fma"}, "x86-64-avx2"),
        ("x86_64", {"avx2"}, "x86-64"),
        ("x86_64", set(), "x86-64"),
        ("aarch64", {"asimd"}, "aarch64"),
        ("no-such-machine", set(), ""),
    ],
)
def test_target(machine, flags, expected):
    assert of_machine(machine, frozenset(flags)) == expected


def test_cpu_lists():
    assert parse_cpus("0-3,8,10-11\n") == {0, 1, 2, 3, 8, 10, 11}
    assert parse_cpus("") == frozenset()


def test_cache_entries():
    entry = {
        "level": "3\n",
        "type": "Unified\n",
        "size": "32768K\n",
        "coherency_line_size": "64\n",
        "shared_cpu_list": "0-7\n",
    }
    assert parse_cache(entry) == Cache(3, "Unified", 32 << 20, 64, frozenset(range(8)))
    assert parse_cache({"level": "1", "size": ""}) is None
    assert parse_cache({}) is None


def test_last_level_caches_add_up_over_their_sharers():
    l2 = Cache(2, "Unified", 1 << 20, 64, frozenset({0}))
    l3 = Cache(3, "Unified", 32 << 20, 64, frozenset(range(8)))
    assert llc_bytes([l2, l3], cpus=8) == 32 << 20
    assert llc_bytes([l2, l3], cpus=64) == 8 * (32 << 20)
    assert llc_bytes([Cache(3, "Unified", 5, None, frozenset())], cpus=64) == 5
    assert llc_bytes([Cache(1, "Instruction", 1, None, frozenset())], cpus=1) is None
    assert llc_bytes([], cpus=4) is None


def test_control_groups():
    assert parse_quota("200000 100000\n") == 2.0
    assert parse_quota("-1 100000") is None
    assert parse_quota("max 100000\n") is None
    assert parse_quota(" ") is None
    assert usable_cores(8, None) == (8, "")
    assert usable_cores(2, 4.0) == (2, "")
    assert usable_cores(8, 0.5) == (1, "control group quota of 0.5 processors")


def test_memory():
    meminfo = "MemTotal: 100 kB\nMemAvailable:      50 kB\n"
    assert parse_memory(meminfo) == 50 * 1024
    assert parse_memory(meminfo, "2048\n") == 2048
    assert parse_memory(meminfo, "max") == 50 * 1024
    assert parse_memory("") is None


def plant(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_planted_machine(tmp_path, monkeypatch):
    monkeypatch.setattr("hotloop.devices.detect.platform.machine", lambda: "x86_64")
    monkeypatch.setattr("hotloop.host.settings.usable_cores", lambda: 16)
    cache = "sys/devices/system/cpu/cpu0/cache"
    rows = [
        ("1", "Instruction", "64K", "0-1"),
        ("1", "Data", "32K", "0-1"),
        ("2", "Unified", "512K", "0-1"),
        ("3", "Unified", "16M", "0-7"),
    ]
    files = {
        "proc/cpuinfo": CPUINFO,
        "proc/meminfo": "MemAvailable: 1024 kB\n",
        "sys/devices/system/cpu/online": "0-15\n",
    }
    for index, values in enumerate(rows):
        for name, text in zip(("level", "type", "size", "shared_cpu_list"), values, strict=True):
            files[f"{cache}/index{index}/{name}"] = text + "\n"
    files["sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "300000\n"
    files["sys/fs/cgroup/cpu/cpu.cfs_period_us"] = "100000\n"
    found = detect(plant(tmp_path, files))
    assert (found.name, found.target) == ("Some CPU @ 2.0GHz: fast", "x86-64-avx2")
    assert (found.vector_bits, found.vector_registers, found.fp16) == (256, 16, False)
    assert (found.l1_bytes, found.l2_bytes, found.llc_bytes) == (32 << 10, 512 << 10, 2 * (16 << 20))
    assert (found.cores, found.cores_note) == (3, "control group quota of 3 processors")
    assert found.memory_bytes == 1 << 20
    assert found.cache_line_bytes == 64  # not among the planted files: from the target's data


def test_a_machine_that_tells_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("hotloop.devices.detect.platform.machine", lambda: "mystery")
    found = detect(tmp_path)
    assert found.target == ""
    assert found.name
    assert found.cores >= 1
    unknown = (
        found.vector_bits,
        found.vector_registers,
        found.l1_bytes,
        found.l2_bytes,
        found.llc_bytes,
        found.memory_bytes,
    )
    assert unknown == (None,) * 6


def test_this_machine():
    found = detect()
    assert found.cores >= 1
    assert found.name
    assert found.memory_bytes is None or found.memory_bytes > 1 << 20
