"""What the package exports, each name from its module: read by type checkers and by `__init__`."""

from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.data.findings import DatasetError, Finding
from labelrank_core.data.generators import make_label_ranking
from labelrank_core.data.pair_preferences import PairPreferences
from labelrank_core.data.ranking_words import parse_ranking, parse_rankings
from labelrank_core.data.samples import list_samples, load_sample
from labelrank_core.evaluation.guarantees import ConformalLabelRanker, RiskControlledLabelSets
from labelrank_core.evaluation.scorers import scorers, scorers_for
from labelrank_core.evaluation.splitters import LabelSetStratifiedKFold, RankingStratifiedKFold
from labelrank_core.experiments.results import read_results, results_of
from labelrank_core.explain.cases import explain_prediction
from labelrank_core.explain.what_if import what_if
from labelrank_core.io import inspect_files, read_dataset, read_openml, write_dataset
from labelrank_core.methods.boosting import (
    AdaBoostMHClassifier,
    ADTBoostMHClassifier,
    GradientBoostingLabelsClassifier,
)
from labelrank_core.methods.ensemble import StackedLabelRanker, StackedMultilabelClassifier
from labelrank_core.methods.few_labels import FewLabelsWarning
from labelrank_core.methods.label_sets import (
    LabelPowersetClassifier,
    LabelSetForestClassifier,
    ProbabilisticChainsClassifier,
    RAkELClassifier,
)
from labelrank_core.methods.linear import (
    ASOSVMClassifier,
    BinaryRelevanceClassifier,
    CCARidgeClassifier,
    CCASVMClassifier,
    ClassifierChainsClassifier,
    ConstraintClassificationRanker,
    LogLinearRanker,
    OneVsRestSVMClassifier,
    RankSVMClassifier,
    SharedSubspaceClassifier,
    SVMPerfClassifier,
)
from labelrank_core.methods.neighbors import (
    KNeighborsLabelRanker,
    KNeighborsMultilabelRanker,
    MLkNNClassifier,
)
from labelrank_core.methods.pairwise import (
    CalibratedPairwiseClassifier,
    KernelPairwiseRanker,
    PairwiseForestRanker,
    PairwiseLabelRanker,
    PairwiseSVMRanker,
)
from labelrank_core.methods.probabilistic import MallowsLabelRanker, PlackettLuceLabelRanker
from labelrank_core.methods.trees import (
    BaggedTreesLabelRanker,
    BoostedTreesLabelRanker,
    LabelRankingForest,
    RankingTreeLabelRanker,
)

# Names until version 0.4, not in `__all__`.
from labelrank_core.methods.trees import (
    EntropyRankingTreeForest as EntropyRankingTreeForest,
)
from labelrank_core.methods.trees import (
    FrequencyBaggedTreesLabelRanker as FrequencyBaggedTreesLabelRanker,
)
from labelrank_core.methods.trees import (
    RankingTreeForest as RankingTreeForest,
)
from labelrank_core.methods.trees import (
    WidthBaggedTreesLabelRanker as WidthBaggedTreesLabelRanker,
)
from labelrank_core.version import __version__

Issue = Finding

__all__ = [
    "ADTBoostMHClassifier",
    "ASOSVMClassifier",
    "AdaBoostMHClassifier",
    "BaggedTreesLabelRanker",
    "BinaryRelevanceClassifier",
    "BoostedTreesLabelRanker",
    "CCARidgeClassifier",
    "CCASVMClassifier",
    "CalibratedPairwiseClassifier",
    "ClassifierChainsClassifier",
    "ConformalLabelRanker",
    "ConstraintClassificationRanker",
    "Dataset",
    "DatasetError",
    "FewLabelsWarning",
    "Finding",
    "GradientBoostingLabelsClassifier",
    "Issue",
    "KNeighborsLabelRanker",
    "KNeighborsMultilabelRanker",
    "KernelPairwiseRanker",
    "LabelPowersetClassifier",
    "LabelRankingForest",
    "LabelSetForestClassifier",
    "LabelSetStratifiedKFold",
    "LogLinearRanker",
    "MLkNNClassifier",
    "MallowsLabelRanker",
    "OneVsRestSVMClassifier",
    "PairPreferences",
    "PairwiseForestRanker",
    "PairwiseLabelRanker",
    "PairwiseSVMRanker",
    "PlackettLuceLabelRanker",
    "ProbabilisticChainsClassifier",
    "RAkELClassifier",
    "RankSVMClassifier",
    "RankingStratifiedKFold",
    "RankingTreeLabelRanker",
    "RiskControlledLabelSets",
    "SVMPerfClassifier",
    "SharedSubspaceClassifier",
    "StackedLabelRanker",
    "StackedMultilabelClassifier",
    "Task",
    "__version__",
    "explain_prediction",
    "inspect_files",
    "leaderboard",
    "list_samples",
    "load_sample",
    "make_label_ranking",
    "parse_ranking",
    "parse_rankings",
    "read_dataset",
    "read_openml",
    "read_results",
    "results_of",
    "scorers",
    "scorers_for",
    "what_if",
    "write_dataset",
]
