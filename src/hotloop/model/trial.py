"""A trial is one variant on one problem with its outcome: the unit that the store keeps."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.outcome import Outcome
from hotloop.model.space import Config

SEARCH = "search"
"""Purpose of a quick trial within a search; a search makes hundreds, and repeating one is cheap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Append-only record; raw samples are inside the outcome."""

    family: str
    problem: str
    """Key of the problem."""
    sizes: Config
    """The problem's sizes, for nearest-shape look-up."""
    implementation: str
    config: Config
    fingerprint: str
    """Digest of source, configuration, launches, compiler and target."""
    device: str
    """Key of the device."""
    device_fingerprint: str
    outcome: Outcome
    created: str
    """UTC time, ISO 8601."""
    run: str = ""
    """Identity of the run that made it."""
    purpose: str = SEARCH
    """``baseline``, ``step``, ``search``, ``confirm``, ``peer``, ``bench``."""
