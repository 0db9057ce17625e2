"""Kernels from a bare source: an OpenCL C file, sizes on the command line, and nothing written."""
