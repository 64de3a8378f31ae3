"""The explanation as files: one web page that needs nothing else, JSON."""

import html
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import streamlit as st

import labelrank_core
from labelrank_core.explain.evidence import Confidence, Neighbors
from labelrank_core.explain.render import LabelSelection, markup
from labelrank_core.io.content import file_stem
from pages.predict import answer, difference, explanation_steps, guarantee, smallest_changes
from pages.ui import compute, jobs, session, toolbar
from pages.ui.render import drawing, evidence, widgets
from pages.ui.render.evidence import verdict
from pages.ui.render.evidence.neighbor_values import about_values, values_beside
from pages.ui.render.fonts import font_faces
from pages.ui.results.models import Case
from pages.ui.view import View
from pages.ui.wording import glossary
from pages.ui.wording.subject import question_about_case, subject_of

# Of a report that is printed larger.
_MOST_STEPS, _MOST_LABELS = 5, 6
# A picture of more cases would make the file too large to mail.
_MOST_DRAWN = 1000
_SHEET = Path(__file__).with_name("report.css").read_text(encoding="utf-8")


def render_downloads(view: View, case: Case, code: Sequence[str]) -> None:
    """Draw downloads of the explanation, its Python lines included, beside the link to it."""
    name = f"{file_stem(view.dataset.name)}-row-{view.row + 1}"
    link, level = toolbar.link(view)[0], guarantee.current_level()
    with session.toolbar().share_slot:
        slot = st.container(horizontal=True)
        is_ready = _prepare(view, level, f"{name}.html")
    with slot:
        if is_ready:
            widgets.render_download(
                "Report (web page)",
                lambda: web_page(view, case, code, link, level),
                f"{name}.html",
                "text/html",
                help="One file to read, mail or print; works offline.",
            )
        widgets.render_download(
            "JSON",
            lambda: as_json(view, case, code),
            f"{name}.json",
            "application/json",
            icon=":material/data_object:",
        )


def _prepare(view: View, level: guarantee.Level, file_name: str) -> bool:
    """Have the slow parts of the report ready; return False where nobody has asked for them.

    They are computed when the report is asked for, unless that takes long: then here, with Cancel.
    """
    seconds = smallest_changes.seconds(view) + guarantee.seconds(view, level)
    if seconds > jobs.SLOW_SECONDS:
        if not widgets.is_preparing("report", file_name, seconds):
            return False
        smallest_changes.search(view)
        guarantee.guaranteed_pairs(view, level)
    return True


def web_page(
    view: View,
    case: Case,
    code: Sequence[str],
    link: str,
    level: guarantee.Level | None = None,
) -> str:
    """Write the prediction, its steps, smallest changes and confidence as one web page.

    `level` is that of the guarantee, None: the usual one.
    """
    drawing.use_nouns(view.dataset)
    facts = html.escape(" · ".join(toolbar.view_facts(view)))
    sample = compute.known_sample(view.dataset)
    about = "" if sample is None else f"{html.escape(sample.summary)}<br>"
    level = level or guarantee.Level()
    body = "\n".join(_sections(view, case, level))
    today = datetime.now(UTC).astimezone().strftime("%d %B %Y").lstrip("0")
    address = html.escape(toolbar.with_parameters(link, level.query()))
    lines = html.escape("\n".join(code))
    introduction, explained = _introduction(view), _glossary(body)
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{facts}</title>{markup.style_for(introduction + body + explained)}",
            markup.label_colors_style(view.dataset.label_colors),
            f'<style>{font_faces()}{_SHEET}</style></head><body class="{_length(case)}"><main>',
            f"<h1>{html.escape(question_about_case(view.dataset, view.row))}</h1>"
            f'<p>{introduction}</p><p class="muted">{about}{facts}</p>',
            f"{body}{explained}",
            f"<details><summary>Python code</summary><pre>{lines}</pre></details></main>",
            f'<footer><p>{today}, LabelRank Lab {labelrank_core.__version__}. <a href="{address}">'
            f"Open this prediction in the app</a>: {address}</p></footer></body></html>",
        ]
    )


def _length(case: Case) -> str:
    """Return the class of a page that leaves room for larger print, or nothing."""
    explanation = case.explanation
    is_short = len(explanation.steps) <= _MOST_STEPS and len(explanation.order) <= _MOST_LABELS
    return "short" if is_short else ""


def _introduction(view: View) -> str:
    """Introduce the prediction, and its data, to somebody who has not seen the app."""
    subject = subject_of(view.dataset)
    n_known = int((view.split.train != view.row).sum())
    rule = f"{subject.ranked_by} " if subject.ranked_by else ""
    hidden = "" if view.edits else f"We hid the real answer of this {subject.row}. "
    return html.escape(
        drawing.with_nouns(
            f"{rule}{hidden}The method {view.choice.algorithm.title} predicts it from {n_known} "
            "cases whose answers are known. This page says what it predicts, why, and how far one "
            "can rely on it."
        )
    )


