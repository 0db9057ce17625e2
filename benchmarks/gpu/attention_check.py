"""Attention against float64 on a Hopper GPU: the reference, and what the timed shapes leave out."""

from __future__ import annotations

import attention_launch as launch
import torch

from hotloop.kernels.attention.triton.rows import config_for


def exact(q, k, v, causal, scale, shift=0):
    """Return output, logarithms and the spread of |v|, in float64, for one head's rows given as (rows, q)."""
    rows, q = q
    scores = q.double() @ k.double().T * scale
    if causal:
        hidden = torch.arange(k.shape[0], device=k.device)[None, :] > rows[:, None] + shift
        scores.masked_fill_(hidden, float("-inf"))
    weights = torch.nan_to_num(scores.softmax(-1))
    value = v.double()
    return weights @ value, scores.logsumexp(-1), (weights**2 @ value**2).sqrt(), weights @ value.abs()


def wrong(q, k, v, o, lse, causal, *, shift=0, scale=None, heads=3, rows=96):
    """Return the largest error over its bound for some heads and rows, and the largest error of a logarithm."""
    batch, many, length, size = q.shape
    worst, worst_lse = 0.0, 0.0
    last = 2.0 ** (-8 if q.dtype == torch.bfloat16 else -11)
    if not torch.isfinite(o).all():
        return float("inf"), float("inf")
    for index in range(heads):
        b, h = index % batch, (index * 7 + batch - 1) % many
        pick = torch.cat([torch.randperm(length, device="cuda")[:rows], torch.tensor([0, length - 1], device="cuda")])
        source = h // (many // k.shape[1])
        want, log, spread, size_v = exact(
            (pick, q[b, h, pick]), k[b, source], v[b, source], causal, scale or size**-0.5, shift
        )
        # one rounding of the output, independent roundings of the weights, and float32 sums
        bound = last * want.abs() + 2 * last * spread + last / 4 * size_v + 1e-30
        worst = max(worst, float(((o[b, h, pick].double() - want).abs() / bound).max()))
        if lse is not None:
            seen = torch.isfinite(log)
            same = bool((torch.isneginf(lse[b, h, pick]) == ~seen).all())
            error = (lse[b, h, pick].double() - log)[seen].abs()
            worst_lse = max(worst_lse, float(error.max()) if error.numel() else 0.0, 0.0 if same else float("inf"))
    return worst, worst_lse


def tensors(batch, heads, kv_heads, length_q, length_k, size, dtype=torch.bfloat16, rows_first=False):
    """Return normal q, k, v; `rows_first` lays them out [batch, length, heads, size]."""

    def draw(heads, length):
        if rows_first:
            return torch.randn((batch, length, heads, size), device="cuda", dtype=dtype).transpose(1, 2)
        return torch.randn((batch, heads, length, size), device="cuda", dtype=dtype)

    return draw(heads, length_q), draw(kv_heads, length_k), draw(kv_heads, length_k)


def check():
    """Verify what the timed shapes leave out."""
    # batch, heads, kv heads, length_q, length_k, size, causal, shift, type, rows first
    cases = [
        (2, 6, 2, 515, 515, 128, True, 0, torch.bfloat16, False),
        (2, 6, 3, 130, 700, 64, False, 0, torch.float16, True),
        (1, 4, 1, 200, 333, 256, True, 133, torch.bfloat16, False),
        (1, 4, 4, 333, 200, 128, True, -133, torch.float16, False),
        (3, 2, 1, 1, 1, 128, True, 0, torch.bfloat16, False),
        (1, 300, 300, 190, 65, 64, True, 0, torch.bfloat16, False),
        (2, 40, 40, 1000, 1000, 128, False, 0, torch.float16, True),
        (1, 150, 10, 700, 700, 256, True, 0, torch.float16, False),
    ]
    results = []
    for case in cases:
        batch, heads, kv_heads, length_q, length_k, size, causal, shift, dtype, rows_first = case
        row = {"case": str(case)}
        try:
            q, k, v = tensors(batch, heads, kv_heads, length_q, length_k, size, dtype, rows_first)
            o, lse = launch.attend(q, k, v, causal=causal, shift=shift, want_lse=True, scale=0.3 * size**-0.5)
            row["error"], row["lse_error"] = wrong(q, k, v, o, lse, causal, shift=shift, scale=0.3 * size**-0.5)
            if shift == 0:
                plain = torch.empty_like(o)
                scale = 0.3 * size**-0.5
                launch.bound(config_for(size), q, k, v, plain, lse=lse, causal=causal, scale=scale)()
                row["plain_error"], row["plain_lse_error"] = wrong(q, k, v, plain, lse, causal, scale=0.3 * size**-0.5)
        except Exception as reason:  # noqa: BLE001 - what does not run is a result
            row["failed"] = str(reason).splitlines()[0][:200] if str(reason) else repr(reason)
        results.append(row)
        print("check", row, flush=True)
    # batch, heads, kv heads, queries, keys, size: keys cut into pieces, heads folded into rows
    for case in [(1, 8, 2, 3, 1111, 128), (2, 32, 4, 1, 4097, 64), (1, 2, 1, 7, 700, 256), (3, 64, 64, 1, 300, 128)]:
        q, k, v = tensors(*case)
        o, lse = launch.attend(q, k, v, want_lse=True)
        error, log = wrong(q, k, v, o, lse, False, rows=case[3])
        results.append({"case": f"few queries {case}", "error": error, "lse_error": log})
        print("check", results[-1], flush=True)
    results.append(packed())
    print("check", results[-1], flush=True)
    return results


def packed():
    """Verify packed sequences, among them an empty one, one row, and more tiles than programs."""
    row = {"case": "packed"}
    try:
        lengths_q = [1, 700, 0, 129, 64, 1500, 333, 128]
        lengths_k = [5, 700, 17, 300, 64, 1500, 100, 0]
        starts_q, starts_k = (
            torch.tensor([sum(x[:i]) for i in range(len(x) + 1)], dtype=torch.int32, device="cuda")
            for x in (lengths_q, lengths_k)
        )
        q = torch.randn((sum(lengths_q), 12, 128), device="cuda", dtype=torch.bfloat16)
        k, v = (torch.randn((sum(lengths_k), 4, 128), device="cuda", dtype=torch.bfloat16) for _ in range(2))
        o, lse = torch.empty_like(q), torch.empty((12, len(q)), dtype=torch.float32, device="cuda")
        longest = max(lengths_q), max(lengths_k)
        launch.bound_packed(q, k, v, starts_q, starts_k, *longest, o, lse=lse, causal=True)()
        row["error"] = row["lse_error"] = 0.0
        for i, (many, keys) in enumerate(zip(lengths_q, lengths_k, strict=True)):
            part, ends = slice(int(starts_q[i]), int(starts_q[i + 1])), slice(int(starts_k[i]), int(starts_k[i + 1]))
            if many and keys:
                one = (q[part], k[ends], v[ends], o[part])
                one = [x.transpose(0, 1).unsqueeze(0) for x in one]
                error, log = wrong(*one, lse[None, :, part], True, heads=4, rows=many)
                row["error"], row["lse_error"] = max(row["error"], error), max(row["lse_error"], log)
            elif many and not bool((o[part] == 0).all() and torch.isneginf(lse[:, part]).all()):
                row["error"] = float("inf")
    except Exception as reason:  # noqa: BLE001
        row["failed"] = str(reason).splitlines()[0][:200]
    return row
