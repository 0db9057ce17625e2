"""Conditions of the vector and scalar compares: expressions of a and b; ``n`` conditions are true for unordered operands.

Source: AMD's ISA references, sections "VOPC" and "SOPC instructions".
"""

from __future__ import annotations

CONDITIONS = {
    "f": "(a != a) & (a == a)",
    "lt": "a < b",
    "eq": "a == b",
    "le": "a <= b",
    "gt": "a > b",
    "lg": "(a < b) | (a > b)",
    "ne": "a != b",
    "ge": "a >= b",
    "o": "~(isnan(a) | isnan(b))",
    "u": "isnan(a) | isnan(b)",
    "nge": "~(a >= b)",
    "nlg": "~((a < b) | (a > b))",
    "ngt": "~(a > b)",
    "nle": "~(a <= b)",
    "neq": "a != b",
    "nlt": "~(a < b)",
    "t": "(a != a) | (a == a)",
    "tru": "(a != a) | (a == a)",
}
KINDS = ("f16", "f32", "f64", "i16", "u16", "i32", "u32", "i64", "u64")
"""Types that are compared."""
