"""Names under which builds lie in the arena, known to the worker that uses them and to those that compile ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.model.language import language

if TYPE_CHECKING:
    from hotloop.model.program import Program

AHEAD = ".ahead"
"""Suffix of a file with a build that another worker made."""
ARTIFACT = ".artifact"
"""Suffix of the file that describes such a build."""


def build(program: Program) -> str:
    """Return the name of a build: one serves all launches where the source is compiled without its arguments, else one launch."""
    return program.build_key if language(program.language).separable else program.fingerprint
