"""Rings of stages behind mbarriers: hot loops that Triton 3.9.0 made for sm_90, named by kernel and stages, and what they cover."""

from pathlib import Path

import pytest

from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.nvidia.rings import Ring, ring

FILES = sorted((Path(__file__).parents[2] / "golden" / "sass" / "rings").glob("*.sass"))
LEFT = {"hopper", "hopper_turns", "persistent"}


def hot(text):
    return DIALECT.parse(text)[0].instructions


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stages_are_read_from_the_code(path):
    kernel, _, stages = path.stem.rpartition("_")
    found = ring(hot(path.read_text()))
    assert found.stages == int(stages)
    assert found.left == (kernel in LEFT and int(stages) > 1)
    assert found.apart == ("persistent" not in kernel)
    assert found.waits == (2 if "attention" in kernel or stages == "1" else 1)


def test_another_number_of_stages_is_another_ring():
    text = (Path(FILES[0]).parent / "hopper_6.sass").read_text()
    assert text.count("UPT, UR7, 0x6,") == 1
    assert ring(hot(text.replace("UPT, UR7, 0x6,", "UPT, UR7, 0xb,"))).stages == 11


def test_what_the_code_does_not_tell_is_not_guessed():
    text = (Path(FILES[0]).parent / "hopper_6.sass").read_text()
    without_wrap = "\n".join(row for row in text.splitlines() if "USEL UR7" not in row)
    assert without_wrap != text
    assert ring(hot(without_wrap)) is None
    assert ring(hot(text.replace("SYNCS.PHASECHK.TRANS64.TRYWAIT", "NOP"))) is None


@pytest.mark.parametrize(
    ("found", "work", "share"),
    [
        (Ring(1, 2, 1, True), 479, 1.0),  # one stage is filled while one is read
        (Ring(1, 1, 0, False), 479, 0.5),  # filled, then read
        (Ring(1, 5, 1, True), 120, 480 / 479),
        (Ring(1, 1, 1, True), 100, 0.0),  # waits for what it holds itself
    ],
)
def test_a_stage_is_held_and_filled_in_turn(found, work, share):
    assert found.cover(work, 479) == pytest.approx(share)
