"""Names of activations, for arrays and tensors alike."""

from __future__ import annotations

from hotloop.errors import UnknownNameError

ACTIVATIONS = {
    "none": "none",
    "relu": "relu",
    "gelu": "gelu-erf",
    "gelu-erf": "gelu-erf",
    "gelu-tanh": "gelu-tanh",
    "silu": "silu",
}
"""Names of activations that a caller may write, and the family's name for each."""


def activation(name: str) -> str:
    """Return the family's name of an activation. Raises UnknownNameError."""
    if name not in ACTIVATIONS:
        raise UnknownNameError("activation", str(name), tuple(ACTIVATIONS))
    return ACTIVATIONS[name]


def epilogue(function: str, *, bias: bool) -> str:
    """Return the family's name of a bias and an activation together."""
    if not bias:
        return function
    return "bias" if function == "none" else f"bias-{function}"
