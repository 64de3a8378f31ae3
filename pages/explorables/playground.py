"""The page of the playground: numbers of people behind rankings, and the answers of the rules."""

import html
from collections.abc import Sequence
from itertools import product
from typing import Any
from urllib.parse import urlencode

import numpy as np

from labelrank_core.explain.consensus import every_rule
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.tally import tally_of
from pages.explorables.document import Page, data_element, script, style_sheet
from pages.learn import path
from pages.learn.playground import EXAMPLES, parse_line, rankings_file, read_rankings
from pages.learn.playground_answers import (
    condorcet_text,
    cycle_text,
    titles_of_rules,
    verdict,
)
from pages.learn.votes import Votes
from pages.ui.wording import text

_MOST_PEOPLE = 6
_NOBODY = "Nobody has said anything yet."


def page(app_address: str) -> Page:
    """Make the page: every example, with 0 to 6 people for each of its rankings."""
    examples = [_example(name, lines) for name, lines in EXAMPLES.items()]
    for i, (name, example) in enumerate(zip(EXAMPLES, examples, strict=True)):
        query = {"lesson": path.PLAYGROUND, "rankings_of": name, f"rankings_{i}": ""}
        example["link"] = f"{app_address}/learn?{urlencode(query)}" if app_address else ""
    pills = "".join(
        f'<a class="pill" href="#example={i}">{html.escape(name)}</a>'
        for i, name in enumerate(EXAMPLES, start=1)
    )
    first = examples[0]
    answer = first["answers"][first["answer_of"][_index(first["counts"])]]
    body = (
        "<h1>What do they agree on?</h1>"
        '<p class="lead">Several people rank the same things. Each rule is a judge of its own: '
        "move how many people give a ranking, and watch whom the judges put first.</p>"
        f'<nav class="pills" aria-label="Examples">{pills}</nav>'
        '<div class="playground"><section class="people" aria-label="The rankings">'
        f'<div class="lines">{"".join(map(_line, first["lines"], first["counts"]))}</div></section>'
        '<section class="judges" aria-label="What the rules say">'
        f'<div class="answer" aria-live="polite">{answer}</div></section></div>'
        '<p class="in-app" hidden><a href="#">Open in the app</a></p>'
        f"{data_element('playground', {'examples': examples, 'most': _MOST_PEOPLE})}"
    )
    return Page(
        "playground.html",
        "What do they agree on?",
        "Several people rank the same things: which rule puts what first, and how many change it?",
        body,
        style_sheet("playground.css"),
        script("playground.js"),
    )


def _line(strip: str, count: int) -> str:
    return f'<div class="line"><div class="lr">{strip}</div><b>{count}</b></div>'


def _index(counts: Sequence[int]) -> int:
    """Return the place of some counts in the list of all, the last one running fastest."""
    index = 0
    for count in counts:
        index = index * (_MOST_PEOPLE + 1) + count
    return index


def _example(name: str, text_lines: str) -> dict[str, Any]:
    """Answer an example with every number of people for each of its different rankings."""
    counts_of: dict[str, int] = {}
    for line in text_lines.splitlines():
        count, order = parse_line(line)
        counts_of[order] = counts_of.get(order, 0) + count
    orders = list(counts_of)
    dataset = read_rankings(rankings_file(orders))
    rows = np.arange(len(orders))
    index_of_answer: dict[str, int] = {}
    answer_of = []
    for counts in product(range(_MOST_PEOPLE + 1), repeat=len(orders)):
        voted = np.flatnonzero(counts)
        votes = Votes(dataset, rows[voted], np.array(counts)[voted])
        answer_of.append(
            index_of_answer.setdefault(
                _answer(votes) if len(voted) else _nobody(), len(index_of_answer)
            )
        )
    names = dataset.label_names
    return {
        "name": name,
        "orders": orders,
        "lines": [markup.strip(RankedLabels(dataset.label_buckets(int(i))), names) for i in rows],
        "says": dataset.targets_in_words(rows),
        "counts": [min(count, _MOST_PEOPLE) for count in counts_of.values()],
        "answers": list(index_of_answer),
        "answer_of": answer_of,
    }


def _nobody() -> str:
    return f"<h2>{_NOBODY}</h2>"


def _answer(votes: Votes) -> str:
    """Write the answers of the rules: their first labels, their orders, the majorities."""
    names = votes.dataset.label_names
    orders = every_rule(votes.rankings, counts=votes.counts)
    tally = tally_of(votes.rankings, counts=votes.counts)
    table = orders.frame(names)
    alt = "; ".join(
        f"{rule}: {order}" for rule, order in zip(table["rule"], table["consensus"], strict=True)
    )
    strips = markup.strips(
        markup.ranked_rows(
            np.array([rule.positions for rule in orders.rules]), titles_of_rules(orders)
        ),
        names,
    )
    sentences = f"{condorcet_text(tally, names)} {cycle_text(tally, names)}".strip()
    return (
        f"<h2>{text.from_markdown(verdict(tally, names))}</h2>"
        f'<figure class="lr" aria-label="{html.escape(alt)}">{strips}</figure>'
        f"<p>{text.from_markdown(sentences)}</p>"
    )
