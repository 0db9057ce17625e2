"""Attention forward on PyTorch tensors: the Gluon kernel on Hopper, plain Triton elsewhere.

Imports PyTorch and Triton when called, not before.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, import-not-found, import-untyped, no-any-return"
# ruff: noqa: ANN401, FBT001, FBT003 - tensors have no type here, and whoever needs PyTorch's own imports it
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.kernels.attention.plan import FEW, ROWS, SIZES, Config, Plain, config_for, pieces

if TYPE_CHECKING:
    from typing import Any

    Tensor = Any

HOPPER = 9
"""Major compute capability that has ``wgmma``; later ones do not."""


def attend(
    q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, scale: float | None = None, shift: int = 0,
    want_lse: bool = False, config: Config | None = None,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Return softmax(Q·Kᵀ·scale + mask)·V and, when asked for, the logarithm of each row's sum.

    q is [batch, heads, length, size] in bfloat16 or float16 on a CUDA device with any strides whose last is 1; k and v have
    their own length and a number of heads that divides q's. The output has q's form; the logarithms are float32
    [batch, heads, length]. `scale` is positive, 1/sqrt(size) when None. With `causal`, query i sees the keys up to i + shift;
    rows that see none give zeros and minus infinity. `config` is for tuning. There is no backward pass.

    Raises:
        UsageError: shapes or types do not fit together, or a size that the kernels do not have.
    """
    _check(q, k, v, scale)
    import torch

    if k.shape[1] == 0 or q.shape[1] % k.shape[1]:
        raise UsageError(
            f"{q.shape[1]} heads of queries are no multiple of {k.shape[1]} heads of keys: give equal groups."
        )
    scale = float(q.shape[3] ** -0.5 if scale is None else scale)
    o = torch.empty_like(q, memory_format=torch.preserve_format)
    lse = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device) if want_lse else None
    if o.numel() == 0:
        return o, lse
    if k.shape[2] == 0:
        return o.zero_(), None if lse is None else lse.fill_(float("-inf"))
    if _is_hopper(q.device):
        few = config or FEW[q.shape[3]]
        sees_all = not causal or shift >= k.shape[2] - 1
        if sees_all and q.is_contiguous() and q.shape[2] * (q.shape[1] // k.shape[1]) <= few.rows:
            _few(q, k, v, o, lse, scale, few)
            return o, lse
        hopper(q, k, v, o, lse, None, None, q.shape[0], q.shape[2], k.shape[2], causal, scale, shift, config)
    elif shift and causal:
        raise UsageError("a shifted causal mask needs a Hopper GPU: slice the keys, or call without shift.")
    else:
        plain(q, k, v, o, lse, causal, scale)
    return o, lse


def _few(q: Tensor, k: Tensor, v: Tensor, o: Tensor, lse: Tensor | None, scale: float, config: Config) -> None:
    """Compute few queries that see all keys: heads of a group are rows of one tile, and keys are cut into pieces."""
    import torch
    import triton

    from hotloop.kernels.attention.triton import kernel as jit

    batch, heads, _, size = q.shape
    folded = (batch, k.shape[1], q.shape[2] * (heads // k.shape[1]))
    q, o, lse = q.view(*folded, size), o.view(*folded, size), None if lse is None else lse.view(folded)
    units = _units(q.device)
    split = pieces(batch * k.shape[1], -(-k.shape[2] // config.keys), units)
    if split == 1:
        hopper(q, k, v, o, lse, None, None, batch, q.shape[2], k.shape[2], False, scale, 0, config)
        return
    parts = torch.empty((batch, k.shape[1] * split, q.shape[2], size), dtype=q.dtype, device=q.device)
    logs = torch.empty(parts.shape[:3], dtype=torch.float32, device=q.device)
    hopper(q, k, v, parts, logs, None, None, batch, q.shape[2], k.shape[2], False, scale, 0, config, split)
    with torch.cuda.device(q.device):
        jit.combine[(batch * k.shape[1], q.shape[2])](
            parts, logs, o, lse, q.shape[2], split, WIDTH=triton.next_power_of_2(split), D=size, LSE=lse is not None,
            num_warps=1 if split * size <= 1024 else 4,
        )  # fmt: skip


def attend_packed(
    q: Tensor, k: Tensor, v: Tensor, starts_q: Tensor, starts_k: Tensor, longest_q: int, longest_k: int, *,
    causal: bool = False, scale: float | None = None, shift: int = 0, want_lse: bool = False, config: Config | None = None,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    """Return attention of sequences of different lengths that lie one after the other; Hopper only.

    q is [rows, heads, size], k and v [rows of keys, kv heads, size]; ``starts`` are int32 [sequences + 1] on the device, the
    first row of each sequence and the end; ``longest`` are at least the longest lengths. Logarithms are [heads, rows].
    Rows after a sequence's end are read and given weight zero: keep NaN and infinity out of other sequences' values.

    Raises:
        UsageError: shapes or types do not fit together, or the device is no Hopper GPU.
    """
    import torch

    if q.dim() != 3 or k.dim() != 3 or starts_q.dtype != torch.int32 or starts_k.dtype != torch.int32:
        raise UsageError(
            "packed attention takes q, k, v of [rows, heads, size] and starts in int32: reshape or convert."
        )
    if starts_q.shape != starts_k.shape or starts_q.dim() != 1:
        raise UsageError(
            f"starts of {tuple(starts_q.shape)} and {tuple(starts_k.shape)} differ: give sequences + 1 of each."
        )
    wide_q, wide_k, wide_v = (x.transpose(0, 1).unsqueeze(0) for x in (q, k, v))
    _check(wide_q, wide_k, wide_v, scale)
    if not _is_hopper(q.device):
        raise UsageError("packed attention needs a Hopper GPU: call `attend` for each sequence.")
    scale = float(q.shape[2] ** -0.5 if scale is None else scale)
    o = torch.empty_like(q)
    lse = torch.empty((q.shape[1], q.shape[0]), dtype=torch.float32, device=q.device) if want_lse else None
    wide_o = o.transpose(0, 1).unsqueeze(0)
    sequences = starts_q.shape[0] - 1
    if o.numel() and k.shape[0] and sequences:
        hopper(
            wide_q, wide_k, wide_v, wide_o, lse, starts_q, starts_k, sequences, longest_q, longest_k,
            causal, scale, shift, config,
        )  # fmt: skip
    return o, lse


def _check(q: Tensor, k: Tensor, v: Tensor, scale: float | None) -> None:
    if q.dim() != 4 or k.dim() != 4 or k.shape != v.shape or q.shape[0] != k.shape[0] or q.shape[3] != k.shape[3]:
        shapes = ", ".join(str(tuple(x.shape)) for x in (q, k, v))
        raise UsageError(f"q, k, v of {shapes} do not fit together: give [batch, heads, length, size], k and v alike.")
    if str(q.dtype) not in ("torch.bfloat16", "torch.float16") or q.dtype != k.dtype or q.dtype != v.dtype:
        raise UsageError(f"types {q.dtype}, {k.dtype}, {v.dtype}: convert all three to bfloat16 or float16.")
    if not q.is_cuda or q.device != k.device or q.device != v.device:
        raise UsageError("q, k and v are not on one CUDA device: move them.")
    if q.shape[3] not in SIZES:
        raise UsageError(
            f"head size {q.shape[3]} is not one of {', '.join(map(str, SIZES))}: pad with zeros, and give scale."
        )
    if scale is not None and not scale > 0:
        raise UsageError(f"scale={scale} is not positive: negate the queries instead.")


def hopper(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, lse: Tensor | None, starts_q: Tensor | None, starts_k: Tensor | None,
    sequences: int, length_q: int, length_k: int, causal: bool, scale: float, shift: int, config: Config | None,
    split: int = 1,
) -> Any:  # fmt: skip
    """Launch the Gluon kernel on checked tensors and return Triton's compiled kernel; arguments as in `attend_packed`.

    With `split` above 1, o and lse have so many heads for each head of q, one for each piece of the keys.
    """
    import torch

    from hotloop.kernels.attention.gluon import kernel as gluon

    heads, size = q.shape[1] * split, q.shape[3]
    config = config or config_for(size)
    tiles = -(-length_q // config.rows) * heads * sequences
    programs, dynamic = tiles, False
    if config.resident:
        programs = min(tiles, _units(q.device))
        dynamic = tiles > programs
    packed = starts_q is not None
    counter = torch.zeros(1, dtype=torch.int32, device=q.device) if dynamic else None
    with torch.cuda.device(q.device):
        return gluon.forward[(programs,)](
            _descriptor(q, ROWS), _descriptor(k, config.keys), _descriptor(v, config.keys), _descriptor(o, ROWS),
            o if packed else None, o.stride(1) if packed else None, o.stride(2) if packed else None,
            lse, None if lse is None else lse.stride(-2), counter, starts_q, starts_k,
            scale, sequences, heads, q.shape[1] // k.shape[1], length_q, length_k, shift,
            ROWS=ROWS, GROUPS=config.groups, BN=config.keys, D=size, STAGES=config.stages, BAND=config.band,
            OVERLAP=config.overlap, STAGGER=config.stagger, CAUSAL=causal, VARLEN=packed, LSE=lse is not None,
            SHARE=config.share, DYNAMIC=dynamic, REGISTERS=config.registers, SPARE=config.spare, CUT=split > 1,
            split=split, num_warps=4, enable_fp_fusion=True,
        )  # fmt: skip


def _descriptor(x: Tensor, rows: int) -> Any:
    """Return a descriptor with blocks of `rows` rows; the copy engine wants steps of 16 bytes."""
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    steps, size = x.stride(), x.element_size()
    if steps[3] != 1 or x.data_ptr() % 16 or any(step * size % 16 for step in steps[:3]):
        raise UsageError(f"strides {steps} or the start are no multiples of 16 bytes: make the tensor contiguous.")
    block = [1, 1, rows, x.shape[3]]
    return TensorDescriptor(x, list(x.shape), list(steps), block, _layout(rows, x.shape[3], str(x.dtype)))


@cache
def _layout(rows: int, size: int, dtype: str) -> Any:
    """Return how a block lies in shared memory."""
    from triton.experimental.gluon import language as gl

    element = gl.bfloat16 if dtype == "torch.bfloat16" else gl.float16
    return gl.NVMMASharedLayout.get_default_for([1, 1, rows, size], element)


@cache
def _units(device: Any) -> int:
    """Return the multiprocessors of a device."""
    import torch

    return int(torch.cuda.get_device_properties(device).multi_processor_count)


@cache
def _is_hopper(device: Any) -> bool:
    import torch

    return bool(torch.cuda.get_device_capability(device)[0] == HOPPER)


def plain(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, lse: Tensor | None, causal: bool, scale: float, config: Plain | None = None
) -> Any:  # fmt: skip
    """Launch the Triton kernel on checked tensors and return Triton's compiled kernel."""
    import torch
    from triton.tools.tensor_descriptor import TensorDescriptor

    from hotloop.kernels.attention.triton import kernel as jit

    batch, heads, length, size = q.shape
    config = config or (Plain() if size < 256 else Plain(rows=64, keys=32))
    rows, keys = config.rows, config.keys

    def descriptor(x: Tensor, block: int) -> Any:
        return TensorDescriptor(x, list(x.shape), list(x.stride()), [1, 1, block, size])

    with torch.cuda.device(q.device):
        return jit.forward[(-(-length // rows), batch * heads)](
            descriptor(q, rows), descriptor(k, keys), descriptor(v, keys), descriptor(o, rows), lse,
            scale, heads, heads // k.shape[1], length, k.shape[2],
            BM=rows, BN=keys, D=size, CAUSAL=causal, LSE=lse is not None, KEEP=config.keep, EXIT=config.exit,
            num_warps=config.warps, num_stages=config.stages, enable_fp_fusion=True,
        )  # fmt: skip
