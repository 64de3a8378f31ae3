"""Docstrings of the public objects, by numpydoc's own checks."""

import inspect
from enum import Enum
from importlib import import_module
from pkgutil import walk_packages
from typing import Protocol

from numpydoc.validate import validate

import labelrank_core
import labelrank_core.rankings

# GL: sections exist, in order, none empty. SS: one summary line that starts with a capital letter
# and ends in a full stop. PR: every parameter described, none invented, in order, each with a type
# and a text. RT: what a function returns is described.
SECTIONS = {"GL01", "GL02", "GL05", "GL06", "GL07", "GL08"}
SUMMARY = {"SS01", "SS02", "SS03", "SS04", "SS06"}
CONTENT = {"PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10", "RT01", "RT03"}


def packages():
    """Every package that exports names, and the module that says what a ranking is."""
    found = walk_packages(labelrank_core.__path__, "labelrank_core.")
    modules = [import_module(each.name) for each in found if each.ispkg]
    exporting = [module for module in modules if hasattr(module, "__all__")]
    return [labelrank_core, labelrank_core.rankings, *exporting]


# Where methods of classes too have their parameters described.
CONTRACT = tuple(f"labelrank_core.{room}" for room in ("aggregation", "methods", "metrics"))


def exported(module):
    """The names in `__all__`, or else the module's own public functions and classes."""
    if hasattr(module, "__all__"):
        return module.__all__
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    ]


def public_objects():
    for module in packages():
        path = module.__name__
        checks = SECTIONS | SUMMARY | (CONTENT if path.startswith(CONTRACT) else set())
        for name in exported(module):
            value = getattr(module, name)
            if not callable(value):
                continue
            # Members of an enum and of a protocol are described where they stand.
            is_class = inspect.isclass(value)
            listed = is_class and (issubclass(value, Enum) or Protocol in value.__mro__)
            yield f"{path}.{name}", SECTIONS | SUMMARY | (set() if listed else CONTENT)
            for method, member in vars(value).items() if is_class and not listed else ():
                wrapped = isinstance(member, classmethod | staticmethod)
                if not method.startswith("_") and (inspect.isfunction(member) or wrapped):
                    yield f"{path}.{name}.{method}", checks


def missing(name, checks):
    return [f"{code}: {text}" for code, text in validate(name)["errors"] if code in checks]


def test_docstrings_say_what_a_reader_needs():
    wrong = {name: missing(name, checks) for name, checks in public_objects()}
    assert {name: errors for name, errors in wrong.items() if errors} == {}
