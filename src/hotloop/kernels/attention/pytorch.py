"""PyTorch's own attention where hotloop's kernels do not serve: with logarithms of sums, and of packed sequences."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from hotloop.dispatch.arguments import evened, torch

Both = tuple[torch.Tensor, torch.Tensor]
_MOST_SCORES = 1 << 24
"""Scores that are held at once to add them up: 64 MiB in float32."""
_FLASH_SIZES = (8, 256)
"""A head size is a multiple of the first, up to the second."""
_FLASH_CAPABILITY = (8, 0)
MOST_BLOCKS = 65535
"""Batches, heads or sequences that PyTorch's kernels take at once: each is a place of the second or third dimension of a grid (CUDA
programming guide, compute capabilities; flash_fwd_launch_template.h, kernel_forward.h of PyTorch)."""
_FATAL = tuple(getattr(torch, name) for name in ("OutOfMemoryError", "AcceleratorError") if hasattr(torch, name))
"""Errors that another kernel does not help with; PyTorch has the second from 2.8 on."""


class Sequences(NamedTuple):
    """Queries, keys and values of sequences that lie one after the other."""

    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    starts_q: torch.Tensor
    starts_k: torch.Tensor
    causal: bool
    scale: float | None


def attend(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, causal: bool, scale: float | None, seen: torch.Tensor | None = None
) -> torch.Tensor:  # fmt: skip
    """Return attention of [batch, heads, length, size]; `seen` tells which keys a query sees, in place of `causal`.

    PyTorch's kernels look neither at addresses nor at all strides: with PyTorch 2.11 on an H200 uneven operands gave wrong numbers
    in 16 bits and a fault of the device in 32, so they are copied. What exceeds a grid is computed part by part.
    """
    if q.is_cuda and max(q.shape[:2]) > MOST_BLOCKS:
        return _in_parts(q, k, v, partial(attend, causal=causal, scale=scale, seen=seen))
    grouped = q.shape[1] != k.shape[1]
    q, k, v = map(evened, (q, k, v))
    ask = partial(
        torch.nn.functional.scaled_dot_product_attention,
        attn_mask=seen,
        is_causal=causal,
        scale=scale,
        enable_gqa=grouped,
    )
    return ask(q, k, v) if torch.compiler.is_compiling() else answered(ask, q, k, v)


def _in_parts(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, ask: Callable[..., torch.Tensor]) -> torch.Tensor:
    """Return attention of as many batches, or else heads of keys with their queries, at a time as a grid holds."""
    if q.shape[0] > MOST_BLOCKS:
        return torch.cat([ask(*part) for part in zip(*(x.split(MOST_BLOCKS) for x in (q, k, v)), strict=True)])
    if k.shape[1] == 1:
        return torch.cat([ask(part, k, v) for part in q.split(MOST_BLOCKS, 1)], 1)
    group = q.shape[1] // k.shape[1]
    most = max(1, MOST_BLOCKS // group)
    parts = zip(q.split(most * group, 1), k.split(most, 1), v.split(most, 1), strict=True)
    return torch.cat([ask(*part) for part in parts], 1)


def answered(ask: Callable[..., torch.Tensor], q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return what PyTorch's attention answers, from its plainest kernel where it chose one that then refuses its operands.

    With PyTorch 2.11 on an H200 that happened to single rows whose strides step nowhere, in float32 ("no kernel found to launch") and
    for groups of heads ("shape is invalid").
    """
    try:
        return ask(q, k, v)
    except _FATAL:
        raise
    except RuntimeError:
        q, k, v = (x.clone(memory_format=torch.contiguous_format) for x in (q, k, v))
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            return ask(q, k, v)


def sums_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the type of logarithms of sums."""
    return torch.promote_types(dtype, torch.float32)


class Mask(NamedTuple):
    """Which keys queries see, by their places."""

    length_q: int
    length_k: int
    causal: bool
    shift: int
    """Key at which the first query stands."""
    window: int
    """Keys nearer than that to a query's place are seen; 0: all."""
    device: torch.device

    def hidden(self, first: int, last: int) -> torch.Tensor:
        """Return which keys the queries from `first` to before `last` do not see."""
        keys = torch.arange(self.length_k, device=self.device)
        places = torch.arange(first, last, device=self.device)[:, None] + self.shift
        late = keys > places if self.causal else torch.zeros_like(keys > places)
        if not self.window:
            return late
        far = keys <= places - self.window
        return late | far if self.causal else far | (keys >= places + self.window)


def log_sums(q: torch.Tensor, k: torch.Tensor, mask: Mask, *, scale: float | None) -> torch.Tensor:
    """Return the logarithm of the sum of each query's exponentials, [batch, heads, length]; of no key minus infinity."""
    return _log_sums(q, k, scale, mask.hidden if mask.causal or mask.window else None)


