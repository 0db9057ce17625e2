"""Which strips a product with few rows or columns is cut into: enough items to keep the memory busy, few enough to add up soon.

Reading has to be asked for by about 130,000 work-items at once, each with several vectors on their way; more gained nothing. Where
outputs are few, items along k make up the number, and where even a whole group along k is too few, slices of k do, which cost
some 2 µs (1.6 at 1x256x1024). The numbers were chosen by some 20,000 times of 35 shapes with one row or column and 16 with more on an H200
(2026-11-22, every strip of a grid, which `results/` keeps); what the rule takes was 1.03 times as long as the shortest
of them, 1.08 at most, on the 36 shapes whose pick the last two grids hold. With more rows or columns tiles in local memory are as fast.
"""

from __future__ import annotations

from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm
from hotloop.kernels.gemm.skinny.plan import shape
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.kernels.gemm.skinny.space import SPACE, START
from hotloop.model.space import Config

MOST_FEW = 3
"""Rows or columns of the short side; one more where vectors of it lie along k. On an H200 4096x4x4096 took 1.4 times a tile's time."""
ITEMS = 1 << 17
"""Work-items that must read at the same time to keep the memory of an H200 busy: 1,000 on each of its 132 multiprocessors."""
LEAST = 4
"""Steps that a slice leaves each item: with fewer the sum of the slices takes longer than they save."""
SLICED_FROM = 16
"""Steps of an item below which k is left whole: with 8 of them, two slices took 1.3 times as long at 1x256x1024."""
VECTOR_BYTES = 16
_LONG_ROW = 512
"""Vectors of a row along k of which at least 64 items take some: 32 took 1.04 times as long at 4096x1x4096."""
_ACROSS_STRIPS = 128
"""Strips across which items lie as densely as they may: wider ones would leave multiprocessors idle."""

_WARP = 32
"""Items that a GPU runs together: fewer to a group leave some of them idle."""

_CORE_ROWS, _CORE_VECTORS = 4, 8
"""Size of a group's part on a processor core: rows along k, or vectors across them."""
_CORE_STEPS = 4096
"""Steps of k that a core's slice has at least, because slices cost a second launch; a guess that no search looked for."""


def suits(form: Gemm) -> bool:
    """Return whether a product has so few rows or columns that its long operand is better read past local memory."""
    sides = Sides.of(form)
    return 0 < sides.few <= MOST_FEW + sides.short_along_k


def quickest(form: Gemm) -> Config:
    """Return the configuration for a product that `suits`."""
    sides = Sides.of(form)
    config = _start(form, sides)
    few = config.integer("FEW")
    if sides.along_k:
        config = _dot(form, config) if few == 1 else _dots(form, config)
    else:
        config = _across(form, sides, config) if few == 1 else _acrosses(sides, config)
    config = _sliced(form, config)
    return config if few > 1 else _unrolled(form, sides, config)


