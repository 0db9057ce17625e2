"""Vectors of OpenCL C in the place of single values."""
