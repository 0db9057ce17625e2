"""Descriptions of matrices for the copy engine of NVIDIA's GPUs from compute capability 9.0 on, as kernels in CUDA C++ take them.

Source: NVIDIA, CUDA Driver API reference manual, Tensor Map Object Management.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from hotloop.drivers.api import DriverError
from hotloop.drivers.configured import library

if TYPE_CHECKING:
    from hotloop.model.program import Tiled

MAP_BYTES = 128
"""Size of a ``CUtensorMap``."""
_ALIGNMENT_BYTES = 64
"""Of the memory that a map is written into."""
_ELEMENT_BYTES = 2
_TYPES = {"float16": 6, "bfloat16": 9}
"""``CUtensorMapDataType``."""
_NOT_INTERLEAVED, _SWIZZLE_128_BYTES, _PROMOTE_128_BYTES, _ZEROS_OUTSIDE = 0, 3, 2, 0


def encoded(tiled: Tiled, address: int) -> bytes:
    """Return the map of a matrix at an address. Raises DriverError where the driver refuses it."""
    memory = ctypes.create_string_buffer(MAP_BYTES + _ALIGNMENT_BYTES)
    start = -(-ctypes.addressof(memory) // _ALIGNMENT_BYTES) * _ALIGNMENT_BYTES
    (rows, columns), (box_rows, box_columns) = tiled.extents, tiled.box
    status = library().cuTensorMapEncodeTiled(
        ctypes.c_void_p(start), _TYPES[tiled.dtype], 2, ctypes.c_void_p(address), (ctypes.c_uint64 * 2)(columns, rows),
        (ctypes.c_uint64 * 1)(tiled.pitch * _ELEMENT_BYTES), (ctypes.c_uint32 * 2)(box_columns, box_rows),
        (ctypes.c_uint32 * 2)(1, 1), _NOT_INTERLEAVED, _SWIZZLE_128_BYTES, _PROMOTE_128_BYTES, _ZEROS_OUTSIDE,
    )  # fmt: skip
    if status:
        raise DriverError(f"the matrix {tiled.name} cannot be described to the copy engine (error {status})")
    return ctypes.string_at(start, MAP_BYTES)