def of_cores(form: Gemm, lanes: int, cores: int) -> Config:
    """Return the configuration for a single row or column on a CPU: one item does what a GPU's many do.

    Args:
        form: the product, with one row or one column.
        lanes: elements of a vector register.
        cores: groups that run at once.
    """
    sides = Sides.of(form)
    config = START.replace(ODIM=1, KDIM=1, VW=_between(1, lanes, int(SPACE["VW"].values[-1])))
    vectors = sides.outputs if sides.along_k else sides.outputs // config.integer("VW")
    shared = 1 if form.k >= 2 * cores * _CORE_STEPS else 2 * cores  # a long k gives every core a slice
    fitting = _power(vectors // shared)
    config = config.replace(OWI=_between(1, fitting, _CORE_ROWS if sides.along_k else _CORE_VECTORS))
    most = min(2 * cores // max(1, shape(form, config).groups), form.k // _CORE_STEPS)
    slices = max(int(s) for s in SPACE["SPLIT"].values if int(s) <= max(1, most))
    return config.replace(SPLIT=slices)


def _start(form: Gemm, sides: Sides) -> Config:
    """Return vectors that the long operand's rows can be read in, and as many sums as there are rows or columns."""
    vector = VECTOR_BYTES // ELEMENT_BYTES[form.dtype]
    full_vectors = sides.aligned(vector) and (sides.along_k or sides.outputs % vector == 0)
    otherwise = 2 if sides.along_k else 1  # two elements that lie together are read as two, but both are on their way
    few = next(int(few) for few in SPACE["FEW"].values if int(few) >= sides.few)
    return START.replace(VW=vector if full_vectors else otherwise, FEW=few)


def _dot(form: Gemm, config: Config) -> Config:
    """Return items along each row of the long operand: at most one for every second vector, 128 or 256 to a group."""
    outputs, vectors = max(form.m, form.n), _vectors(form, config)
    wanted = max(64 if vectors >= _LONG_ROW else 16, _power(-(-ITEMS // outputs), up=True))
    kdim = _between(min(16, _power(vectors, up=True)), wanted, min(256, _power(vectors // 2)))
    return config.replace(KDIM=kdim, ODIM=max(1, 128 // kdim), OWI=2 if vectors <= kdim else 1)


def _dots(form: Gemm, config: Config) -> Config:
    """Return two rows of the long operand for each item, so that what it reads of the short one serves twice."""
    vectors = _vectors(form, config)
    kdim = _between(min(16, _power(vectors, up=True)), _power(vectors // 2), 128)
    return config.replace(KDIM=kdim, ODIM=128 // kdim, OWI=2, KUNROLL=2)


def _across(form: Gemm, sides: Sides, config: Config) -> Config:
    """Return items side by side along a row of the long operand, and as many below each other as make enough."""
    vectors = -(-sides.outputs // config.integer("VW"))
    dense = _between(4 if config.integer("VW") > 1 else 16, _power(vectors // _ACROSS_STRIPS), 32)
    odim = min(dense, _power(vectors, up=True))
    wanted = _power(-(-ITEMS // vectors), up=True)
    most = 128 if wanted > 1024 else 256  # where slices are needed anyway, smaller groups share the memory better
    least = min(8, _power(form.k, up=True))
    kdim = _between(least, wanted, min(most, 1024 // odim, max(least, _power(form.k // 4))))
    return config.replace(ODIM=max(odim, 256 // kdim if kdim < 8 else _WARP // kdim), KDIM=kdim)


def _acrosses(sides: Sides, config: Config) -> Config:
    """Return the same for more rows or columns than one: groups of 256 that hold their sums in registers."""
    odim = min(16, _power(-(-sides.outputs // config.integer("VW")), up=True))
    return config.replace(ODIM=odim, KDIM=256 // odim, KUNROLL=4)


def _sliced(form: Gemm, config: Config) -> Config:
    """Return slices that bring the items to their number, where k is long enough."""
    if form.dtype != "float32":  # a second launch would add them, which takes longer than they save
        return config
    tile = shape(form, config)
    items = tile.groups * config.integer("ODIM") * config.integer("KDIM")
    each = form.k / tile.stage_k
    most = min(ITEMS / max(1, items), each / LEAST) if each >= SLICED_FROM else 1.0
    slices = max(int(s) for s in SPACE["SPLIT"].values if int(s) <= max(1.0, most))
    return config.replace(SPLIT=slices, ARRIVE=int(slices > 1))


def _unrolled(form: Gemm, sides: Sides, config: Config) -> Config:
    """Return vectors on their way at once: some of the steps that an item has, because nothing else hides a latency.

    The compiler unrolls short loops of its own along k; 2 and 4 vectors there took up to 1.1 and 1.25 times as long as 1 or 8.
    """
    each = form.k / (shape(form, config).stage_k * config.integer("SPLIT"))
    if sides.along_k:
        return config.replace(KUNROLL=8 if each >= 8 else 2 if each >= 3 else 1)
    return config.replace(KUNROLL=8 if each >= 16 else 4 if each >= 4 else 2)


def _vectors(form: Gemm, config: Config) -> int:
    return -(-form.k // config.integer("VW"))


def _power(number: int, *, up: bool = False) -> int:
    """Return the largest power of two up to a number, or the least from it on; 1 for numbers below."""
    return 1 << max(0, (number - 1).bit_length() if up else number.bit_length() - 1)


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))
