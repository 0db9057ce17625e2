"""Facts about GPU targets as data, and what the calculators of `hotloop.isa` take made from them."""
