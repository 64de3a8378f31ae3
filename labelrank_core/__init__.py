"""Label ranking and multi-label ranking: methods, explanations, measures.

>>> from labelrank_core import KNeighborsLabelRanker, load_sample
>>> X, Y = load_sample("iris").as_frame()
>>> KNeighborsLabelRanker(n_neighbors=5).fit(X, Y).predict(X.head(1))
   setosa  versicolor  virginica
0       1           2          3

Rankings are positions, 1 = most preferred, with a row for each case and a column for each label.
The names in `__all__` are imported from here; the rooms have more:

- `rankings`: what a ranking is, and the conversions between its forms.
- `data`: `Dataset`, also from and to frames; samples, splits, profiles.
- `io`: files and frames to data sets, `read_dataset`, and back, `write_dataset`.
- `methods`: all methods by key, `ALGORITHMS`, and the estimators, which follow scikit-learn.
- `metrics`: the measures as functions, and their registry, `METRICS`.
- `evaluation`: the quality of a model; `scorers` and stratified folds for scikit-learn; guarantees.
- `explain`: the reasons of a prediction, by `explain_prediction` and `what_if`. (`explain` is this
  room, and called it is `explain_prediction`.)
- `comparison`: methods over data sets, by `leaderboard` and significance tests.
- `experiments`: data sets x methods, fold by fold; `results_of` and `read_results` add others.
- `aggregation`: the consensus of many rankings.
- `papers`: the tables that papers print, and their reproduction.
"""

# What is exported is listed in `__init__.pyi` and imported when it is first used: scikit-learn and
# `scipy.stats` take a second to import, which a program that only measures need not wait for.

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def _exporting_modules() -> dict[str, str]:
    """Read from the stub which module each exported name comes from."""
    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return {
        alias.name: str(statement.module)
        for statement in ast.parse(stub).body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


_MODULES = _exporting_modules()
# Names of version 0.1.
_ALIASES = {"Issue": "Finding"}

# They still work, with a warning, until version 0.4.
_FORMER_NAMES = {
    "EntropyRankingTreeForest",
    "FrequencyBaggedTreesLabelRanker",
    "RankingTreeForest",
    "WidthBaggedTreesLabelRanker",
}

__all__ = sorted({*_MODULES, *_ALIASES} - _FORMER_NAMES)


def __getattr__(name: str) -> Any:
    original = _ALIASES.get(name, name)
    if original in _MODULES:
        value = getattr(import_module(_MODULES[original]), original)
    elif not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
