"""Names, meanings and derivations of everything that can be known about a variant."""
