"""The version of the package, part of what every kept result depends on."""

__version__ = "0.2.0"
