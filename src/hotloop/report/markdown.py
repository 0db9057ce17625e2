"""Texts of strangers in GitHub-flavoured Markdown: escaped, as code, and in tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from hotloop.report import plain

_SPECIAL = re.compile(r"([\\`*\[\]|#~$!]|(?<![^\W_])_|_(?![^\W_])|^[-+=](?=[\s=+-]|$))")
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")


def escape(text: str) -> str:
    r"""Return untrusted text as one line that Markdown shows literally, in tables too.

    >>> escape("a|b `c` <script> snake_case *x*\n# d")
    'a\\|b \\`c\\` &lt;script&gt; snake_case \\*x\\* \\# d'
    """
    html = plain.line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _NUMBERED.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", html))


def code(text: str) -> str:
    r"""Return untrusted text as a code span, also inside a table cell.

    >>> code("VW 1 → 8"), code("a`b|c")
    ('`VW 1 → 8`', '`` a`b\\|c ``')
    """
    body = plain.line(text).replace("|", "\\|")
    if not body:
        return ""
    if "`" not in body:
        return f"`{body}`"
    fence = _fence(body, 1)
    return f"{fence} {body} {fence}"


def block(text: str, language: str = "") -> str:
    """Return untrusted text as a fenced block that it cannot close."""
    body = plain.visible(text)
    fence = _fence(body, 3)
    return f"{fence}{language}\n{body}\n{fence}"


def _fence(body: str, least: int) -> str:
    """Return a run of backticks longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    return "`" * max(least, longest + 1)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are escaped already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
