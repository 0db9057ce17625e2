r"""Results of PyTorch's TunableOp: products with the library's solution for each and its time, for one set of versions.

Format: ``torch/cuda/tunable``; lines ``Validator,NAME,VERSION`` and ``OPERATOR,PARAMETERS,SOLUTION[,MS[,more]]``.

>>> row = read("Validator,PT_VERSION,2.4.0\nGemmTunableOp_float_NT,nt_4096_64_32_ld_64_64_4096,Gemm_Rocblas_21,0.033\n")
>>> sizes(row.measurements[0])
{'op': 'nt', 'm': 4096, 'n': 64, 'k': 32}
"""

from __future__ import annotations

from hotloop.interop.format import Format
from hotloop.interop.recording import CORRECT, FormatError, Json, Measurement, Recording, measured

NAME = "tunableop"
OPERATOR, PARAMETERS, SOLUTION = "operator", "parameters", "solution"
_VALIDATOR = "Validator"


def recognises(text: str) -> bool:
    """Tell whether a text begins as such a file does."""
    first = text.lstrip().partition("\n")[0]
    return first.startswith(f"{_VALIDATOR},") or ("TunableOp_" in first.partition(",")[0] and "," in first)


def read(text: str) -> Recording:
    """Return the chosen solutions. Raises FormatError."""
    validators, rows = [], []
    for index, line in enumerate(text.splitlines(), 1):
        fields = line.split(",")
        if not line.strip():
            continue
        if fields[0] == _VALIDATOR:
            validators.append(line)
        elif len(fields) < 3:
            raise FormatError(f"line {index} has {len(fields)} fields; operator, parameters and solution are needed.")
        else:
            rows.append(_measured(fields, index))
    return Recording(
        format=NAME,
        kernel="gemm",
        measurements=tuple(rows),
        rest={"validators": list(validators), "end": "\n" if text.endswith("\n") else ""},
    )


def _measured(fields: list[str], index: int) -> Measurement:
    operator, parameters, solution, *more = fields
    try:
        time = float(more[0]) if more else None
    except ValueError:
        raise FormatError(f"line {index}: the time {more[0][:40]!r} is no number.") from None
    rest: dict[str, Json] = {"more": list(more)}
    chosen: dict[str, Json] = {OPERATOR: operator, PARAMETERS: parameters, SOLUTION: solution}
    return Measurement(
        chosen, CORRECT, measured(time), rest=rest
    )  # a default that nothing could be timed against has `inf`


def sizes(measurement: Measurement) -> dict[str, Json]:
    """Return the sizes of a product; empty where the parameters are written otherwise."""
    op, *numbers = str(measurement.config.get(PARAMETERS, "")).split("_")
    if len(numbers) < 3 or not all(text.isdecimal() for text in numbers[:3]):
        return {}
    m, n, k = map(int, numbers[:3])
    return {"op": op, "m": m, "n": n, "k": k}


def write(recording: Recording) -> str:
    """Return such a file. Raises FormatError for anything else than solutions of a library."""
    if recording.format != NAME:
        raise FormatError("TunableOp's files name solutions of PyTorch's own libraries, which nothing else has.")
    validators = recording.rest.get("validators", [])
    lines = [str(line) for line in validators] if isinstance(validators, list) else []
    for measurement in recording.measurements:
        more = measurement.rest.get("more", [])
        fields = [measurement.config[OPERATOR], measurement.config[PARAMETERS], measurement.config[SOLUTION]]
        lines.append(",".join(map(str, [*fields, *(more if isinstance(more, list) else [])])))
    return "\n".join(lines) + str(recording.rest.get("end", "\n"))


FORMAT = Format(NAME, "TunableOp results", recognises, read, write)
