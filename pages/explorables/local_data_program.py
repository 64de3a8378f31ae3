"""The program that a page runs in the browser: it reads a file and explains one prediction.

Both functions answer with JSON, which has ``problem`` where a file cannot be used.
"""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np

from labelrank_core import inspect_files, read_dataset
from labelrank_core.data.findings import DatasetError
from labelrank_core.explain import explain_prediction, explanation_html
from labelrank_core.methods import ALGORITHMS, ModelChoice

_LABEL, _FEATURE = "label", "feature"


def look(name: str, content: bytes) -> str:
    """Return the proposed roles of the columns of a file and the form of its label columns."""
    proposal = inspect_files(_file(name, content))
    if not proposal.columns:
        return json.dumps({"problem": "No columns were found in this file."})
    columns = [{"name": column.name, "role": str(column.role)} for column in proposal.columns]
    return json.dumps({"columns": columns, "form": str(proposal.target_form or "")})


def explain_row(
    name: str, content: bytes, labels: Sequence[str], form: str, row: int, n_similar: int
) -> str:
    """Explain the prediction of one row of a file by the other rows.

    `labels` are the columns of labels; without any, the file's column of rankings counts. Rows
    count from 1; a row or a number of similar rows beyond the last possible one becomes that.
    """
    try:
        proposal = inspect_files(_file(name, content))
        roles = {column.name: _role(column, labels) for column in proposal.columns}
        dataset = read_dataset(proposal, roles=roles, target_form=form or None)
    except (DatasetError, ValueError) as error:
        return json.dumps({"problem": str(error)})
    n_rows = dataset.n_samples
    if n_rows < 2 or not dataset.n_features:
        return json.dumps({"problem": "There must be two rows or more, and a feature."})
    case = min(max(row, 1), n_rows) - 1
    others = np.delete(np.arange(n_rows), case)
    n_similar = min(max(n_similar, 1), n_rows - 1)
    algorithm = next(method for method in ALGORITHMS.values() if method.learns(dataset))
    choice = ModelChoice(algorithm.key).with_params(**{algorithm.knobs[0].name: n_similar})
    model = choice.build().fit(dataset.X[others], algorithm.targets(dataset, others))
    explanation = explain_prediction(model, dataset.X[case], dataset, rows=others)
    answer = {
        "html": str(explanation_html(explanation)),
        "method": algorithm.title,
        "n_rows": n_rows,
        "row": case + 1,
        "n_similar": n_similar,
        "truth": dataset.targets_in_words([case])[0],
    }
    return json.dumps(answer)


def _file(name: str, content: bytes) -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file


def _role(column: Any, labels: Sequence[str]) -> str:
    if column.name in labels:
        return _LABEL
    return _FEATURE if column.role == _LABEL else str(column.role)
