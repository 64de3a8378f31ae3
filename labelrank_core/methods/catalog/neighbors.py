"""Methods that predict from the most similar training cases."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from labelrank_core.aggregation import CONSENSUS_RULES
from labelrank_core.methods.algorithm import (
    MULTILABEL_RANKER,
    PAIR_RANKER,
    Algorithm,
    Size,
    ordering_seconds,
)
from labelrank_core.methods.catalog.shared import METRIC, NEIGHBORS, TIES, WEIGHTS, search_seconds
from labelrank_core.methods.neighbors import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
)
from labelrank_core.methods.params import Knob

_FAMILY = "similar cases"


def _ml_knn_seconds(size: Size, params: Mapping[str, Any]) -> float:
    among_themselves = replace(size, n_cases=size.n_samples)
    searches = search_seconds(size, params) + search_seconds(among_themselves, params)
    if params["label_neighbors"] == "same":
        return searches
    return searches + 1e-8 * size.n_samples * size.n_labels * params["n_neighbors"]


def _consensus_seconds(size: Size, params: Mapping[str, Any]) -> float:
    # Where majorities have cycles, Kemeny's rule may need all subsets of labels, and ranked pairs
    # go through the pairs one by one.
    one_case = {
        "kemeny": 1.5e-6 * 2 ** min(size.n_labels, 11),
        "ranked_pairs": 4e-6 * size.n_labels**2,
    }.get(params["aggregation"], 0.0)
    return ordering_seconds(size, params) + one_case * size.n_cases


METHODS = (
    Algorithm(
        key="knn",
        title="k-NN label ranking",
        family=_FAMILY,
        tasks=PAIR_RANKER,
        estimator=KNeighborsLabelRanker,
        knobs=(
            NEIGHBORS,
            Knob(
                "aggregation",
                "Consensus",
                "How the rankings of the similar cases become one: labels ordered by mean or "
                "median rank, the order with the least rank differences (footrule) or the "
                "fewest contradicted pairs (Kemeny), the most frequent ranking, or an order by "
                "the majorities of pairs (Copeland, Schulze, ranked pairs).",
                choices=tuple((rule.key, rule.name) for rule in CONSENSUS_RULES.values()),
                on_path=True,
                for_rankings=True,
            ),
            WEIGHTS,
            METRIC,
            TIES,
        ),
        references=("K. Brinker, E. Hüllermeier: Case-based label ranking. ECML 2006.",),
        summary=(
            "Looks up the training cases most similar to yours and merges their rankings into one "
            "consensus. How far they agree with it is the confidence."
        ),
        seconds=search_seconds,
        setting_seconds=_consensus_seconds,
        incomplete="A case with no label left still counts as a similar case, but adds nothing.",
        votes="similar cases",
        figures={("n_neighbors", "aggregation"): ""},
    ),
    Algorithm(
        key="mlr",
        title="k-NN multilabel ranking",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=KNeighborsMultilabelRanker,
        knobs=(
            NEIGHBORS,
            Knob(
                "decision",
                "Relevant labels",
                "What makes labels relevant: the zero line, or the label set that is best by a "
                "measure if your case is like one of the similar cases.",
                choices=(
                    ("zero_line", "those ahead of the zero line"),
                    ("hamming", "what most cases have (Hamming loss)"),
                    ("f1", "the set with the best F1"),
                    ("subset", "the most frequent set (whole sets)"),
                ),
                serves=(
                    ("hamming", "hamming_loss"),
                    ("f1", "samples_f1_score"),
                    ("subset", "subset_accuracy_score"),
                ),
                on_path=True,
                basic=False,
            ),
            Knob(
                "n_virtual_labels",
                "Virtual labels (p)",
                "How wide the zero line is. With more virtual labels the decision comes closer to "
                "a majority vote of the similar cases. Data with many labels but few per case need "
                "more of them.",
                low=1,
                high=128,
                scale="doubling",
                on_path=True,
                tuned=(1, 2, 4, 8),  # a few of Fig. 1 of MLR-07
                depends_on=("decision", ("zero_line",)),
            ),
            WEIGHTS,
            Knob(
                "tie_breaking",
                "Ties",
                "What orders labels that as many similar cases have: four times as many similar "
                "cases and then all training cases, or the list of labels.",
                choices=(("wider", "more similar cases"), ("label_index", "list of labels")),
                basic=False,
            ),
            METRIC,
        ),
        references=(
            "K. Brinker, E. Hüllermeier: Case-based multilabel ranking. IJCAI 2007.",
            "K. Dembczyński, W. Waegeman, W. Cheng, E. Hüllermeier: An exact algorithm for "
            "F-measure maximization. NIPS 2011.",
        ),
        summary=(
            "Looks up the most similar training cases and ranks the labels together with a zero "
            "line: labels ahead of it are relevant."
        ),
        seconds=search_seconds,
        zero_line="n_virtual_labels",
        figures={
            ("n_neighbors", "n_virtual_labels"): (
                "Fig. 1 of Brinker and Hüllermeier 2007, on your data."
            ),
        },
    ),
    Algorithm(
        key="mlknn",
        title="ML-kNN",
        family=_FAMILY,
        tasks=MULTILABEL_RANKER,
        estimator=MLkNNClassifier,
        knobs=(
            NEIGHBORS,
            Knob(
                "smoothing",
                "Smoothing (s)",
                "How many cases are added to every count as a prior, so that rare counts do not "
                "weigh too much.",
                low=0.01,
                high=100,
                scale="powers of 10",
                on_path=True,
            ),
            Knob(
                "label_neighbors",
                "Similar cases of a label",
                "Whether k similar cases decide every label, or each label has its own number of "
                "up to k, by which the fewest training cases are decided wrongly.",
                choices=(("same", "k for all"), ("own", "its own, up to k")),
                on_path=True,
                basic=False,
            ),
            METRIC,
        ),
        references=(
            "M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label "
            "classification. IEEE International Conference on Granular Computing 2005.",
        ),
        summary=(
            "Counts how many of the most similar training cases have a label and asks what such a "
            "count meant for the training cases themselves: that gives each label a probability. "
            "Labels above one half are relevant."
        ),
        has_probabilities=True,
        seconds=_ml_knn_seconds,
    ),
)
