"""Python code that repeats the results of a page with the package."""

from collections.abc import Iterable, Sequence
from typing import Any

import labelrank_core
from labelrank_core import Dataset, Task
from labelrank_core.data.splits import Fold, Split, smallest_training
from labelrank_core.evaluation.sensitivity.figures import SHARE_DELETED, Figure
from labelrank_core.methods import ModelChoice
from pages.ui import compute, session
from pages.ui.view import View

_HOLDOUT = "from labelrank_core.data.splits import holdout_split"
_CHOICE = "from labelrank_core.methods import ModelChoice"


def prediction(view: View) -> list[str]:
    """Explain one case."""
    dataset, choice, edits = view.dataset, view.choice, view.edits
    # What cuts a fitted model down is set as the pages do it, after the fit: trees grown shallow
    # from the start would not be quite the same.
    cuts = {name for name, knob in choice.algorithm.path_knobs.items() if knob.none}
    later = _arguments((name, v) for name, v in choice.params if name in cuts and v is not None)
    estimator, (module, scaler) = choice.algorithm.estimator.__name__, _scaler(dataset, choice)
    targets = "rankings" if choice.algorithm.learns_rankings else "Y"
    load, source = _source(dataset)
    params = {**choice.algorithm.fixed, **dict(choice.without(cuts).params)}
    changes = f"case[0, {list(edits)}] = {list(edits.values())}  # the values changed by hand"
    return [
        "from sklearn.pipeline import make_pipeline",
        f"from sklearn.{module} import {scaler.partition('(')[0]}",
        *_imports(choice, load),
        _HOLDOUT,
        "",
        f"data = {load}({source})",
        _split(view.split),
        f"train = split.train[split.train != {view.row}]",
        f"scaler, model = {scaler}, {estimator}({_arguments(sorted(params.items()))})",
        f"make_pipeline(scaler, model).fit(data.X[train], data.{targets}[train])",
        f"case = data.X[[{view.row}]]",
        *([changes] if edits else []),
        "x = scaler.transform(case)",
        f"explanation = model.path(x).at({later}).explain(0)"
        if later
        else "explanation = model.explain(x[0])",
        "print(explanation.prediction, explanation.summary.plain(data.label_names, data.nouns))",
    ]


def decision(dataset: Dataset, choice: ModelChoice, split: Split, rule: str) -> list[str]:
    """Tune rules, and decide the test cases by one of them."""
    load, source = _source(dataset)
    return [
        f"from labelrank_core import {load}",
        _HOLDOUT,
        "from labelrank_core.evaluation.decisions import raw_scores, tuned_rules",
        _CHOICE,
        "",
        f"data = {load}({source})",
        _split(split),
        _choice(choice),
        "decisions = tuned_rules(choice, data, split)",
        "print(decisions.frame())",
        f'rule = decisions.rule("{rule}")',
        "",
        "model = choice.build(is_sparse=data.is_sparse)",
        "model.fit(data.X[split.train], data.zero_line_targets(split.train))",
        "new_cases = data.X[split.test]",
        "print(rule.decide(raw_scores(model, new_cases)))",
    ]


def guarantee(
    dataset: Dataset, choice: ModelChoice, split: Split, alpha: float, risk: str
) -> list[str]:
    """Decide pairs of the test cases with a guarantee."""
    load, source = _source(dataset)
    return [
        f"from labelrank_core import ConformalLabelRanker, {load}",
        _HOLDOUT,
        _CHOICE,
        "",
        f"data = {load}({source})",
        _split(split),
        _choice(choice),
        "model = ConformalLabelRanker(",
        f'    choice.build(is_sparse=data.is_sparse), {alpha:g}, risk="{risk}", random_state=0',
        ")",
        "model.fit(data.X[split.train], data.rankings[split.train])",
        "order = model.predict_order(data.X[split.test])  # 1: surely ahead, -1: behind, 0: open",
        "print(f'{abs(order).mean() * order.shape[1] / (order.shape[1] - 1):.0%} decided')",
    ]


