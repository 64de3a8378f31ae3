"""The one style sheet of all markup, and that of a data set's own colours."""

import re
from collections.abc import Iterator, Sequence, Set
from pathlib import Path

from labelrank_core.explain.render.markup.palette import color_properties, color_rules

_CLASS = re.compile(r"\blr-[\w-]+")
_INNERMOST = re.compile(r"\(([^()]*)\)")
# At-rules whose content is rules.
_NESTED = ("@container", "@media", "@supports")


def compact(sheet: str) -> str:
    """Return a style sheet without comments, and without spaces that stand for nothing."""
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    rules = re.sub(r"\s*([{};])\s*", r"\1", re.sub(r"\s*\n\s*", " ", rules)).strip()
    # A selector may have a space before its colon, never behind it.
    return rules.replace(": ", ":")


_SHEET = compact(Path(__file__).with_name("style.css").read_text(encoding="utf-8"))
STYLE = f"<style>{_SHEET}{color_rules()}</style>"
# The rest of it where a page has the sheet already.
COLOR_STYLE = f"<style>{color_rules()}</style>"


def style_for(text: str) -> str:
    """Return the style element with the rules for the classes of drawings in a text alone."""
    return f"<style>{_rules_for(_SHEET, set(_CLASS.findall(text)))}{color_rules()}</style>"


def _rules_for(sheet: str, classes: Set[str]) -> str:
    """Return the rules of which a selector names no class of drawings, or one of some."""
    rules = []
    for head, content in _blocks(sheet):
        inner = _rules_for(content, classes) if head.startswith(_NESTED) else content
        if inner and (head.startswith("@") or _may_match(head, classes)):
            rules.append(f"{head}{{{inner}}}")
    return "".join(rules)


def _may_match(selectors: str, classes: Set[str]) -> bool:
    # A comma in parentheses does not part selectors.
    while "(" in selectors:
        selectors = _INNERMOST.sub(lambda match: match[1].replace(",", " "), selectors)
    class_names = [_CLASS.findall(selector) for selector in selectors.split(",")]
    return any(not names or not classes.isdisjoint(names) for names in class_names)


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the head and the content of each outermost pair of braces."""
    depth, start, opened = 0, 0, 0
    for match in re.finditer("[{}]", sheet):
        depth += 1 if match[0] == "{" else -1
        if match[0] == "{" and depth == 1:
            opened = match.start()
        elif not depth:
            yield sheet[start:opened].strip(), sheet[opened + 1 : match.start()]
            start = match.end()


def label_colors_style(colors: Sequence[tuple[str, str]]) -> str:
    """Return the style element that gives the labels of a whole page colours of their own."""
    return f"<style>:root {{{color_properties(colors)}}}</style>"
