"""Techniques as mechanical rewrites of source text: parsed, changed as a tree, written back into the user's own lines."""