def sensitivity(
    dataset: Dataset, choice: ModelChoice, figure: Figure, folds: Sequence[Fold], measure: str
) -> list[str]:
    """Measure the settings of a figure on folds, all rows of them."""
    load, source = _source(dataset)
    grid = figure.grid(smallest_training(folds))
    if figure.kind == "missing":
        function, varied = "missing_labels", f"shares={grid[SHARE_DELETED]}"
    else:
        entries = (f'"{name}": {_values(values)}' for name, values in grid.items())
        function, varied = "sweep_parameters", f"grid={{{', '.join(entries)}}}"
    if folds[0].split.kind == "published":
        imported_names = "Fold, holdout_split"
        folds_code = '[Fold(0, 0, holdout_split(data, kind="published"))]'
    else:
        imported_names = "cross_validation"
        folds_code = f"cross_validation(data, n_folds={len(folds)})"
    return [
        f"from labelrank_core import {load}",
        _CHOICE,
        f"from labelrank_core.evaluation.sensitivity import {function}",
        f"from labelrank_core.data.splits import {imported_names}",
        "",
        f"data = {load}({source})",
        _choice(choice),
        f"folds = {folds_code}",
        f"found = {function}(",
        f"    data, choice, {varied},",
        f'    folds=folds, measures=["{measure}"],',
        ")",
        "print(found.bands())",
    ]


def profile(dataset: Dataset) -> list[str]:
    """Tabulate the profile of the data."""
    load, source = _source(dataset)
    part = "label_sets" if dataset.task is Task.MULTILABEL else "rankings"
    tables = [
        f"print(profile.{part}.label_frame())",
        f"print(profile.{part}.pair_frame())",
        f"print(profile.{part}.diversity)",
    ]
    if dataset.task is Task.PAIR_PREFERENCES:
        tables = ["print(profile.pairs.frame())"]
    return [
        f"from labelrank_core import {load}",
        "from labelrank_core.data.profile import Profile",
        "",
        f"profile = Profile({load}({source}))",
        *tables,
        "print(profile.features)",
        "print(profile.twins.bounds())",
        'print(*profile.alerts, sep="\\n")',
    ]


def _imports(choice: ModelChoice, load: str) -> list[str]:
    """Import the estimator, from the root where it is, and the reader."""
    estimator = choice.algorithm.estimator
    if estimator.__name__ in labelrank_core.__all__:
        return [f"from labelrank_core import {estimator.__name__}, {load}"]
    return [
        f"from labelrank_core import {load}",
        f"from {estimator.__module__} import {estimator.__name__}",
    ]


def _source(dataset: Dataset) -> tuple[str, str]:
    """Return the function that loads the data, and its arguments."""
    if compute.known_sample(dataset) is not None:
        return "load_sample", repr(dataset.name)
    files, choices = session.how_read(dataset)
    files_code = repr(files[0] if len(files) == 1 else list(files))
    return "read_dataset", ", ".join([files_code, _arguments(choices.items())]).removesuffix(", ")


def _split(split: Split) -> str:
    arguments = "" if split.seed is None else f", test_share={split.test_share}, seed={split.seed}"
    return f'split = holdout_split(data, kind="{split.kind}"{arguments})'


def _choice(choice: ModelChoice) -> str:
    tfidf = ", tfidf=True" if choice.tfidf else ""
    return f"choice = ModelChoice({choice.key!r}, {choice.params}, scaled={choice.scaled}{tfidf})"


def _scaler(dataset: Dataset, choice: ModelChoice) -> tuple[str, str]:
    """Return the module and the constructor of the transformer that prepares the features."""
    if choice.tfidf:
        norm = "" if choice.scaled else "norm=None"
        return "feature_extraction.text", f"TfidfTransformer({norm})"
    scaler = "Normalizer" if dataset.is_sparse else "StandardScaler"
    return "preprocessing", f"{scaler if choice.scaled else 'FunctionTransformer'}()"


def _arguments(values: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in values)


def _values(values: Sequence[Any]) -> str:
    """Write values as a range where they are one."""
    if len(values) > 2 and all(isinstance(value, int) for value in values):
        written = range(values[0], values[-1] + 1, values[1] - values[0])
        if tuple(written) == tuple(values):
            return repr(written)
    return repr(values)
