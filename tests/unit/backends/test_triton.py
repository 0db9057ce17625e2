"""Triton programs in the interpreter, through a real worker; without PyTorch only the sentence that names it."""

from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app.session import worker_environment
from hotloop.engine.local import LocalEngine
from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta
from hotloop.model.kernel import Empty
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed
from hotloop.model.program import Array, Input, Launch, Local, Program, Value
from hotloop.ports import BAND_BYTES, Executed, LaunchError, Timed, TimeRequest

INSTALLED = find_spec("torch") is not None and find_spec("triton") is not None
needs_torch = pytest.mark.skipif(not INSTALLED, reason="PyTorch and Triton are not installed")
N = 100
SOURCE = """
import triton
import triton.language as tl

FACTOR = 2.0


@triton.jit
def scale(y, x, n, BLOCK: tl.constexpr, WILD: tl.constexpr = False, MORE: tl.constexpr = None):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    values = tl.load(x + where, mask=inside) * FACTOR
    if MORE is not None:
        values += MORE
    tl.store(y + where + WILD * (1 << 40), values, mask=inside)


@triton.jit
def tiles(y, x, BLOCK: tl.constexpr):
    block = x.load([0, 0])
    rows = tl.arange(0, BLOCK)
    tl.store(y + rows[:, None] * BLOCK + rows[None, :], block)


@triton.autotune(configs=[triton.Config({"BLOCK": 32})], key=["n"])
@triton.jit
def tuned(y, x, n, BLOCK: tl.constexpr):
    where = tl.arange(0, BLOCK)
    tl.store(y + where, tl.load(x + where, mask=where < n), mask=where < n)
"""
LINES = len(SOURCE.splitlines())


def program(values=None, entry="scale", source=SOURCE, arguments=None, groups=4, **meta):
    meta = {"dtypes": dict(x="float32", y="float32"), **meta}
    given = (Array("y"), Array("x"), Value(N, "int64")) if arguments is None else arguments
    launch = Launch(entry, given, (groups * 128,), (128,))
    options = Meta(values={"BLOCK": 32, "num_warps": 4} if values is None else values, **meta).options
    return Program("triton", source, options, (launch,), source_name="kernel.py")


@pytest.fixture(scope="module")
def engine():
    with LocalEngine({**worker_environment(), "TRITON_INTERPRET": "1"}, build_limit_s=60, run_limit_s=60) as made:
        device = made.select("", "triton")
        assert (device.kind, device.runtime_key) == ("cpu", "interpreter")
        assert "interpreter" in device.name
        yield made


@pytest.fixture(scope="module")
def dataset(engine):
    x = np.arange(N, dtype=np.float32)
    return engine.dataset("d", {"x": x, "y": Empty((N,))}, ("y",))


def result(ran, dtype="float32"):
    assert isinstance(ran, Executed), ran
    return ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(dtype)


@pytest.mark.skipif(INSTALLED, reason="PyTorch is installed")
@pytest.mark.parametrize("language", ["triton", "gluon"])
def test_what_is_missing_is_named(language):
    with (
        LocalEngine(worker_environment()) as made,
        pytest.raises(NoDeviceError, match=r"pip install 'hotloop\[torch\]'"),
    ):
        made.select("", language)


@needs_torch
def test_a_kernel_computes_and_leaves_the_bands_alone(engine, dataset):
    ran = engine.execute(program(), dataset)
    assert np.array_equal(result(ran), 2 * np.arange(N))
    assert ran.device_ns is None
    fresh = engine.execute(program({"BLOCK": 64, "num_warps": 4, "MORE": 1.5}, groups=2), dataset)
    assert np.array_equal(result(fresh), 2 * np.arange(N) + 1.5)
    whole = ran.arrays["y"]
    assert np.array_equal(whole[:BAND_BYTES], fresh.arrays["y"][:BAND_BYTES])


@needs_torch
def test_buffers_are_seen_with_their_types(engine):
    halves = engine.dataset("h", {"x": np.arange(N).astype("f2"), "y": Empty((N,), "int32")}, ("y",))
    ran = engine.execute(program(dtypes=dict(x="float16", y="int32")), halves)
    assert np.array_equal(result(ran, "int32"), 2 * np.arange(N))


@needs_torch
def test_expressions_are_evaluated_beside_the_kernel(engine, dataset):
    ran = engine.execute(program({"BLOCK": 32}, expressions={"MORE": "FACTOR * triton.cdiv(3, 2)"}), dataset)
    assert np.array_equal(result(ran), 2 * np.arange(N) + 4)


@needs_torch
def test_descriptors_are_made_of_buffers(engine):
    square = np.arange(256, dtype=np.float32).reshape(16, 16)
    made = engine.dataset("s", {"x": square, "y": Empty((256,))}, ("y",))
    asked = program(
        {"BLOCK": 16}, "tiles", arguments=(Array("y"), Array("x")), groups=1,
        descriptors={"x": Descriptor((16, 16), (16, 16))},
    )  # fmt: skip
    assert np.array_equal(result(engine.execute(asked, made)), np.arange(256))


@needs_torch
def test_an_autotuned_function_is_launched_without_its_tuner(engine, dataset):
    ran = engine.execute(program({"BLOCK": 128}, "tuned", groups=1), dataset)
    assert np.array_equal(result(ran), np.arange(N))


