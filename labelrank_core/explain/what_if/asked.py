"""What-if from a model and a case in one call: the change of each column that matters."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from labelrank_core.data import Dataset, Task
from labelrank_core.data.frames import as_pandas, encoded_frame, named_case
from labelrank_core.data.schema import numeric_schema
from labelrank_core.explain.capabilities import Ranker
from labelrank_core.explain.cases import label_names_of
from labelrank_core.explain.predictions import last_step, point_cases, predicts_label_sets
from labelrank_core.explain.raw_columns import on_raw_columns
from labelrank_core.explain.what_if.changes import Change, WhatChanges, smallest_change
from labelrank_core.explain.what_if.feature import Feature, features_of
from labelrank_core.explain.what_if.sweeps import Sweep, sweep_all
from labelrank_core.explain.what_if.texts import resolution_text, smallest_change_text, value_text
from labelrank_core.rankings import FloatArray, format_ranking


@dataclass(frozen=True, eq=False, repr=False)
class WhatIf:
    """The changes that each column alone can make in the prediction of a case; prints as sentences.

    Parameters
    ----------
    sweeps : tuple of Sweep
        The case with every value of each column.
    label_names : tuple of str
        The labels' names.
    """

    sweeps: tuple[Sweep, ...]
    label_names: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join(self._sentences())

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self._sentences())
        return f"<ul>{items}</ul>{self.frame().to_html(index=False, border=0)}"

    def changes(self, of: WhatChanges = "order") -> list[tuple[Sweep, Change]]:
        """List the smallest change of each column, the smallest first; those without are left out.

        `of` is what changes, as for `smallest_change`.
        """
        all_changes = [(sweep, smallest_change(sweep, of=of)) for sweep in self.sweeps]
        changes = [(sweep, change) for sweep, change in all_changes if change is not None]
        return sorted(changes, key=lambda pair: (pair[1].feature.is_nominal, pair[1].share))

    def frame(self) -> pd.DataFrame:
        """Tabulate the smallest changes, those of most effect first.

        ``changes`` (first, relevant or order), ``column, own, value`` (one with the other
        prediction), ``share`` of the column's range, ``ranking`` then, ``relevant`` labels then,
        ``exact``.
        """
        rows = [
            {
                "changes": of,
                "column": change.feature.column.name,
                "own": _shown(change.feature, change.case_value),
                "value": _shown(change.feature, change.value),
                "share": change.share,
                **self._then(sweep, change.value),
                "exact": sweep.is_exact,
            }
            for of in self._kinds
            for sweep, change in self.changes(of)
        ]
        prediction_columns = ["ranking", "relevant"] if self._sets else ["ranking"]
        columns = ["changes", "column", "own", "value", "share", *prediction_columns, "exact"]
        return pd.DataFrame(rows, columns=columns)

    @property
    def _sets(self) -> bool:
        return any(sweep.case_piece.is_set for sweep in self.sweeps)

    @property
    def _kinds(self) -> tuple[WhatChanges, ...]:
        return ("relevant", "order") if self._sets else ("first", "order")

    def _then(self, swept: Sweep, value: float) -> dict[str, str]:
        """Write the prediction for a value."""
        piece = min(swept.pieces, key=lambda one: one.distance(value))
        prediction = {"ranking": format_ranking(piece.ranking, self.label_names)}
        if piece.is_set:
            relevant = np.flatnonzero(piece.prediction)
            prediction["relevant"] = ", ".join(self.label_names[label] for label in relevant)
        return prediction

    def _sentences(self) -> list[str]:
        sentences, changing = [], set()
        for of in self._kinds:
            for sweep, change in self.changes(of):
                if change.feature.index not in changing:
                    sentence = smallest_change_text(sweep, change, of=of).plain(self.label_names)
                    sentences.append(f"{sentence} {resolution_text(sweep)}".strip())
                changing.add(change.feature.index)
        if unchanging := [sweep for sweep in self.sweeps if sweep.feature.index not in changing]:
            names = ", ".join(sweep.feature.column.name for sweep in unchanging)
            sentences.append(f"No value in the range of the data changes anything: {names}.")
        return sentences


def what_if(
    model: Ranker,
    x: Any,
    data: Dataset | Any,
    columns: Sequence[str | int] | None = None,
    **setting: Any,
) -> WhatIf:
    """Vary each column of a case on its own, and find the smallest change of the prediction.

    Parameters
    ----------
    model : fitted estimator or Pipeline
        A label ranker or a classifier of label sets, or a search over such models; a guarantee
        around any of these. It gets encoded features, or a frame if it was fitted on the columns of
        the data or chooses them by name.
    x : array-like of shape (n_features,), or Series, dictionary or DataFrame of one row
        The case, before the pipeline's first step; with names, in the data's own columns.
    data : Dataset, or array-like or DataFrame of shape (n_samples, n_features)
        The data, for names and ranges of the columns; without a Dataset labels are named as in the
        fit, or numbered.
    columns : sequence of str or int, or None
        Names or indices of the columns to vary; None: all that take more than one value, of sparse
        data those that are not 0 in the case.
    **setting
        Parameters of the model's path; of a model without one, parameters of its ``predict``, such
        as ``level``.

    Returns
    -------
    WhatIf
        Sentences when printed; ``frame()`` is a table, ``sweeps`` has every value.

    Raises
    ------
    ValueError
        If there is no column of a name.

    Examples
    --------
    >>> from labelrank_core import KNeighborsLabelRanker, load_sample
    >>> data = load_sample("iris")
    >>> model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    >>> what_if(model, data.X[0], data).frame()[["changes", "column", "own"]].head(1)
      changes             column  own
    0   first  petal length (cm)  1.4
    """
    if not isinstance(data, Dataset):
        data = _named(model, data)
    model = on_raw_columns(model, data.schema)
    case = _features(x, data)
    swept = sweep_all(model, case, features_of(data, _columns(columns, case, data)), **setting)
    return WhatIf(tuple(swept), tuple(data.label_names))


def _named(model: Ranker, rows: Any) -> Dataset:
    """Return rows as data whose targets are the predictions, with names or numbers."""
    rows, last = as_pandas(rows), last_step(model)
    task = Task.MULTILABEL if predicts_label_sets(last) else Task.LABEL_RANKING
    if isinstance(rows, pd.DataFrame):
        X, schema, _ = encoded_frame(rows)
    else:
        X = rows if sparse.issparse(rows) else np.asarray(rows, dtype=np.float64)
        schema = numeric_schema([f"feature {j}" for j in range(X.shape[1])])
    model = on_raw_columns(model, schema)
    targets: Any = point_cases(model, X).prediction
    names = label_names_of(last) or [f"label {label}" for label in range(targets.shape[1])]
    return Dataset(X, targets, task, schema.feature_names, names, "rows", schema=schema)


def _features(x: Any, data: Dataset) -> FloatArray:
    """Return the encoded features of a case."""
    x = named_case(x)
    if isinstance(x, pd.DataFrame):
        return data.schema.encode(x)[0]
    values = x.toarray() if sparse.issparse(x) else x
    return np.asarray(values, dtype=np.float64).reshape(-1)


def _columns(
    columns: Sequence[str | int] | None, case: FloatArray, data: Dataset
) -> list[int] | None:
    if columns is None:
        if not data.is_sparse:
            return None
        return np.unique(data.schema.column_of_feature[np.flatnonzero(case)]).tolist()
    names = [column.name for column in data.schema.columns]
    for name in columns:
        if isinstance(name, str) and name not in names:
            raise ValueError(f"Expected names of columns ({', '.join(names[:5])} …), got {name!r}.")
    return [names.index(name) if isinstance(name, str) else name for name in columns]


def _shown(feature: Feature, value: float) -> Any:
    return value_text(feature, value) if feature.is_nominal else value
