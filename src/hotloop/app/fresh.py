"""A module of a user's file, always from the text that is there now.

Python's own cache tells two versions of a file apart by the second of their writing and by their size, and so runs an old one
where somebody, or an agent, changes a number twice in a second; and it leaves a folder beside the file.
"""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from types import CodeType, ModuleType


class Text(SourceFileLoader):
    """Loads a file without the cache of compiled ones."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file's text. Raises SyntaxError, and OSError where it cannot be read."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def module(name: str, path: Path) -> tuple[ModuleType, Text]:
    """Return a module that is not executed yet, and what executes it."""
    loader = Text(name, str(path))
    spec = spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    return module_from_spec(spec), loader
