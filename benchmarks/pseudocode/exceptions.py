"""Opcodes whose results differ from the text for a reason."""

from __future__ import annotations

EXCEPTIONS = (
    (
        r"v_(lerp|sad_hi)_u8|v_m?qsad_pk_u16_u8",
        "the reader keeps 8 bits of a sum that has more: bytes moved up, and what v_sad_u8 returns",
    ),
    (
        r"v_sat_pk_u8_i16",
        "the text of RDNA 3 compares the 16 bits of a negative number as 32, so that it is not below 0; later texts do not",
    ),
    (r"v_trig_preop_f64", "the text names 1,201 bits of 2/pi, which the reader has not"),
    (
        r"[vs]_rndne_",
        "the text's floor(x + 0.5) loses the sign of zero and is itself rounded; IEEE 754's rounding is executed",
    ),
    (
        r"v_fract_",
        "the text gives 1.0 next to 0 from below; the executor gives the largest number below 1, as LLVM describes the instruction",
    ),
    (
        r"v_(log|rsq|sqrt|rcp|rcp_iflag|exp)_f32|v_s_(log|rsq|sqrt|rcp|exp)_f32",
        "subnormal operands and results, which the approximations flush and the text does not",
    ),
    (r"v_(sin|cos)_", "the text rounds the angle's product with 2 pi"),
    (r"v_frexp_exp_", "zeros and subnormal numbers, which the text leaves out"),
    (
        r"v_div_fmas_",
        "the text's factor does not undo that of its own v_div_scale; the executor takes the exponent's, as in later documents",
    ),
    (
        r"v_div_scale_",
        "quotients and reciprocals below the range, which the text compares with DENORM: here subnormal and not zero",
    ),
    (r"v_cvt_(pk|sr)_(fp8|bf8)_f32", "which NaN of 8 bits a NaN becomes"),
    (
        r"v_div_fixup_",
        "a quotient that is NaN though both numbers are finite: the executor takes it for one that overflowed, the text hands it on",
    ),
    (r"v_mad_mix", "the text is of v_mad_mix, whose place v_fma_mix has taken on these processors: rounded once"),
    (
        r"v_(pk_)?(min|max|med)3?_",
        "signalling NaNs, which the executor takes for quiet ones; zeros of both signs, which the text cannot tell apart",
    ),
)
"""Where the executor keeps its answer, and why."""
