"""What the calls of a GPU's driver give: values, compiled programs, errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class DriverError(Exception):
    """A call of the driver failed; the text is what the driver says, with the name of the error."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the run-time compiler made of a program."""

    binary: bytes
    symbols: Mapping[str, str]
    """Symbol of each kernel function in the binary, which C++ mangles."""
    log: str = ""


def given(answer: tuple[Any, ...], success: Any, error: Callable[[Any], Exception]) -> Any:  # noqa: ANN401
    """Return what a vendor's call gives besides its status, or raise the error that is made of another status.

    >>> given((0, 7), 0, ValueError)
    7
    """
    status, *values = answer
    if status != success:
        raise error(status)
    return values[0] if values else None


def defined(text: str, name: str, options: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    r"""Return a text that begins with its macros, and the options without them.

    Run-time compilers put headers of their own before the text, and a macro such as ``T`` would break those.

    >>> defined("f();", "k.cu", ("-DT=float", "--use_fast_math"))
    ('#define T float\n#line 1 "k.cu"\nf();', ('--use_fast_math',))
    """
    named = [option[2:].partition("=") for option in options if option.startswith("-D") and len(option) > 2]
    lines = [f"#define {macro} {value if equals else 1}" for macro, equals, value in named]
    plain = name.replace("\\", "/").replace('"', "'")
    head = "\n".join((*lines, f'#line 1 "{plain}"', ""))
    return head + text, tuple(o for o in options if not (o.startswith("-D") and len(o) > 2))
