"""Running the Gluon kernel's own text on the host: partitions are threads, tensors are NumPy arrays.

Asynchronous work happens as late as the kernel's waits allow: a product reads shared memory when it is waited for, a store
when its buffer is asked back. So a stage that is given back too early, or a missing wait, gives wrong numbers here, and a
wrong phase or count of a barrier ends in a timeout.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import hotloop.kernels.attention as family
from hotloop.kernels.attention.gluon import plan
from hotloop.kernels.attention.problem import Shape
from hotloop.kernels.attention_packed import shape as packed
from hotloop.kernels.attention_packed.gluon import plan as packed_plan
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Address, Value

SOURCE, TILES, PRODUCTS = (
    Path(family.__file__).parent / "gluon" / f"{name}.py" for name in ("kernel", "tiles", "products")
)
H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="gluon", runtime="Triton", runtime_key="cuda", target="sm_90", compute_units=132,
    local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
STUCK_S = 60.0
TOGETHER = threading.Condition()


class Tensor(np.ndarray):
    """Registers."""

    type = SimpleNamespace(layout=None)

    def to(self, dtype):
        return self.astype(dtype)


def tensor(value):
    return np.asarray(value).view(Tensor)


class Pointer:
    """Global memory by element."""

    def __init__(self, memory, places=0):
        self.memory, self.places = memory, places

    def __add__(self, more):
        return Pointer(self.memory, self.places + more)


class Barrier:
    """An mbarrier: a phase ends when all arrivals are there and all announced bytes have come."""

    def __init__(self):
        self.count = self.missing = self.bytes = self.phase = 0

    def settle(self, arrivals, size_bytes):
        with TOGETHER:
            assert self.missing >= arrivals, "more arrivals than the barrier expects in a phase"
            self.missing -= arrivals
            self.bytes += size_bytes
            if not self.missing and not self.bytes:
                self.phase, self.missing = self.phase + 1, self.count
            TOGETHER.notify_all()


class Shared:
    """Shared memory, and rows of barriers."""

    def __init__(self, data):
        self.data = data
        self.dtype, self.shape = getattr(data, "dtype", None), getattr(data, "shape", None)

    def index(self, i):
        return Shared(self.data[i]) if isinstance(self.data, np.ndarray) else self.data[i]

    def reshape(self, shape):
        return Shared(self.data.reshape(shape))

    def slice(self, start, length, dim):
        assert dim == 1
        assert start + length <= self.shape[1]
        return Shared(self.data[:, start : start + length])

    def permute(self, order):
        return Shared(self.data.transpose(order))

    def load(self, _layout):
        return tensor(self.data.copy())

    def store(self, value):
        self.data[...] = value


class Descriptor:
    """A tensor descriptor of [1, 1, rows, size] blocks."""

    def __init__(self, memory):
        self.memory, self.dtype, self.layout = memory, memory.dtype, None

    def rows(self, coordinates, many):
        outer, inner, row, column = (int(c) for c in coordinates)
        assert column == 0
        return self.memory[outer, inner, row : row + many]


class Pending:
    """A product under way."""

    def __init__(self, left, right, total, fresh):
        self.left, self.right, self.total, self.fresh = left, right, total, fresh
        self.shape, self.result = total.shape, None

    def finish(self):
        left, right = (np.asarray(x.data if isinstance(x, Shared) else x, np.float32) for x in (self.left, self.right))
        total = self.total.result if isinstance(self.total, Pending) else self.total
        self.result = tensor(left @ right + (0 if self.fresh else total))


class Machine:
    """One program at a time; each partition is a thread with queues of its own."""

    def __init__(self, programs, program):
        self.programs, self.program, self.mine = programs, program, threading.local()

    def queue(self, name):
        if not hasattr(self.mine, name):
            setattr(self.mine, name, [])
        return getattr(self.mine, name)

    def multiply(self, left, right, total, *, use_acc=True, is_async):
        assert is_async
        kept = left if isinstance(left, Shared) else left.copy()
        pending = Pending(kept, right, total, not use_acc)
        self.queue("products").append(pending)
        return pending

    def wait_products(self, outstanding, deps):
        products = self.queue("products")
        while len(products) > outstanding:
            products.pop(0).finish()
        results = []
        for value in deps:
            assert not isinstance(value, Pending) or value.result is not None, (
                "a result is used before it is waited for"
            )
            results.append(value.result if isinstance(value, Pending) else value)
        return results[0] if len(results) == 1 else tuple(results)

    def wait(self, barrier, phase):
        with TOGETHER:
            assert TOGETHER.wait_for(lambda: barrier.phase % 2 != phase, STUCK_S), "stuck at a barrier"

    def load(self, descriptor, coordinates, barrier, result):
        target = result.data[0, 0]
        found = descriptor.rows(coordinates, target.shape[0])
        target[...] = 0
        target[: len(found), : found.shape[1]] = found
        barrier.settle(0, -target.nbytes)

    def store(self, descriptor, coordinates, source):
        self.queue("stores").append((descriptor, coordinates, source.data[0, 0]))

    def wait_stores(self, pending):
        stores = self.queue("stores")
        while len(stores) > pending:
            descriptor, coordinates, block = stores.pop(0)
            target = descriptor.rows(coordinates, block.shape[0])
            target[...] = block[: len(target), : target.shape[1]]

    def allocate(self, dtype, shape, layout):
        if layout == "barrier":
            return Shared([Barrier() for _ in range(shape[0])])
        return Shared(np.full(shape, -1 if np.issubdtype(dtype, np.integer) else np.nan, dtype))

    def specialize(self, parts, warps, registers):
        assert len(parts) == len(warps) + 1 == len(registers) + 1
        failures = []

        def run(function, arguments):
            try:
                with np.errstate(all="ignore"):
                    function(*arguments)
                assert self.queue("stores") == self.queue("products") == [], "a partition leaves work behind"
            except BaseException as failure:  # raised again below
                failures.append(failure)

        threads = [threading.Thread(target=run, args=part, daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def add(self, pointer, value, sem):
        with TOGETHER:
            old = int(pointer.memory[pointer.places])
            pointer.memory[pointer.places] += value
        return old


def write(pointer, value, mask=True):
    places, mask, value = np.broadcast_arrays(pointer.places, mask, value)
    pointer.memory[places[mask]] = value[mask]


def language(machine):
    """Return what the kernel imports as `gl`, `mbarrier` and `tma`, for one program."""
    gl = SimpleNamespace(
        constexpr=lambda value: value, float32=np.float32, int32=np.int32, int64=np.int64,
        program_id=lambda _: machine.program, num_programs=lambda _: machine.programs,
        static_range=range, minimum=np.minimum, maximum=np.maximum, cdiv=lambda a, b: -(-a // b),
        where=lambda c, a, b: tensor(np.where(c, a, b)), exp2=np.exp2, log2=np.log2,
        max=lambda x, axis: x.max(axis), sum=lambda x, axis: x.sum(axis),
        arange=lambda begin, end, layout: tensor(np.arange(begin, end)),
        zeros=lambda shape, dtype, layout: tensor(np.zeros(shape, dtype)),
        full=lambda shape, value, dtype, layout: tensor(np.full(shape, value, dtype)),
        convert_layout=lambda value, layout: value,
        load=lambda pointer: int(pointer.memory[pointer.places]),
        store=write, atomic_add=machine.add, allocate_shared_memory=machine.allocate,
        warp_specialize=machine.specialize,
        NVMMADistributedLayout=lambda *_: None, BlockedLayout=lambda *_: None, SliceLayout=lambda *_: None,
        DotOperandLayout=lambda *_: None, SwizzledSharedLayout=lambda *_: None,
    )  # fmt: skip

    def init(barrier, count):
        barrier.count = barrier.missing = count

    mbarrier = SimpleNamespace(
        MBarrierLayout=lambda: "barrier", init=init, wait=machine.wait,
        expect=lambda barrier, size_bytes: barrier.settle(1, size_bytes),
        arrive=lambda barrier, count: barrier.settle(count, 0),
    )  # fmt: skip
    tma = SimpleNamespace(async_load=machine.load, async_store=machine.store, store_wait=machine.wait_stores)
    return gl, mbarrier, tma


def load_kernel(machine, monkeypatch):
    """Execute the kernel with the host's meaning of its imports."""
    gl, mbarrier, tma = language(machine)
    gluon = ModuleType("triton.experimental.gluon")
    gluon.jit, gluon.language = (lambda function: function), gl
    hopper = ModuleType("triton.experimental.gluon.language.nvidia.hopper")
    hopper.mbarrier, hopper.tma, hopper.fence_async_shared = mbarrier, tma, lambda: None
    hopper.warpgroup_mma, hopper.warpgroup_mma_wait = machine.multiply, machine.wait_products
    experimental = ModuleType("triton.experimental")
    experimental.gluon = gluon
    for name, module in {
        "triton": ModuleType("triton"), "triton.experimental": experimental, gluon.__name__: gluon,
        f"{gluon.__name__}.language": gl, f"{gluon.__name__}.language.nvidia": ModuleType("nvidia"),
        hopper.__name__: hopper,
    }.items():  # fmt: skip
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setitem(sys.modules, f"{family.__name__}.gluon.merge", SimpleNamespace(combine=None))
    monkeypatch.setitem(sys.modules, f"{family.__name__}.gluon.tiles", executed("tiles_on_the_host", TILES))
    monkeypatch.setitem(sys.modules, f"{family.__name__}.gluon.products", executed("products_on_the_host", PRODUCTS))
    return executed("gluon_on_the_host", SOURCE)


