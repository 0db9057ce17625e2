"""Elements of HTML and SVG with escaping by type: text is escaped, only what `el` made is not.

Anything that string operations make out of `Html` is plain text again, so a mistake shows as visible tags, never as a hole.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from hotloop.report.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

VOID = frozenset({"br", "circle", "hr", "line", "link", "meta", "path", "rect", "use"})
"""Elements written without an end tag; those of SVG are closed in place."""


class Html(str):
    """Markup that is safe to embed: made by `el` and `join`, or a constant of this package such as the style sheet."""

    __slots__ = ()


def el(tag: str, *children: str | None, **attributes: str | float | bool | None) -> Html:
    """Return one element.

    Children that are not `Html` are escaped, None is left out. Attribute names lose a trailing underscore and turn
    others into hyphens; None and False leave the attribute out, True writes it without a value.

    >>> el("p", "1 < 2 ", el("b", "&"), class_="note", aria_label='"x"')
    '<p class="note" aria-label="&quot;x&quot;">1 &lt; 2 <b>&amp;</b></p>'
    """
    head = tag + "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in VOID:
        return Html(f"<{head}/>")
    return Html(f"<{head}>{join(children)}</{tag}>")


def join(children: Iterable[str | None], separator: str = "") -> Html:
    """Return children one after another, escaping those that are not `Html`.

    >>> join(["<", el("br")])
    '&lt;<br/>'
    """
    return Html(separator.join(safe(child) for child in children if child is not None))


def safe(child: str) -> Html:
    """Return markup as it is, and text escaped with its control characters spelled out."""
    return child if isinstance(child, Html) else Html(escape(visible(child)))


def _attribute(name: str, value: str | float | bool | None) -> str:  # noqa: FBT001 - True is a value here
    if value is None or value is False:
        return ""
    key = name.rstrip("_").replace("_", "-")
    return f" {key}" if value is True else f' {key}="{escape(visible(_value(value)))}"'


def _value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.2f}".rstrip("0").rstrip(".")