@needs_torch
def test_times_are_wall_times(engine, dataset):
    timed = engine.time(TimeRequest(programs=(program(),), datasets=(dataset,), rounds=1, target_sample_ns=1e5))
    assert isinstance(timed, Timed)
    assert all(sample.device_ns is None for one in timed.rounds for _, sample in one.samples)


@needs_torch
def test_an_artifact_without_code_has_no_binary(engine):
    assert isinstance(engine.build(program()), Artifact)
    assert engine.binary(program()) == b""


@needs_torch
def test_a_program_is_built_before_its_numbers_are_known_but_not_launched(engine, dataset):
    open_ = program(arguments=(Array("y"), Array("x"), Input("n", "int64")))
    assert isinstance(engine.build(open_), Artifact)
    ran = engine.execute(open_, dataset)
    assert isinstance(ran, LaunchFailed)
    assert "argument n has no value" in ran.reason


@needs_torch
@pytest.mark.parametrize(
    ("wrong", "why", "line"),
    [
        (dict(source=SOURCE + ")"), "unmatched", LINES + 1),
        (dict(source=SOURCE + "import nothing_of_that_name\n"), "ModuleNotFoundError", LINES + 1),
        (dict(entry="other"), "no kernel named 'other'", None),
        (dict(entry="FACTOR"), "no kernel of triton.jit", None),
        (dict(values={}), "parameter 'BLOCK' that nothing is given for", None),
        (dict(arguments=(Array("y"),) * 9), "4 arguments more", None),
        (dict(expressions={"MORE": "missing"}), "NameError", None),
    ],
)
def test_what_does_not_compile_is_said_with_its_line(engine, wrong, why, line):
    built = engine.build(program(**wrong))
    assert isinstance(built, CompileFailed)
    assert why in built.log
    assert built.line == line


@needs_torch
@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (dict(arguments=(Array("y"), Array("x"), Local(64))), "shared memory itself"),
        (dict(dtypes=dict(x="colour", y="float32")), "no type 'colour'"),
        (dict(values={"BLOCK": 30}), "arange"),
    ],
)
def test_what_cannot_be_launched_is_said(engine, dataset, wrong, why):
    ran = engine.execute(program(**wrong), dataset)
    assert isinstance(ran, LaunchFailed | CompileFailed)
    assert why in getattr(ran, "reason", getattr(ran, "log", ""))


@needs_torch
def test_a_wild_store_is_an_outcome_and_the_engine_goes_on(engine, dataset):
    ran = engine.execute(program({"BLOCK": 32, "WILD": True}), dataset)
    assert isinstance(ran, Crashed)
    assert ran.signal == 11
    assert np.array_equal(result(engine.execute(program(), dataset)), 2 * np.arange(N))


@needs_torch
def test_gluon_says_that_it_needs_a_gpu():
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with LocalEngine(worker_environment()) as made, pytest.raises(NoDeviceError, match="gluon kernels need a GPU"):
        made.select("", "gluon")


@needs_torch
def test_an_unknown_device_is_answered_with_the_known_ones():
    with (
        LocalEngine(worker_environment()) as made,
        pytest.raises(NoDeviceError, match=r"listed devices: .*interpreter"),
    ):
        made.select("abacus", "triton")


class Kernel:
    """Stands for what the compiler makes for a GPU."""

    n_regs, n_spills, n_max_threads = 8, 0, 1024
    metadata = SimpleNamespace(shared=0, num_warps=4, target=SimpleNamespace(warp_size=32))

    def __init__(self, computes):
        self._computes = computes

    def __getitem__(self, grid):
        assert grid == (1, 1, 1)
        return lambda y, x, block, lanes: y.copy_(self._computes(x)) if (block, lanes) == (1024, 32) else None


class Line:
    """Runs submitted calls at once, on the processor."""

    def add(self, call):
        for _, launch in call.launches:
            launch()

    def run(self):
        return 1.0, {}


@pytest.fixture
def pretended(monkeypatch):
    """Return a function that makes a backend believe in a GPU whose kernels compute what is given."""
    from hotloop.backends.triton import Triton
    from hotloop.drivers import torch as _torch
    from hotloop.drivers import triton as _triton

    gpu = Device(
        name="G", kind="gpu", backend="triton", runtime="r", runtime_key="cuda", target="sm_90", max_workgroup=1024
    )
    for name in ("TRITON_INTERPRET", "TRITON_CACHE_DIR", "TRITON_DEFAULT_FP_FUSION"):
        monkeypatch.setenv(name, "0")
    real = _torch.BandedBuffer
    monkeypatch.setattr(_torch, "gpus", lambda *_: (gpu,))
    monkeypatch.setattr(_torch, "probe", lambda _: "")
    monkeypatch.setattr(_triton, "BandedBuffer", lambda size, _: real(size, "cpu"))
    monkeypatch.setattr(_triton, "Timeline", Line)

    def made(computes):
        monkeypatch.setattr(_triton, "_compile", lambda *_: Kernel(computes))
        return Triton()

    return made


@needs_torch
def test_a_gpu_counts_only_when_a_small_kernel_is_right_on_it(pretended):
    assert pretended(lambda x: x ^ 1).select("").name == "G"
    with pytest.raises(NoDeviceError, match="G: computes wrong results"):
        pretended(lambda x: x).select("")


@needs_torch
def test_a_gpu_that_fails_is_not_replaced_by_the_interpreter(pretended):
    def refuse(_):
        raise LaunchError("out of everything")

    with pytest.raises(NoDeviceError, match="cannot run a small kernel: out of everything"):
        pretended(refuse).select("")
