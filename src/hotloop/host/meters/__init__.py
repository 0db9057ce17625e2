"""What the system counts of energy, clocks and temperature beside a measurement."""
