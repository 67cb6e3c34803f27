"""The version of the server: that of the package."""

from __future__ import annotations


def version() -> str:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("rulesdsl")
    except PackageNotFoundError:
        return "0"
