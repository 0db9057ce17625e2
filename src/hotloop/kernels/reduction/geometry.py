"""The CUDA and HIP form of the row reductions: macros and launch geometry from a shape alone; the C++ is ``cuda/rows.cuh``."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels._text import ELEMENTS

OPERATIONS = ("sum", "max", "softmax", "rmsnorm", "layernorm")
"""Position is the source's OP macro."""
ELEMENT_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
ACCESS_BYTES = 16
"""Largest access of one thread."""
HELD_MOST = 64
"""Values of a row that one thread keeps in registers: half of what 128 registers give."""
_PACKED = 8
"""Elements of a vector of 16-bit numbers, which is kept as it came."""
_NEIGHBOURS = 32
"""Threads that read 16 bytes each make a whole coalesced access: CUDA's programming guide, device memory accesses."""
_BLOCK = 128
"""Threads of a block that short rows share."""
_PAIRS_MOST = 2 * _PACKED * 1024
"""Longest row of which 1024 threads have two vectors each."""
_SIXTEEN_LEAST = 7 * 2048
"""Longest row of softmax of which 128 threads keep at most 14 vectors of 16-bit numbers each."""
_REREAD_LEAST = 7 * 4096
"""Rows that are longer would give 512 threads 64 values each, or more."""
_REREAD_MOST = {"softmax": 65536, "rmsnorm": 32768}
"""Longest rows that are read anew for each pass; 264 such rows, two of each multiprocessor, fit the H200's second-level cache."""


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
    width: int = 0
    """Elements of one access; 0 chooses."""
    hold: int = -1
    """0 reads a row once per pass, 1 keeps it in registers as float32, 2 as it came; -1 chooses."""
    stream: int = -1
    """1 tells the caches which lines are read again (NVIDIA); -1 chooses."""
    early: int = -1
    """1 loads scale and shift with the row, before the sums that they wait for anyway; -1 chooses."""
    crowd: int = -1
    """1 leaves registers for 2048 threads of a multiprocessor (NVIDIA); -1 chooses."""

    @property
    def vector(self) -> int:
        """Elements of one access: the largest power of two that divides a row, at most 16 bytes."""
        if self.width:
            return self.width
        most = ACCESS_BYTES // ELEMENT_BYTES[self.dtype]
        return next(width for width in (8, 4, 2, 1) if width <= most and self.columns % width == 0)

    @property
    def sharing(self) -> int:
        """Threads per row: up to 16 read one vector each, up to 64 two, 128 four, then eight; of RMS norm two throughout.

        On an H200, 8192 rows of 16384 bfloat16: softmax 135 µs with 256 threads, 143 with 512, 278 with 1024. RMS norm of 4096
        rows, scale loaded with the row: 8192 elements 33.3 µs with 512 threads, 33.7 with 256; 16384 elements 65.1 with 1024,
        66.3 with 256.
        """
        if self.lanes:
            return self.lanes
        vectors = self.columns // self.vector
        powers = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
        if self._reread:
            return powers[-1]
        return next((lanes for lanes in powers if vectors <= lanes * self._vectors_each(lanes)), powers[-1])

    @property
    def _reread(self) -> bool:
        return self.vector == _PACKED and _REREAD_LEAST < self.columns <= _REREAD_MOST.get(self.operation, 0)

    def _vectors_each(self, lanes: int) -> int:
        if lanes < _NEIGHBOURS:
            return 1
        if self.operation == "rmsnorm" and self.vector == _PACKED and self.columns <= _PAIRS_MOST:
            return 2
        if self.operation == "softmax" and self.vector == _PACKED and lanes == _BLOCK and self.columns > _SIXTEEN_LEAST:
            return 16  # 4096 rows of 16384 elements: 66.7 µs with 128 threads, 69.0 with 256
        if lanes == 4 * _BLOCK and self.vector == _PACKED:
            return 16  # RMS norm of 65536 elements: 260 µs with 512 threads
        return 2 if lanes < _BLOCK else 4 if lanes == _BLOCK else 8

    @property
    def per_block(self) -> int:
        """Rows of a block.

        On an H200, softmax of 4096 rows of 1024 bfloat16: 5.78 µs with a row of 64 threads in each block, 5.95 with two.
        """
        alone = self.sharing == _BLOCK // 2 and self.operation in ("softmax", "rmsnorm")
        return 1 if alone and not self.block else max(1, (self.block or _BLOCK) // self.sharing)

    @property
    def _each(self) -> int:
        """Vectors of a thread."""
        return -(-(self.columns // self.vector) // self.sharing)

    @property
    def held(self) -> int:
        """How a thread's part of a row stays in registers, as in `hold`.

        On an H200, 4096 rows of 32768 bfloat16, read anew for each pass by 1024 threads, which leaves room for two rows in a
        multiprocessor, against the best form in registers: RMS norm 129 µs against 134, softmax 129 against 136; softmax of
        65536 elements 273 against 315.
        """
        if self.hold >= 0:
            return self.hold
        if self._reread and self.sharing == 8 * _BLOCK:
            return 0
        values = self._each * self.vector
        if values > HELD_MOST:
            roomy = self.sharing <= 4 * _BLOCK  # more threads have 64 registers each, which that would fill
            return 2 if self.vector == _PACKED and values <= 2 * HELD_MOST and roomy else 0
        # Softmax of 32768 elements with 512 threads: two blocks fit instead of one.
        tight = self.operation == "softmax" and values == HELD_MOST and self.sharing > 2 * _BLOCK
        return 2 if tight and self.vector == _PACKED else 1

    @property
    def streamed(self) -> int:
        """Whether the caches are told which lines are read again, as in `stream`.

        On an H200, 4096 rows of bf16, RMS norm: 65536 elements 304 µs against 405 without; 32768 elements, read twice by 1024
        threads, 129 against 134, held by 512 threads 139 against 135, the one case where it cost.
        """
        if self.stream >= 0:
            return self.stream
        if not self.held:
            return int(self._reread)
        return int(not (self.held == 1 and self.sharing == 4 * _BLOCK and self._each > 2))

    @property
    def ahead(self) -> int:
        """Whether scale and shift are loaded with the row, as in `early`.

        On an H200, RMS norm of 4096 rows of 1024 bf16: 5.6 µs against 5.9; layer norm of 32768 rows of 4096, four vectors each,
        129 against 133, but of 131072 rows of 1024, two vectors each, 128.9 against 128.1.
        """
        if self.early >= 0:
            return self.early
        if self.operation == "layernorm":
            return int(self.held == 1 and self._each == 4)
        return int(self.operation == "rmsnorm" and self.held == 1 and self._each <= 2)

    @property
    def crowded(self) -> int:
        """Whether registers are left for 2048 threads of a multiprocessor, as in `crowd`.

        On an H200, RMS norm of 4096 rows of bf16: without, 1024 elements took 6.2 µs instead of 5.6, as 4096 rows of 64 threads
        were not resident all at once; 4096 elements 18.8 with and 18.4 without.
        """
        if self.crowd >= 0:
            return self.crowd
        if self.vector != _PACKED or self.sharing not in (_BLOCK // 2, 4 * _BLOCK, 8 * _BLOCK):
            return 0
        return int(self._reread if not self.held else self.operation == "rmsnorm" and bool(self.ahead))

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
            "EARLY": self.ahead,
            "CROWD": self.crowded,
            "EPSILON": f"{self.epsilon!r}f",
        }
        return tuple(f"-D{name}={value}" for name, value in macros.items())
