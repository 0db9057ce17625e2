"""Instruction sets: each module has one ``DIALECT`` that satisfies `hotloop.isa.dialect.Dialect`."""
