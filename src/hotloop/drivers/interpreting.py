"""What Triton's interpreter needs on a NumPy that is younger than it."""

from __future__ import annotations

from typing import Any

_MENDED = "_hotloop_mended"


def count_by_numbers() -> None:
    """Let numbers of kernels that Triton's interpreter runs count loops.

    It asks ``int()`` of arrays of one element, which have a dimension; NumPy refuses that since 2.4, so that ``range(0, n)`` failed in every kernel.
    """
    from triton.runtime import interpreter

    known: Any = interpreter
    patch = getattr(known, "_patch_lang_tensor", None)
    if patch is None or hasattr(patch, _MENDED):  # other versions do it in another way
        return

    def mended(tensor: Any, scope: Any) -> None:  # noqa: ANN401 - Triton is untyped
        patch(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data.item()))

    setattr(mended, _MENDED, True)
    known._patch_lang_tensor = mended  # noqa: SLF001 - Triton has no public place for it