def executed(name, path):
    """Run a module's own text with whatever its imports mean now."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def emulate(monkeypatch):
    """Return a function that runs a planned program on NumPy arrays; `programs` are the multiprocessors there are."""

    def run(q, k, v, config, *, causal=False, shift=0, starts=None, longest=None, programs=2, scale=None, split=1):
        device = replace(H200, compute_units=programs)
        planned = planned_packed if starts is not None else partial(planned_dense, shift=shift, split=split)
        program = planned(q, k, v, config, device, starts, longest, causal=causal, scale=scale)
        meta = parse(program.options)
        heads = q.shape[1] * split
        o, lse = (
            np.full((q.shape[0], heads, *q.shape[2:]), np.nan, q.dtype),
            np.full((q.shape[0], heads, q.shape[2]), np.nan, "f4"),
        )
        named = {"q": q, "k": k, "v": v} | ({"o": o, "lse": lse} if split == 1 else {"parts": o, "logs": lse})
        named |= dict(zip(("starts_q", "starts_k"), starts or (), strict=False))
        memory = {name: np.ascontiguousarray(x).reshape(-1) for name, x in named.items()}
        for area in program.scratch:
            kind = {"float16": "f2", "float32": "f4", "int32": "i4"}[meta.dtypes[area.name]]
            fill = 0 if area.zeroed else -1 if kind == "i4" else np.nan
            memory.setdefault(area.name, np.full(area.scratch_bytes // np.dtype(kind).itemsize, fill, kind))
        for launch in program.launches:
            if launch.entry == "forward":
                for index in range(launch.groups):
                    kernel = load_kernel(Machine(launch.groups, index), monkeypatch)
                    kernel.forward(**bound(kernel.forward, meta, launch, memory))
            else:
                merge(launch, memory, q.shape)
        assert "counter" not in memory or not memory["counter"].any()
        made = ("o", "lse") if split == 1 else ("parts", "logs")
        return memory[made[0]].reshape(o.shape), memory[made[1]].reshape(lse.shape)

    return run


def planned_dense(q, k, v, config, device, _starts, longest, *, causal, scale, shift, split):
    sizes = (q.shape[0], q.shape[1], k.shape[1], q.shape[2], k.shape[2], q.shape[3])
    shape = Shape(*sizes, "float16", causal, lse=True, shift=shift, scale=scale or 0.0)
    strides = plan.Strides.dense(shape)
    if split == 1:
        return plan.program(shape, strides, config, device)
    outputs = plan.Strides.dense(replace(shape, heads=shape.heads * split)).q
    sweep = plan.Sweep(shape=shape, strides=replace(strides, o=outputs), out="parts", sums="logs", split=split)
    return plan.swept(sweep, config, device)


def planned_packed(q, k, v, config, device, starts, longest, *, causal, scale):
    shape = packed.Shape(
        sequences=len(starts[0]) - 1, heads=q.shape[1], kv_heads=k.shape[1], longest_q=longest[0], longest_k=longest[1],
        rows_q=q.shape[2], rows_k=k.shape[2], size=q.shape[3], dtype="float16", causal=causal, lse=True, scale=scale or 0.0,
    )  # fmt: skip
    lying = (plan.Strides.dense(Shape(1, x.shape[1], x.shape[1], x.shape[2], 1, x.shape[3])).q for x in (q, k, v, q))
    return packed_plan.program(shape, plan.Strides(*lying), config, device)


def bound(function, meta, launch, memory):
    """Return the kernel's arguments by name, as a driver places them."""
    waiting, given = list(launch.arguments), {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in meta.values:
            given[name] = meta.values[name]
        elif not waiting and parameter.default is not parameter.empty:
            continue
        elif isinstance(argument := waiting.pop(0), Value):
            given[name] = argument.value
        elif isinstance(argument, Address) or argument.name not in meta.descriptors:
            given[name] = Pointer(memory[argument.name])
        else:
            made, flat = meta.descriptors[argument.name], memory[argument.name]
            steps = [step * flat.itemsize for step in made.strides]
            given[name] = Descriptor(np.lib.stride_tricks.as_strided(flat, made.shape, steps))
    assert not waiting
    return given


def merge(launch, memory, shape):
    """Add up the pieces of the keys, as the second launch does."""
    rows, split = (argument.value for argument in launch.arguments if isinstance(argument, Value))
    logs = memory["logs"].reshape(-1, split, rows).astype("f8")
    parts = memory["parts"].reshape(-1, split, rows, shape[3]).astype("f8")
    most = np.maximum(logs.max(1, keepdims=True), -1e30)
    shares = np.exp(logs - most)
    norm = shares.sum(1)
    memory["o"][:] = ((parts * shares[..., None]).sum(1) / norm[..., None]).reshape(-1)
    memory["lse"][:] = (most[:, 0] + np.log(norm)).reshape(-1)
