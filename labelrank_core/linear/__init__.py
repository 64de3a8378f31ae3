"""Linear methods, and their kernel forms."""

from labelrank_core.linear.shared_subspace import SharedSubspaceClassifier

__all__ = ["SharedSubspaceClassifier"]
