"""The version of the package; every stored result depends on it."""

__version__ = "0.2.0"
