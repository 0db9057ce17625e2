"""Names of C++ kernels: which symbol of a binary is meant by the name in the source."""

from __future__ import annotations

import re
from collections.abc import Iterable


def find(entry: str, symbols: Iterable[str]) -> str:
    """Return the symbol of a kernel, by its name or by the Itanium C++ ABI's mangling of it.

    An instance of a template is found by the template's name, so it must be the only one.

    >>> find("scale", ["_Z5otherPf", "_Z5scalefPf"]), find("norm<4>", ["_Z4normILi4EEvPf"]), find("a::f", ["_ZN1a1fEv"])
    ('_Z5scalefPf', '_Z4normILi4EEvPf', '_ZN1a1fEv')

    Raises:
        ValueError: there is none, or several; the text is the reason.
    """
    names = list(symbols)
    if entry in names:
        return entry
    parts = [part for part in entry.partition("<")[0].strip().split("::") if part]
    lengths = "".join(f"{len(part)}{part}" for part in parts)
    mangled = re.compile(rf"_Z{'N' if len(parts) > 1 else ''}{re.escape(lengths)}")
    matching = [symbol for symbol in names if mangled.match(symbol)]
    if len(matching) != 1:
        which = "no kernel" if not matching else f"{len(matching)} kernels"
        raise ValueError(f"{which} {entry!r} in the code; it has {', '.join(sorted(names)) or 'none'}")
    return matching[0]
