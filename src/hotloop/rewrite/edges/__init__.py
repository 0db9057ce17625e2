"""Blocks of results whose work-items ask where the edges are only where a block crosses one."""
