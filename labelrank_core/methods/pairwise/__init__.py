"""Methods that learn a preference for every pair of labels."""

from labelrank_core.methods.pairwise.calibrated import CalibratedPairwiseClassifier
from labelrank_core.methods.pairwise.comparison import PairwiseLabelRanker
from labelrank_core.methods.pairwise.forest import PairwiseForestRanker
from labelrank_core.methods.pairwise.kernel import KernelPairwiseRanker
from labelrank_core.methods.pairwise.svm import PairwiseSVMRanker

__all__ = [
    "CalibratedPairwiseClassifier",
    "KernelPairwiseRanker",
    "PairwiseForestRanker",
    "PairwiseLabelRanker",
    "PairwiseSVMRanker",
]
