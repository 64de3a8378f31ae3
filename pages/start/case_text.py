"""A case of the first page's component as text: prediction, truth and similar cases."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from labelrank_core import Dataset
from labelrank_core.explain.render.markup import RankedLabels
from pages.ui.wording.subject import subject_of


def case_markup(data: Mapping[str, Any], dataset: Dataset) -> str:
    """Write a case of the component as HTML: the answers, the real one, the similar cases."""
    subject, names = subject_of(dataset), dataset.label_names
    knob, states = data["knob"], data["states"]
    rows, start = "", 0
    of_value = states["of_value"]
    for end in range(1, len(of_value) + 1):
        if end < len(of_value) and of_value[end] == of_value[start]:
            continue
        low, high = knob["values"][start], knob["values"][end - 1]
        range_text = f"{low}" if low == high else f"{low} to {high}"
        state = of_value[start]
        n_relevant = states["n_relevant"] and states["n_relevant"][state]
        ranking = RankedLabels(states["rankings"][state], n_relevant=n_relevant)
        answer = _answer_text(ranking, names, is_set=data["isSet"])
        rows += f'<tr><th scope="row">{range_text}</th><td>{answer}</td></tr>'
        start = end
    neighbors = "".join(
        f"<li>{html.escape(neighbor['name'])}: {_truth_text(neighbor['row'], dataset)}</li>"
        for neighbor in data["neighbors"][:5]
    )
    return (
        f"<section><h3>{html.escape(data['question'])} {html.escape(data['case_name'])}</h3>"
        f"<p>{html.escape(data['texts']['real'])}: {_truth_text(data['row'], dataset)}.</p>"
        f'<table><thead><tr><th scope="col">{html.escape(knob["label"])}</th>'
        f'<th scope="col">Their answer</th></tr></thead><tbody>{rows}</tbody></table>'
        f"<p>The most similar {html.escape(subject.rows)}:</p><ol>{neighbors}</ol></section>"
    )


def _truth_text(row: int, dataset: Dataset) -> str:
    return html.escape(dataset.targets_in_words([row])[0])


def _answer_text(ranking: RankedLabels, names: Sequence[str], *, is_set: bool) -> str:
    """Write an answer: the labels of a set, or a ranking with ' = ' between tied labels."""
    if is_set:
        return _listed([names[label] for label in ranking.relevant]) or "none"
    return " &gt; ".join(
        _listed([names[label] for label in tied], " = ") or ranking.line for tied in ranking.rows
    )


def _listed(names: Sequence[str], mark: str = ", ") -> str:
    return mark.join(map(html.escape, names))
