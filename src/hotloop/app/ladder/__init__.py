"""Ladders: compiled for a GPU that is not here, run on one that is, predictions confirmed."""
