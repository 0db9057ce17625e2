"""What earlier trials say of predictions: the calibration that the loop ranks by, for explanations."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.explain.page import Calibrated
from hotloop.model.finding import Gain
from hotloop.techniques.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Learned:
    """Earlier trials on one processor; empty where there is no store."""

    calibration: Calibration = Calibration()
    target: str = ""
    source: str = ""
    """The store, in words."""

    def calibrated(self, technique: str, predicted: Gain) -> Calibrated | None:
        """Return a prediction as the loop would rank it, None where the technique was never tried on this processor."""
        trials = sum(record.technique == technique for record in self.calibration.records)
        if not trials:
            return None
        factor = self.calibration.factor(technique, self.target)
        return Calibrated(factor, trials, predicted.expected * factor)
