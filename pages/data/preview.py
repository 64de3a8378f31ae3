"""The first rows of data that were read, as rankings or label sets: nothing upside down unseen."""

import html

from labelrank_core import Dataset, Task
from labelrank_core.explain.render import markup, target_ranking
from labelrank_core.explain.render.markup.palette import palette_properties
from pages.ui.render import drawing

_N_ROWS, _N_LABELS, _N_CHAINS = 4, 12, 6


def render_first_rows(dataset: Dataset) -> None:
    """Draw the labels of the first rows."""
    drawing.render_at_once(first_rows(dataset))


def first_rows(dataset: Dataset) -> str:
    """Return a table of the first rows and their labels, best first."""
    rows = "".join(
        f'<tr><th scope="row">{_row_name(dataset, row)}</th><td>{_targets(dataset, row)}</td></tr>'
        for row in range(min(_N_ROWS, dataset.n_samples))
    )
    sets = dataset.task is Task.MULTILABEL
    title = "The labels of the first rows" if sets else "The first rows, best label first"
    if dataset.task is Task.PAIR_PREFERENCES:
        title = "The first rows: which label comes before which"
    return (
        f'<div class="lr lr-first-rows" style="{palette_properties()}">'
        f'<p class="muted">{title}</p><table><tbody>{rows}</tbody></table></div>'
    )


def _row_name(dataset: Dataset, row: int) -> str:
    return html.escape(dataset.case_names[row] if dataset.case_names else f"row {row + 1}")


def _targets(dataset: Dataset, row: int) -> str:
    """Draw the labels of a row; where a zero line stands, too."""
    if dataset.task is Task.PAIR_PREFERENCES:
        chains = dataset.preferences.chains(row)
        return markup.known_pairs(chains, dataset.label_names, max_chains=_N_CHAINS)
    ranking = target_ranking(dataset, row)
    if not ranking.buckets:
        return '<span class="muted">no label</span>'
    return markup.strip(ranking, dataset.label_names, n_labels=_N_LABELS)
