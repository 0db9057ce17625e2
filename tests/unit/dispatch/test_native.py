"""The launcher in C does what the one in Python does: results, addresses, stream, descriptors, scratch; and declines what it must."""

from __future__ import annotations

import ctypes
import gc
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop.dispatch import arguments, guarded, launch, native, straight, swift  # noqa: E402
from hotloop.dispatch.cuda import Submission  # noqa: E402
from hotloop.dispatch.native import library  # noqa: E402
from hotloop.dispatch.straight import Straight  # noqa: E402
from hotloop.drivers.configured import LaunchConfig  # noqa: E402
from hotloop.errors import BadArrayError, MachineError  # noqa: E402
from hotloop.model.program import Array, Value  # noqa: E402

STREAM, DEVICE = 0x7F00_1234_5678, 3


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    made = library.opened(library.built(tmp_path_factory.mktemp("cache")))
    with pytest.raises((ValueError, TypeError, IndexError, SystemError)):
        made.known(
            ()
        )  # the first call of the library, on a card too, where names that only the other one made were missing
    return made


@pytest.fixture
def compiled(make, monkeypatch):
    """Return a form's C function; the device is number 3, and nobody listens."""
    monkeypatch.setattr(library, "functions", lambda: make)
    monkeypatch.setattr(straight, "runtime", lambda: SimpleNamespace(launch_enter_hook=None, launch_exit_hook=None))

    def formed(launches, outputs, inputs, areas=(), *, single=True):
        prepared = object.__new__(launch.Prepared)
        prepared._device, prepared._areas, prepared._launches = (
            SimpleNamespace(type="cuda", index=DEVICE),
            areas,
            launches,
        )
        prepared._current, prepared._stream = lambda: DEVICE, lambda index: STREAM + index
        for number, one in enumerate(launches):  # Python's way of telling listeners asks for Triton
            if isinstance(one, SimpleNamespace):
                one.knows = lambda _addresses: True
            del number
        slow = swift.Swift(prepared.straight, inputs, outputs, single=single)
        quick = slow.compiled()
        assert quick is not slow
        return slow, quick

    return formed


def output(name, like):
    return swift.Output(name, tuple(like.shape), like.stride(), like.dtype, like.device)


def jitted(launched, woven=(), makers=None):
    """Return a launch below Triton's, of arrays x and y at places 2 and 1."""
    made = Straight(lambda *given: launched.append(given), [7, None, None, "kept", 0, 0], 4, ((2, "x"), (1, "y")))
    made.describe(woven, None)
    made._makers = makers or {}
    return SimpleNamespace(step=made.step, submit=made)


def test_a_launch_gets_what_pythons_gets(compiled):
    launched, x = [], torch.ones(4, 6)
    slow, quick = compiled((jitted(launched),), (output("y", torch.empty(6, 4).t()),), (("x", 1),))
    for run in (slow, quick):
        made = run((None, x, 5))
        assert (tuple(made.shape), made.stride(), made.dtype) == ((4, 6), (1, 4), torch.float32)
        assert launched.pop() == (7, made.data_ptr(), x.data_ptr(), "kept", STREAM + DEVICE, 0)


def test_descriptors_are_made_once_for_an_address_and_forgotten_when_they_are_many(compiled):
    launched, asked = [], []
    maker = lambda address: asked.append(address) or ("map", address)  # noqa: E731
    _, quick = compiled(
        (jitted(launched, ((5, "z"),), {"z": maker}),), (output("y", torch.empty(2)),), (("x", 0), ("z", 1))
    )
    many = [torch.empty(1) for _ in range(300)]
    for z in (*many[:1], *many, *many[:1]):
        quick((many[0], z))
        assert launched[-1][5] == ("map", z.data_ptr())
    assert asked == [z.data_ptr() for z in (*many, many[0])]


