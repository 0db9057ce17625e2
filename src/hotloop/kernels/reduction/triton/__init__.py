"""The Triton form of the row operations."""
