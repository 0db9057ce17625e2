"""Powers of two of a tile in Gluon, some of them by a polynomial: the special units' 16 results a clock are a limit of small heads.

For heads of 64 the matrix units take one clock for the two products of 16 scores, and the special units one for their
exponentials, while the multipliers have time to spare. 2^x is 2^n · 2^f with n the nearest whole number, and 2^f a cubic
polynomial that is 1 at 0, so that the power of a row's largest score is exact. It is off by 1.01e-4 at most: a nineteenth of
half a digit of bfloat16, a fifth of one of float16; a logarithm in float32 needs more. Coefficients: the least largest relative
error between −1/2 and 1/2 with that condition, by least squares reweighted until all extremes were alike.
"""

# ruff: noqa: ANN001, ANN201, N803 - a language inside Python
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# 0fC2FC0000 is -126, below which a power is no normal number; adding 0f4B400000, 1.5 * 2^23, rounds to a whole number, which then
# stands in the low bits; the coefficients are 0.05500893, 0.24221095, 0.6932829 and 1.
CUBIC = """
max.f32 x, ${x}, 0fC2FC0000;
add.rn.f32 n, x, 0f4B400000;
sub.rn.f32 f, n, 0f4B400000;
sub.rn.f32 f, x, f;
fma.rn.f32 p, f, 0f3D61510C, 0f3E780626;
fma.rn.f32 p, p, f, 0f3F317AFD;
fma.rn.f32 p, p, f, 0f3F800000;
mov.b32 i, n;
shl.b32 i, i, 23;
mov.b32 j, p;
add.s32 i, i, j;
mov.b32 ${y}, i;
"""
SPECIAL = "ex2.approx.ftz.f32 ${y}, ${x};\n"


def four():
    """Return the instructions for four powers, the last one by the polynomial: with two of four by it the kernel was 6 to 12 % slower on an H200."""
    parts = (SPECIAL, SPECIAL, SPECIAL, CUBIC)
    lines = "".join(part.replace("{y}", str(at)).replace("{x}", str(4 + at)) for at, part in enumerate(parts))
    return "{ .reg .f32 n, x, f, p; .reg .s32 i, j;\n" + lines + "}"


FOUR = gl.constexpr(four())


@gluon.jit
def powers(x, MIXED: gl.constexpr):
    """Return 2^x of numbers that are at most a little above 0; with a polynomial among them 2^-126 stands for what is less."""
    if MIXED:
        y = gl.inline_asm_elementwise(FOUR, "=f,=f,=f,=f,f,f,f,f", [x], dtype=gl.float32, is_pure=True, pack=4)
    else:
        y = gl.exp2(x)
    return y
