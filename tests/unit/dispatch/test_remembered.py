"""What is remembered about calls."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from hotloop.dispatch import remembered
from hotloop.kernels.conv3d_depthwise import choosing as convolution
from hotloop.kernels.conv3d_depthwise.choosing import Convolution
from hotloop.kernels.conv3d_depthwise.shape import Shape


@pytest.fixture(autouse=True)
def fresh():
    remembered.forget()
    yield
    remembered.forget()


def test_a_choice_is_made_once_until_it_is_forgotten(h200):
    made = []

    def make():
        made.append(convolution.choose(Convolution(Shape(1, 8, (5, 9, 9), (3, 3, 3))), h200))
        return made[-1]

    first = remembered.remembered("key", make).choice
    assert remembered.remembered("key", make).choice is first
    assert len(made) == 1
    other = replace(first, source="another")
    remembered.replace("key", other)
    assert remembered.remembered("key", make).choice is other
    remembered.forget()
    assert remembered.remembered("key", make).choice is made[1]


def test_many_shapes_do_not_grow_the_memory(h200, monkeypatch):
    monkeypatch.setattr(remembered, "MOST_CHOICES", 3)
    choice = convolution.choose(Convolution(Shape(1, 8, (5, 9, 9), (3, 3, 3))), h200)
    for key in range(20):
        remembered.remembered(key, lambda: choice)
        assert len(remembered._answers) <= 3


def test_what_was_logged_does_not_grow_the_memory_and_is_not_logged_again(h200, monkeypatch, caplog):
    monkeypatch.setattr(remembered, "MOST_CHOICES", 5)
    with caplog.at_level(logging.INFO, logger="hotloop.ops"):
        for _ in range(2):
            for size in range(8, 12):
                shape = Shape(1, size, (5, 9, 9), (3, 3, 3))
                remembered.remembered((size, _), lambda shape=shape: convolution.choose(Convolution(shape), h200))
        assert len(caplog.records) == 4
        for size in range(12, 40):
            shape = Shape(1, size, (5, 9, 9), (3, 3, 3))
            remembered.remembered(size, lambda shape=shape: convolution.choose(Convolution(shape), h200))
            assert len(remembered._reported) <= 5


def test_a_kernel_that_cannot_run_is_not_tried_again_when_many_shapes_came_between(h200, monkeypatch):
    monkeypatch.setattr(remembered, "MOST_CHOICES", 3)
    choice = convolution.choose(Convolution(Shape(1, 8, (5, 9, 9), (3, 3, 3))), h200)
    remembered.replace("key", replace(choice, source="cannot run here"))
    for key in range(20):
        remembered.remembered(key, lambda: choice)
    assert remembered.remembered("key", lambda: choice).choice.source == "cannot run here"
    for key in range(20):
        remembered.replace(key, choice)
    assert len(remembered._decided) == 3
    remembered.forget()
    assert remembered.remembered("key", lambda: choice).choice is choice
