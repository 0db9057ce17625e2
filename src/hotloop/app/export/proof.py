"""A test beside an export: inputs by a formula, and what the float64 reference gives for them at some places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.model.dtype import dtype_of, roundoff
from hotloop.model.kernel import Empty

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from hotloop.app.export.found import Found, Slot

PLACES = 256
"""Elements of each result that are compared."""
_STEP, _TURN = 2654435761, 40503
FORMULA = '''def drawn(name, elements):
    """Return numbers between -1 and 1, multiples of 1/64, which every type holds exactly."""
    phase = sum(map(ord, name)) * 40503
    return (((np.arange(elements, dtype=np.uint64) * 2654435761 + phase) >> 7) % 128).astype(np.float64) / 64 - 1
'''


def text(winner: Found, module: str) -> str:
    """Return the test's text; `module` is an expression that imports what is tested.

    Raises:
        UsageError: inputs are no floating-point numbers, or the reference cannot be computed.
    """
    import numpy as np

    inputs, results = _inputs(winner), [slot for slot in winner.slots if slot.written]
    with np.errstate(all="ignore"):
        reference = winner.kernel.reference(winner.problem, inputs)
        scale = winner.kernel.magnitude(winner.problem, inputs) if winner.kernel.magnitude else reference
    rows = {slot.name: _samples(winner, slot, reference, scale) for slot in results}
    torch = winner.program.language != "opencl"
    given = [slot for slot in winner.slots if not slot.written]
    if torch:
        arguments = ", ".join(
            f'torch.from_numpy(drawn("{slot.name}", {slot.elements})).to(torch.{slot.dtype}).reshape({slot.shape!r}).to(DEVICE)'
            for slot in given
        )
        plain = "one.double().cpu().numpy()"
        head = 'import torch\n\nDEVICE = "cuda" if torch.cuda.is_available() else "cpu"  # with TRITON_INTERPRET=1\n'
    else:
        arguments = ", ".join(
            f'drawn("{slot.name}", {slot.elements}).astype("{slot.dtype}").reshape({slot.shape!r})' for slot in given
        )
        plain, head = "one.astype(np.float64)", ""
    return f'''"""Does the exported kernel give what float64 gives? Run it where the kernel shall run: python {winner.name}_test.py"""

import json

import numpy as np
{head}
{module}

EXPECTED = json.loads("""{json.dumps(rows)}""")


{FORMULA}

def test_{winner.name}():
    made = tested.{winner.name}({arguments})
    made = made if isinstance(made, tuple) else (made,)
    for (name, rows), one in zip(EXPECTED.items(), made, strict=True):
        found = {plain}.reshape(-1)
        for place, wanted, bound in rows:
            assert abs(found[place] - wanted) <= bound, f"{{name}}[{{place}}] is {{found[place]}}, wanted {{wanted}} within {{bound}}"


if __name__ == "__main__":
    test_{winner.name}()
    print("right at", sum(map(len, EXPECTED.values())), "places")
'''


def _inputs(winner: Found) -> dict[str, Any]:
    """Return inputs by the formula, in the order and types of the kernel's own."""
    import numpy as np

    drawn = winner.kernel.inputs(winner.problem, np.random.default_rng(1))
    made: dict[str, Any] = {}
    for name, value in drawn.items():
        if isinstance(value, Empty | float | int):
            made[name] = value
        elif not np.issubdtype(value.dtype, np.floating) and str(value.dtype) not in ("bfloat16", "float8_e4m3fn"):
            raise UsageError(
                f"{name} holds {value.dtype}; a test is written for floating-point inputs only (--no-test leaves it out)."
            )
        else:
            made[name] = formula(name, value.size).astype(dtype_of(str(value.dtype))).reshape(value.shape)
    return made


def formula(name: str, elements: int) -> NDArray[Any]:
    """Return what the exported test draws."""
    import numpy as np

    phase = sum(map(ord, name)) * _TURN
    return (((np.arange(elements, dtype=np.uint64) * _STEP + phase) >> 7) % 128).astype(np.float64) / 64 - 1


def _samples(winner: Found, slot: Slot, reference: Any, scale: Any) -> list[tuple[int, float, float]]:  # noqa: ANN401
    """Return (place, value, bound) for some places of a result; the bound is the family's, with one rounding to the result's type."""
    import numpy as np

    wanted = np.asarray(reference[slot.name], np.float64).reshape(-1)
    size = np.abs(np.asarray(scale[slot.name], np.float64)).reshape(-1)
    tolerance = winner.kernel.tolerance
    eps_dtype = tolerance.eps_dtype(winner.problem) if callable(tolerance.eps_dtype) else tolerance.eps_dtype
    eps = 2 * roundoff(eps_dtype or slot.dtype)
    factor = tolerance.factor * max(1.0, tolerance.terms(winner.problem)) * eps
    places = np.unique(np.linspace(0, wanted.size - 1, min(PLACES, wanted.size)).astype(int))
    own = 2 * roundoff(slot.dtype)
    return [
        (int(at), float(wanted[at]), float(factor * size[at] + own * abs(wanted[at]) + tolerance.absolute + 1e-30))
        for at in places
    ]
