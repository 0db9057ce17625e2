"""The FlyDSL example and rungs executed here: their text runs as Python on values of all lanes, with stand-ins for FlyDSL's functions.

Every value is an array over the 256 lanes of a work-group; memory is an array that starts as NaN; matrix instructions go
through the element maps. The kernel's ``yield`` makes it a generator, so the loop that carries values is driven from here.
Lanes go in step: barriers are not checked.
"""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.diagnose.sources import flydsl
from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.execute import gather, scatter
from hotloop.isa.matrix.maps import element_map
from hotloop.kernels.attention.ladders import FLYDSL, execute, flydsl_text, tile_of

SOURCE = Path(__file__).parents[5] / "examples" / "attention_flydsl.py"
LANES, WAVE = 256, 64
(LADDER,) = ladder_data.ladders("attention")
RUNGS = [rung.name for rung in LADDER.rungs if rung.series == FLYDSL]


def plain(value):
    return np.asarray(value.data if isinstance(value, Value | Lanes) else value)


class Value:
    """A scalar per lane."""

    def __init__(self, data):
        self.data = np.broadcast_to(plain(data), (LANES,))

    def _with(self, other, function):
        other = plain(other)
        kind = np.float32 if self.data.dtype.kind == "f" else np.int64
        return Value(function(self.data, other.astype(kind)))

    def __add__(self, other):
        return self._with(other, np.add)

    def __radd__(self, other):
        return self._with(other, np.add)

    def __rsub__(self, other):
        return Value(other)._with(self, np.subtract)

    def __lt__(self, other):
        return self._with(other, np.less)

    def __sub__(self, other):
        return self._with(other, np.subtract)

    def __mul__(self, other):
        return other * self if isinstance(other, Lanes) else self._with(other, np.multiply)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(other, np.divide)

    def __floordiv__(self, other):
        return self._with(other, np.floor_divide)

    def __mod__(self, other):
        return self._with(other, np.remainder)

    def __le__(self, other):
        return self._with(other, np.less_equal)

    def select(self, yes, no):
        return Value(np.where(self.data, yes.data, no.data))

    def maximumf(self, other):
        return self._with(other, np.maximum)

    def exp2(self):
        return Value(np.exp2(self.data))

    def to(self, kind):
        return Value(self.data.astype(element(kind)))

    def shuffle_xor(self, apart, width):
        assert width == WAVE
        return Value(self.data[np.arange(LANES) ^ apart])


class Float32(Value):
    """A type of elements, too."""

    kind = np.float32


def element(kind):
    return getattr(kind, "kind", kind)


class Lanes:
    """A vector per lane."""

    def __init__(self, data, width=None, kind=None):
        self.data = plain(data)
        assert width in (None, self.data.shape[1])

    def __getitem__(self, at):
        return Value(self.data[:, at])

    def __mul__(self, other):
        return Lanes(self.data * other.data[:, None])

    def to(self, kind):
        return Lanes(self.data.astype(element(kind)))


class Vector:
    """``fx.Vector``: a type, a constructor, and factories."""

    def __new__(cls, *arguments):
        return Lanes(*arguments)

    def __class_getitem__(cls, parameters):
        return SimpleNamespace(width=parameters[1], ir_type=None)

    @staticmethod
    def filled(width, value, kind):
        return Lanes(np.full((LANES, width), value, element(kind)))

    @staticmethod
    def from_elements(elements, kind):
        return Lanes(np.stack([part.data.astype(element(kind)) for part in elements], axis=1))


def matrix(name):
    instruction = catalogue.find(name)
    maps = {operand: element_map(instruction, operand) for operand in "ABD"}

    def multiply(_kind, operands):
        a, b, c = (operand.data for operand in operands[:3])
        found = np.empty(c.shape, np.float32)
        for first in range(0, LANES, WAVE):
            lanes = slice(first, first + WAVE)
            left, right = (gather(maps[n], x[lanes].astype(np.float32)) for n, x in (("A", a), ("B", b)))
            found[lanes] = scatter(maps["D"], left @ right + gather(maps["D"], c[lanes]))
        return Lanes(found)

    return multiply


