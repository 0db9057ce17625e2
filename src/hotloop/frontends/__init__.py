"""Compiling for a GPU that this machine does not have: one module per front end, each with ``COMPILER``."""
