"""What blocks of results are expected to bring to a source's functions, by how far apart neighbouring work-items read and write."""

from __future__ import annotations

from hotloop.app.bare.plan import pose, variant, wishes
from hotloop.app.bare.source import Source
from hotloop.model.finding import Gain
from hotloop.model.kernel import Offer
from hotloop.model.record import Scalar
from hotloop.model.space import Config
from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.strides import apart, strides, window
from hotloop.rewrite.components.straight import straightened
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError, Shape, shape

REDUCTION = "reduction-lanes"
OUTPUTS, COMPONENTS, FIELDS = "outputs-per-item", "vectors-apart", "fields-apart"
"""Rewrites by name: blocks of results, and short vectors and structures as numbers."""
CROSSED = ("16x1x16", "4x2x16", "4x4x1")
"""Blocks for transposes."""
FIRST = (
    (REDUCTION, "vectorize", Gain(1.5, 16.0)),
    ("index-to-dimensions", "work-per-item", Gain(1.0, 4.0)),
)
"""Rewrites that are worth more alone than blocks or sizes beside them: seen were 4.3 (a row's normalization) and 2.9 (padding)."""
_PACKED = Gain(0.04, 1.1)
"""Gain of blocks of results that are short vectors, within loops: loads of neighbours were one wide load before, and are gathered afterwards."""
_PACKED_ONCE = Gain(0.9, 5.0)
"""Gain of the same without a loop: an item did less work than it costs to start one."""
_SCATTERED = Gain(0.03, 1.3)
"""Gain where neighbouring results are neither adjacent in memory nor in one place: a block's loads and stores are split."""
_TURNED = Gain(0.3, 25.0)
"""Gain where results are adjacent along another dimension than the first: vectors of them save most work-items, or are too many for the
registers."""
_GATHERED = Gain(0.2, 1.5)
"""Gain where no loop reads adjacent elements along any dimension: each vector is assembled from single loads."""
_CROSSED = Gain(1.0, 8.0)
"""Gain of transposes: what is adjacent along one dimension is far apart along the other, and a block uses whole cache lines of both."""
_ROWS_ONCE = Gain(0.3, 1.1)
"""Gain of several rows, or of results one by one, without a loop: no load is saved that the cache would not serve, and the vectors that the
runtime makes of neighbouring items are lost."""


_OUTER = Gain(0.9, 8.0)
"""Gain of blocks without a loop where some places are those of a row and others those of a column, as for distances between all pairs: each is
loaded once for several results."""
_WINDOWED = Gain(0.9, 6.0)
"""Gain of vectors without a loop where several neighbours of one array are read, as in stencils: one wide load each, and fewer work-items."""
_WINDOW = 3
"""Places of one array from which on a function is such a one."""


def expected(source: Source, config: Config, parameters: tuple[str, ...], block: str) -> Gain:
    """Return what blocks of several functions bring: as little as for the one that suits them least."""
    apart_already = [
        name for name in parameters if any(config.get(name.replace(OUTPUTS, one)) for one in (COMPONENTS, FIELDS))
    ]
    short = [name for name in parameters if packed(source, name) and name not in apart_already]
    if short:
        return _PACKED if any(loops_in(source, name) for name in short) else _PACKED_ONCE
    if not block.endswith("x1") and any(_gathered(source, name) for name in parameters):
        return _GATHERED
    fresh = all(config[name] == "off" and loops_in(source, name) for name in parameters)
    once = [name for name in parameters if not loops_in(source, name)]
    single = block.endswith("x1")
    if once and all(crossed(_form(source, config, name)) for name in once):
        return _CROSSED if block in CROSSED else _SCATTERED
    if block == CROSSED[0]:
        return _SCATTERED
    if once and not single and all(outer(_form(source, config, name)) for name in once):
        return _OUTER
    apart_along = [_apart(source, config, name) for name in once]
    if any(all(each) or (single and each[0]) for each in apart_along if each):
        return _SCATTERED
    if any(each[0] for each in apart_along if each):
        return _TURNED
    if once and not single and all(windowed(_form(source, config, name)) for name in once):
        return _WINDOWED
    if once and (single or not block.startswith("1x")):
        return _ROWS_ONCE
    return Gain(1.0, 12.0) if fresh else Gain(0.7, 1.5)