class Memory:
    """An array and an offset per lane."""

    def __init__(self, array, at=0):
        self.array, self.at = array, at

    @property
    def ptr(self):
        return self

    def peek(self):
        return self

    def places(self, width):
        found = np.asarray(self.at)[..., None] + np.arange(width)
        assert found.min() >= 0
        assert found.max() < self.array.size
        return found

    def load(self, kind):
        return Lanes(self.array[self.places(kind.width)])

    def store(self, value):
        data = value.data if isinstance(value, Lanes) else value.data[:, None]
        self.array[self.places(data.shape[1])] = data


class Loop:
    """What carries values around the loop of a kernel."""

    def range(self, start, stop, step, init):
        self.state = init
        for index in range(int(start.data[0]), int(stop.data[0]), int(step.data[0])):
            yield index, self.state

    def run(self, kernel):
        try:
            told = next(kernel)
            while True:
                self.state = told
                told = kernel.send(told)
        except StopIteration:
            return


def modules(block):
    """Return stand-ins for FlyDSL's modules; `block` says which work-group runs."""
    fx, compiler = ModuleType("flydsl.expr"), ModuleType("flydsl.compiler")
    compiler.kernel = lambda **_: lambda function: function
    compiler.jit = lambda function: function
    fx.Tensor, fx.Stream = SimpleNamespace, lambda _: None
    fx.Int32, fx.Float32, fx.Float16 = Value, Float32, np.float16
    fx.Vector = Vector
    fx.Array = type("Array", (), {"__class_getitem__": classmethod(lambda _, p: p)})
    fx.SharedAllocator = lambda: SimpleNamespace(allocate=lambda p: Memory(np.full(p[1], np.nan, element(p[0]))))
    fx.range_constexpr = range
    fx.thread_idx = SimpleNamespace(x=np.arange(LANES))
    fx.block_idx = block
    fx.get_iter = lambda array: Memory(array)
    fx.add_offset = lambda memory, at: Memory(memory.array, memory.at + plain(at))
    fx.ptr_load = lambda memory, kind: memory.load(kind)
    fx.ptr_store = lambda value, memory: memory.store(value)
    fx.rocdl = SimpleNamespace(
        mfma_f32_16x16x16f16=matrix("v_mfma_f32_16x16x16_f16"),
        mfma_f32_32x32x8f16=matrix("v_mfma_f32_32x32x8_f16"),
        mfma_f32_32x32x16_f16=matrix("v_mfma_f32_32x32x16_f16"),
        wave_barrier=lambda: None,
    )
    fx.gpu = SimpleNamespace(barrier=lambda: None)
    return {"flydsl": ModuleType("flydsl"), "flydsl.compiler": compiler, "flydsl.expr": fx}


