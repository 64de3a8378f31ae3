"""The explanation as files: one web page that needs nothing else, JSON."""

import html
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

import labelrank_core
from labelrank_core.explain import markup
from labelrank_core.explain.evidence import Confidence
from labelrank_core.explain.pictures import Wanted
from labelrank_core.io.content import file_stem
from pages.predict import answer, guarantee, smallest
from pages.ui import drawing, evidence, glossary, models, session, toolbar, widgets
from pages.ui.evidence import verdict
from pages.ui.evidence.neighbor_values import about_values, values_beside
from pages.ui.models import Case
from pages.ui.view import View

_SHEET = Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def offer(asked: View, case: Case, code: Sequence[str]) -> None:
    """Offer the explanation as files, its Python lines included, beside the link to it."""
    name = f"{file_stem(asked.dataset.name)}-row-{asked.row + 1}"
    link, level = toolbar.link(asked)[0], guarantee.level()
    found = models.fitted(asked.dataset, asked.choice, asked.split, asked.row)
    with session.toolbar().share_slot, st.container(horizontal=True):
        widgets.download(
            "Report (web page)",
            lambda: web_page(asked, case, found.model, code, link, level),
            f"{name}.html",
            "text/html",
            help="One file to read, mail or print; works offline.",
        )
        widgets.download(
            "JSON",
            lambda: as_json(asked, case, code),
            f"{name}.json",
            "application/json",
            icon=":material/data_object:",
        )


def web_page(
    asked: View,
    case: Case,
    model: object,
    code: Sequence[str],
    link: str,
    level: guarantee.Level | None = None,
) -> str:
    """Write what is predicted, why, what would change it and how sure it is, as one web page.

    `level` is that of the guarantee, None: the usual one.
    """
    line = html.escape(" · ".join(toolbar.view_facts(asked)))
    level = level or guarantee.Level()
    body = "\n".join(_sections(asked, case, model, level))
    today = datetime.now(UTC).astimezone().strftime("%d %B %Y").lstrip("0")
    address = html.escape(toolbar.with_parameters(link, level.query()))
    lines = html.escape("\n".join(code))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{line}</title>{markup.STYLE}",
            markup.label_colors_style(asked.dataset.label_colors),
            f"<style>{_SHEET}</style></head><body><main>",
            f"<h1>Why this prediction?</h1><p>{line}</p>{body}{_glossary(body)}",
            f"<details><summary>Python code</summary><pre>{lines}</pre></details></main>",
            f'<footer><p>{today}, LabelRank Lab {labelrank_core.__version__}. <a href="{address}">'
            f"Open this prediction in the app</a>: {address}</p></footer></body></html>",
        ]
    )


def _sections(asked: View, case: Case, model: object, level: guarantee.Level) -> list[str]:
    """Draw the sections: the answer, the steps to it, what would change it, how sure it is."""
    dataset, scene = asked.dataset, evidence.Scene(asked.dataset, case, "report", brief=True)
    steps = case.explanation.steps
    why = [step for step in steps if not isinstance(step.evidence, Confidence)]
    confidence = case.explanation.evidence(Confidence)
    (how_sure,) = (step for step in steps if step.evidence is confidence)
    with drawing.on_paper() as first:
        answer.render_ranking(asked, case)
        verdict.render_verdict(dataset, case.explanation, None if asked.edits else asked.row)
    beside = values_beside(asked, case)
    parts = [_section("What is predicted", first, "answer")]
    if beside is not None:
        shaded = f'<p class="muted">{about_values(asked, case)}</p>'
        parts.append(_section("The case and its neighbours", [beside, shaded]))
    parts += ['<h2>Why</h2><div class="steps">']
    for step in why:
        with drawing.on_paper() as drawn:
            evidence.render_step(step, scene)
        parts.append(f"<section>{''.join(drawn)}</section>")
    parts.append("</div>")
    with drawing.on_paper() as drawn:
        smallest.say(asked, case, model)
    changes = _section("What would change it?", drawn)
    with drawing.on_paper() as drawn:
        drawing.render_sentence(how_sure.text, dataset)
        verdict.render_confidence(asked, confidence)
    sure_pairs = guarantee.of_case(asked, level)
    if sure_pairs is not None:
        with drawing.on_paper() as relied:
            guarantee.draw(asked, sure_pairs, Wanted())
        parts.append(_section("What can be relied on?", relied))
    parts.append(f'<div class="pair">{changes}{_section("How sure?", drawn)}</div>')
    return parts


def _section(title: str, drawn: Sequence[str], kind: str = "") -> str:
    return f'<section class="{kind}"><h2>{title}</h2>{"".join(drawn)}</section>'


def _glossary(body: str) -> str:
    """Explain the terms that occur in the page."""
    said = re.sub("<[^>]*>", " ", body).lower()
    terms = "".join(
        f"<dt>{html.escape(term)}</dt><dd>{html.escape(words)}</dd>"
        for term, words in glossary.TERMS.items()
        if term.lower() in said
    )
    return f"<section><h2>Glossary</h2><dl>{terms}</dl></section>" if terms else ""


def as_json(asked: View, case: Case, code: Sequence[str]) -> str:
    """Write an explanation as JSON: data, method, features, prediction and steps."""
    dataset, choice = asked.dataset, asked.choice
    features = dataset.schema.frame(case.x[None]).iloc[0]
    whole = {
        "data": {
            "name": dataset.name,
            "fingerprint": dataset.fingerprint,
            "row": asked.row + 1,
        },
        "method": {
            "title": choice.algorithm.title,
            "parameters": dict(choice.params),
            "scaled": choice.scaled,
            "tfidf": choice.tfidf,
        },
        "features": [
            {"name": name, "value": value if isinstance(value, str) else float(value)}
            for name, value in features.items()
        ],
        "changed_by_hand": [dataset.feature_names[j] for j in sorted(asked.edits)],
        **case.explanation.as_dict(dataset.label_names),
        "labelrank_core": labelrank_core.__version__,
        "python": "\n".join(code),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)
