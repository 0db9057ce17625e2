"""Which kernel multiplies two matrices of tensors: the store's winners, the table measured on Hopper; needs no PyTorch.

There are two sorts of kernels. Those of the table are fast and narrow: operands of 16 bits, by rows or by columns. The tile of
`hotloop.kernels.gemm.triton` takes every problem of the family; it runs where the store has a winner of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import GLANCED, MARGIN, NEAR, PEER, Asked, near, own, select
from hotloop.kernels.gemm import KERNEL, learned
from hotloop.kernels.gemm.expected import (
    LEAST,
    UNITS,
    Work,
    half_empty,
    peer_s,
    ratio,
    reads_again,
)
from hotloop.kernels.gemm.hopper_cluster import likely
from hotloop.kernels.gemm.problem import DEFAULT, FAMILY
from hotloop.kernels.gemm.rows import TABLE
from hotloop.kernels.gemm.shared import row as rows
from hotloop.kernels.gemm.shared import tiles
from hotloop.kernels.gemm.shared.row import Row
from hotloop.kernels.gemm.surveyed import CLUSTER, STREAM, likeliest
from hotloop.kernels.gemm.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.kernel import Variant
from hotloop.model.near import distance
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET, DTYPES, ACTIVATIONS = rows.TARGET, tiles.DTYPES, tiles.ACTIVATIONS
"""What the table was measured on; what its kernels take and fuse."""
SHIPPED = frozenset(name for name, _ in TABLE) | {STREAM, CLUSTER}
"""Implementations of the table, and those that are chosen by what is foreseen alone."""
TILE = TRITON.name
"""The kernel for every problem; a device's measurements of it are in the store only."""
WEIGHTS = {"dtype": 0.05, "epilogue": 0.05, "op": 0.1, "c": 0.05}
"""bfloat16 and float16 run at one speed. Operands by columns are read by the same instructions (`wgmma` takes 16-bit operands either
way from shared memory), so the layout weighs little here; the others as in `hotloop.kernels.gemm.family`."""
UNMEASURED = 1.0
"""Expected ratio to PyTorch's time below which PyTorch runs, for operands that lie in another way than where a row was measured:
nothing is given away on a guess."""
ALIGNED = 8
"""Elements of 16 bytes: rows that the tensor memory accelerator reads, CUDA driver API, cuTensorMapEncodeTiled."""
_WARP_GROUP_ROWS = 64


@dataclass(frozen=True, slots=True)
class Product:
    """One call, as far as it decides what runs."""

    m: int
    n: int
    k: int
    dtype: str
    epilogue: str
    op: str = "nn"
    """How op(a) and op(b) lie in memory: n by rows, t by columns; empty when one lies in neither way."""
    reads_c: bool = False
    fast32: bool = False
    """PyTorch's flag lets float32 be multiplied as TF32."""
    compiled: bool = True
    """CUDA C++ can be compiled and launched in the caller's process."""
    narrow: str = ""
    """Why the table's kernels cannot take the operands, their types or factors; empty when they can."""
    obstacle: str = ""
    """Why no kernel can; empty when one can."""

    @property
    def problem(self) -> Problem:
        """Return the sizes in the terms in which shapes are compared."""
        sizes = Record(m=self.m, n=self.n, k=self.k, dtype=self.dtype, epilogue=self.epilogue)
        return Problem(FAMILY, sizes.replace(op=self.op or "views", c="read" if self.reads_c else "written"))

    @property
    def tight(self) -> Problem:
        """Return the family's problem with operands as tight as possible."""
        return DEFAULT.replace(
            m=self.m, n=self.n, k=self.k, dtype=self.dtype, epilogue=self.epilogue, op=self.op, beta=float(self.reads_c)
        )


START = Candidate(
    origin=Origin.START,
    implementation="persistent",
    config=Config(
        BM=128, BN=128, BK=64, GROUP=8, num_warps=8, num_stages=3, HALVES=0, FLATTEN=0, RESIDENT=1, CHAIN=0
    ),
    sizes=Record(),
    source="nothing is known of gemm on this device, so a default configuration runs: correct, perhaps not fast",
)  # fmt: skip

