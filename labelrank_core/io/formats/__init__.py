"""The formats that are read and written: a file each, with a `FORMAT` in it, and a line here."""

from importlib import import_module

from labelrank_core.io.formats.base import Format

# The first reads whatever no other recognises. Writers are listed in this order.
_MODULES = (
    "delimited",
    "excel",
    "parquet",
    "arff",
    "libsvm",
    "scikit_lr",
    "preflib",
)
FORMATS: tuple[Format, ...] = tuple(
    import_module(f"{__name__}.{module}").FORMAT for module in _MODULES
)
