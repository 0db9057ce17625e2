"""What could compute a product besides what dispatch chose, and is worth a measurement when asked (`hotloop.ops.warm`)."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.dispatch.choice import Candidate, Choice, Origin
from hotloop.dispatch.select import PEER, Asked, select
from hotloop.kernels.gemm import products
from hotloop.kernels.gemm.expected import Work, efficiency, sums_us
from hotloop.kernels.gemm.products import DTYPES, TARGET, TILE, WEIGHTS, Product
from hotloop.kernels.gemm.rows import TABLE
from hotloop.kernels.gemm.shared.row import Row
from hotloop.kernels.gemm.surveyed import in_slices, shared
from hotloop.kernels.gemm.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.near import distance
from hotloop.model.space import Config

_GUESSED, _LIKELY = 4, 6
"""Rows of the table that are worth a measurement: the nearest ones, and those that should be done first here; beside them the tile in
some sizes. Of what was measured at 63 products of other shapes the expected time put the fastest first at 29, and at all 63 one of its
first four was not among the nearest (results/nvidia-h200-2026-11-24/layers-linear-untuned.jsonl.gz)."""
_TILES = (
    {"BM": 128, "BN": 128, "BK": 64, "num_warps": 8, "num_stages": 3, "GROUP": 8},
    {"BM": 64, "BN": 128, "BK": 64, "num_warps": 4, "num_stages": 4, "GROUP": 8},
    {"BM": 16, "BN": 64, "BK": 128, "num_warps": 4, "num_stages": 4, "SPLITS": 4},
)


def alternatives(product: Product, device: Device) -> tuple[Choice, ...]:
    """Return what could compute a product besides what `choose` says, and is worth a measurement."""
    if product.obstacle or not product.op:
        return ()
    asked = Asked(problem=product.problem, device=device, function="torch.matmul", weights=WEIGHTS)
    tried = [] if product.narrow or device.target != TARGET else _worth_trying(product, device)
    tried += [products.guess(TILE, _tile(product, sizes)) for sizes in _TILES if product.dtype in (*DTYPES, "float32")]
    made = (select(asked, (), candidate, lambda each: products.fitted(each, product, device)) for candidate in tried)
    unlike = dict.fromkeys((candidate.implementation, candidate.config) for candidate in tried)
    return tuple(
        candidate
        for candidate in made
        if candidate.origin is not Origin.TORCH and (candidate.implementation, candidate.config) in unlike
    )


def _worth_trying(product: Product, device: Device) -> list[Candidate]:
    """Return the kernels of the table's nearest rows, and of those that are expected to take least time, each configuration once."""
    rows = [products.candidate_of(name, row, product) for name, row in TABLE if row.config]
    near = sorted(rows, key=lambda one: distance(product.problem.sizes, one.sizes, WEIGHTS))
    pairs = dict.fromkeys((one.implementation, one.config) for one in near if one.implementation != PEER)
    nearest = [products.guess(kind, config) for kind, config in list(pairs)[:_GUESSED]]
    unlike = {(one.implementation, one.config): one for one in nearest}
    outside = shared(Work(product.m, product.n, product.k), products.fits(product, device), products.CLUSTERS)
    others = (*_likely(product, device), *(products.guess(*pair) for pair in outside))
    return list({**unlike, **{(one.implementation, one.config): one for one in others}}.values())


def _likely(product: Product, device: Device) -> list[Candidate]:
    """Return the kernels of the table that are expected to take least time, of those that can compute the product."""
    units = device.compute_units or 1
    costs = [
        (_expected_us(name, row, config, product, units), number, name, config)
        for number, (name, row) in enumerate(TABLE)
        if row.config
        for config in in_slices(name, row.config)
    ]
    chosen: dict[tuple[str, Config], Candidate] = {}
    for _, _, name, config in sorted(costs, key=lambda cost: cost[:2]):
        likely = products.guess(name, config)
        try:
            products.fitted(likely, product, device)
        except ValueError:
            continue
        chosen.setdefault((name, config), likely)
        if len(chosen) == _LIKELY:
            break
    return list(chosen.values())


def _expected_us(name: str, row: Row, config: Config, product: Product, units: int) -> float:
    """Return the time of a row's configuration, if it wastes here as whole tiles, waves and lines do and nothing else.

    `config` is the row's, or differs in its slices of k, whose sums are written and read once more.
    """
    here, there = Work(product.m, product.n, product.k), Work(*row.shape)
    before, after = efficiency(name, row.config, there, units), efficiency(name, config, here, units)
    expected = row.time_us * here.best_s / there.best_s * before / after
    return expected if config == row.config else expected + sums_us(here, int(config.get("SPLITS", 1)))


def _tile(product: Product, sizes: Mapping[str, int]) -> Config:
    """Return a configuration of the tile, in the precision that PyTorch would have."""
    wide = product.dtype == "float32"
    config = TRITON.start.replace(**sizes)
    if not wide:
        return config
    return config.replace(BK=min(32, config.integer("BK")), PRECISION="tf32" if product.fast32 else "tf32x3")
