"""Linear methods, and their kernel forms."""

from labelrank_core.methods.linear.aso_svm import ASOSVMClassifier
from labelrank_core.methods.linear.binary_relevance import BinaryRelevanceClassifier
from labelrank_core.methods.linear.cca_ridge import CCARidgeClassifier
from labelrank_core.methods.linear.cca_svm import CCASVMClassifier
from labelrank_core.methods.linear.classifier_chains import ClassifierChainsClassifier
from labelrank_core.methods.linear.constraint_classification import ConstraintClassificationRanker
from labelrank_core.methods.linear.log_linear import LogLinearRanker
from labelrank_core.methods.linear.one_vs_rest_svm import OneVsRestSVMClassifier
from labelrank_core.methods.linear.rank_svm import RankSVMClassifier
from labelrank_core.methods.linear.shared_subspace import SharedSubspaceClassifier
from labelrank_core.methods.linear.svm_perf import SVMPerfClassifier

__all__ = [
    "ASOSVMClassifier",
    "BinaryRelevanceClassifier",
    "CCARidgeClassifier",
    "CCASVMClassifier",
    "ClassifierChainsClassifier",
    "ConstraintClassificationRanker",
    "LogLinearRanker",
    "OneVsRestSVMClassifier",
    "RankSVMClassifier",
    "SVMPerfClassifier",
    "SharedSubspaceClassifier",
]
