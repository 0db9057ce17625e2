"""Ladders on NVIDIA cards."""
