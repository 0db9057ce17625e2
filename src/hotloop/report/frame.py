"""What every page of ours begins with: no script, no network, nothing but its own style sheet."""

from __future__ import annotations

import base64
import hashlib

from hotloop.report.markup import Html, el
from hotloop.report.style import SHEET

_DIGEST = base64.b64encode(hashlib.sha256(SHEET.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_DIGEST}'; img-src data:"
"""Content security policy: even markup that slipped through could load, run and restyle nothing."""


def head(title: str) -> Html:
    """Return the head of a page with its security policy and style."""
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{title} · hotloop"),
        el("link", rel="icon", href="data:,"),
        el("style", Html(SHEET)),
    )
