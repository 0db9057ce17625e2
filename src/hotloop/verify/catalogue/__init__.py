"""The checker's own test: kernels with planted bugs, and generic mutations that show what a user's check would miss."""