def _sections(view: View, case: Case, level: guarantee.Level) -> list[str]:
    """Return the sections: the answer, the steps to it, its smallest changes, its confidence."""
    dataset, scene = view.dataset, evidence.EvidenceScene(view.dataset, case, "report", brief=True)
    steps = case.explanation.steps
    ranking_steps = [step for step in steps if not isinstance(step.evidence, Confidence)]
    confidence = case.explanation.evidence(Confidence)
    (confidence_step,) = (step for step in steps if step.evidence is confidence)
    truth_row = None if view.edits else view.row
    with drawing.on_paper() as ranking_parts:
        answer.render_ranking(view, case)
        answer.render_known_pairs(view, case)
    near = case.explanation.find(Neighbors)
    with drawing.on_paper() as verdict_parts:
        verdict.render_verdict(dataset, case.explanation, truth_row)
        if near is not None and dataset.n_samples <= _MOST_DRAWN:
            evidence.render_plane(dataset, case, near, "place", row=truth_row, height=200)
    halves = [f"<div>{''.join(parts)}</div>" for parts in (ranking_parts, verdict_parts)]
    sections = [_section("What is predicted", halves, "answer")]
    title = drawing.with_nouns(explanation_steps.title_of(ranking_steps[0]))
    sections.append(f"<h2>{html.escape(title)}</h2>")
    values_html = values_beside(view, case)
    if values_html is not None:
        values_note = f'<p class="muted">{drawing.with_nouns(about_values(view, case))}</p>'
        sections.append(f"<section>{values_html}{values_note}</section>")
    sections.append('<div class="steps">')
    for step in ranking_steps:
        with drawing.on_paper() as step_parts:
            evidence.render_step(step, scene)
        sections.append(f"<section>{''.join(step_parts)}</section>")
    sections.append("</div>")
    with drawing.on_paper() as change_parts:
        smallest_changes.render(view)
    halves = [_section("What if?", change_parts)]
    if difference.can_render_first(view):
        with drawing.on_paper() as difference_parts:
            difference.render_first(view, case)
        halves.insert(0, _section("What made the difference?", difference_parts))
    sections.append(f'<div class="pair">{"".join(halves)}</div>')
    promised = guarantee.guaranteed_pairs(view, level)
    guaranteed: list[str] = []
    if promised is not None:
        sure_pairs, n_unseen = promised
        with drawing.on_paper() as guarantee_parts:
            guarantee.render_other_order(view, case.explanation, sure_pairs)
            drawing.render_sentence(sure_pairs.text, view.dataset)
            guarantee.render_positions(view, sure_pairs, LabelSelection())
            reason = guarantee.reason_for_pairs(view, case.explanation, sure_pairs)
            guarantee.render_verdict(view, sure_pairs)
            # The gaps of both models are left to the page: a report is to stay on two pages.
            drawing.render_sentence(guarantee.second_model_text(n_unseen, reason), dataset)
        guaranteed = [f"<div>{''.join(guarantee_parts)}</div>"]
    with drawing.on_paper() as confidence_parts:
        drawing.render_sentence(confidence_step.text, dataset)
        verdict.render_confidence(view, confidence)
    sure = "".join([*guaranteed, f"<div>{''.join(confidence_parts)}</div>"])
    sections.append(_section("Can I rely on it?", [f'<div class="pair">{sure}</div>']))
    return sections


def _section(title: str, parts: Sequence[str], kind: str = "") -> str:
    return f'<section class="{kind}"><h2>{title}</h2>{"".join(parts)}</section>'


def _glossary(body: str) -> str:
    """Explain the terms that occur in the page."""
    page_text = re.sub("<[^>]*>", " ", body).lower()
    terms = "".join(
        f"<dt>{html.escape(term)}</dt><dd>{html.escape(definition)}</dd>"
        for term, definition in glossary.TERMS.items()
        if term.lower() in page_text
    )
    return f"<section><h2>Glossary</h2><dl>{terms}</dl></section>" if terms else ""


def as_json(view: View, case: Case, code: Sequence[str]) -> str:
    """Write an explanation as JSON: data, method, features, prediction and steps."""
    dataset, choice = view.dataset, view.choice
    features = dataset.schema.frame(case.x[None]).iloc[0]
    document = {
        "data": {
            "name": dataset.name,
            "fingerprint": dataset.fingerprint,
            "row": view.row + 1,
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
        "changed_by_hand": [dataset.feature_names[j] for j in sorted(view.edits)],
        **case.explanation.as_dict(dataset.label_names, dataset.nouns),
        "labelrank_core": labelrank_core.__version__,
        "python": "\n".join(code),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)
