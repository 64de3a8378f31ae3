"""Metadata, such as weights of cases, on their way through estimators made of others."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from labelrank_core._sklearn import rows_of


class RoutingMixin:
    """The ``fit`` of a meta-estimator hands its metadata on as scikit-learn's routing says.

    With ``sklearn.set_config(enable_metadata_routing=True)`` an inner estimator gets what it asks
    for, such as ``PairwiseLabelRanker().set_fit_request(sample_weight=True)``.
    """

    @abstractmethod
    def _estimators_by_name(self) -> Mapping[str, Any]:
        """Return the unfitted inner estimators that take metadata."""

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata go to which inner estimator, for scikit-learn.

        Returns
        -------
        MetadataRouter
            The routes of `fit`.
        """
        router = MetadataRouter(owner=self)
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for name, estimator in self._estimators_by_name().items():
            router.add(method_mapping=mapping, **{name: estimator})
        return router

    def _routed(self, params: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the metadata for the ``fit`` of each inner estimator."""
        if params and not get_config()["enable_metadata_routing"]:
            raise ValueError(
                f"Expected no {', '.join(params)} without scikit-learn's metadata routing, which "
                "`sklearn.set_config(enable_metadata_routing=True)` turns on."
            )
        routed = process_routing(self, "fit", **params)
        return {name: dict(routed[name].fit) for name in self._estimators_by_name()}


def metadata_of_rows(metadata: Mapping[str, Any], rows: Any, n_samples: int) -> dict[str, Any]:
    """Return metadata for some of the cases; metadata with a value for each case is cut down."""
    return {
        name: rows_of(value, rows) if _n_values(value) == n_samples else value
        for name, value in metadata.items()
    }


def _n_values(value: Any) -> int | None:
    shape = (len(value),) if isinstance(value, (list, tuple)) else getattr(value, "shape", ())
    return int(shape[0]) if shape else None
