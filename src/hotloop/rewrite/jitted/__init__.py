"""Rewrites of Triton functions: edits of Python text at the places of its syntax tree, so that all else stays as it was."""
