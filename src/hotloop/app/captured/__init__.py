"""Kernels of captured programs as kernels of the loop: reference, inputs, space and launches, and no file to write."""