def _gathered(source: Source, parameter: str) -> bool:
    """Tell whether the rounds of a function's loops read and write places that move from work-item to work-item, and none beside another."""
    posed = pose(source, parameter.rpartition(".")[0])
    try:
        form = shape(posed.function, posed.types) if posed is not None else None
    except RefusedError:
        return False
    rounds = tuple(n for n in t.walk(*form.work) if isinstance(n, t.For)) if form is not None else ()
    if form is None or not rounds:
        return False
    each = [stride for item in form.items for stride in strides(form, item.name, rounds)]
    even = [stride for stride in each if stride is not None]
    return len(even) == len(each) and algebra.ONE not in even and any(even)


def _form(source: Source, config: Config, parameter: str) -> Shape | None:
    """Return the form of a function without blocks; None where it has none."""
    kernel = parameter.rpartition(".")[0]
    try:
        plain = variant(source, kernel, {k: v for k, v in wishes(config, kernel).items() if k != OUTPUTS})
        return shape(straightened(plain).function, plain.types)
    except RefusedError:
        return None


def crossed(form: Shape | None) -> bool:
    """Tell whether some places are neighbours along each of two dimensions and far apart along the other, as a transpose's are."""
    if form is None or len(form.items) < 2:
        return False
    one, other = (strides(form, item.name) for item in form.items[:2])
    pairs = [*zip(one, other, strict=True)]
    return all(
        any(pair[along] == algebra.ONE and pair[1 - along] not in (algebra.ONE, {}) for pair in pairs)
        for along in (0, 1)
    )


def outer(form: Shape | None) -> bool:
    """Tell whether some places are the same for a row of results and some for a column, and results are neighbours along the first dimension."""
    if form is None or len(form.items) < 2:
        return False
    pairs = [*zip(*(strides(form, item.name) for item in form.items[:2]), strict=True)]
    alone = [any(pair[along] == {} and pair[1 - along] != {} for pair in pairs) for along in (0, 1)]
    return all(alone) and any(first == algebra.ONE and second for first, second in pairs)


def windowed(form: Shape | None) -> bool:
    """Tell whether results read several places of one array that lie beside those of the next result."""
    return form is not None and bool(form.items) and window(form, form.items[0].name) >= _WINDOW


def _apart(source: Source, config: Config, parameter: str) -> list[bool]:
    """Tell by dimension of a function whether some place that it reads or writes is no neighbour of the next work-item's."""
    form = _form(source, config, parameter)
    if form is None:
        return []
    return [apart(form, item.name) > 0 for item in form.items]


def packed(source: Source, parameter: str) -> bool:
    """Tell whether a kernel uses whole elements of its arrays that are short vectors, such as ``float2``."""
    posed = pose(source, parameter.rpartition(".")[0])
    if posed is None:
        return False
    cells = {argument.name: source.cell(argument.type) for argument in posed.function.arguments if argument.pointer}
    short = {name for name, cell in cells.items() if cell is not None and cell.lanes > 1}
    parts = [node.base for node in t.walk(*posed.function.body) if isinstance(node, t.Member) and posed.part_of(node)]
    elements = (
        n for n in t.walk(*posed.function.body) if isinstance(n, t.Index) and not any(n is part for part in parts)
    )
    return any(isinstance(node.base, t.Name) and node.base.text in short for node in elements)


def loops_in(source: Source, parameter: str) -> bool:
    """Tell whether the function that a parameter is of has loops."""
    posed = pose(source, parameter.rpartition(".")[0])
    return posed is not None and has_loops(posed)


def has_loops(posed: Posed) -> bool:
    """Tell whether a function has loops."""
    return any(isinstance(node, t.For) for node in t.walk(*posed.function.body))


def alone(changes: dict[str, Scalar], descriptions: list[str]) -> list[Offer]:
    """Return the offer of a row's sum in lanes, or of a number taken apart, where nothing goes with it: it is what usually goes first."""
    for name, technique, gain in FIRST:
        if any(one.endswith(f".{name}") for one in changes):
            return [Offer(technique, changes, gain, "what usually goes first: " + "; ".join(descriptions), name)]
    return []
