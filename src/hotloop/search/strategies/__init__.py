"""Search strategies, one module each; ``STRATEGY`` is called with a space, a seed and optional start points."""
