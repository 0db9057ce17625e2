"""What was measured: configurations of the rule beside PyTorch's `_scaled_mm` on an H200.

2026-11-22, PyTorch 2.11 (CUDA 13.0), Triton 3.6: 8 interleaved rounds of CUDA graphs of back-to-back calls, inputs rotated beyond
the second-level cache, outputs judged against float64 before and after (`results/nvidia-h200-2026-11-22/gemm-fp8.json`).
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.gemm_fp8.gluon import GLUON
from hotloop.kernels.gemm_fp8.problem import DEFAULT
from hotloop.kernels.gemm_fp8.rule import EXACT, FAST, FEW
from hotloop.kernels.gemm_fp8.triton import TRITON
from hotloop.model.kernel import Implementation, Preset
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET = "sm_90"
_MACHINE = "NVIDIA H200, PyTorch 2.11, Triton 3.6, 2026-11-22"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One configuration on one shape."""

    implementation: Implementation
    config: Config
    sizes: Record
    """Sizes of the problem, as far as they differ from the family's default ones."""
    time_us: float
    """Median of a call."""
    ratio: float
    """Time of `_scaled_mm` with the same way of adding, followed by the activation, over this one's: median of rounds."""

    @property
    def preset(self) -> Preset:
        """The row as the loop and the operators read it."""
        return Preset(
            config=self.config,
            implementation=self.implementation.name,
            target=TARGET,
            sizes=DEFAULT.sizes.replace(**self.sizes),
            evidence=f"{_MACHINE}: {self.time_us:g} µs, {self.ratio:.2f} of PyTorch's _scaled_mm",
        )


def _few(
    m: int, n: int, k: int, config: Config, exact: tuple[float, float], fast: tuple[float, float]
) -> tuple[Row, ...]:
    """Return the rows of one configuration with both ways of adding; each has time in µs and ratio."""
    return tuple(
        Row(implementation=TRITON, config=config, sizes=Record(m=m, n=n, k=k, fast_accum=way), time_us=us, ratio=ratio)
        for way, (us, ratio) in ((False, exact), (True, fast))
    )


def _hopper(
    m: int, n: int, k: int, exact: tuple[float, float], fast: tuple[float, float], epilogue: str = "none"
) -> tuple[Row, ...]:
    sizes = Record(m=m, n=n, k=k, epilogue=epilogue)
    return (
        Row(implementation=GLUON, config=EXACT, sizes=sizes, time_us=exact[0], ratio=exact[1]),
        Row(implementation=GLUON, config=FAST, sizes=sizes.replace(fast_accum=True), time_us=fast[0], ratio=fast[1]),
    )


ROWS = (
    *_few(1, 8192, 8192, FEW, exact=(18.54, 1.032), fast=(18.34, 1.042)),
    *_few(16, 4096, 4096, FEW.replace(SPLITS=2), exact=(7.21, 0.953), fast=(7.08, 0.992)),
    *_few(64, 8192, 8192, FEW.replace(BM=64), exact=(20.62, 1.023), fast=(19.95, 1.043)),
    *_hopper(256, 14336, 4096, exact=(32.32, 0.929), fast=(31.9, 0.884)),
    *_hopper(2048, 2048, 2048, exact=(16.64, 1.045), fast=(16.1, 1.007)),
    *_hopper(4096, 4096, 4096, exact=(115.94, 1.018), fast=(109.85, 1.024)),
    *_hopper(8192, 8192, 8192, exact=(913.25, 0.929), fast=(837.12, 1.036)),
    *_hopper(256, 14336, 4096, exact=(34.35, 1.117), fast=(34.19, 1.065), epilogue="bias-gelu-erf"),
    *_hopper(4096, 4096, 4096, exact=(120.9, 1.203), fast=(116.94, 1.133), epilogue="bias-gelu-erf"),
)
PRESETS = tuple(row.preset for row in ROWS)
