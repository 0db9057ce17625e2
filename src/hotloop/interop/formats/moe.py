"""Configurations of fused mixture-of-experts kernels as vLLM and SGLang ship them: one for each number of tokens, without times.

Format: ``fused_moe/configs/E=..,N=..,device_name=...json``; keys are numbers of tokens, and ``triton_version`` in newer files.
"""

from __future__ import annotations

import json

from hotloop.interop.format import Format
from hotloop.interop.recording import CORRECT, FormatError, Json, Measurement, Recording, mapping, parsed

NAME = "fused-moe"
TOKENS = "tokens"


def recognises(text: str) -> bool:
    """Tell whether a text has what every such file has."""
    return text.lstrip().startswith("{") and '"BLOCK_SIZE_M"' in text and '"cache"' not in text


def read(text: str) -> Recording:
    """Return the configurations. Raises FormatError."""
    document = parsed(text, "the file")
    # Some files have null where a number of tokens got no configuration.
    rows = {key: value for key, value in document.items() if key.isdecimal() and value is not None}
    return Recording(
        format=NAME,
        kernel="fused_moe",
        measurements=tuple(
            Measurement(mapping(row, f"the configuration of {key}"), CORRECT, rest={TOKENS: key})
            for key, row in rows.items()
        ),
        rest=document,
    )


def write(recording: Recording) -> str:
    """Return such a file. Raises FormatError where it is not told for how many tokens a configuration is."""
    rows: dict[str, Json] = recording.kept(NAME)  # which holds all that follows, in its order
    for measurement in recording.measurements:
        tokens = measurement.rest.get(TOKENS)
        if not isinstance(tokens, str):
            raise FormatError(
                "no number of tokens belongs to its configurations, by which fused-MoE files are ordered."
            )
        rows[tokens] = dict(measurement.config)
    return json.dumps(rows, indent=4) + "\n"


FORMAT = Format(NAME, "fused-MoE configurations", recognises, read, write)
