"""A code object file as a program: read, disassembled, made executable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.app.code import content
from hotloop.compilers import reading
from hotloop.emulate import image
from hotloop.emulate.errors import EmulateError
from hotloop.errors import UsageError
from hotloop.host import disassemble

if TYPE_CHECKING:
    from pathlib import Path

    from hotloop.emulate.program import Program


def read(path: Path, target: str, kernel: str) -> tuple[Program, str]:
    """Return the program of a kernel in a code object, a bundle or a host program with bundles, and its disassembly.

    Raises:
        UsageError: it cannot be read, is damaged, holds no code for the target, or cannot be executed.
        MachineError: no disassembler knows the processor.
        MissingExtraError: the reader of object files is not installed.
    """
    try:
        held = content.chosen(reading.content(path), target)
        text = disassemble.amdgcn(held[0].blob)
        return image.load(held[0], text, kernel), text
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give an existing code object.") from None
    except EmulateError:
        raise
    except (UsageError, ValueError) as error:
        raise UsageError(f"{path}: {content.sentence(str(error))}") from None
