"""Predictions and the reasons for them, as plain data that interfaces draw.

The package itself can be called like `explain_prediction`, so that ``from labelrank_core import
explain`` brings what its name says, whatever was imported before.

>>> from labelrank_core import KNeighborsLabelRanker, explain, load_sample
>>> data = load_sample("iris")
>>> model = KNeighborsLabelRanker(n_neighbors=5).fit(data.X, data.rankings)
>>> str(explain(model, data.X[0], data)).splitlines()[0]
'Predicted: setosa > versicolor > virginica'
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelrank_core.explain.capabilities import Ranker
    from labelrank_core.explain.cases import explain_prediction
    from labelrank_core.explain.render.explanation import explanation_html as explanation_html

__all__ = ["explain_prediction"]

# Imported when they are first used: a package that imports its own modules fails when two threads
# import a module of it and the package at the same time.
_MODULES = {
    "explain_prediction": "labelrank_core.explain.cases",
    # Notebooks draw explanations with it.
    "explanation_html": "labelrank_core.explain.render.explanation",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


class _CallablePackage(ModuleType):
    """A package that is called like the function it is there for."""

    def __call__(self, model: "Ranker", x: Any, *args: Any, **kwargs: Any) -> Any:
        return __getattr__("explain_prediction")(model, x, *args, **kwargs)

    # cloudpickle, with which clusters send functions, knows modules by their exact type.
    def __reduce__(self) -> tuple[Any, ...]:
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _CallablePackage
