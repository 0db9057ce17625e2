"""Exponentials and logarithms are taken to the base two, as the hardware has them.

What it changes: ``tl.exp(x)`` becomes ``tl.exp2((x) * 1.4426950408889634)``, ``tl.log(x)`` becomes ``tl.log2(x) * 0.6931471805599453``.
When it applies: always; the factor is often folded into one that is there.
What it costs: a rounding of the argument, which for large ones shows in the result's last bits.
"""

from __future__ import annotations

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script

_TO, _FROM = "1.4426950408889634", "0.6931471805599453"
"""log2(e) and ln(2)."""


def apply(script: Script, _value: int | str) -> Script:
    """Change every call in the kernel and what it calls; innermost last, so that calls within calls are changed, too."""
    changed = 0
    while exponential := next(
        (call for f in script.functions for call in script.calls(f, "exp", "log") if call.args), None
    ):
        inner = script.source(exponential.args[0])
        callee = script.source(exponential.func)[: -len("exp")]
        exponent = callee + "exp" == script.source(exponential.func)
        new = f"{callee}exp2(({inner}) * {_TO})" if exponent else f"({callee}log2({inner}) * {_FROM})"
        script = script.edited([Edit(exponential, new)])
        changed += 1
    if not changed:
        raise RefusedError("it has no exponential and no logarithm")
    return script


REWRITE = Rewrite(
    name="exponent-base-two",
    text=__doc__,
    technique="fast-math",
    keeps=Keeps.BOUND,
    values=(0, 1),
    apply=apply,
    gain=(0.98, 1.15),
    reaches=True,
    order=20,
)
