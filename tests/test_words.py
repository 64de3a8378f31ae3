"""Every sentence that people may read, in one file: `test-results/words.txt`."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LISTED = ROOT / "test-results" / "words.txt"
# Not the field's terms, or not idiomatic.
NOT_SAID = (
    "cases to ask",
    "to ask further",
    "who were asked",
    "stand by index",
    "has no say",
    "wider circle",
    "chained support",
    "told by its content",
    "is no question",
    "bits left to ask",
    "detour through text",
    "hold back",
    "rightest",
    "hardly alike",
    "told apart",
    "what tells",
    "take it along",
    "hangs on one case",
    "take away",
    "its program starts",
    "the commonest",
    "more than so many",
    "number a label",
    "line a data set",
    "column a method",
    "one row a case",
    "printed otherwise",
    "sure ones the right ones",
)


class Reader(ast.NodeVisitor):
    """Collects what a module says: texts of two words or more, docstrings left out."""

    def __init__(self):
        self.said = []

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_JoinedStr(self, node):
        parts = (v.value if isinstance(v, ast.Constant) else "…" for v in node.values)
        self.keep(node, "".join(map(str, parts)))

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.keep(node, node.value)

    def keep(self, node, words):
        words = " ".join(words.split())
        is_code = re.search(r"[{}<]|\(\?|://|^\.|=\"", words)
        if re.search(r"[a-z]{2,}[,.:]? [a-z…]", words, re.IGNORECASE) and not is_code:
            self.said.append((node.lineno, words))


def sentences(path):
    reader = Reader()
    reader.visit(ast.parse(path.read_text(encoding="utf-8")))
    return sorted(set(reader.said))


@pytest.fixture(scope="module")
def said():
    files = [
        *sorted((ROOT / "pages").rglob("*.py")),
        *sorted((ROOT / "labelrank_core").rglob("*.py")),
    ]
    found = {path.relative_to(ROOT).as_posix(): sentences(path) for path in files}
    blocks = [
        "\n".join([name, *(f"  {line}: {words}" for line, words in lines)])
        for name, lines in found.items()
        if lines
    ]
    LISTED.parent.mkdir(exist_ok=True)
    LISTED.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return found


def test_every_sentence_is_listed_in_one_file(said):
    listed = LISTED.read_text(encoding="utf-8")
    assert "What made the difference?" in listed
    assert sum(map(len, said.values())) == len(re.findall(r"^  \d+: ", listed, re.MULTILINE))


def test_the_field_has_other_words_for_these(said):
    wrong = [
        (name, line, words)
        for name, lines in said.items()
        for line, words in lines
        if any(phrase in words.lower() for phrase in NOT_SAID)
    ]
    assert not wrong


def test_a_sentence_in_pieces_is_read_whole():
    reader = Reader()
    reader.visit(ast.parse('"""Doc."""\nst.write(f"The {n} most similar " "cases; so many.")'))
    assert reader.said == [(2, "The … most similar cases; so many.")]