def test_the_driver_gets_numbers_and_addresses_in_order(compiled, monkeypatch):
    met = []

    @ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
    def driver(config, handle, packed, _extra):
        one, given = LaunchConfig.from_address(config), (ctypes.c_void_p * 4).from_address(packed)
        shape = [one.grid_x, one.grid_y, one.grid_z, one.block_x, one.block_y, one.block_z, one.shared_bytes]
        kinds = (ctypes.c_uint64, ctypes.c_float, ctypes.c_uint64, ctypes.c_int32)
        met.append(
            (shape, one.stream, one.count, handle, [kind.from_address(given[i]).value for i, kind in enumerate(kinds)])
        )
        return 0 if len(met) < 3 else 1

    monkeypatch.setattr(straight, "ASKED", True)
    monkeypatch.setattr("hotloop.dispatch.cuda.launch_function", lambda: driver)
    monkeypatch.setattr("hotloop.dispatch.cuda._error_name", str)
    arguments = (Array("x"), Value(0.5, "float32"), Array("y"), Value(-9, "int32"))
    submission = Submission("kernel", 0xABCD, (5, 6, 7, 64, 2, 1, 1 << 16), arguments)
    x = torch.ones(4)
    slow, quick = compiled((submission,), (output("y", x),), (("x", 0),))
    results = [run((x,)) for run in (slow, quick)]
    for made, (shape, stream, count, handle, given) in zip(results, met, strict=True):
        assert (shape, stream, count, handle) == ([5, 6, 7, 64, 2, 1, 1 << 16], STREAM + DEVICE, 0, 0xABCD)
        assert given == [x.data_ptr(), 0.5, made.data_ptr(), -9]
    with pytest.raises(RuntimeError, match="refused"):
        quick((x,))


def test_results_may_be_several_and_scratch_is_asked_for_each_call(compiled):
    launched, x, areas = [], torch.ones(3), []

    def memory(device):
        assert device.index == DEVICE
        areas.append(torch.empty(8))
        return areas[-1]

    step = Straight(lambda *given: launched.append(given), [0] * 5, 0, ((1, "x"), (2, "o"), (3, "sums"), (4, "work")))
    outputs = (output("o", x), output("sums", torch.empty(2, 2, dtype=torch.float64)))
    work = SimpleNamespace(name="work", memory=memory)
    _, quick = compiled((SimpleNamespace(step=step.step),), outputs, (("x", 0),), (work,), single=False)
    o, sums = quick((x,))
    assert launched == [(STREAM + DEVICE, x.data_ptr(), o.data_ptr(), sums.data_ptr(), areas[0].data_ptr())]
    assert sums.dtype == torch.float64


def test_it_declines_elsewhere_and_for_listeners_and_passes_errors_on(compiled, monkeypatch):
    launched, x = [], torch.ones(3)
    runtime = SimpleNamespace(launch_enter_hook=SimpleNamespace(calls=[]), launch_exit_hook=None)
    monkeypatch.setattr(straight, "runtime", lambda: runtime)
    _, quick = compiled((jitted(launched),), (output("y", x),), (("x", 0),))
    assert quick((x,)) is not None
    runtime.launch_exit_hook = print
    assert quick((x,)) is None
    runtime.launch_exit_hook = None
    runtime.launch_enter_hook.calls.append(print)
    assert quick((x,)) is None
    runtime.launch_enter_hook.calls.clear()
    with pytest.raises(AttributeError):
        quick((None,))
    with pytest.raises(IndexError):
        quick(())
    with pytest.raises(SystemError):
        quick(None)
    assert len(launched) == 1


def test_nothing_is_kept_alive(compiled):
    launched, x = [], torch.ones(3)
    _, quick = compiled((jitted(launched),), (output("y", x),), (("x", 0),))
    quick((x,))
    launched.clear()
    counts = []
    for _ in range(3):
        for _ in range(200):
            quick((x,))
        launched.clear()
        gc.collect()
        counts.append(len(gc.get_objects()))
    assert counts[2] <= counts[1] + 5


@pytest.mark.parametrize("spec", [(), (1,) * 9, ((), (), (), None, None, 0, None, ((1, 2),), 1), ((),) * 9])
def test_a_spec_of_another_form_is_no_fault(make, monkeypatch, spec):
    monkeypatch.setattr(library, "functions", lambda: make)
    assert native.form(spec) is None


def test_without_a_compiler_python_does_it(monkeypatch, tmp_path):
    monkeypatch.setattr("hotloop.host.toolchain.system_compiler", lambda: None)
    monkeypatch.setattr("hotloop.host.toolchain.package", lambda _name: None)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_: str(tmp_path))
    assert library.functions.__wrapped__() is None
    assert swift.Swift(lambda _: True, (), (), single=True).compiled().__class__ is swift.Swift