UNKNOWN = replace(START, implementation=PEER, config=Config())
"""Last candidate, after those of the table, on the device that the table was measured on: PyTorch's own function."""


def choose(product: Product, device: Device, winners: tuple[Candidate, ...] = (), trouble: str = "") -> Choice:
    """Return what runs for a product on a device.

    `winners` are those of the store. They count when one of these kernels won; `trouble` says why there are none.
    """
    asked = Asked(problem=product.problem, device=device, function="torch.matmul", weights=WEIGHTS)
    if product.obstacle:
        return own(asked, product.obstacle)
    notes = (trouble,) if trouble else ()
    usable = tuple(candidate for candidate in map(_in_terms, winners) if _usable(candidate, product))
    if product.narrow:  # only the tile could run, and only where it won at something alike
        alike = near(asked, usable)
        if not alike:
            return own(asked, product.narrow, notes)
        start = replace(alike[0], origin=Origin.START)
        return select(asked, alike, start, lambda candidate: _neighbour(candidate, product, device), notes)
    if device.target != TARGET:
        return select(asked, usable, START, lambda candidate: fitted(candidate, product, device), notes)
    shipped = tuple(candidate_of(name, row, product) for name, row in TABLE)
    chosen = select(asked, usable + shipped, UNKNOWN, lambda candidate: expected(candidate, product, device), notes)
    measured = chosen.origin is Origin.STORE or (chosen.distance is not None and chosen.distance < _SAME)
    if measured or not foreseeable(product, device) or product.op not in _ways(product):
        return chosen
    return _surest(asked, product)


_SAME = 0.2
"""Distance below which what was measured counts more than what is foreseen: another type, layout or function, and sizes a few per cent away."""


def glanced(product: Product) -> int:
    """Return how many kernels beside the usual one a first call compares.

    Of 296 products with bias and GELU, foreseen by others, two bring 1.151 of PyTorch's speed, three 1.157 and all 1.160; plain ones gain 0.2 % by a third.
    """
    return GLANCED + int(_fused(product))


def _fused(product: Product) -> bool:
    return product.epilogue not in ("none", "bias")


def _ways(product: Product) -> tuple[str, ...]:
    """Return how operands may lie for what is foreseen to be trusted unmeasured: as they lay in the survey, or where much is gained."""
    return ("nn", "nt") if _fused(product) else ("nt",)


def foreseeable(product: Product, device: Device) -> bool:
    """Tell whether products like this were measured at random, on a device like this."""
    narrow = device.target != TARGET or bool(product.obstacle or product.narrow)
    return not narrow and device.compute_units == UNITS and learned.covers(Work(product.m, product.n, product.k))


def foreseen(product: Product, device: Device) -> Iterator[tuple[Choice, float]]:
    """Yield kernels that should be about as fast as PyTorch or faster, by what is learned of products alike, with their gain, the best first."""
    asked = Asked(problem=product.problem, device=device, function="torch.matmul", weights=WEIGHTS)
    work, fused = Work(product.m, product.n, product.k), _fused(product)
    known = likeliest(work, device.compute_units or 1, fits(product, device), clusters=0)
    names = [f"{name} {config}" for name, config in known]
    gains = [*learned.fastest(names, work, fused=fused), *_clustered(product)]
    for name, config, gain in sorted(gains, key=lambda each: -each[2]):
        surveyed_there = _CLUSTERED if name == CLUSTER else _ANY
        source = f"foreseen by {surveyed_there} measured on an H200: {gain:.2f} of PyTorch's speed"
        candidate = replace(guess(name, config), source=source)
        made = select(asked, (), candidate, lambda each: fitted(each, product, device))
        if made.origin is not Origin.TORCH:
            yield made, gain


CLUSTERS = 5
"""Clustered kernels that are worth a measurement: the best of 12 is nearly always among the first that are foreseen."""
_ANY, _CLUSTERED = "600 shapes", "201 shapes of up to 1024 rows"
"""What surveys measured, of all kernels and of clustered ones."""


