"""Binary formats of runtimes: each module has one ``CONTAINER`` that satisfies `hotloop.isa.code.Container`."""
