"""The page's style sheet: system fonts, two colour schemes, one column on phones, and paper.

The marks' colours follow Okabe and Ito's palette, which readers with any colour vision can tell apart; contrast of text
is at least 4.5 : 1 in both schemes, and shape or wording always says the same as colour.
"""

from importlib.resources import files

SHEET = (files("hotloop.report") / "style.css").read_text(encoding="utf-8")
"""Everything, in cascade order: schemes, type, blocks, tables, plots, phones, paper."""
