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
    known = list(symbols)
    if entry in known:
        return entry
    parts = [part for part in entry.partition("<")[0].strip().split("::") if part]
    lengths = "".join(f"{len(part)}{part}" for part in parts)
    mangled = re.compile(rf"_Z{'N' if len(parts) > 1 else ''}{re.escape(lengths)}")
    found = [symbol for symbol in known if mangled.match(symbol)]
    if len(found) != 1:
        which = "no kernel" if not found else f"{len(found)} kernels"
        raise ValueError(f"{which} {entry!r} in the code; it has {', '.join(sorted(known)) or 'none'}")
    return found[0]
