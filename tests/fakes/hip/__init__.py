"""Stand-in for AMD's package of this name: one virtual GPU; only what hotloop calls."""
