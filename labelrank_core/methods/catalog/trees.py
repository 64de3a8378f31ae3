"""Methods that grow trees."""

from collections.abc import Mapping
from math import log2
from typing import Any

from labelrank_core.methods.algorithm import LABEL_RANKER, Algorithm, Size
from labelrank_core.methods.catalog.shared import TREES
from labelrank_core.methods.params import Knob
from labelrank_core.methods.trees import LabelRankingForest


def _forest_seconds(size: Size, params: Mapping[str, Any]) -> float:
    growing = size.n_samples * log2(size.n_samples + 1) * (size.n_labels + 10)
    return 2e-8 * params["n_estimators"] * growing


METHODS = (
    Algorithm(
        key="forest",
        title="Label-ranking random forest",
        family="trees",
        tasks=LABEL_RANKER,
        estimator=LabelRankingForest,
        knobs=(
            TREES,
            Knob(
                "max_depth",
                "Depth of the trees",
                "How many questions a tree may ask in a row. Shallow trees use many similar "
                "cases, deep ones only the most similar. The paper has 8.",
                low=1,
                high=20,
                none="as deep as they grow",
                on_path=True,
                up_to_fitted=True,
                tuned=(2, 4, 6, 8, 12, None),
            ),
            Knob(
                "split_on",
                "What the questions separate",
                "What a tree's questions try to tell apart. The paper's text uses the first "
                "label, its authors' program whole rankings; ranks of all labels predict best "
                "on the paper's data.",
                choices=(
                    ("borda", "ranks of all labels"),
                    ("top_label", "first label (the paper)"),
                    ("ranking", "whole rankings (its program)"),
                ),
                basic=False,
            ),
            Knob(
                "voting",
                "Vote of a tree",
                "Whether a tree says how far apart labels are, or only their order.",
                choices=(
                    ("scores", "mean ranks in its leaf"),
                    ("rankings", "one strict ranking (the paper)"),
                ),
                on_path=True,
                basic=False,
            ),
            Knob(
                "max_features",
                "Features per question",
                "Among how many features, drawn at random, each question is chosen. Fewer make the "
                "trees differ more.",
                choices=(
                    ("log2+1", "log2 of all, plus one (the paper)"),
                    ("sqrt", "square root of all"),
                    ("log2", "log2 of all"),
                ),
                basic=False,
            ),
            Knob(
                "min_entropy",
                "Minimum entropy (bits) to split",
                "A tree asks no further where the entropy of the rankings is below this; at 0 it "
                "always asks.",
                low=0,
                high=5,
                on_path=True,
                basic=False,
            ),
            Knob(
                "min_samples_leaf",
                "Fewest cases in a leaf",
                "A question is only asked if each answer leaves at least this many training cases.",
                low=1,
                high=30,
                basic=False,
            ),
        ),
        references=(
            "Y. Zhou, G. Qiu: Random forest for label ranking. Expert Systems with Applications "
            "112, 2018.",
        ),
        summary=(
            "Grows random decision trees, each on another draw of the training cases. Your case "
            "falls into one leaf of every tree; the rankings of the training cases found there "
            "are merged. How far the trees agree is the confidence."
        ),
        seconds=_forest_seconds,
        incomplete=(
            "The forest estimates what is missing from similar cases, also for a case with no "
            "label left."
        ),
        votes="trees",
        figures={
            ("n_estimators",): "Fig. 3 of Zhou and Qiu 2018, on your data.",
            ("max_depth",): (
                "Fig. 4 of Zhou and Qiu 2018, on your data: the same trees cut at every depth."
            ),
        },
    ),
)
