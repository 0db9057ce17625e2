"""``attention.hip`` itself, run on the host lane by lane: every rung is right, and defects of the source are noticed."""

from dataclasses import replace

import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.kernels.attention.ladders import counts, execute, hip_text, tile_of
from hotloop.kernels.attention.ladders.tile import Tile

SOURCE = hip_text()
(LADDER,) = ladder_data.ladders("attention")
CHUNKED = {"QFROM": 2, "VT": 1, "PAD": 4, "BN": 32, "EXIT": 1, "EDGE": 1, "VROWS": 2}
AHEAD = {**CHUNKED, "BUFFERS": 1, "PREFETCH": 1}
CHAINED = {**AHEAD, "PREG": 1, "LATE": 1}
BESIDE = {**CHAINED, "OVERLAP": 1}
STAGGERED = {**BESIDE, "BUFFERS": 2, "STAGGER": 1}
COPIED = {
    "QFROM": 2,
    "TR": 1,
    "BN": 32,
    "SIDE": 32,
    "WIDE": 1,
    "SWIZZLE": 1,
    "EXIT": 1,
    "BUFFERS": 2,
    "PREFETCH": 1,
    "PREG": 1,
    "DIRECT": 2,
}


def target_of(rung):
    return rung.targets[0] if rung.targets else "gfx942"


def distinct():
    """Return the HIP rungs without those that only differ in what the host knows nothing of: order, priority, registers."""
    found = {}
    for rung in LADDER.rungs:
        if not rung.series:
            found.setdefault(
                (replace(tile_of(LADDER, rung), hints=0, ahead=0, priority=0, agpr=0, resident=0), target_of(rung)),
                rung.name,
            )
    return list(found.values())


@pytest.mark.parametrize("name", distinct())
def test_every_rung_computes_causal_attention(host, name):
    rung = LADDER.rung(name)
    found = host.worst(tile_of(LADDER, rung), target_of(rung))
    assert 0 < found <= 1


@pytest.mark.parametrize("name", ["v4.0", "causal-exit", "lane-rotation", "late-sum", "beside-softmax", "wide"])
def test_without_the_mask_too(host, name):
    rung = LADDER.rung(name)
    tile = Tile.of({**LADDER.changes(rung), "CAUSAL": 0})
    assert host.worst(tile, target_of(rung), shapes=((1, 33, 97),)) <= 1


@pytest.mark.parametrize("changes", [CHAINED, {**CHAINED, "SIDE": 32}], ids=["16", "32"])
def test_swaps_across_lanes_of_gfx950(host, changes):
    assert host.worst(Tile.of({**changes, "CROSS": 1}), "gfx950") <= 1


@pytest.mark.parametrize(
    "changes", [{}, {"BUFFERS": 1}, CHAINED, {**CHAINED, "BUFFERS": 2}], ids=["4", "2", "2-ahead", "1"]
)
def test_barriers_per_step(host, changes):
    tile = Tile.of({**changes, "EXIT": 0})
    library, passed = host.compile(tile, "gfx942"), []
    for steps in (2, 5):
        arrays = [part[None] for part in execute.inputs(tile.rows, steps * tile.bn)]
        passed.append(host.launch(library, tile, arrays, 0)[1])
    assert passed[1] - passed[0] == 3 * counts.barriers_of(tile)


def test_local_memory_is_what_the_tile_says(host):
    for changes in ({}, CHUNKED, CHAINED, {**CHAINED, "SWIZZLE": 1, "BUFFERS": 2}):
        assert host.compile(Tile.of(changes), "gfx942").lds_bytes() == Tile.of(changes).lds_bytes


# --- defects ---------------------------------------------------------------------------------------------------------


def without(piece, place=0):
    """Return the source without the n-th occurrence of a statement."""
    parts = SOURCE.split(piece)
    assert len(parts) > place + 1, piece
    return piece.join(parts[: place + 1]) + ";" + piece.join(parts[place + 1 :])


def changed(old, new):
    assert SOURCE.count(old) == 1, old
    return SOURCE.replace(old, new)


def section(first, last, piece="    meet();"):
    """Return the numbers of the barriers, or other statements, between two marks of the source."""
    begin, end = SOURCE.index(first), SOURCE.index(last)
    return range(SOURCE[:begin].count(piece), SOURCE[:end].count(piece))


ORDERS = {
    "staggered": ("#if STAGGER\n    // Two halves", "#elif OVERLAP"),
    "overlapped": ("#elif OVERLAP", "#elif PREFETCH"),
    "ahead": ("#elif PREFETCH", "#else\n    for (int key0 = 0;"),
    "in turn": ("#else\n    for (int key0 = 0;", "    finish(at, out"),
}


