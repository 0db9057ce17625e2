"""A configuration of the 16-bit kernels that won at a shape on a card, with its evidence.

Measured 2026-11-22 on one NVIDIA H200 (driver 580.159, PyTorch 2.11, CUDA 13.0, Triton 3.6) in CUDA graphs of back-to-back calls,
3 to 8 interleaved rounds with the peer, inputs beyond the second-level cache; each result was checked against float64. Where two
runs chose the same, the ratio is the mean of both.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.kernel import Preset
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET = "sm_90"
"""What the rows were measured on."""
_MACHINE = "NVIDIA H200, driver 580.159, Triton 3.6, 2026-11-22"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The fastest of the configurations that were tried on a shape; all operands are row-major bfloat16."""

    m: int
    n: int
    k: int
    epilogue: str = "none"
    """What is fused, in the family's words: ``none`` or ``bias-gelu-erf``."""
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
