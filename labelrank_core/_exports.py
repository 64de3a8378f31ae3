"""What packages export, listed in their stubs and imported when it is first used."""

import ast
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def lazy_exports(
    package: str, file: str, aliases: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, the `__dir__` and the `__all__` of a package.

    Its stub beside `file` imports each name from its module. `aliases` are other names of these.
    What is no name of the stub may be a module of the package.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    modules = {
        alias.name: str(statement.module)
        for statement in ast.parse(stub).body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    originals = {name: name for name in modules} | dict(aliases or {})

    def get(name: str) -> Any:
        if name in originals:
            value = getattr(import_module(modules[originals[name]]), originals[name])
        elif not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *originals})

    return get, list_names, sorted(originals)
