"""Branches that differ between neighbours, and parts of statements that they are made of."""
