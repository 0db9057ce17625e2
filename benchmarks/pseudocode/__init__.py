"""The pseudocode of AMD's ISA references, read and executed: an oracle for single instructions that shares nothing with the executor."""
