"""The use case behind `hotloop banks`."""

import pytest

from hotloop.errors import UsageError
from hotloop.isa.banks.ask import Question, ask
from hotloop.isa.banks.layout import Layout

TILE = Layout(element_bytes=2, leading=64)
FRAGMENT = "read:128:lane % 16:8 * (lane // 16) + k"


def test_loops_are_enumerated():
    answer = ask(Question(target="gfx950", accesses=(FRAGMENT,), layout=TILE, sweeps=("k=0:64:32",)), solving=False)
    (found,) = answer.found
    assert [dict(values) for values, _ in found.cases] == [{"k": 0}, {"k": 32}]
    assert (found.cycles, found.ideal_cycles, answer.rows, answer.free) == (16, 4, 16, False)


def test_solutions_are_applied_by_asking_again():
    question = Question(target="gfx950", accesses=(FRAGMENT,), layout=TILE, sweeps=("k=0:64:32",))
    solutions = ask(question, solving=True).solutions
    for solution in (solutions.padding, solutions.swizzle):
        again = ask(
            Question(target="gfx950", accesses=(FRAGMENT,), layout=solution.layout, sweeps=("k=0:64:32",)),
            solving=False,
        )
        assert again.free
        assert again.injective


def test_a_layout_that_loses_data_is_noticed():
    from hotloop.isa.banks.layout import Swizzle

    answer = ask(
        Question(
            target="gfx942",
            accesses=("read:32:lane % 8:0",),
            layout=Layout(element_bytes=4, leading=6, swizzle=Swizzle(1, 1, 8)),
        ),
        solving=False,
    )
    assert answer.injective is False


def test_share_of_the_loop_bounds_the_gain():
    answer = ask(Question(target="gfx942", addresses=("read:32:lane * 256",), lds_share=0.01), solving=False)
    assert answer.found[0].worth.saving < 0.01
    assert "leave it" in answer.found[0].worth.verdict
    data = answer.as_json()
    assert data["accesses"][0]["degree"] == 32
    assert data["layout"] is None


@pytest.mark.parametrize(
    ("options", "solving", "words"),
    [
        ({}, False, "say what is accessed"),
        ({"accesses": ("read:32:lane:0",)}, False, "needs the tile"),
        ({"accesses": ("read:32:lane",), "layout": TILE}, False, "not of the form OP:BITS:ROW:COLUMN"),
        ({"addresses": ("read:x:lane",)}, False, "not of the form OP:BITS:EXPRESSION"),
        ({"addresses": ("read:32:lane - 5",)}, False, "becomes negative"),
        ({"addresses": ("read:32:lane",)}, True, "with --access, not --address"),
        ({"addresses": ("read:32:lane",), "sweeps": ("k=0:0:1",)}, False, "--for 'k=0:0:1'"),
        ({"addresses": ("read:32:lane",), "sweeps": ("lane=0:4:1",)}, False, "NAME=START:STOP:STEP"),
        ({"addresses": ("read:32:lane",), "sweeps": ("k=0:9999999:1",)}, False, "widen the steps"),
        ({"addresses": ("poke:32:lane",)}, False, "nothing is known about poke"),
    ],
)
def test_what_cannot_be_understood(options, solving, words):
    with pytest.raises(UsageError, match=words):
        ask(Question(target="gfx942", **options), solving=solving)