def run(monkeypatch, text, q, k, v, rows=64):
    """Return O of one head."""
    block, loop = SimpleNamespace(x=0, y=0), Loop()
    stand_ins = modules(block)
    fx = stand_ins["flydsl.expr"]
    for name, module in stand_ins.items():
        monkeypatch.setitem(sys.modules, name, module)
    stand_ins["flydsl"].compiler, stand_ins["flydsl"].expr = stand_ins["flydsl.compiler"], fx
    space = {"range": loop.range, "__name__": "example"}
    exec(compile(text, str(SOURCE), "exec"), space)
    out = np.full(q.size, np.nan, np.float16)
    scale = Value(np.float32(q.shape[1] ** -0.5 * np.log2(np.e)))
    arrays = [array.reshape(-1) for array in (q, k, v)]
    for block.x in range(len(q) // rows):
        loop.run(space["attention"](*arrays, out, Value(len(q)), Value(len(k)), scale))
    return out.reshape(q.shape)


@pytest.fixture
def text():
    found = SOURCE.read_text(encoding="utf-8")
    return found[: found.index("hl.offline(")]


def worst(monkeypatch, text, queries=128, keys=128, rows=64):
    q, k, v = execute.inputs(queries, keys)
    return execute.worst(run(monkeypatch, text, q, k, v, rows), *execute.reference(q, k, v, causal=True))


def written(name, changes=()):
    """Return the text of a rung with some further switches, as far as it is a kernel."""
    text = flydsl_text({**LADDER.changes(LADDER.rung(name)), **dict(changes)})
    return text[: text.index("hl.offline(")]


@pytest.mark.parametrize("name", RUNGS)
@pytest.mark.parametrize(("queries", "keys"), [(128, 128), (256, 96)])
def test_every_rung_computes_attention(monkeypatch, name, queries, keys):
    assert 0 < worst(monkeypatch, written(name), queries, keys, tile_of(LADDER, LADDER.rung(name)).rows) <= 1


@pytest.mark.parametrize("name", RUNGS)
def test_no_known_mistake_in_the_text_of_a_rung(name):
    assert flydsl.mistakes(flydsl_text(LADDER.changes(LADDER.rung(name)))) == ()


@pytest.mark.parametrize("name", RUNGS)
def test_local_memory_is_that_of_the_hip_rung(monkeypatch, name):
    for module, stand_in in modules(SimpleNamespace(x=0, y=0)).items():
        monkeypatch.setitem(sys.modules, module, stand_in)
    sys.modules["flydsl"].compiler, sys.modules["flydsl"].expr = (
        sys.modules[f"flydsl.{part}"] for part in ("compiler", "expr")
    )
    space = {"__name__": "rung"}
    exec(compile(written(name), "attention.flydsl", "exec"), space)
    same = LADDER.rung(name.removeprefix("flydsl-"))
    assert 2 * space["LDS"] == tile_of(LADDER, same).lds_bytes == tile_of(LADDER, LADDER.rung(name)).lds_bytes


def test_a_switch_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="SWIZZLE"):
        flydsl_text({"SWIZZLE": 1})


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("flydsl-v4.0", "(mask >= SIDE) == bool(PREG)", "mask > 1"),
        ("flydsl-v4.0", "+ at.row(i)) * BN", "+ i) * BN"),
        ("flydsl-v4.2", "* V_STRIDE + row", "* V_STRIDE + row // 2"),
        ("flydsl-v4.3", "first + ROWS if EXIT", "first + BN if EXIT"),
        ("flydsl-prefetch", "other = SLOTS - 1 - slot", "other = 1"),
        ("flydsl-prefetch", "further = key0 + BN", "further = key0"),
        ("flydsl-late-sum", "across(sums[r], total) if LATE", "sums[r] if LATE"),
        ("flydsl-double-buffer", "other = SLOTS - 1 - slot", "other = slot"),
        ("flydsl-paired-keys", "* together + move % together", "* together"),
        ("flydsl-wide", "WIDTH // 4 * u + part", "u + 2 * part"),
        ("flydsl-mfma-32", "8 * (register // 4)", "4 * (register // 4)"),
    ],
)
def test_a_defect_of_a_rung_is_noticed(monkeypatch, name, old, new):
    text = written(name)
    assert text.count(old) == 1
    rows = tile_of(LADDER, LADDER.rung(name)).rows
    try:
        with np.errstate(all="ignore"):
            found = worst(monkeypatch, text.replace(old, new), rows=rows)
    except AssertionError:  # an address outside of its array
        return
    assert not found <= 1


def test_example_computes_attention(monkeypatch, text):
    assert 0 < worst(monkeypatch, text) <= 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<= query", "<= query + 1"),
        ("total * shrink + part_sum", "total + part_sum"),
        ("o[c] = o[c] * shrink", "pass"),
        ("16 << apart", "8 << apart"),
        ("t * SIDE + g * 4, FOUR), packs[t]", "g * 4, FOUR), packs[t]"),
        ("(column + j) * V_STRIDE + row", "(column + j) * V_STRIDE + row // 2"),
    ],
)
def test_a_defect_is_noticed(monkeypatch, text, old, new):
    assert text.count(old) == 1
    assert not worst(monkeypatch, text.replace(old, new)) <= 1
