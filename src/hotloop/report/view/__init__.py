"""From a recorded run to what a reader should see; pure, so every renderer tells the same story."""

from __future__ import annotations

from hotloop.report.view.build import build
from hotloop.report.view.page import View
from hotloop.report.view.record import RunRecord, SearchSummary

__all__ = ["RunRecord", "SearchSummary", "View", "build"]
