"""Failures of the tool itself, each with the exit code that the command line gives.

    HotloopError                     1
    ├── UsageError                   2   the request cannot be understood or met
    │   ├── UnknownNameError         2   family, device, technique, command option value ...
    │   ├── BadShapeError            2   shape syntax, or a problem that does not fit in memory
    │   ├── BadArrayError            2   an array or tensor that no kernel can take
    │   └── KernelFileError          2   a user's kernel file that raises or is not a kernel
    │       └── UnsetParameterError  2   a compile-time parameter of a kernel that has no value
    └── MachineError                 3   the machine cannot do it
        ├── MissingExtraError        3   an optional dependency is not installed
        ├── NoDeviceError            3   no usable device or runtime
        ├── StoreError               3   store read-only, corrupt, locked, newer, or the disk is full
        ├── WorkerError              3   the worker process cannot be started at all
        ├── LostError                3   a device of a cluster is gone, with its machine or its process
        └── MovedError               3   the first device of a cluster is gone and another one takes its place: ask anew

Failure of a *candidate kernel* is never an exception: it is a value, see `hotloop.model.outcome`.
Messages are one sentence: what is wrong, where, what to do.
"""

from __future__ import annotations


class HotloopError(Exception):
    """Root of every error that hotloop raises on purpose."""

    exit_code = 1


class UsageError(HotloopError):
    """The request is wrong; running it again unchanged will fail again."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that does not exist; the message lists the existing names and suggests the most similar one."""

    def __init__(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        from difflib import get_close_matches  # slow to import, and needed only for a misspelt name

        alike = get_close_matches(name, known, n=1) or [each for each in known if each.lower() == name.lower()]
        choices = f"known: {', '.join(sorted(known))}" if known else "there is none"
        end = f"; did you mean {alike[0]}?" if alike else "."
        super().__init__(f"unknown {kind} {name!r}; {choices}{end}")


class BadShapeError(UsageError):
    """A shape that cannot be parsed, is out of range, or does not fit in memory."""


class BadArrayError(UsageError):
    """An argument is not an array that a kernel can take: type, dimensions, or not writeable."""


class KernelFileError(UsageError):
    """A user's kernel file raises, or does not define what a kernel needs."""


class UnsetParameterError(KernelFileError):
    """A compile-time parameter of a kernel has no value; the message ends with how to give one."""


class MachineError(HotloopError):
    """This machine lacks something; the message names the command that installs it."""

    exit_code = 3


class MissingExtraError(MachineError):
    """An optional dependency is absent."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency: pip install 'hotloop[{extra}]'.")
        self.needs = what, extra


class NoDeviceError(MachineError):
    """No runtime passed the compile-run-check probe, or none matches the asked name."""


class StoreError(MachineError):
    """The store cannot be opened or written."""


class NoStoreError(StoreError):
    """A store was to be read and does not exist yet."""


class WorkerError(MachineError):
    """The isolated worker process cannot be started."""


class SpentError(MachineError):
    """The time that something may take was over in the middle of it: it was left, and says nothing about what was asked."""


class LostError(MachineError):
    """A device of a cluster is gone, with its machine or with the process that drove it, and does not come back."""


class MovedError(MachineError):
    """The first device of a cluster is gone and another one takes its place: what was being answered must be asked anew."""


def first_line(error: BaseException) -> str:
    """Return the telling line of an error: the first one, or its kind where it has no text."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
