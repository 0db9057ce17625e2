"""Missing waits, one entry for each: what a single wait would mend is told once, with the number of places that suffer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence


def folded(found: Sequence[tuple[Hashable, Hashable, str]]) -> tuple[str, ...]:
    """Return one sentence for each group of hazards that share an operation or a consumer.

    Args:
        found: what is in flight, who uses it, and the sentence about it, in the order of the code.
    """
    groups: list[list[str]] = []
    of: dict[tuple[str, Hashable], int] = {}
    merged: dict[int, int] = {}

    def root(group: int) -> int:
        while group in merged:
            group = merged[group]
        return group

    for operation, consumer, sentence in found:
        roots = sorted({root(of[key]) for key in (("op", operation), ("use", consumer)) if key in of})
        if not roots:
            groups.append([])
            roots = [len(groups) - 1]
        first, *others = roots
        for other in others:
            merged[other] = first
            groups[first] += groups[other]
            groups[other] = []
        groups[first].append(sentence)
        of["op", operation] = of["use", consumer] = first
    return tuple(_told(group) for group in groups if group)


def _told(group: Sequence[str]) -> str:
    if len(group) == 1:
        return group[0]
    return f"{group[0].rstrip('.')} (the same wait is missing for {len(group) - 1} more)"
