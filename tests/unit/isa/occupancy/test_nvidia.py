"""Occupancy on NVIDIA targets; expected blocks are what cuda_occupancy.h 12.1 answers (benchmarks/occupancy_proof.py)."""

import pytest

from hotloop.errors import UsageError
from hotloop.isa.occupancy.nvidia import NvidiaRequest, carveout, evaluate
from hotloop.targets.target import Target


@pytest.mark.parametrize(
    ("name", "registers", "shared", "block", "blocks", "limiting"),
    [
        ("sm_90", 168, 100 << 10, 384, 1, "registers"),
        ("sm_90", 32, 0, 1024, 2, "workgroup"),
        ("sm_90", 33, 0, 1024, 1, "registers"),  # 33 -> 40 per thread
        ("sm_90", 64, 0, 32, 32, "blocks"),
        ("sm_80", 32, 81 << 10, 128, 2, "shared"),  # 82 KiB with the reserve, twice in 164
        ("sm_80", 32, (81 << 10) + 1, 128, 1, "shared"),
        ("sm_86", 40, 0, 768, 2, "workgroup"),
        ("sm_75", 64, 32 << 10, 256, 2, "shared"),  # no reserve on Turing
        ("sm_89", 32, 0, 32, 24, "blocks"),
        ("sm_100", 255, 0, 256, 1, "registers"),
        ("sm_110", 16, 0, 32, 24, "blocks"),
        ("sm_110", 32, 113 << 10, 128, 2, "shared"),  # twice 114 KiB with the reserve, of 228
        ("sm_120", 128, 48 << 10, 128, 2, "shared"),
    ],
)
def test_blocks_per_sm(name, registers, shared, block, blocks, limiting):
    found = evaluate(Target.of(name).machine, NvidiaRequest(registers=registers, shared_bytes=shared, block=block))
    assert found.groups == blocks
    assert limiting in found.limiting_groups
    assert found.waves == blocks * -(-block // 32)


def test_the_launch_check_takes_registers_in_all_partitions():
    target = Target.of("sm_90").machine
    assert evaluate(target, NvidiaRequest(registers=128, block=512)).groups == 1
    found = evaluate(target, NvidiaRequest(registers=136, block=512))
    assert not found.launches
    assert "registers 136" in found.why_not


def test_carveout_is_rounded_up_to_what_the_chip_has():
    target = Target.of("sm_90").machine
    assert carveout(target, 101 << 10) == 132 << 10
    assert carveout(target, 229 << 10) is None
    small = evaluate(target, NvidiaRequest(registers=32, shared_bytes=30 << 10, carveout_bytes=64 << 10, block=128))
    large = evaluate(target, NvidiaRequest(registers=32, shared_bytes=30 << 10, block=128))
    assert (small.groups, large.groups) == (2, 7)
    # More than preferred: the SM is set to the next size, and one block runs.
    assert evaluate(target, NvidiaRequest(registers=32, shared_bytes=40 << 10, carveout_bytes=0)).groups == 1


def test_too_much_shared_memory():
    found = evaluate(Target.of("sm_90").machine, NvidiaRequest(registers=32, shared_bytes=(227 << 10) + 1))
    assert "a block may have 232448 B of shared memory" in found.why_not
    assert evaluate(Target.of("sm_90").machine, NvidiaRequest(registers=32, shared_bytes=227 << 10)).groups == 1


def test_barriers_limit_from_hopper():
    assert evaluate(Target.of("sm_90").machine, NvidiaRequest(registers=16, block=32, barriers=16)).groups == 4
    assert evaluate(Target.of("sm_80").machine, NvidiaRequest(registers=16, block=32, barriers=16)).groups == 32


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"registers": 256}, "0 to 255"),
        ({"block": 1025}, "1 to 1024"),
        ({"shared_bytes": -1}, "negative"),
        ({"carveout_bytes": 1 << 20}, "--carveout"),
        ({"barriers": 17}, "--barriers"),
    ],
)
def test_impossible_values_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        evaluate(Target.of("sm_90").machine, NvidiaRequest(**{"registers": 32, **options}))
