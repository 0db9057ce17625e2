"""Programs launched on tensors: what each call passes, with PyTorch on the processor and Triton's compiler stood in for."""

from __future__ import annotations

import contextlib
import ctypes
from types import SimpleNamespace

import pytest

from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta
from hotloop.model.program import Array, Launch, Local, Null, Program, Scratch, Tiled, Value

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")
DEVICE = Device(
    name="GPU", kind="gpu", backend="cuda", runtime="CUDA", runtime_key="cuda", target="sm_90", max_workgroup=1024
)
TEXT = '''
class Kernel:
    """Stands where triton.jit is."""

    arg_names = ("x", "y", "work", "count", "n", "BLOCK")
    compiled, launched = [], []

    def __init__(self, fn):
        self.fn = fn

    def warmup(self, *given, grid, **options):
        self.compiled.append((given, grid, options))
        return {grid: lambda *given: self.launched.append((grid, given))}

@Kernel
def kernel(x, y, work, count, n, BLOCK):
    pass
'''


@pytest.fixture(autouse=True)
def processor(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device", lambda _device: contextlib.nullcontext())


def program(**more):
    meta = Meta(
        values={"BLOCK": 64, "num_warps": 4}, dtypes={"x": "float32", "y": "float32", "work": "float32", "count": "int32"},
        **more,
    )  # fmt: skip
    given = (*(Array(name) for name in ("x", "y", "work", "count")), Value(7, "int32"))
    launch = Launch("kernel", given, (5 * 128, 2), (128, 1))
    scratch = (Scratch("work", 40), Scratch("count", 12, zeroed=True))
    return Program("triton", TEXT, meta.options, (launch,), scratch)


def test_a_triton_program_is_compiled_once_and_given_each_calls_tensors():
    from hotloop.dispatch import jit, launch

    x, y = torch.ones(4), torch.ones(4)
    run = launch.prepared(program(), DEVICE, {"x": x, "y": y})
    other = torch.zeros(4)
    run({"x": x, "y": y})
    run({"x": other, "y": y})
    kernel = next(names["kernel"] for names in jit._modules.values() if names.get("kernel"))
    assert len(kernel.compiled) == 1
    assert kernel.compiled[0][1:] == ((5, 2, 1), {"num_warps": 4})
    (grid, first), (_, second) = kernel.launched
    assert grid == (5, 2, 1)
    assert first[0] is x
    assert second[0] is other
    assert (first[1] is y, first[4:]) == (True, (7, 64))
    assert (first[2].dtype, first[2].numel(), first[2] is second[2]) == (torch.float32, 10, False)
    assert (first[3].dtype, first[3].tolist()) == (torch.int32, [0] * 3)


def test_an_array_may_be_passed_as_a_descriptor():
    pytest.importorskip("triton")
    from hotloop.dispatch import jit, launch

    x = torch.ones(4, 8)
    described = program(descriptors={"x": Descriptor((4, 8), (2, 8))})
    launch.run(described, DEVICE, {"x": x, "y": x})
    kernel = next(names["kernel"] for names in jit._modules.values() if names.get("kernel"))
    given = kernel.launched[-1][1][0]
    assert given.base is x
    assert (given.shape, given.strides, given.block_shape) == ([4, 8], [8, 1], [2, 8])


def test_zeroed_scratch_is_of_counters():
    from hotloop.dispatch import launch

    wrong = Program("triton", TEXT, Meta(dtypes={"w": "float32"}).options, (), (Scratch("w", 8, zeroed=True),))
    with pytest.raises(ValueError, match="w is zeroed scratch of float32"):
        launch.prepared(wrong, DEVICE, {"x": torch.ones(1)})


def test_a_cuda_program_may_be_launched_by_addresses_alone(monkeypatch):
    from hotloop.dispatch import cuda, launch, straight

    monkeypatch.setattr(straight, "ASKED", True)

    launched, statuses = [], [400, 0, 0]

    def submit(config, function, table, extra):
        x, count, y = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p * 3)).contents
        form = cuda.LaunchConfig.from_address(config.value)
        shape = [getattr(form, name) for name, _ in form._fields_[:7]]
        launched.append(
            (function.value, shape, form.stream, form.count, ctypes.c_void_p.from_address(x).value,
             ctypes.c_int32.from_address(count).value, ctypes.c_void_p.from_address(y).value, extra)
        )  # fmt: skip
        return statuses.pop(0)

    monkeypatch.setattr(cuda, "launch_function", lambda: submit)
    monkeypatch.setattr(cuda, "_error_name", lambda status: f"ERROR {status}")
    monkeypatch.setattr(cuda, "_function", lambda _program, _entry, _device, _index, shared: shared)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: SimpleNamespace(cuda_stream=9))
    given = (Array("x"), Value(-3, "int32"), Array("y"), Local(512))
    made = Program("cuda", "", (), (Launch("rows", given, (300, 2), (128, 1)),))
    x, y = torch.ones(3), torch.ones(2)
    with pytest.raises(Exception, match="rows was not launched: ERROR 400"):
        launch.run(made, DEVICE, {"x": x, "y": y})
    launch.run(made, DEVICE, {"x": x, "y": y})
    (one,) = cuda.prepared(made, DEVICE, 0)
    assert one.knows({})
    one.submit({"x": x.data_ptr(), "y": y.data_ptr()}, 9)
    wanted = (512, [3, 2, 1, 128, 1, 1, 512], 9, 0, x.data_ptr(), -3, y.data_ptr(), None)
    assert launched == [wanted] * 3


