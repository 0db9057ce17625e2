"""The fast back end: an interpreter in C whose arithmetic is written from the tables of `hotloop.emulate.semantics`."""
