"""What a program's kernels need of a thread's stack."""

import pytest

from hotloop.engine.private import met_bytes, needed_bytes
from hotloop.model.outcome import Artifact, Resources
from hotloop.model.program import Launch, Program


@pytest.mark.parametrize(
    ("source", "options", "local_size", "needed"),
    [
        ("__kernel void k() {}", (), (8, 4), 100),
        ("__kernel void k() { barrier(1); }", (), (8, 4), 3200),
        ("__kernel void k() { WAIT; }", ("-DWAIT=barrier(1)",), (8, 4), 3200),
        ("__kernel void k() { work_group_all(1); }", (), None, 100 * 8192),
    ],
)
def test_items_that_wait_keep_their_variables_together(source, options, local_size, needed):
    program = Program("opencl", source, options, (Launch("k", (), (64, 64), local_size),))
    built = Artifact("key", 1.0, "", (("k", Resources(private_bytes=100)),), (), 0)
    assert needed_bytes(program, built) == needed


def test_spilled_registers_count_too_of_which_the_runtime_tells_nothing():
    program = Program("opencl", "__kernel void k() {}", (), (Launch("k", (), (64,), (1,)),))
    built = Artifact("key", 1.0, "", (("k", Resources(private_bytes=0)),), frame_bytes=48_000)
    assert needed_bytes(program, built) == 48_000


def test_local_memory_lies_there_too():
    program = Program("opencl", "__kernel void k() {}", (), (Launch("k", (), (64,), (1,)),))
    kernels = (("k", Resources(private_bytes=100, local_bytes=53_248)), ("other", Resources(local_bytes=64)))
    assert met_bytes(program, Artifact("key", 1.0, "", kernels, frame_bytes=2560)) == 2560 + 53_248
