"""A page for each sample: a case to guess, and the number of similar cases under the finger.

The states are those of the app's first page: `component_data` makes both.
"""

import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from labelrank_core import Dataset, list_samples
from labelrank_core.data.samples import Sample
from labelrank_core.explain.render import markup
from labelrank_core.explain.render.markup import RankedLabels
from labelrank_core.explain.render.markup.palette import color_properties
from pages.explorables.document import Page, as_text, data_element, minify, script
from pages.start import case_text, look_alikes
from pages.ui import compute
from pages.ui.results import models
from pages.ui.view import View
from pages.ui.wording.choice_text import TASK_TITLES
from pages.ui.wording.subject import subject_of

# Each case of large data brings a sample of points of its own.
_LARGE = 2000
_CASES_OF_LARGE = 3
_CHIPS = 5
# Parts of the component that tell cases apart are sent for each, all others once.
_NESTED = "plane"


def pages(names: Sequence[str], n_cases: int, app_address: str) -> list[Page]:
    """Make the pages of some samples, each with up to `n_cases` cases that can be tried."""
    samples = [sample for sample in list_samples() if sample.name in names]
    return [_page(sample, n_cases, app_address) for sample in samples]


def _page(sample: Sample, n_cases: int, app_address: str) -> Page:
    body, texts = component(sample, n_cases, app_address)
    return Page(
        f"{sample.name}.html",
        subject_of(compute.sample(sample.name)).question,
        f"{sample.summary} Guess, then ask similar cases and watch the answer change with k.",
        f"{body}{texts}{_source(sample)}",
        scripts=scripts(),
        card=_card(sample),
    )


def component(
    sample: Sample, n_cases: int, app_address: str, *, is_open: bool = False
) -> tuple[str, str]:
    """Return the component of the app's first page with its data, and the same as text.

    `is_open`: the answer is shown at once.
    """
    dataset = compute.sample(sample.name)
    first = (sample.start_row or 1) - 1
    view, _ = View.from_query(
        {}, {sample.name: partial(compute.sample, sample.name)}, lambda _: first
    )
    views = [replace(view, row=row) for row in _rows(dataset, first, n_cases)]
    cases = [_case_data(view, [view.row for view in views]) for view in views]
    knob = view.choice.algorithm.knobs[0]
    data = {
        "cases": [cases[0], *(_differing(case, cases[0]) for case in cases[1:])],
        "isOpen": is_open,
        "link": app_address,
        "query": view.to_query(sample.name),
        "knob": f"{view.choice.key}_{knob.name}",
    }
    component_html = (
        '<div class="explorable"><template shadowrootmode="open"><style>'
        f'{_component_style()}</style><div class="look-alikes"></div></template></div>'
        f'<p class="in-app" hidden><a href="#">Open in the app</a></p>'
        f"{_cases_note(dataset, len(views))}"
        f'{data_element("cases", data)}<noscript><p class="note">Without scripts nothing moves '
        "here. The text below says the same.</p></noscript>"
    )
    texts = "".join(case_text.case_markup(case, dataset) for case in cases)
    return component_html, as_text(texts)


def _cases_note(dataset: Dataset, n_cases: int) -> str:
    """Write the number of cases that can be tried, and the reason for leaving out others."""
    if n_cases == dataset.n_samples:
        return ""
    rows = html.escape(subject_of(dataset).rows)
    return (
        f'<p class="note">{n_cases} of {dataset.n_samples} {rows} can be tried here. They are '
        "spread evenly over the data, so that this page stays small. The app has all of them.</p>"
    )


@cache
def _component_style() -> str:
    return minify("text/css", look_alikes.style())


@cache
def scripts() -> str:
    """Return the component of the app's first page as a function, and the script mounting it."""
    component_script = look_alikes.script()
    export = "export default function ("
    assert component_script.count(export) == 1
    mounted = component_script.replace(export, "const mount = function (")
    return script("explorable.js", mounted)


def _rows(dataset: Dataset, first: int, n_cases: int) -> list[int]:
    """Return the first case and others, evenly spread over the data."""
    n_cases = min(n_cases, _CASES_OF_LARGE if dataset.n_samples > _LARGE else n_cases)
    spread = np.linspace(0, dataset.n_samples, n_cases, endpoint=False).astype(int)
    rows = (first + spread) % dataset.n_samples
    return list(dict.fromkeys(rows.tolist()))


def _case_data(view: View, offered_rows: Sequence[int]) -> dict[str, Any]:
    case, states = models.case(view), models.knob_states(view)
    data = look_alikes.component_data(view, case, states, offered_rows)
    return {key: value for key, value in data.items() if key != "version"}


def _differing(data: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data that differ from the first case's, the parts of the plane one by one."""
    differing = {key: value for key, value in data.items() if value != first[key]}
    if _NESTED in differing:
        nested = differing[_NESTED].items()
        differing[_NESTED] = {k: value for k, value in nested if value != first[_NESTED][k]}
    return differing


def _source(sample: Sample) -> str:
    return (
        f'<p class="source">{html.escape(sample.title)}: {html.escape(sample.summary)} '
        f"Source: {html.escape(sample.source)}. Licence: {html.escape(sample.licence)}.</p>"
    )


def _card(sample: Sample) -> str:
    """Draw the sample on the front page: its question and its labels."""
    dataset = compute.sample(sample.name)
    ranking = RankedLabels.from_order(range(dataset.n_labels))
    chips = markup.strip(ranking, dataset.label_names, n_labels=_CHIPS)
    subject = subject_of(dataset)
    return (
        f'<a class="card" href="{sample.name}.html" '
        f'style="{color_properties(dataset.label_colors)}">'
        f"<b>{html.escape(subject.question)}</b>"
        f'<span class="lr" aria-hidden="true">{chips}</span>'
        f"<small>{html.escape(TASK_TITLES[dataset.task])}, "
        f"{dataset.n_samples} {html.escape(subject.rows)}</small></a>"
    )
