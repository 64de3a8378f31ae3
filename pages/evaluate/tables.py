"""Tables of measures and predictions."""

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from labelrank_core import Dataset
from labelrank_core.catalog import BASELINES
from labelrank_core.evaluation import Evaluation
from labelrank_core.metrics import METRICS, Measure
from labelrank_core.rankings import format_ranking
from labelrank_core.splits import Split

_STYLE = """<style>
.measures {border-collapse: collapse; width: 100%}
.measures th, .measures td {padding: .35rem .6rem; text-align: right}
.measures tr {border-bottom: 1px solid #8884}
.measures td:first-child {text-align: left}
.measures abbr {text-decoration: underline dotted; cursor: help}
</style>"""


def headline(evaluations: Sequence[Evaluation], split: Split) -> None:
    """Say in one sentence how the method does against the best baseline.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        The method's first.
    split : Split
        What was tested.
    """
    means = pd.concat([evaluation.frame() for evaluation in evaluations])
    first = means[means["measure"] == means["measure"].iloc[0]]
    own, others = first["value"].iloc[0], first["value"].iloc[1:]
    higher = bool(first["greater_is_better"].iloc[0])
    best = others.max() if higher else others.min()
    beaten = own > best if higher else own < best
    drawn = (
        "the published split" if split.kind == "published" else f"a random split, seed {split.seed}"
    )
    st.markdown(
        f"On the {len(split.test)} test rows ({drawn}; {len(split.train)} rows to learn from) the "
        f"method has a {first['title'].iloc[0]} of **{own:.3f}**; the better baseline has "
        f"{best:.3f}, so it {'**beats**' if beaten else '**does not beat**'} the baselines."
    )
    measured = {evaluation.method for evaluation in evaluations}
    for baseline in BASELINES:
        if baseline.title not in measured:
            st.caption(f"These data are too large for the baseline {baseline.title}.")


def measures(evaluations: Sequence[Evaluation]) -> pd.DataFrame:
    """Put the means side by side, one row a method, one column a measure.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        The method's first.

    Returns
    -------
    DataFrame
        Means of the test part.
    """
    rows = []
    for evaluation in evaluations:
        frame = evaluation.frame()
        seconds = evaluation.seconds_fit + evaluation.seconds_predict
        rows.append(
            {"method": evaluation.method}
            | dict(zip(frame["measure"], frame["value"], strict=True))
            | {"seconds": seconds}
        )
    return pd.DataFrame(rows)


def show(table: pd.DataFrame, evaluation: Evaluation) -> None:
    """Show the measures, one row each, the best value in bold, definitions as tooltips.

    Parameters
    ----------
    table : DataFrame
        As `measures` returns it.
    evaluation : Evaluation
        Names the measures.
    """
    heads = "".join(f"<th>{html.escape(method)}</th>" for method in table["method"])
    rows = "".join(_row(METRICS[key], table[key]) for key in evaluation.values)
    seconds = "".join(f"<td>{value:.2f} s</td>" for value in table["seconds"])
    st.html(
        f"{_STYLE}<table class='measures'><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}"
        f"<tr><td>Time to learn and predict</td>{seconds}</tr></tbody></table>"
    )
    st.caption(
        "↑ higher is better · ↓ lower is better · best value in bold · point at a name for its "
        "definition"
    )


def _row(measure: Measure, values: pd.Series) -> str:
    best = values.max() if measure.greater_is_better else values.min()
    cells = "".join(
        f"<td>{'<b>' if value == best else ''}{value:.3f}{'</b>' if value == best else ''}</td>"
        for value in values
    )
    name = html.escape(measure.title) + (" ↑" if measure.greater_is_better else " ↓")
    return f"<tr><td><abbr title='{html.escape(measure.definition)}'>{name}</abbr></td>{cells}</tr>"


def definitions(evaluation: Evaluation) -> None:
    """List what the measures mean, for touch screens and for reading.

    Parameters
    ----------
    evaluation : Evaluation
        Names the measures.
    """
    with st.expander("What the measures mean", icon=":material/menu_book:"):
        for key in evaluation.values:
            measure = METRICS[key]
            low, high = measure.value_range
            st.markdown(
                f"**{measure.title}** ({low:g} to {high:g}, "
                f"{'higher' if measure.greater_is_better else 'lower'} is better). "
                f"{measure.definition}"
            )


def predictions(dataset: Dataset, evaluation: Evaluation) -> pd.DataFrame:
    """Tabulate the predictions of the test part.

    Parameters
    ----------
    dataset : Dataset
        The data with the truth.
    evaluation : Evaluation
        Holds the predictions.

    Returns
    -------
    DataFrame
        Row (counted from 1), ranking in words, confidence, and for every label its predicted
        position, whether it is predicted relevant, and its target.
    """
    predicted, names = evaluation.predictions, dataset.label_names
    table = pd.DataFrame({"row": evaluation.rows + 1})
    if predicted.positions is not None:
        table["ranking"] = [format_ranking(row, names) for row in predicted.positions]
    if predicted.confidence is not None:
        table["confidence"] = predicted.confidence
    parts = {"position": predicted.positions, "relevant": predicted.relevance}
    parts["target"] = dataset.Y[evaluation.rows]
    columns = {
        f"{what} {name}": values[:, j]
        for what, values in parts.items()
        if values is not None
        for j, name in enumerate([*names, "(zero)"][: values.shape[1]])
    }
    return pd.concat([table, pd.DataFrame(columns)], axis=1)
