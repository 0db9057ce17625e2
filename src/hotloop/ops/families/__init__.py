"""Kernel families that `hotloop.ops` can dispatch; one file each."""
