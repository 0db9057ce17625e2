"""A timing model of machine code: prices of instructions, one timeline in control-flow order, unit pressure, critical path."""
