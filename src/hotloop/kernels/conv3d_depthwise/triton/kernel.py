"""Depthwise conv3d in Triton: every size, type and layout by multiply-adds, 16-bit elements by matrix products, too.

Both kernels give one program a block of an output plane and a strip of PLANES planes. Where depth has neither stride nor
dilation, the program walks down the input planes and keeps KD sums, one for each output plane that the input plane belongs to, so
that an input plane is read once.

    C, MULT             input channels; output channels of each
    bias                of each output channel, added before rounding; None where there is none
    D H W, OD OH OW     input and output of a channel
    K. S. P. L.         window, stride, padding, dilation

`taps` multiplies each input by its weights. `patches` writes a small patch of TH x TW outputs as one row of a matrix product:
the IH x IW inputs around it times a banded matrix of the weights. Of 5 x 5 weights and 4 x 4 outputs 25 of 64 products per output
and plane are useful, and an input is loaded 4 times instead of 25. NaN and infinity would spread to the whole patch, for 0 * NaN
is NaN: a program that meets a NaN among its sums computes its outputs once more, tap by tap.

Triton's interpreter makes numbers of a scalar truth value that meets a block (seen in 3.9), hence ``flat``: a block of one zero.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined, assignment"
# ruff: noqa: RUF005 - Triton has no unpacking
from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def place(blocks: tl.constexpr, strips: tl.constexpr, PLANES: tl.constexpr):
    """Return image and group of channels as one number, the block of a plane, and the first output plane of this program."""
    program = tl.program_id(0)
    return program // (blocks * strips), program % blocks, program // blocks % strips * PLANES


@triton.jit
def plus(total, bias, channel, known):
    """Return sums and the bias of their channels; without one they are the same, for compilers leave minus zero out."""
    if bias is not None:
        total += tl.load(bias + channel, mask=known, other=0.0).to(tl.float32)
    return total


@triton.jit
def row(
    sums, source, where, rows, columns, alive, known, own, held, k, i, H: tl.constexpr, W: tl.constexpr,
    KH: tl.constexpr, KW: tl.constexpr, LH: tl.constexpr, LW: tl.constexpr, STEP: tl.constexpr, COUNT: tl.constexpr,
    HOLD: tl.constexpr,
):  # fmt: skip
    """Return COUNT sums and what one row of the window, i, adds to each."""
    for j in tl.static_range(KW):
        inside = (rows >= -i * LH) & (rows < H - i * LH) & (columns >= -j * LW) & (columns < W - j * LW)
        found = tl.load(source + where + (i * LH * W + j * LW) * STEP, mask=inside & alive, other=0.0)
        found = found.to(tl.float32)
        more = ()
        for n in tl.static_range(COUNT):
            if HOLD:
                weight = held[((k + n) * KH + i) * KW + j]
            else:
                weight = tl.load(own + ((k + n) * KH + i) * KW + j, mask=known, other=0.0).to(tl.float32)
            more += (sums[n] + found * weight,)
        sums = more
    return sums


@triton.jit
def multiplied(
    sums, plane, x, where, rows, columns, known, own, held, k,
    D: tl.constexpr, H: tl.constexpr, W: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr, LH: tl.constexpr,
    LW: tl.constexpr, STEP: tl.constexpr, COUNT: tl.constexpr, HOLD: tl.constexpr, ROLL: tl.constexpr,
):  # fmt: skip
    """Return COUNT sums and what one input plane adds to each by the weights of its depth, k and following."""
    at = plane + tl.zeros((1, 1), tl.int32)
    alive = known & (at >= 0) & (at < D)
    source = x + tl.cast(plane, tl.int64) * (H * W * STEP)
    if ROLL:
        for i in range(KH):
            sums = row(
                sums, source, where, rows, columns, alive, known, own, held, k, i, H, W, KH, KW, LH, LW, STEP, COUNT, HOLD
            )  # fmt: skip
    else:
        for i in tl.static_range(KH):
            sums = row(
                sums, source, where, rows, columns, alive, known, own, held, k, i, H, W, KH, KW, LH, LW, STEP, COUNT, HOLD
            )  # fmt: skip
    return sums


@triton.jit
def taps(
    x, weights, y, bias,
    C: tl.constexpr, MULT: tl.constexpr, D: tl.constexpr, H: tl.constexpr, W: tl.constexpr,
    OD: tl.constexpr, OH: tl.constexpr, OW: tl.constexpr, KD: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr,
    SD: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr, PD: tl.constexpr, PH: tl.constexpr, PW: tl.constexpr,
    LD: tl.constexpr, LH: tl.constexpr, LW: tl.constexpr,
    PLANES: tl.constexpr, BLOCK: tl.constexpr, CHANNELS: tl.constexpr, HOLD: tl.constexpr, LAST: tl.constexpr,
    ROLL: tl.constexpr,
):  # fmt: skip
    """Compute BLOCK outputs of CHANNELS channels; HOLD keeps all weights in registers, LAST means that channels lie last.

    ROLL leaves loops over the window but for its rows: the compiler takes minutes over hundreds of taps that are written out.
    """
    made, block, first = place(tl.cdiv(OH * OW, BLOCK), tl.cdiv(OD, PLANES), PLANES)
    groups: tl.constexpr = tl.cdiv(C * MULT, CHANNELS)
    channels = made % groups * CHANNELS + tl.arange(0, CHANNELS)[None, :]
    known = channels < C * MULT
    spots = block * BLOCK + tl.arange(0, BLOCK)[:, None]
    rows, columns = spots // OW * SH - PH, spots % OW * SW - PW
    step_x: tl.constexpr = C if LAST else 1
    step_y: tl.constexpr = C * MULT if LAST else 1
    if LAST:
        image = (made // groups).to(tl.int64)
        x += image * (D * H * W * C)
        y += image * (OD * OH * OW * C * MULT)
        lane, target = channels // MULT, spots * (C * MULT) + channels
    else:  # CHANNELS is 1
        x += made.to(tl.int64) // MULT * (D * H * W)
        y += made.to(tl.int64) * (OD * OH * OW)
        lane, target = channels * 0, spots
    where = (rows * W + columns).to(tl.int64) * step_x + lane
    own = weights + channels * (KD * KH * KW)
    added = plus(tl.full((1, CHANNELS), -0.0, tl.float32), bias, channels, known)
    held = ()
    if HOLD:
        for at in tl.static_range(KD * KH * KW):
            held += (tl.load(own + at, mask=known, other=0.0).to(tl.float32),)
    zero, flat = tl.zeros((BLOCK, CHANNELS), tl.float32), tl.zeros((1, 1), tl.int32)
    written = (spots < OH * OW) & known
    last = min(first + PLANES, OD)
    if SD == 1 and LD == 1:
        sums = ()
        for _ in tl.static_range(KD):
            sums += (zero,)
        for plane in range(first - PD, last - PD + KD - 1):
            sums = (zero,) + sums[: KD - 1]
            sums = multiplied(
                sums, plane, x, where, rows, columns, known, own, held, 0, D, H, W, KH, KW, LH, LW, step_x, KD, HOLD, ROLL
            )  # fmt: skip
            depth = plane + PD - KD + 1
            result = y + tl.cast(depth, tl.int64) * (OH * OW * step_y) + target
            tl.store(result, (sums[KD - 1] + added).to(y.dtype.element_ty), mask=written & (depth + flat >= first))
    else:
        for depth in range(first, last):
            total = (zero,)
            if ROLL:
                for k in range(KD):
                    plane = depth * SD - PD + k * LD
                    total = multiplied(
                        total, plane, x, where, rows, columns, known, own, held, k, D, H, W, KH, KW, LH, LW, step_x, 1, HOLD,
                        ROLL,
                    )  # fmt: skip
            else:
                for k in tl.static_range(KD):
                    plane = depth * SD - PD + k * LD
                    total = multiplied(
                        total, plane, x, where, rows, columns, known, own, held, k, D, H, W, KH, KW, LH, LW, step_x, 1, HOLD,
                        ROLL,
                    )  # fmt: skip
            result = y + tl.cast(depth, tl.int64) * (OH * OW * step_y) + target
            tl.store(result, (total[0] + added).to(y.dtype.element_ty), mask=written)


@triton.jit
def band(
    weights, LEFT: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr, LH: tl.constexpr,
    LW: tl.constexpr, TH: tl.constexpr, TW: tl.constexpr, IH: tl.constexpr, IW: tl.constexpr, N: tl.constexpr,
    DEPTHS: tl.constexpr,
):  # fmt: skip
    """Return the matrix [inputs, depths and outputs] of DEPTHS depths' weights in a patch; LEFT depths have any."""
    inner, place = tl.arange(0, IH * IW)[:, None], tl.arange(0, DEPTHS * N)[None, :]
    depth, outer = place // N, place % N
    i, j = inner // IW - outer // TW * SH, inner % IW - outer % TW * SW
    inside = (i >= 0) & (i < KH * LH) & (i % LH == 0) & (j >= 0) & (j < KW * LW) & (j % LW == 0)
    inside = inside & (depth < LEFT) & (outer < TH * TW)
    return tl.load(weights + depth * (KH * KW) + i // LH * KW + j // LW, mask=inside, other=0.0)


@triton.jit
def split(found, PATCHES: tl.constexpr, N: tl.constexpr, DEPTHS: tl.constexpr):
    """Return the parts of each of 2 or 4 depths."""
    found = tl.permute(tl.reshape(found, (PATCHES, DEPTHS, N)), (0, 2, 1))
    if DEPTHS == 2:  # no return in here: Triton 3.6 compiles what follows one
        parts = tl.split(found)
    else:
        even, odd = tl.split(tl.reshape(found, (PATCHES, N, 2, 2)))
        first, third = tl.split(even)
        second, fourth = tl.split(odd)
        parts = (first, second, third, fourth)
    return parts


@triton.jit
def moved_on(
    sums, found, bands, PATCHES: tl.constexpr, N: tl.constexpr, KD: tl.constexpr, DEPTHS: tl.constexpr
):  # fmt: skip
    """Return the sums of KD output planes and what one input plane adds to each."""
    more = ()
    if DEPTHS > 1:
        parts = split(tl.dot(found, bands[0]), PATCHES, N, DEPTHS)
        for k in tl.static_range(KD):
            more += (sums[k] + parts[k],)
    else:
        for k in tl.static_range(KD):
            more += (tl.dot(found, bands[k], sums[k]),)
    return more


@triton.jit
def one_by_one(
    total, depth, x, weights, over, along, D: tl.constexpr, H: tl.constexpr, W: tl.constexpr,
    KD: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr, SD: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr,
    PD: tl.constexpr, PH: tl.constexpr, PW: tl.constexpr, LD: tl.constexpr, LH: tl.constexpr, LW: tl.constexpr,
):  # fmt: skip
    """Return outputs of one plane, tap by tap: rare, so it is small rather than fast."""
    for at in range(KD * KH * KW):
        plane = depth * SD - PD + at // (KH * KW) * LD + tl.zeros((1, 1), tl.int32)
        row, column = over * SH - PH + at // KW % KH * LH, along * SW - PW + at % KW * LW
        inside = (plane >= 0) & (plane < D) & (row >= 0) & (row < H) & (column >= 0) & (column < W)
        found = tl.load(x + plane.to(tl.int64) * (H * W) + row * W + column, mask=inside, other=0.0)
        total += found.to(tl.float32) * tl.load(weights + at).to(tl.float32)
    return total


@triton.jit
def patches(
    x, weights, y, bias,
    C: tl.constexpr, MULT: tl.constexpr, D: tl.constexpr, H: tl.constexpr, W: tl.constexpr,
    OD: tl.constexpr, OH: tl.constexpr, OW: tl.constexpr, KD: tl.constexpr, KH: tl.constexpr, KW: tl.constexpr,
    SD: tl.constexpr, SH: tl.constexpr, SW: tl.constexpr, PD: tl.constexpr, PH: tl.constexpr, PW: tl.constexpr,
    LD: tl.constexpr, LH: tl.constexpr, LW: tl.constexpr,
    PLANES: tl.constexpr, PATCHES: tl.constexpr, TH: tl.constexpr, TW: tl.constexpr,
    IH: tl.constexpr, IW: tl.constexpr, N: tl.constexpr, DEPTHS: tl.constexpr, WIDEN: tl.constexpr,
):  # fmt: skip
    """Compute PATCHES patches of one channel; IH, IW and N are the sizes of inputs and outputs as powers of two.

    DEPTHS = 2 or 4 (then KD is at most that, and depth has no stride and no dilation) computes the products of all depths by one
    matrix, which takes fewer instructions with more columns; 1 takes a matrix for each depth. Channels lie first. WIDEN multiplies in float32, which Triton's interpreter needs for bfloat16.
    """
    across: tl.constexpr = tl.cdiv(OW, TW)
    made, block, first = place(tl.cdiv(across * tl.cdiv(OH, TH), PATCHES), tl.cdiv(OD, PLANES), PLANES)
    x += made.to(tl.int64) // MULT * (D * H * W)
    y += made.to(tl.int64) * (OD * OH * OW)
    weights += made % (C * MULT) * (KD * KH * KW)
    one = tl.zeros((1, 1), tl.int32)
    added = plus(tl.full((1, 1), -0.0, tl.float32), bias, made % (C * MULT) + one, one == 0)
    patch = block * PATCHES + tl.arange(0, PATCHES)
    top, left = patch // across * TH, patch % across * TW
    # Patches are the first dimension, so that neighbouring lanes read neighbouring columns, then neighbouring patches.
    in_row, in_column = tl.arange(0, IH)[None, :, None], tl.arange(0, IW)[None, None, :]
    rows, columns = (top * SH - PH)[:, None, None] + in_row, (left * SW - PW)[:, None, None] + in_column
    inside = (rows >= 0) & (rows < H) & (columns >= 0) & (columns < W)
    # 64 bits, which the compiler may split into an address and a constant
    where = (top * (SH * W) + left * SW - (PH * W + PW)).to(tl.int64)[:, None, None] + (in_row * W + in_column)
    bands = ()
    for k in tl.static_range(KD if DEPTHS == 1 else 1):
        one = band(weights + k * KH * KW, KD - k, KH, KW, SH, SW, LH, LW, TH, TW, IH, IW, N, DEPTHS)
        bands += (one.to(tl.float32) if WIDEN else one,)
    outer = tl.arange(0, N)[None, :]
    over, along = top[:, None] + outer // TW, left[:, None] + outer % TW
    written = (outer < TH * TW) & (over < OH) & (along < OW)
    target = over * OW + along
    zero, flat = tl.zeros((PATCHES, N), tl.float32), tl.zeros((1, 1), tl.int32)
    clean = zero == 0.0
    last = min(first + PLANES, OD)
    if SD == 1 and LD == 1:
        sums = ()
        for _ in tl.static_range(KD):
            sums += (zero,)
        for plane in range(first - PD, last - PD + KD - 1):
            alive = inside & (plane + flat >= 0) & (plane + flat < D)
            found = tl.load(x + tl.cast(plane, tl.int64) * (H * W) + where, mask=alive, other=0.0)
            found = tl.reshape(found, (PATCHES, IH * IW))
            if WIDEN:
                found = found.to(tl.float32)
            sums = moved_on((zero,) + sums[: KD - 1], found, bands, PATCHES, N, KD, DEPTHS)
            clean = clean & (sums[KD - 1] == sums[KD - 1])
            depth = plane + PD - KD + 1
            result = y + tl.cast(depth, tl.int64) * (OH * OW) + target
            tl.store(result, (sums[KD - 1] + added).to(y.dtype.element_ty), mask=written & (depth + flat >= first))
    else:
        for depth in range(first, last):
            total = zero
            for k in tl.static_range(KD):
                plane = depth * SD - PD + k * LD
                alive = inside & (plane + flat >= 0) & (plane + flat < D)
                found = tl.load(x + tl.cast(plane, tl.int64) * (H * W) + where, mask=alive, other=0.0)
                found = tl.reshape(found, (PATCHES, IH * IW))
                if WIDEN:
                    found = found.to(tl.float32)
                total = tl.dot(found, bands[k], total)
            clean = clean & (total == total)
            result = y + tl.cast(depth, tl.int64) * (OH * OW) + target
            tl.store(result, (total + added).to(y.dtype.element_ty), mask=written)
    if tl.min(tl.min(clean.to(tl.int32), 1), 0) == 0:
        for depth in range(first, last):
            total = one_by_one(
                zero, depth, x, weights, over, along, D, H, W, KD, KH, KW, SD, SH, SW, PD, PH, PW, LD, LH, LW
            )
            result = y + tl.cast(depth, tl.int64) * (OH * OW) + target
            tl.store(result, (total + added).to(y.dtype.element_ty), mask=written)
