"""Data sets, their findings, samples, splits and profiles."""

from labelrank_core._exports import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