def _clustered(product: Product) -> Iterator[tuple[str, Config, float]]:
    """Yield the clustered kernels that are worth a glance, as `learned.fastest` does others."""
    if product.op not in ("nt", "nn"):
        return
    work, fused = Work(product.m, product.n, product.k), _fused(product)
    peer_us = learned.foreseen_us(PEER, work, fused=fused)
    for config, us in islice(likely.clusters(work, fused=fused), CLUSTERS):
        if peer_us / us > learned.WORTH:
            yield CLUSTER, config, peer_us / us


def _surest(asked: Asked, product: Product) -> Choice:
    """Return the kernel that should beat PyTorch by more than what is foreseen may be off, or PyTorch's function."""
    kernel, gain = next(foreseen(product, asked.device), (None, 0.0))
    if kernel is not None and learned.sure(gain, fused=_fused(product)):
        return kernel
    return own(asked, "no kernel should be faster, by 600 shapes measured on an H200")


def surveyed(product: Product, device: Device) -> Iterator[tuple[str, Config]]:
    """Yield the implementations and configurations that a survey times at a product."""
    return likeliest(Work(product.m, product.n, product.k), device.compute_units or 1, fits(product, device))


def fits(product: Product, device: Device) -> Callable[[str, Config], bool]:
    """Return what tells whether a configuration can compute a product on a device."""

    def can(name: str, config: Config) -> bool:
        try:
            fitted(guess(name, config), product, device)
        except ValueError:
            return False
        return True

    return can


def expected(candidate: Candidate, product: Product, device: Device) -> Config:
    """Return a candidate's configuration. Raises ValueError when it cannot compute the product, or slower than PyTorch."""
    if candidate is UNKNOWN:
        raise ValueError("no configuration that was measured on a shape like this should come near it")
    gap = distance(product.problem.sizes, candidate.sizes, WEIGHTS)
    if gap > NEAR:
        raise ValueError(f"its shape is {gap:.1f} away")
    config = _neighbour(candidate, product, device)
    if candidate.origin is not Origin.PRESET or candidate.implementation == PEER:
        return config
    there, ratio_there, time_s = _measured(candidate)
    if ratio_there > 1 and (candidate.sizes["epilogue"] == "none") != (product.epilogue == "none"):
        ratio_there = 1.0  # what fusing saved, or what there was to save, says nothing about the other
    work = Work(product.m, product.n, product.k)
    if not work.whole_lines:
        ratio_there = min(ratio_there, 1.0)  # fused, 2049x3304x1096: 0.63, results/nvidia-h200-2026-11-22/untuned.json
    ratio_here = ratio(candidate.implementation, config, (there, ratio_there), work, device.compute_units)
    if work != there:  # where the library was poor there, it need not be so here
        ours_s = time_s * work.best_s / there.best_s
        ours_s *= ratio(candidate.implementation, config, (work, 1.0), there, device.compute_units)
        ratio_here = min(ratio_here, peer_s(work, device.compute_units, fused=_fused(product)) / ours_s)
    if ratio_here < (LEAST if product.op == candidate.sizes["op"] else UNMEASURED):
        raise ValueError(f"{ratio_here:.2f} of PyTorch's speed is expected of it here")
    return config


def _neighbour(candidate: Candidate, product: Product, device: Device) -> Config:
    """Return a candidate's configuration. Raises ValueError when it cannot compute the product, or wastes more of its tiles there."""
    config, sizes = fitted(candidate, product, device), candidate.sizes
    if candidate.implementation == PEER:
        return config
    there, here = Work(*(int(sizes[name]) for name in "mnk")), Work(product.m, product.n, product.k)
    if reads_again(config, there, here):
        raise ValueError("its tiles lie in other rows here, each of which reads the weights again")
    if half_empty(config, there, here):
        raise ValueError("its tiles would be half empty here, and were not where it was measured")
    return config


def guess(kind: str, config: Config) -> Candidate:
    """Return a configuration that nobody measured there as a candidate."""
    source = f"the kernel {kind}, of whose speed at this shape nobody knows"
    return Candidate(origin=Origin.START, implementation=kind, config=config, sizes=Record(), source=source)


