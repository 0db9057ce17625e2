"""How an execution refuses or stops."""

from __future__ import annotations

from hotloop.errors import UsageError


class EmulateError(UsageError):
    """Code or a launch that cannot be executed; the message is one sentence with the line of the listing."""


class UnmodelledError(EmulateError):
    """An instruction, or a form of one, that has no semantics here."""


class Exhausted(EmulateError):  # noqa: N818 - a state, not a mistake of the caller
    """The instruction budget was spent before the kernel ended; the sentence has what was found until then."""

    def __init__(self, budget: int, where: str, found: str = "") -> None:
        """Take the budget, where the kernel was, and the first finding in words, empty for none."""
        self.found, self.where = found, where
        before = f", and reported before that was {found}" if found else ""
        super().__init__(
            f"the kernel did not end within {budget} wave instructions; it was at {where}{before}; "
            "give a smaller problem, or more with --budget."
        )


class EnoughError(EmulateError):
    """A mistake was found long ago, and the kernel still goes on; what was found is told."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("a mistake was found long before the kernel ended.")


class StandstillError(EmulateError):
    """No wave of a batch can go on; what they wait for is among the findings."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the waves of the kernel wait for each other, and none can go on.")
