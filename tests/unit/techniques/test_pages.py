"""The committed pages about rules and techniques are what the modules say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"


def generator():
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = generator().pages()


@pytest.mark.parametrize("name", PAGES)
def test_page_is_up_to_date(name):
    committed = (DOCS / name).read_text(encoding="utf-8")
    assert committed == PAGES[name], f"docs/{name} is stale: run python docs/generate.py"


def test_links_lead_to_headings():
    import re

    for text in PAGES.values():
        for page, anchor in re.findall(r"\]\(([a-z.-]*)#([a-z0-9-]+)\)", text):
            target = PAGES.get(page) or (DOCS / page).read_text(encoding="utf-8") if page else text
            titles = re.findall(r"^#+ (.+)$", target, re.MULTILINE)
            assert anchor in {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in titles}, (
                page,
                anchor,
            )