def _measured(candidate: Candidate) -> tuple[Work, float, float]:
    """Return the shape, the ratio and the seconds of the table's row that a candidate was made of."""
    sizes = candidate.sizes
    shape = tuple(int(sizes[name]) for name in "mnk")
    row = next(row for _, row in TABLE if row.shape == shape and row.epilogue == sizes["epilogue"])
    return Work(*row.shape), row.ratio, 1e-6 * row.time_us


def _usable(candidate: Candidate, product: Product) -> bool:
    """Tell whether a winner of the store says something about a product: the same width of type, and a kernel for it."""
    wide = product.dtype not in DTYPES
    if candidate.sizes["dtype"] != product.dtype and (wide or candidate.sizes["dtype"] not in DTYPES):
        return False
    if candidate.implementation == TILE:
        return bool(product.op)
    return candidate.implementation in SHIPPED and not product.narrow


def narrowness(
    *, dtype: str, sizes: tuple[int, int, int], function: str, scaled: bool, loose: str
) -> str:  # fmt: skip
    """Return why the table's kernels cannot compute a product, or an empty text; `loose` names an operand they cannot read."""
    m, n, k = sizes
    if dtype not in DTYPES:
        return f"the kernels take {' and '.join(DTYPES)}, not {dtype}"
    if max(sizes) >= 1 << 31 or m * k >= 1 << 40 or k * n >= 1 << 40:
        return "the sizes exceed the kernels' 32-bit indices"
    if scaled:
        return "the kernels have no alpha, beta and c"
    if function not in ACTIVATIONS:
        return f"the kernels have no {function}"
    if n % ALIGNED:
        return f"n={n} must be a multiple of {ALIGNED} for copies of 16 bytes"
    if loose:
        return f"{loose} lies neither by rows nor by columns at multiples of 16 bytes"
    return ""


def fitted(candidate: Candidate, product: Product, device: Device) -> Config:
    """Return a candidate's configuration. Raises ValueError when its kernel cannot compute the product there."""
    kind, config = candidate.implementation, candidate.config
    if kind == PEER:
        return config
    if kind == TILE:
        tiles.refuse_device(device)  # the tile runs elsewhere, too, but nobody measured that here
    elif kind == "hopper" and product.m <= _WARP_GROUP_ROWS:
        raise ValueError(f"{product.m} rows do not fill two warp groups")
    elif kind == CLUSTER and not product.compiled:
        raise ValueError("CUDA C++ cannot be compiled in this process")
    Variant(KERNEL.implementation(kind), config).program(product.tight, device)
    return config


def _in_terms(candidate: Candidate) -> Candidate:
    """Return a winner with the sizes of its problem in the terms in which shapes are compared here."""
    sizes = candidate.sizes
    named = {name: sizes[name] for name in ("m", "n", "k", "dtype", "epilogue")}
    usual: dict[str, str] = {"op": str(sizes.get("op", "nn")), "c": "read" if sizes.get("beta", 0.0) else "written"}
    if sizes.get("layout", "row") == "col":  # its row-major mirror image
        named |= {"m": sizes["n"], "n": sizes["m"]}
        usual["op"] = usual["op"][::-1]
    return replace(candidate, sizes=Record(named | usual))


def candidate_of(name: str, row: Row, product: Product) -> Candidate:
    """Return a row of the table as a candidate: cuBLAS itself where it was measured to be faster at the same task."""
    alike = (row.epilogue == "none") == (product.epilogue == "none")
    lost = alike and row.ratio < 1 - MARGIN
    evidence = f"shipped table, H200: {name} {row.time_us:g} µs, {row.ratio:.3f} of PyTorch's speed"
    return Candidate(
        origin=Origin.PRESET,
        implementation=PEER if lost else name,
        config=Config() if lost else row.config,
        sizes=Product(row.m, row.n, row.k, "bfloat16", row.epilogue).problem.sizes,
        source=f"{evidence}, so PyTorch's own runs" if lost else evidence,
    )
