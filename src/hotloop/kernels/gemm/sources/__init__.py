"""Sources of the family's kernels."""
