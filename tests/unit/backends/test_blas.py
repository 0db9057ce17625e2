import numpy as np
import pytest

from hotloop.backends.blas import Blas
from hotloop.errors import NoDeviceError
from hotloop.model.program import Array, Launch, Local, Program, Value
from hotloop.ports import BAND_BYTES, BuildError, LaunchError
from hotloop.verify.guards import make_banded, overrun, payload_view

ROW, PLAIN = 101, 111  # CblasRowMajor, CblasNoTrans
M, N, K = 5, 7, 3


@pytest.fixture(scope="module")
def blas():
    backend = Blas()
    try:
        backend.devices()
    except NoDeviceError as reason:
        pytest.skip(str(reason))
    return backend


def integer(value):
    return Value(value, "int64")


def gemm(entry="sgemm", real="float32"):
    arguments = (
        *(Value(flag, "int32") for flag in (ROW, PLAIN, PLAIN)),
        *(integer(size) for size in (M, N, K)),
        Value(2.0, real),
        Array("a"),
        integer(K),
        Array("b"),
        integer(N),
        Value(-1.0, real),
        Array("c"),
        integer(N),
    )
    return Program("blas", "", launches=(Launch(entry, arguments, (1,)),))


@pytest.mark.parametrize(("entry", "dtype"), [("sgemm", "float32"), ("dgemm", "float64")])
def test_it_calls_the_library_that_numpy_brought(blas, entry, dtype):
    rng = np.random.default_rng(0)
    values = {n: rng.standard_normal(s).astype(dtype) for n, s in {"a": (M, K), "b": (K, N), "c": (M, N)}.items()}
    buffers = {}
    for name, value in values.items():
        banded = make_banded(value)
        buffers[name] = blas.allocate(banded.size)
        assert buffers[name].address % BAND_BYTES == 0
        buffers[name].write(banded)
    program = gemm(entry, dtype)
    assert "threads" in blas.build(program).log
    bound = blas.bind(program, buffers)
    bound.enqueue()
    assert bound.finish() is None
    left = np.empty_like(buffers["c"].banded)
    buffers["c"].read(left)
    expected = 2.0 * values["a"] @ values["b"] - values["c"]
    assert np.allclose(payload_view(left, dtype, (M, N)), expected, rtol=1e-5)
    assert overrun(left) is None


def test_a_function_that_the_library_lacks_does_not_build(blas):
    with pytest.raises(BuildError, match="has no function nonsense"):
        blas.build(gemm("nonsense"))


def test_arguments_that_a_library_cannot_take_are_refused(blas):
    program = Program("blas", "", launches=(Launch("sgemm", (Local(4),), (1,)),))
    with pytest.raises(LaunchError, match="cannot take"):
        blas.bind(program, {})


def test_a_numpy_without_a_known_blas_is_no_peer(monkeypatch):
    monkeypatch.setattr("threadpoolctl.threadpool_info", list)
    with pytest.raises(NoDeviceError, match="cannot be identified"):
        Blas().select("")


def test_no_memory_is_a_refused_launch(blas):
    with pytest.raises(LaunchError, match="cannot allocate"):
        blas.allocate(1 << 60)