STAGED_Q = ("    meet();", SOURCE[: SOURCE.index("fetch<1>(at, q, first")].count("    meet();"))
BARRIERS = [
    ("Q", 0, {"QFROM": 1}),
    *(
        (name, place, changes)
        for name, changes in (("overlapped", BESIDE), ("ahead", AHEAD), ("in turn", CHUNKED), ("staggered", STAGGERED))
        for place in section(*ORDERS[name])
    ),
]


@pytest.mark.parametrize(("name", "place", "changes"), BARRIERS, ids=[f"{b[0]}-{b[1]}" for b in BARRIERS])
def test_a_missing_barrier_is_noticed(host, name, place, changes):
    source = without(*STAGED_Q) if name == "Q" else without("    meet();", place)
    assert not host.worst(Tile.of(changes), "gfx942", source, shapes=((1, 150, 150),)) <= 1


PHASES = section(*ORDERS["staggered"], " phase();")
WAITS = {
    "ahead": (COPIED, section(*ORDERS["ahead"], "    arrive();")),
    "overlapped": ({**COPIED, "OVERLAP": 1}, section(*ORDERS["overlapped"], "    arrive();")),
    "staggered": ({**COPIED, "OVERLAP": 1, "STAGGER": 1}, section(*ORDERS["staggered"], " arrive();")),
}


@pytest.mark.parametrize("place", PHASES)
def test_a_missing_phase_is_noticed(host, place):
    source = without(" phase();", place)
    assert not host.worst(Tile.of(STAGGERED), "gfx950", source, shapes=((1, 150, 150),)) <= 1


@pytest.mark.parametrize(("name", "place"), [(n, p) for n, (_, places) in WAITS.items() for p in places])
def test_a_missing_wait_for_copies_is_noticed(host, name, place):
    changes, piece = WAITS[name][0], " arrive();" if name == "staggered" else "    arrive();"
    assert not host.worst(Tile.of(changes), "gfx950", without(piece, place), shapes=((1, 150, 150),)) <= 1


DEFECTS = {
    "the maps of rows": ({}, "8 * (i / 4) + 4 * at.g + i % 4", "16 * (i / 4) + at.g + 4 * (i % 4)"),
    "the mask of the diagonal": ({}, "(CAUSAL && key > query)", "(CAUSAL && key >= query + 1 + (query & 1))"),
    "the mask of the end": ({}, "key >= keys || ", ""),
    "rows of Q behind the end": ({}, "if (query0 + row(at, i) < queries)", "if (query0 + row(at, i) <= queries)"),
    "earlier sums": ({}, "sum[r] = sum[r] * shrink[r] + part;", "sum[r] = sum[r] + part;"),
    "earlier products": ({}, "o[c][i] *= shrink[PREG ? 0 : i];", ";"),
    "the order within a wave": (AHEAD, "        settle();\n        collect(at, p);\n        gather(at, lds + VAT + slot", "        collect(at, p);\n        gather(at, lds + VAT + slot"),
    "one lane distance": (CHAINED, "x = join<16>(at, x, op);\n    return join<32>", "return join<32>"),
    "the step behind the diagonal": (CHUNKED, "keys < first + ROWS ? keys : first + ROWS", "keys < first + ROWS - BN ? keys : first + ROWS - BN"),
    "which tile the late waves bring": (STAGGERED, "DIRECT ? 0 : late * BN", "0"),
    "where the late waves put it": (STAGGERED, "DIRECT || !late ? other : slot", "other"),
    "who gives a row's address": (COPIED, "key + at.n % 16 / 4", "key + at.n % 4"),
    "what a lane copies": (COPIED, "v_place(place % D, r)", "k_place(r, place % D)"),
    "rows behind the end": (COPIED, "less(first + r, rows - 1)", "less(first + r, rows - 2)"),
    "when sums are rescaled": ({**CHAINED, "LAZY": 1}, "grown = true;", ";"),
    "Q's place": ({"QFROM": 1, "OVERLAY": 1}, "if (OVERLAY) meet();", ";"),
    "when a step has an edge": (CHUNKED, "key0 + BN - 1 > query0)", "key0 > query0)"),
    "which V the last step left": (BESIDE, "gather(at, lds + VAT + other * VSIZE, p, o);\n        const bool", "const bool"),
    "the scale of the exponential": ({}, "* 1.44269504f", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_noticed(host, name):
    changes, old, new = DEFECTS[name]
    source = SOURCE.replace(old, new) if name == "one lane distance" else changed(old, new)
    assert source != SOURCE
    assert not host.worst(Tile.of(changes), "gfx942", source, shapes=((2, 70, 50), (1, 97, 97))) <= 1
