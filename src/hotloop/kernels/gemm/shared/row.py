"""A configuration of the 16-bit kernels that won at a shape on a card, with its evidence.

Measured 2026-11-22 on one NVIDIA H200 (driver 580.159, PyTorch 2.11, CUDA 13.0, Triton 3.6) in CUDA graphs of back-to-back calls,
3 to 8 interleaved rounds with the peer, inputs beyond the second-level cache; each result was checked against float64. Where two
runs chose the same, the ratio is the mean of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Preset
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET = "sm_90"
"""Processor on which the rows were measured."""
_MACHINE = "NVIDIA H200, driver 580.159, Triton 3.6, 2026-11-22"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The fastest of the configurations that were tried on a shape; all operands are row-major bfloat16."""

    m: int
    n: int
    k: int
    epilogue: str
    """Fused operations, in the family's words: ``none`` or ``bias-gelu-erf``."""
    config: Config
    time_us: float
    """Median of one call."""
    ratio: float
    """Peer's time over this one's, median of rounds: cuBLAS; with GELU ``F.gelu(F.linear(x, w, b))`` in eager PyTorch."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return m, n and k."""
        return self.m, self.n, self.k

    @property
    def sizes(self) -> Record:
        """Return the sizes of the problem that was measured."""
        return DEFAULT.sizes.replace(m=self.m, n=self.n, k=self.k, dtype="bfloat16", epilogue=self.epilogue)

    def preset(self, implementation: str) -> Preset:
        """Return the row as a configuration that the family ships."""
        name = "x".join(map(str, self.shape))
        evidence = f"{_MACHINE}: {self.time_us:g} µs, {self.ratio:.3f} of PyTorch's speed at {name} {self.epilogue}"
        return Preset(
            config=self.config, implementation=implementation, target=TARGET, sizes=self.sizes, evidence=evidence
        )


def table(text: str) -> tuple[Row, ...]:
    """Return the rows of a table in text: a line of headings, then a line for each row.

    The first six columns are those of `Row`; the headings of the others are the configuration's parameters.

    >>> table('''
    ...    m     n     k  epilogue    us  ratio  BM  BN
    ...    1  4096  4096      none  10.8  1.151  16  64
    ... ''')[0].config
    Config(BM=16, BN=64)
    """
    heads, *lines = (line.split() for line in text.strip().splitlines())
    return tuple(_row(heads, cells) for cells in lines)


def _row(heads: Sequence[str], cells: Sequence[str]) -> Row:
    m, n, k, epilogue, time_us, ratio, *values = cells
    config = Config(dict(zip(heads[-len(values) :], map(int, values), strict=True)))
    return Row(
        m=int(m), n=int(n), k=int(k), epilogue=epilogue, config=config, time_us=float(time_us), ratio=float(ratio)
    )
