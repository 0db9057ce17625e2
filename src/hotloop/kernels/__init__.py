"""Kernel families: problem, reference, sources, space."""
