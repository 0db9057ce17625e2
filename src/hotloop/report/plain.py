"""Untrusted text made harmless before any renderer escapes it for its own medium.

Kernel names and compiler messages may hold terminal escapes, control characters that are illegal in HTML, or
bidirectional overrides that make a line read differently from what it says. They are shown, not obeyed.
"""

from __future__ import annotations

import re
import unicodedata

_SECRETS = re.compile(r"(://[^:/@\s]*:)[^@\s]*(?=@)|([?&](?:ssl)?password=)[^&\s'\"]+")
"""Passwords in the URLs of stores."""


def visible(text: str) -> str:
    r"""Return text with control, format and surrogate characters spelled out; newlines and tabs stay.

    >>> visible("a\x1b[31mb\u202ec\nd")
    'a\\x1b[31mb\\u202ec\nd'
    """
    return "".join(c if _harmless(c) else _spelled(c) for c in text.replace("\r\n", "\n"))


def discreet(text: str) -> str:
    """Return a text, or a command line, without the passwords of its URLs.

    >>> discreet("tune gemm@best --store postgresql://me:secret@host:5432/db?password=other&sslpassword=third")
    'tune gemm@best --store postgresql://me:***@host:5432/db?password=***&sslpassword=***'
    """
    return _SECRETS.sub(lambda match: f"{match[1] or match[2]}***", text)


def line(text: str) -> str:
    r"""Return text on one line, control characters spelled out.

    >>> line("  two\n\twords ")
    'two words'
    """
    return " ".join(visible(text).split())


def clip(text: str, lines: int) -> str:
    r"""Return the first lines of a long text and say how many are left out.

    >>> clip("a\nb\nc\nd", 2)
    'a\nb\n… 2 more lines'
    """
    rows = visible(text).split("\n")
    if len(rows) <= lines:
        return "\n".join(rows)
    return "\n".join([*rows[:lines], f"… {len(rows) - lines} more lines"])


def shorten(text: str, width: int) -> str:
    """Return text of at most `width` characters, with an ellipsis where it was cut.

    >>> shorten("register-tiling", 9), shorten("unroll", 9)
    ('register…', 'unroll')
    """
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"


def _harmless(character: str) -> bool:
    return character in "\n\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