def flashes(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> bool:
    """Tell whether PyTorch's flash kernel takes packed sequences."""
    step, most = _FLASH_SIZES
    return (
        q.device.type == "cuda"
        and torch.version.hip is None
        and q.dtype in (torch.float16, torch.bfloat16)
        and q.shape[2] % step == 0
        and q.shape[2] <= most
        and all(x.stride(2) == 1 for x in (q, k, v))
        and _capable(q.device)
    )


def _capable(device: torch.device) -> bool:
    """Tell whether a device has the flash kernel; for tracers a constant."""
    capability: tuple[int, int] = torch.cuda.get_device_capability(device)
    return capability >= _FLASH_CAPABILITY


_capable._dynamo_marked_constant = True  # type: ignore[attr-defined] # noqa: SLF001
"""As `torch.compiler.assume_constant_result` marks it. That imports PyTorch's compiler, which takes seconds and doubles what Python's
garbage collector walks through: pauses of 0.1 to 0.2 s, in programs that compile nothing."""


def flash(given: Sequences, longest_q: int, longest_k: int) -> Both:
    """Return attention and logarithms [heads, rows] from PyTorch's flash kernel.

    Told that the longest sequence has one query it takes every sequence to have one, which is not so where some have none. It writes
    the rows of its sequences only; more sequences than a grid holds are two calls, whose results meet where the second's begin.
    """
    q, k, v, starts_q, starts_k, causal, scale = given
    if starts_q.shape[0] - 1 > MOST_BLOCKS:
        return _in_halves(given, longest_q, longest_k)
    if longest_q == 1 and q.shape[0] != starts_q.shape[0] - 1:
        longest_q = 2
    dropout, debug = 0.0, False
    made, sums, *_ = torch.ops.aten._flash_attention_forward(  # noqa: SLF001 - PyTorch names it so
        q, k, v, starts_q, starts_k, longest_q, longest_k, dropout, causal, debug, scale=scale
    )
    return made, sums.masked_fill(sums == float("inf"), float("-inf"))  # it says infinity where a query has no key


def _in_halves(given: Sequences, longest_q: int, longest_k: int) -> Both:
    most = MOST_BLOCKS
    first = given._replace(starts_q=given.starts_q[: most + 1], starts_k=given.starts_k[: most + 1])
    rest = given._replace(starts_q=given.starts_q[most:], starts_k=given.starts_k[most:])
    (made, sums), (later, later_sums) = (flash(part, longest_q, longest_k) for part in (first, rest))
    before = torch.arange(given.q.shape[0], device=given.q.device) < given.starts_q[most]
    return torch.where(before[:, None, None], made, later), torch.where(before, sums, later_sums)


def each(
    given: Sequences, ends_q: list[int], ends_k: list[int], *, want_sums: bool
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return attention, and logarithms [heads, rows], of one sequence after the other, whose starts the host knows."""
    parts, sums = [given.q[:0]], [given.q.new_empty((given.q.shape[1], 0), dtype=sums_dtype(given.q.dtype))]
    for (first, last), (first_k, last_k) in zip(pairwise(ends_q), pairwise(ends_k), strict=True):
        if first == last:
            continue
        q = given.q[first:last].transpose(0, 1)[None]
        k, v = (x[first_k:last_k].transpose(0, 1)[None] for x in (given.k, given.v))
        parts.append(_one(q, k, v, given)[0].transpose(0, 1))
        if want_sums:
            mask = Mask(q.shape[2], k.shape[2], given.causal, k.shape[2] - q.shape[2], 0, q.device)
            sums.append(log_sums(q, k, mask, scale=given.scale)[0])
    return torch.cat(parts), torch.cat(sums, 1) if want_sums else None


def _one(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, given: Sequences) -> torch.Tensor:
    """Return attention of one sequence."""
    rows, keys = q.shape[2], k.shape[2]
    blind = rows - keys if given.causal else rows if not keys else 0
    if blind > 0:  # the first queries see no key
        some = attend(q[:, :, blind:], k, v, causal=given.causal, scale=given.scale) if keys else q[:, :, rows:]
        return torch.cat([torch.zeros_like(q[:, :, :blind]), some], 2)
    seen = None
    if given.causal and rows < keys:
        seen = torch.ones((rows, keys), dtype=torch.bool, device=q.device).tril(keys - rows)
    return attend(q, k, v, causal=given.causal and seen is None, scale=given.scale, seen=seen)


def masked(given: Sequences, *, want_sums: bool) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the same from one product of all queries with all keys, for tracers, which cannot read the starts."""
    q, k, v = (x.transpose(0, 1)[None] for x in given[:3])
    number_q, left_q = _places(given.starts_q, q.shape[2])
    number_k, left_k = _places(given.starts_k, k.shape[2])
    seen = number_q[:, None] == number_k
    if given.causal:
        seen = seen & (left_q[:, None] <= left_k)
    some = seen.any(1)
    made = attend(q, k, v, causal=False, scale=given.scale, seen=seen | ~some[:, None])
    made = torch.where(some[:, None], made, 0)[0].transpose(0, 1)
    if not want_sums:
        return made, None
    return made, _log_sums(q, k, given.scale, lambda first, last: ~seen[first:last])[0]


def _places(starts: torch.Tensor, rows: int) -> Both:
    """Return for each row the number of its sequence, from 1 on, and how far that sequence's end is."""
    row = torch.arange(rows, device=starts.device, dtype=starts.dtype)
    number = torch.searchsorted(starts, row, right=True)
    return number, starts[number] - row


def _log_sums(
    q: torch.Tensor, k: torch.Tensor, scale: float | None, hidden: Callable[[int, int], torch.Tensor] | None
) -> torch.Tensor:
    """Return logarithms of sums; `hidden` tells for some queries which keys they do not see, [queries, keys]."""
    kind, (batch, heads, length, size) = sums_dtype(q.dtype), q.shape
    factor = size**-0.5 if scale is None else scale
    wide = (q.to(kind) * factor).unflatten(1, (k.shape[1], -1))
    keys = k.to(kind).transpose(2, 3)

    def parts() -> Iterator[torch.Tensor]:
        rows = max(1, _MOST_SCORES // max(1, batch * heads * k.shape[2]))
        for first in range(0, length, rows):
            last = min(first + rows, length)
            scores = (wide[:, :, :, first:last].flatten(2, 3) @ keys).unflatten(2, (-1, last - first))
            scores = scores if hidden is None else scores.masked_fill(hidden(first, last), float("-inf"))
            yield scores.logsumexp(-1)

    return torch.cat([wide.new_empty((batch, *wide.shape[1:3], 0)), *parts()], 3).flatten(1, 2)
