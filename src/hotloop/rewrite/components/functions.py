"""Functions of OpenCL C that do to vectors what they do to numbers, component by component."""

from __future__ import annotations

import re

_NAMES = (
    "fabs sqrt rsqrt native_sqrt native_rsqrt exp exp2 native_exp log log2 native_log sin cos native_sin "
    "native_cos tanh pow powr fma mad fmin fmax min max floor ceil round trunc rint clamp mix "
    "native_recip half_recip cbrt erf half_rsqrt half_sqrt half_exp half_log half_sin half_cos "
    "half_divide native_divide tan sinh cosh asin acos atan atan2 exp10 log10 log1p expm1 hypot copysign "
    "fdim sinpi cospi degrees radians native_exp2 native_log2 native_powr half_powr"
)
ELEMENTWISE = frozenset(_NAMES.split())
"""Functions of real numbers that work element by element."""
_SHORTENED = re.compile(r"^(convert_u?(?:char|short))(_sat)?(_rt[ezpn])?$")


def shortened(function: str) -> str:
    """Return the form for vectors of a conversion to a short type, a place for their lanes in it; empty of other functions.

    >>> shortened("convert_uchar_sat"), shortened("convert_float")
    ('convert_uchar{}_sat', '')
    """
    found = _SHORTENED.match(function)
    return f"{found[1]}{{}}{found[2] or ''}{found[3] or ''}" if found else ""
