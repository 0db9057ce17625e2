"""Build options in the form that an OpenCL runtime takes: a single text that holds all of them."""

from __future__ import annotations

import re

from hotloop.ports import BuildError

_SPACED = re.compile(r'-I(?=[^\s"]).*\s')
"""A folder of headers whose name has a space, not in quotation marks."""


def quoted(options: tuple[str, ...]) -> list[str]:
    """Return build options with quotation marks around folders whose names have a space.

    Raises:
        BuildError: an option cannot be written in UTF-8: the name of a folder that is in another encoding.
    """
    for option in options:
        try:
            option.encode()
        except UnicodeEncodeError:
            raise BuildError(
                f"error: the build option {option!a} is no text in UTF-8; rename the folder, or set PYTHONUTF8=1"
            ) from None
    return [f'-I"{option[2:]}"' if _SPACED.match(option) else option for option in options]
