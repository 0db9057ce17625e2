"""Kernels that want more of their process than their arrays."""

import pytest

from hotloop.app import session
from hotloop.errors import MachineError
from hotloop.model.outcome import Artifact, CompileFailed
from hotloop.model.program import Launch, Program

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
        ("#undef __asm__\n" + BODY.format('__asm__ volatile("nop");'), "assembly"),
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
