"""OpenCL C programs on any runtime that the ICD loader finds."""

from __future__ import annotations

from hotloop.drivers.icd import OpenCL

BACKEND = OpenCL
