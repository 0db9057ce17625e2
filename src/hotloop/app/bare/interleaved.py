"""Rewrites that go together where neighbours lie two to four elements apart, as the channels of pixels do."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from hotloop.app.bare.expected import OUTPUTS
from hotloop.model.record import Scalar
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

INTERLEAVED, SIZES = "interleaved-lanes", "known-sizes"
_BLOCKS = ("1x4x16b32", "1x4x16", "1x1x16")
"""Blocks in the order in which they are tried: without loops a block is little work beside a work-item, so one item takes many. The last
one has the shortest text: what has no such vectors in it has none in the others, which take several times as long to make."""


def interleaved(posed: Posed, chosen: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return rewrites with whole vectors of such neighbours behind them, with the sizes that say how far they are apart; as they are where none lie so."""
    if not _apart(posed):
        return dict(chosen)
    own = chosen.get(OUTPUTS)
    if own is not None:
        return _woven(posed, chosen, own) or dict(chosen)
    if (least := _woven(posed, chosen, _BLOCKS[-1])) is None:
        return dict(chosen)
    larger = (made for block in _BLOCKS[:-1] if (made := _woven(posed, chosen, block)) is not None)
    return next(larger, least)


def _woven(posed: Posed, chosen: Mapping[str, Scalar], block: Scalar) -> dict[str, Scalar] | None:
    """Return the rewrites with a block and such vectors behind it, None where they have no place."""
    for sizes in ({}, {SIZES: 1}):
        made: dict[str, Scalar] = {**chosen, OUTPUTS: block, **sizes, INTERLEAVED: 1}
        with suppress(RefusedError):
            rewritten(posed, made)
            return made
    return None


def _apart(posed: Posed) -> bool:
    """Tell whether something is multiplied by two to four, or by a size that is so: without looking at what is, which takes longer."""
    few: set[t.Node] = {t.Name(name) for name, value in posed.values.items() if 2 <= value <= 4}
    few |= {t.Name(name) for name, value in posed.constants.items() if 2 <= value <= 4}
    few |= {t.Number(str(number)) for number in range(2, 5)}
    products = (node for node in t.walk(*posed.function.body) if isinstance(node, t.Binary) and node.op == "*")
    return any(few & {node.left, node.right} for node in products)


def behind(posed: Posed) -> list[Posed]:
    """Return a function with the block and the sizes that such vectors need; nothing where they have no place."""
    made = interleaved(posed, {})
    return [rewritten(posed, {name: one for name, one in made.items() if name != INTERLEAVED})] if made else []
