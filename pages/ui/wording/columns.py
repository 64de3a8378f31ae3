"""Columns of the data in words: "cars (per 1000)" is the name "cars" with the unit "per 1000"."""

import re
from typing import Any

from labelrank_core.data.schema import number_text

_NAME_AND_UNIT = re.compile(r"^(.*) \((.*)\)$")
# Such as "0 to 100" and "1 or 0": a range, which is no unit.
_RANGE = re.compile(r" (to|or) ")
# A longer unit stays in the name.
_UNIT_LETTERS = 12


def name_and_unit(name: str) -> tuple[str, str]:
    """Split the name of a column; the unit is empty where it has none.

    >>> name_and_unit("cars (per 1000)"), name_and_unit("grade (1 to 5)")
    (('cars', 'per 1000'), ('grade', ''))
    >>> name_and_unit("tempo (beats per minute)")
    ('tempo (beats per minute)', '')
    """
    match = _NAME_AND_UNIT.match(name)
    if match is None:
        return name, ""
    short, unit = match.groups()
    if _RANGE.search(unit):
        return short, ""
    return (short, unit) if len(unit) <= _UNIT_LETTERS else (name, "")


def value_text(value: Any, unit: str) -> str:
    """Write a value of a column with its unit.

    >>> value_text(401.6, "per 1000"), value_text(28412.0, "€"), value_text("red", "")
    ('401.6 per 1000', '28,412 €', 'red')
    """
    if isinstance(value, str):
        return value
    return f"{number_text(value)} {unit}".strip()
