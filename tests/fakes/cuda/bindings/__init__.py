"""Stand-in for NVIDIA's package of this name: one virtual GPU; only what hotloop calls."""
