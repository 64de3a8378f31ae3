"""Packages that only some formats need."""

from importlib import import_module
from typing import Any

from labelrank_core.data.findings import DatasetError, Finding, Severity


def needed(package: str) -> Any:
    """Return a package, imported."""
    try:
        return import_module(package)
    except ImportError as error:
        message = f"reading this format needs the package {package}, which is not installed."
        hint = f"Install it with: pip install {package}"
        raise DatasetError([Finding("missing-package", Severity.ERROR, message, hint)]) from error
