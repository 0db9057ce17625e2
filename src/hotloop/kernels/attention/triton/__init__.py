"""The plain Triton implementation, for every device that Triton compiles for."""
