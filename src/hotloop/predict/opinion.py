"""Whether predicted times of a space's configurations say anything about their order.

A model that does not see what decides a space, such as data-dependent addresses, predicts times that hardly differ, or doubts them. Its order is
then no better than any other, and can be worse: it must not come before a random one.

How wide the interval of a single prediction is does not matter: most of it (clock, what share of a bandwidth is reached, how far
units overlap) is the same error in all configurations of a kernel on a card, and leaves their order as it is. What caches keep of private
memory is another matter: it is all or little by whether it fits, and where it hardly fits the time of one configuration doubles and that of its
neighbour does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.predict.sequence import Sequel

TRUSTED = 0.5
"""Least fraction of the predictions that must be trusted; below it, none of the kernel's predictions is used."""
ALIKE = 1.05
"""Longest over shortest predicted time of configurations that count as equally good."""


def silence(predictions: Sequence[Sequel]) -> str:
    """Return why the order of these times is no opinion about which is faster; empty: it is one.

    It is none where fewer than half are trusted, where the predicted times are all alike, and where more than half of the others may be as
    fast as the one predicted fastest because nobody knows what caches keep of its private memory.
    """
    if not predictions:
        return "nothing is predicted"
    trusted = sum(prediction.trusted for prediction in predictions)
    if trusted < TRUSTED * len(predictions):
        return f"{trusted} of {len(predictions)} predictions are to be trusted"
    times = [prediction.time_ns for prediction in predictions]
    if max(times) <= ALIKE * min(times):
        return f"the predicted times differ by a factor of {max(times) / min(times):.3g} at most"
    return _swayed(predictions)


def _swayed(predictions: Sequence[Sequel]) -> str:
    first = min(predictions, key=lambda prediction: prediction.time_ns)
    if first.choice_ns.high <= ALIKE * first.time_ns:
        return ""
    rivals = sum(prediction.choice_ns.low <= first.choice_ns.high for prediction in predictions) - 1
    if 2 * rivals <= len(predictions) - 1:
        return ""
    return f"what caches keep of private memory is not known: with it {rivals} of {len(predictions) - 1} may be as fast as the first"
