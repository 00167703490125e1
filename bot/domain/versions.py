"""Which version of a package is installed."""
from __future__ import annotations

import importlib.metadata


def version(package: str) -> str:
    """The version of a package; "unknown" where it runs from a folder and isn't installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