def test_a_launch_that_describes_scratch_is_asked_when_its_address_is_known():
    from hotloop.dispatch import launch

    asked, submitted = [], []
    swept = SimpleNamespace(
        knows=lambda addresses: asked.append(addresses["parts"]) or True,
        submit=lambda addresses, stream: submitted.append((addresses["parts"], stream)),
    )
    made = launch.Prepared(torch.device("cpu"), (launch.Area("parts", 4, torch.float16, ""),), (swept,))
    made._current, made._stream = lambda: None, lambda _index: 7
    assert made.straight({"q": 1})
    assert submitted == [(asked[0], 7)]


def test_a_matrix_that_the_copy_engine_reads_is_described_once_for_an_address(monkeypatch):
    from hotloop.dispatch import cuda, launch

    launched, made = [], []

    def submit(config, _function, table, _extra):
        x, nothing, y = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p * 3)).contents
        form = cuda.LaunchConfig.from_address(config.value)
        launched.append(
            (
                ctypes.string_at(x, 5),
                ctypes.c_void_p.from_address(nothing).value,
                ctypes.c_void_p.from_address(y).value,
                form.count,
            )
        )
        return 0

    def encoded(tiled, address):
        made.append((tiled.name, address))
        return b"map %d" % len(made)

    monkeypatch.setattr(cuda, "launch_function", lambda: submit)
    monkeypatch.setattr(cuda, "encoded", encoded)
    monkeypatch.setattr(cuda, "_function", lambda _program, _entry, _device, _index, shared: shared)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: SimpleNamespace(cuda_stream=9))
    given = (Tiled("x", "float16", (4, 8), 8, (4, 8)), Null(), Array("y"))
    program = Program("cuda", "", (), (Launch("rows", given, (128,), (128,), early=True),))
    x, y = torch.ones(4, 8), torch.ones(2)
    prepared = launch.prepared(program, DEVICE, {"x": x, "y": y})
    prepared({"x": x, "y": y})
    prepared({"x": x, "y": y})
    prepared({"x": y, "y": y})
    assert launched == [(b"map 1", None, y.data_ptr(), 1)] * 2 + [(b"map 2", None, y.data_ptr(), 1)]
    assert made == [("x", x.data_ptr()), ("x", y.data_ptr())]


def test_descriptors_are_checked_once_and_keep_no_memory_alive():
    import gc
    import weakref
    from dataclasses import dataclass

    from hotloop.dispatch.jit import Described

    made = []

    @dataclass
    class Descriptor:
        base: object
        shape: list

        def __post_init__(self):
            made.append(self.base)

    describe = Described(lambda tensor: Descriptor(tensor, [4]))
    one, two = torch.ones(4), torch.zeros(4)
    first, again = describe(one), describe(two)
    assert (first.base is one, again.base is two, again.shape) == (True, True, [4])
    assert type(again) is Descriptor
    assert len(made) == 1
    made.clear()
    gone = weakref.ref(one)
    del one, first
    gc.collect()
    assert gone() is None
    odd = Described(lambda tensor: (tensor, 4))  # descriptors of another kind are made anew
    assert odd(two)[0] is two is odd(two)[0]


def around(launcher, tensordesc_indices, tensordesc_meta):
    """Return what Triton 3.6 puts around its function in C where arguments are descriptors."""

    def inner(*given):
        final = list(given[:4])
        for number, argument in enumerate(given[4:]):
            many = number in tensordesc_indices
            final += make_tensordesc_arg(argument, tensordesc_meta[0]) if many else [argument]
        return launcher(*final)

    return inner


def make_tensordesc_arg(argument, meta):
    return [CUtensorMap(argument.base.data_ptr(), meta), *argument.shape, *argument.strides]


class CUtensorMap:
    def __init__(self, place, meta):
        self.place, self.meta = place, meta


class Compiled:
    """A kernel of Triton's, as far as its launches go."""

    walks = 0

    def __init__(self, launched, metas):
        self._run = SimpleNamespace(launch=around(lambda *given: launched.append(given), {0}, metas))

    def __getitem__(self, grid):
        def runner(*given, stream=None):
            type(self).walks += 1
            self._run.launch(*grid, 9 if stream is None else stream, *given)

        return runner


@pytest.mark.parametrize("metas", [[{"swizzle": 3}], [None]])
def test_a_descriptor_for_another_address_is_made_without_the_launcher(monkeypatch, metas):
    from types import FunctionType

    from hotloop.dispatch import straight

    monkeypatch.setattr(straight, "BuiltinFunctionType", FunctionType)
    monkeypatch.setattr(straight, "_heard", lambda: False)
    monkeypatch.setattr(straight, "_hooks", lambda: (None, None))
    launched = []
    compiled = Compiled(launched, metas)
    x, other, y = torch.ones(4, 8), torch.zeros(4, 8), torch.ones(3)
    given = lambda tensor: [SimpleNamespace(base=tensor, shape=[4, 8], strides=[8, 1]), y]  # noqa: E731
    launch = straight.of(compiled, (5, 2, 1), given(x), ((1, "y"),), ((0, "x"),))
    addresses = {"x": x.data_ptr(), "y": y.data_ptr()}
    assert not launch.knows(addresses)
    launch.learn(addresses, given(x))
    walked = Compiled.walks
    assert launch.knows(addresses)
    elsewhere = {**addresses, "x": other.data_ptr()}
    assert launch.knows(elsewhere) == (metas != [None])  # where Triton describes in another way, its launcher does it
    launch.learn(elsewhere, given(other))
    assert Compiled.walks == walked + (metas == [None])
    launch(addresses, 7)
    launch(elsewhere, 7)
    assert [(one[:4], one[4].place, one[-1]) for one in launched[-2:]] == [
        ((5, 2, 1, 7), tensor.data_ptr(), y.data_ptr()) for tensor in (x, other)
    ]
