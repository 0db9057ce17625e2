"""One file for each rewrite of a Triton function."""
