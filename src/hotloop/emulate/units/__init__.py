"""Binding: from a decoded instruction to a function that executes it on a cohort, by the unit of the processor."""
