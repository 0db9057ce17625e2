"""A problem is one concrete workload: named sizes and types, as the user asked for it."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.model.record import Record, Scalar, digest


@dataclass(frozen=True, slots=True)
class Problem:
    """Sizes and data types of one workload, readable as attributes: ``problem.n``."""

    family: str
    """Name of the kernel family, or of the user's kernel."""
    sizes: Record

    def __getattr__(self, name: str) -> Scalar:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.sizes, name)  # type: ignore[no-any-return]

    def integer(self, name: str) -> int:
        """Return one size as an integer."""
        return self.sizes.integer(name)

    def replace(self, **changes: Scalar) -> Problem:
        """Return the problem with some sizes changed."""
        return Problem(self.family, self.sizes.replace(**changes))

    @property
    def key(self) -> str:
        """Stable text that identifies the problem in stores and reports, e.g. ``gemm[m=64 n=64 k=64]``."""
        return f"{self.family}[{self.sizes}]"

    @property
    def fingerprint(self) -> str:
        """Short stable hash of family and sizes."""
        return digest([self.family, dict(sorted(self.sizes.items()))])


@dataclass(frozen=True, slots=True)
class Work:
    """Least work of a problem for any kernel, from which the roofline floor is computed."""

    flops: float
    """Useful floating-point operations; one fused multiply-add counts two."""
    bytes: float
    """Compulsory memory traffic in bytes: every input read once, every output written once."""
    convention: str = "fma = 2 flops, each array moved once"
    """Which operations and bytes are counted, stated because conventions differ by factors of two."""
    products: str = ""
    """Where `flops` are the products in the program's own text: the type at whose matrix rate they are computed. Another text may need fewer."""

    @property
    def intensity(self) -> float:
        """Arithmetic intensity in flops per byte; infinite when nothing has to be moved."""
        return self.flops / self.bytes if self.bytes else float("inf")
