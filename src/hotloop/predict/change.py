"""What a change of code is predicted to cost or save: one launch timed by the model before and after."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.emulate.launch import Launch
from hotloop.errors import HotloopError
from hotloop.predict.answer import Prediction
from hotloop.predict.ask import ask, kernel
from hotloop.predict.card import card
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True)
class Clocked:
    """Predicted times of one launch; nothing of it is measured."""

    before: Prediction | None
    after: Prediction | None
    why_not: str = ""
    """Why there is no prediction; empty: there is."""


def clocked(before: str, after: str, name: str, target: Target, launch: Launch, chip: str = "") -> Clocked:
    """Predict the launch of both listings on the same chip; what cannot be predicted is a reason, as the proof stands without it."""
    try:
        device = card(chip or target.name)
        predictions = [ask(kernel(text, name, target.name), launch, device) for text in (before, after)]
    except HotloopError as reason:
        return Clocked(None, None, str(reason))
    return Clocked(predictions[0], predictions[1])
