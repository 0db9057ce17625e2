"""The CUDA and HIP form of the row reductions: macros and launch geometry from a shape alone.

Needs the standard library only, so scripts on a machine without hotloop's dependencies can load this file by its path.
The C++ is ``sources/rows.cuh``.
"""

from __future__ import annotations

from dataclasses import dataclass

OPERATIONS = ("sum", "max", "softmax", "rmsnorm", "layernorm")
"""Position is the source's OP macro."""
ELEMENTS = {"float32": 0, "bfloat16": 1, "float16": 2}
ELEMENT_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
_ACCESS_BYTES = 16
_HELD_MOST = 64
"""Values of a row that one thread keeps in registers: half of what 128 registers give."""
_PACKED = 8
"""Elements of a vector of 16-bit numbers, which is kept as it came."""
_NEIGHBOURS = 32
"""Threads that read 16 bytes each make a whole coalesced access: CUDA's programming guide, device memory accesses."""
_BLOCK = 128
"""Threads of a block that short rows share."""


@dataclass(frozen=True, slots=True)
class Rows:
    """One launch: the operation on `rows` contiguous rows of `columns` elements."""

    operation: str
    rows: int
    columns: int
    dtype: str = "bfloat16"
    lanes: int = 0
    """Threads per row; 0 chooses."""
    epsilon: float = 1e-5
    wave: int = 32
    block: int = 0
    """Threads of a block that short rows share; 0 chooses."""
    hold: int = -1
    """0 reads a row once per pass, 1 keeps it in registers as float32, 2 as it came; -1 chooses."""
    stream: int = -1
    """1 tells the caches that no line is read again (NVIDIA); -1 chooses."""

    @property
    def vector(self) -> int:
        """Elements of one access: the largest power of two that divides a row, at most 16 bytes."""
        most = _ACCESS_BYTES // ELEMENT_BYTES[self.dtype]
        return next(width for width in (8, 4, 2, 1) if width <= most and self.columns % width == 0)

    @property
    def sharing(self) -> int:
        """Threads per row: up to 16 read one vector each, up to 64 two, 128 four, then eight.

        On an H200, 8192 rows of 16384 bfloat16: softmax 135 µs with 256 threads, 143 with 512, 278 with 1024; 4096 rows of 1024:
        5.8 µs with 64 threads in blocks of 64, 6.2 with 64 in blocks of 128, 6.8 with 32 in blocks of 256.
        """
        if self.lanes:
            return self.lanes
        vectors = self.columns // self.vector
        powers = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
        return next((lanes for lanes in powers if vectors <= lanes * self._vectors_each(lanes)), powers[-1])

    def _vectors_each(self, lanes: int) -> int:
        if lanes == 4 * _BLOCK and self.vector == _PACKED:
            return 16  # 65536 elements: 324 µs for softmax with 512 threads, 352 with 1024
        return 1 if lanes < _NEIGHBOURS else 2 if lanes < _BLOCK else 4 if lanes == _BLOCK else 8

    @property
    def per_block(self) -> int:
        """Rows of a block."""
        return max(1, (self.block or _BLOCK) // self.sharing)

    @property
    def held(self) -> int:
        """How a thread's part of a row stays in registers, as in `hold`."""
        if self.hold >= 0:
            return self.hold
        values = -(-(self.columns // self.vector) // self.sharing) * self.vector
        if values > _HELD_MOST:
            roomy = self.sharing <= 4 * _BLOCK  # more threads have 64 registers each, which that would fill
            return 2 if self.vector == _PACKED and values <= 2 * _HELD_MOST and roomy else 0
        # Softmax of 32768 elements with 512 threads: two blocks fit instead of one.
        tight = self.operation == "softmax" and values == _HELD_MOST and self.sharing > 2 * _BLOCK
        return 2 if tight and self.vector == _PACKED else 1

    @property
    def streamed(self) -> int:
        """Whether the caches are told that no line is read again, as in `stream`.

        On an H200, 4096 rows of bf16, RMS norm: 65536 elements 304 µs against 405 without, 4096 elements 18.2 against 18.7;
        32768 elements with 512 threads 142 against 134, the one case of seven where it cost.
        """
        if self.stream >= 0:
            return self.stream
        return int(self.held > 0 and not (self.held == 1 and self.sharing == 4 * _BLOCK))

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return self.sharing * self.per_block

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks."""
        return -(-self.rows // self.per_block), 1, 1

    @property
    def compulsory_bytes(self) -> int:
        """Input read once, output written once, scale and shift once."""
        written = self.rows * (1 if self.operation in ("sum", "max") else self.columns)
        parameters = self.columns * {"rmsnorm": 1, "layernorm": 2}.get(self.operation, 0)
        return (self.rows * self.columns + written + parameters) * ELEMENT_BYTES[self.dtype]

    @property
    def options(self) -> tuple[str, ...]:
        """Compiler options, ``-DNAME=VALUE``."""
        macros = {
            "OP": OPERATIONS.index(self.operation),
            "ELEM": ELEMENTS[self.dtype],
            "COLUMNS": self.columns,
            "LANES": self.sharing,
            "ROWS": self.per_block,
            "VEC": self.vector,
            "HELD": self.held,
            "STREAM": self.streamed,
            "EPSILON": f"{self.epsilon!r}f",
        }
        return tuple(f"-D{name}={value}" for name, value in macros.items())
