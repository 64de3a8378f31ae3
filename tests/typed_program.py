"""A program of a user over the public interface, which mypy --strict and pyright accept."""

import tempfile
from pathlib import Path
from typing import assert_type

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelrank_core import (
    AdaBoostMHClassifier,
    ConformalLabelRanker,
    Dataset,
    DatasetError,
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    LabelRankingForest,
    LogLinearRanker,
    MLkNNClassifier,
    PairwiseLabelRanker,
    RankingStratifiedKFold,
    RiskControlledLabelSets,
    StackedLabelRanker,
    Task,
    explain_prediction,
    inspect_files,
    leaderboard,
    list_samples,
    load_sample,
    parse_rankings,
    read_dataset,
    results_of,
    scorers,
    scorers_for,
    what_if,
    write_dataset,
)
from labelrank_core.aggregation import aggregate
from labelrank_core.data.splits import holdout_split
from labelrank_core.evaluation import evaluate_model
from labelrank_core.experiments import Protocol, join_results
from labelrank_core.explain.evidence import Explanation
from labelrank_core.methods import ALGORITHMS, ModelChoice
from labelrank_core.metrics import kendall_tau_score


def rankers(data: Dataset) -> list[float]:
    """Fit label rankers and blends of them, and measure them."""
    near = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
    assert_type(near, KNeighborsLabelRanker)
    forest = LabelRankingForest(10, random_state=0).fit(data.X, data.rankings)
    assert_type(forest, LabelRankingForest)
    pairs = PairwiseLabelRanker(C=1.0).fit(data.X, data.rankings, np.ones(data.n_samples))
    assert_type(pairs, PairwiseLabelRanker)
    blend = StackedLabelRanker([("lines", LogLinearRanker()), pairs], inner_folds=2)
    assert_type(blend.fit(data.X, data.rankings), StackedLabelRanker)
    tau = kendall_tau_score(data.rankings, near.predict(data.X))
    assert_type(tau, float)
    share: float = forest.score(data.X, data.rankings)
    confidence: NDArray[np.float64] = forest.predict_confidence(data.X)
    pipeline = make_pipeline(StandardScaler(), KNeighborsLabelRanker())
    folds = RankingStratifiedKFold(3)
    scores = cross_val_score(
        pipeline, data.X, data.rankings, scoring=scorers["kendall_tau"], cv=folds
    )
    return [tau, share, float(confidence.mean()), float(np.mean(scores))]


def label_sets(data: Dataset) -> NDArray[np.int64]:
    """Fit methods of label sets, and a guarantee."""
    near = KNeighborsMultilabelRanker(n_neighbors=5).fit(data.X, data.relevance)
    assert_type(near, KNeighborsMultilabelRanker)
    boosted = AdaBoostMHClassifier(n_estimators=5).fit(data.X, data.relevance)
    assert_type(boosted, AdaBoostMHClassifier)
    promised = RiskControlledLabelSets(MLkNNClassifier(), 0.8, random_state=0)
    assert_type(promised.fit(data.X, data.relevance), RiskControlledLabelSets)
    return promised.predict(data.X)


def reasons(data: Dataset) -> Explanation:
    """Explain a case, with a guarantee, and vary it."""
    sure = ConformalLabelRanker(KNeighborsLabelRanker(), alpha=0.2, random_state=0)
    sure.fit(data.X, data.rankings)
    first, last = sure.predict_interval(data.X[:1])[0, 0]
    explanation = explain_prediction(sure, data.X[0], data, alpha=0.3)
    changes: pd.DataFrame = what_if(
        KNeighborsLabelRanker().fit(data.X, data.rankings), data.X[0], data
    ).frame()
    assert (int(first), int(last)) <= (3, 3)
    assert "column" in changes
    return explanation


def tables(folder: Path) -> Dataset:
    """Read and write data, from files, words and frames."""
    words = parse_rankings(["tea > milk", "milk > tea = juice"])
    frame = pd.DataFrame({"age": [20, 30]})
    data = Dataset.from_frame(frame, words, name="drinks")
    for name, content in write_dataset(data, "csv"):
        (folder / name).write_bytes(content)
    proposal = inspect_files(folder / "drinks.csv")
    assert "target_form" not in proposal.open_choices
    try:
        return read_dataset(folder / "drinks.csv", target_form="positions")
    except DatasetError as error:
        raise SystemExit("; ".join(finding.message for finding in error.findings)) from error


def comparison(data: Dataset) -> pd.DataFrame:
    """Compare methods of the catalog and others on the same folds."""
    protocol = Protocol(n_folds=3)
    near = results_of(ModelChoice("knn").build(), [data], protocol, name="k-NN")
    trees = results_of(ALGORITHMS["forest"].build(), [data], protocol, name="forest")
    board = leaderboard(join_results(near, trees), "kendall_tau_score")
    evaluation = evaluate_model(KNeighborsLabelRanker(), data, holdout_split(data))
    assert evaluation.totals["kendall_tau_score"] > 0.5
    assert scorers_for(Task.LABEL_RANKING)
    return board.frame()


if __name__ == "__main__":
    iris, songs = load_sample("iris"), load_sample("songs")
    assert {"iris", "songs"} <= {sample.name for sample in list_samples()}
    assert min(rankers(iris)) > 0.5
    assert label_sets(songs).shape == songs.relevance.shape
    assert reasons(iris).order == [0, 1, 2]
    assert comparison(iris).shape[0] == 2
    assert aggregate([[1, 2, 3], [2, 1, 3], [1, 2, 3]], method="borda").tolist() == [1, 2, 3]
    with tempfile.TemporaryDirectory() as name:
        assert tables(Path(name)).label_names == ("juice", "milk", "tea")
