"""Kernels that want more of their process than their arrays."""

import os
import subprocess
import sys

import numpy as np
import pytest

from hotloop.app import session
from hotloop.errors import MachineError
from hotloop.host import runtimes
from hotloop.model.outcome import Artifact, CompileFailed, Crashed
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import BAND_BYTES, Executed, RenewRequest, Run, Timed

BODY = "__kernel void k(__global float *y) {{ const int i = get_global_id(0); {} }}"


@pytest.fixture(scope="module")
def desk():
    try:
        with session.desk(session.Options(limit_s=30)) as opened:
            if opened.device.runtime_key != "intel":
                pytest.skip("only Intel's runtime links with its process and shows it")
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("int getpid(void);" + BODY.format("y[i] = getpid();"), "getpid"),
        ("int abs_(int) __attribute__((weak));" + BODY.format("if (abs_) y[i] = abs_(1);"), "abs_"),
        ("__attribute__((overloadable)) int usleep(int);" + BODY.format("y[i] = usleep(1);"), "usleep"),
        ("extern __global int environ;" + BODY.format("y[i] = environ;"), "environ"),
        (BODY.format('__asm__ volatile("nop");'), "assembly"),
        ("#define P(a, b) a##b\n" + BODY.format('P(__as, m__) volatile("nop");'), "assembly"),
        (
            "__global int c; __attribute__((constructor)) void f(void) { c = 7; }" + BODY.format("y[i] = c;"),
            "constructor",
        ),
        ("#undef __asm__\n" + BODY.format('__asm__ volatile("nop");'), "another meaning"),
    ],
)
def test_kernels_take_nothing_from_their_process(desk, source, why):
    built = desk.engine.build(Program("opencl", source, (), (Launch("k", (), (1,)),)))
    assert isinstance(built, CompileFailed)
    assert why in built.log


def test_kernels_take_what_the_runtime_brings(desk):
    body = 'float t[600]; for (int j = 0; j < 600; ++j) t[j] = y[j]; y[i] = exp(t[i % 600]) + tgamma(y[i]); if (i < 0) printf("%f", y[i]);'
    built = desk.engine.build(Program("opencl", BODY.format(body), (), (Launch("k", (), (1,)),)))
    assert isinstance(built, Artifact), built


@pytest.mark.parametrize(
    ("state", "body", "kept_bytes"),
    [
        ("", "__local float t[600]; t[i % 600] = y[i]; y[i] = t[0];", 0),
        ("__constant float t[4] = {1, 2, 3, 4};", "y[i] = t[i & 3];", 0),
        ("__global float t[400];", "t[i % 400] += y[i]; y[i] = t[0];", 1600),
        ("", "static __global int calls; y[i] = ++calls;", 4),
    ],
)
def test_variables_that_outlive_a_call_are_counted(desk, state, body, kept_bytes):
    program = Program("opencl", state + BODY.format(body), ("-cl-std=CL2.0",), (Launch("k", (), (1,)),))
    built = desk.engine.build(program)
    assert isinstance(built, Artifact), built
    assert built.kept_bytes == kept_bytes


def test_local_memory_holds_nothing_of_the_call_before(desk):
    body = "volatile __local float t[4096]; const int l = get_local_id(0) + 3000; const float old = t[l]; t[l] = y[i] + 5 + i; y[i] = old;"
    launch = Launch("k", (Array("y"),), (64,), (64,))
    dataset = desk.engine.dataset("left", {"y": np.zeros(64, np.float32)}, ("y",))
    program = Program("opencl", BODY.format(body), (), (launch,))
    kept = []
    for ran in desk.engine.execute_all([Run(program, dataset)] * 8):
        assert isinstance(ran, Executed), ran
        left = ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.uint32)  # as bits: it may be a signalling NaN
        kept.append(float((left == np.arange(5, 69, dtype=np.float32).view(np.uint32)).mean()))
    *overwritten, changed, _ = sorted(kept)
    assert not any(overwritten)
    assert changed < 1  # in two of the eight runs some words are changed, so that what is left is no answer
    desk.engine.discard(dataset)


ELSEWHERE = """
import sys, time
import numpy as np, pyopencl as cl
from hotloop.drivers.depths import depths
from hotloop.drivers.opencl import open_device
from hotloop.drivers.spoil import spoil
handle = open_device("intel")
kernel = cl.Kernel(cl.Program(handle.context, sys.argv[1]).build(), "k")
y, memory = np.zeros(64, np.float32), cl.Buffer(handle.context, cl.mem_flags.READ_WRITE, 256)
kernel.set_args(memory)
def held():
    cl.enqueue_copy(handle.queue, memory, y)
    event = cl.enqueue_nd_range_kernel(handle.queue, kernel, (64,), (64,))
    handle.queue.flush()  # and not finish, in which this thread would compute
    while event.command_execution_status > cl.command_execution_status.COMPLETE:
        time.sleep(1e-4)
    found = np.zeros_like(y)
    cl.enqueue_copy(handle.queue, found, memory)
    return int((found == np.arange(5, 69)).sum())
held()
print(held() > 0)  # else this says nothing
over = spoil(handle.device, handle.queue, 0x7F800001, needed_bytes=300, whole=False)
print(sum([over.enqueue() or over.finish() or held() for _ in range(20)]))
print(len(depths(handle.queue, handle.device.compute_units)._ends) > 0)  # so that what lies deep on their stacks is closed, too
"""


def test_memory_is_overwritten_on_threads_that_do_not_launch(desk):
    """They take no part in a small launch where they get no processor in time, and run the kernel that comes later."""
    body = "volatile __local float t[4096]; const int l = get_local_id(0) + 3000; const float old = t[l]; t[l] = 5 + i; y[i] = old;"
    source = BODY.format(body)
    ran = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, source], env={**os.environ, **runtimes.loader_environment()}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ran.stdout.split() == ["True", "0", "True"], ran.stderr


FAR = "volatile int z = 1; volatile float *t = (volatile float *)(((ulong)&z - {}) & ~0xffful); if (t[0] != 7.0f) t[0] = 7.0f; "


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        (FAR.format(3_000_000) + "y[i] = t[0];", True),
        (FAR.format(200_000) + "y[i] = t[0];", True),
        (
            "float t[5000]; for (int j = 0; j < 5000; ++j) t[j] = i + j; barrier(CLK_LOCAL_MEM_FENCE); y[i] = t[i * 77];",
            False,
        ),
        ("float t[400000]; for (int j = 0; j < 400000; ++j) t[j] = i + j; y[i] = t[i * 77];", False),
    ],
)
def test_a_kernel_that_reaches_far_below_its_own_variables_ends_with_its_worker(desk, body, ends):
    text = f"__kernel void k(__global float *y) {{ const int i = get_global_id(0); {body} }}"
    program = Program("opencl", text, (), (Launch("k", (Array("y"),), (64,), (16,)),))
    sets = [desk.engine.dataset(f"far{n}", {"y": np.zeros(64, "f4")}, ("y",)) for n in range(4)]
    request = RenewRequest(
        program=program, rival=program, datasets=tuple(sets[:2]), fresh=tuple(sets[2:]), calls=1, known_calls=1, judged=(),
        met=1, warm=0, spoil=True,
    )  # fmt: skip
    answer = desk.engine.renew(request)
    for one in sets:
        desk.engine.discard(one)
    assert isinstance(answer, Crashed if ends else Timed), answer
