"""The refusal of a rewrite that was asked for by name, with its reason apart for pages that name rewrite and kernel themselves."""

from __future__ import annotations

from hotloop.rewrite.shape import RefusedError


class InapplicableError(RefusedError):
    """A rewrite does not apply to a kernel; the text names both."""

    def __init__(self, rewrite: str, kernel: str, why: str) -> None:
        super().__init__(f"{rewrite} does not apply to {kernel}: {why}")
        self.why = why
        """The reason alone."""
