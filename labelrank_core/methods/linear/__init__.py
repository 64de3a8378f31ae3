"""Linear methods, and their kernel forms."""

from labelrank_core.methods.linear.shared_subspace import SharedSubspaceClassifier

__all__ = ["SharedSubspaceClassifier"]
