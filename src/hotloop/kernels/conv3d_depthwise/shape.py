"""The sizes of one depthwise convolution as numbers, and what follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENT_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


@dataclass(frozen=True, slots=True)
class Shape:
    """One depthwise convolution, with PyTorch's meaning of every size."""

    n: int
    c: int
    size: tuple[int, int, int]
    """Input depth, height and width in elements."""
    kernel: tuple[int, int, int]
    padding: tuple[int, int, int] = (0, 0, 0)
    stride: tuple[int, int, int] = (1, 1, 1)
    dilation: tuple[int, int, int] = (1, 1, 1)
    multiplier: int = 1
    dtype: str = "bfloat16"
    channels_last: bool = False
    bias: bool = False
    """An element of each output channel is added to its sums."""

    @property
    def output(self) -> tuple[int, int, int]:
        """Output depth, height and width."""
        d, h, w = (
            (size + 2 * pad - dilation * (kernel - 1) - 1) // stride + 1
            for size, pad, dilation, kernel, stride in zip(
                self.size, self.padding, self.dilation, self.kernel, self.stride, strict=True
            )
        )
        return d, h, w

    @property
    def outputs(self) -> int:
        """Output elements."""
        d, h, w = self.output
        return self.n * self.c * self.multiplier * d * h * w

    @property
    def flops(self) -> int:
        """Two per tap and output, taps on padding included."""
        return 2 * self.outputs * self.kernel[0] * self.kernel[1] * self.kernel[2]

    @property
    def compulsory_bytes(self) -> int:
        """Input, weights and bias read once, output written once."""
        d, h, w = self.size
        taps = self.c * self.multiplier * self.kernel[0] * self.kernel[1] * self.kernel[2]
        added = self.c * self.multiplier if self.bias else 0
        return (self.n * self.c * d * h * w + taps + added + self.outputs) * ELEMENT_BYTES[self.dtype]

    @property
    def dense(self) -> bool:
        """Stride and dilation 1, one output per input channel, channels first: what the tuned rungs take."""
        plain = self.stride == (1, 1, 1) and self.dilation == (1, 1, 1)
        return plain and self.multiplier == 1 and not self.channels_last


VIDEO = Shape(1, 512, (61, 45, 80), (3, 5, 5), (0, 2, 2))
"""The reported problem: a video model's depthwise convolution."""


def blocks_of(extent: int, block: int) -> int:
    """Return how many blocks cover an extent."""
    return -(-extent // block)