def test_ziglangs_compiler_builds_it_too(monkeypatch, tmp_path):
    pytest.importorskip("ziglang")
    monkeypatch.setattr("hotloop.host.toolchain.system_compiler", lambda: None)
    assert callable(library.opened(library.built(tmp_path)).form)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("if (named()) return NULL;\n    Form", "Form"),  # crashed on a card: names that only the other function made
        ("if (named()) return NULL;\n    Known", "Known"),
        ("Py_IncRef(value);\n        PyTuple_SetItem(given, i, value);", "PyTuple_SetItem(given, i, value);"),
        ("if (listened || current != form->device)", "if (listened)"),
        ("PyErr_Clear();\n    if (result) return result;", "if (result) return result;"),
        ("config.stream = (void *)(uintptr_t)", "config.attributes = (void *)(uintptr_t)"),
        ("if (value == given) return 1;", "return 1;"),
        ("fit = place && ", "fit = "),
    ],
    ids=["names", "other names", "references", "device", "errors", "stream", "arguments", "freed memory"],
)
def test_what_does_not_pass_its_trial_is_not_used(tmp_path, monkeypatch, text, instead):
    source = library.source()
    assert source.count(text) == 1
    path = tmp_path / "calls-planted.so"
    library._build(source.replace(text, instead), path)
    with pytest.raises(MachineError, match="did not pass its trial"):
        library.tried(path)
    monkeypatch.setattr(library.toolchain, "run", None)  # it is not tried again
    with pytest.raises(MachineError, match="did not pass its trial"):
        library.tried(path)


def test_what_passes_its_trial_is_tried_once(tmp_path, monkeypatch):
    path = library.built(tmp_path)
    library.tried(path)
    monkeypatch.setattr(library.toolchain, "run", None)
    library.tried(path)


@pytest.mark.parametrize("ended", [-9, -15, -2])
def test_a_trial_that_somebody_else_ended_is_made_again(tmp_path, monkeypatch, ended):
    monkeypatch.setattr(
        library.toolchain, "run", lambda *_, **__: SimpleNamespace(returncode=ended, stdout="", stderr="")
    )
    with pytest.raises(MachineError, match="from outside"):
        library.tried(tmp_path / "calls.so")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "value"), [("frozen", True), ("executable", "/opt/editor/bin/editor"), ("executable", "")]
)
def test_a_program_that_is_no_python_is_not_started_again(tmp_path, monkeypatch, name, value):
    monkeypatch.setattr(library.toolchain, "run", None)
    monkeypatch.setattr(library.sys, name, value, raising=False)
    with pytest.raises(MachineError, match="part of another program"):
        library.tried(tmp_path / "calls.so")


def test_a_file_that_cannot_be_placed_leaves_nothing(tmp_path):
    (tmp_path / "calls.so" / "full").mkdir(parents=True)
    with pytest.raises(OSError, match="calls.so"):
        library.compiled.write(tmp_path / "calls.so", b"text")
    assert [path.name for path in tmp_path.iterdir()] == ["calls.so"]


def test_a_form_owns_what_was_loaded(monkeypatch):
    prepared = object.__new__(launch.Prepared)
    prepared._device, prepared._areas, prepared._launches = SimpleNamespace(type="cuda", index=0), (), ()
    prepared._current = prepared._stream = len
    assert prepared.form((), (), single=False)[-1] is prepared


@pytest.mark.parametrize("shape", [(1 << 32, 1, 1, 64, 1, 1, 0), (1, -1, 1, 64, 1, 1, 0)])
def test_blocks_that_the_drivers_field_does_not_hold_are_refused(make, shape):
    step = (8, 9), (*shape, 0, 0), (0,), ((0, 0),), (), None
    with pytest.raises(ValueError, match="more blocks"):
        make.form((((len, (), 0),), (), (), len, len, 0, None, (step,), 1))


def test_memory_that_was_freed_is_of_no_form():
    x = torch.ones(4, 4)
    places = arguments.form(x)[-1], arguments.form(torch.ones(0))[-1]
    known = guarded.known((x,), (0,), None, flagged=False)
    assert known.fits((x,))
    x.untyped_storage().resize_(0)
    assert not known.fits((x,))
    assert arguments.form(x)[-1] not in (places[0], 0)
    on_gpu = SimpleNamespace(is_cuda=True, numel=lambda: 16, data_ptr=lambda: 0, shape=(4, 4))
    with pytest.raises(BadArrayError, match="freed"):
        arguments.alive((None, on_gpu))
    arguments.alive((None, torch.empty(0)))


def test_more_arrays_than_there_is_room_for_are_refused(make):
    def spec(count, number):
        inputs = tuple((0, i) for i in range(1, count))
        return ((len, (), number),), inputs, (), len, len, 0, None, (), 1

    make.form(spec(24, 0))
    for count, number in ((25, 0), (3, 24), (3, -1)):
        with pytest.raises(ValueError, match="room|range"):
            make.form(spec(count, number))
