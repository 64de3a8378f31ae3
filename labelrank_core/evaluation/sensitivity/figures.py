"""The sensitivity figures of a method, and the values they show."""

from dataclasses import dataclass
from typing import Any, Literal

from labelrank_core.data.dataset import Dataset, Task
from labelrank_core.methods import Algorithm, ModelChoice
from labelrank_core.methods.params import Knob

# The name of the varied parameter where labels are deleted.
SHARE_DELETED = "share_deleted"
_WITHOUT_PAIRS = "A training case without a known pair left adds nothing."
# Those of Fig. 2 of Zhou and Qiu 2018.
_SHARES = tuple(i / 10 for i in range(9))


@dataclass(frozen=True)
class Figure:
    """One figure of the quality over one or two parameters, or over deleted labels."""

    kind: Literal["curve", "lines", "map", "missing"]
    knobs: tuple[Knob, ...]
    caption: str = ""
    # Whether known pairs are deleted, not labels.
    of_pairs: bool = False

    @property
    def deleted(self) -> str:
        """The noun for deleted targets: labels or pairs."""
        return "pairs" if self.of_pairs else "labels"

    @property
    def key(self) -> str:
        """A short stable name."""
        return "-".join(knob.name for knob in self.knobs) or "missing"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters varied, as results have them."""
        return tuple(knob.name for knob in self.knobs) or (SHARE_DELETED,)

    def own(self, choice: ModelChoice) -> tuple[Any, ...] | None:
        """Return the choice's values of the varied parameters; None where labels are deleted."""
        if self.kind == "missing":
            return None
        return tuple(choice.values[knob.name] for knob in self.knobs)

    def grid(self, n_cases: int) -> dict[str, tuple[Any, ...]]:
        """List the values to measure, bounded by the number of training cases."""
        if self.kind == "missing":
            return {SHARE_DELETED: _SHARES}
        if self.kind == "lines":
            # Every other number across and powers of two, as Fig. 1 of Brinker, Hüllermeier 2007.
            across, lines = self.knobs
            return {across.name: across.offered(n_cases)[::2], lines.name: lines.steps(n_cases)}
        return {
            knob.name: (*knob.offered(n_cases), *((None,) if knob.none else ()))
            for knob in self.knobs
        }


def figures_for(algorithm: Algorithm, dataset: Dataset | None = None) -> tuple[Figure, ...]:
    """List a method's figures: parameters varied together, each number alone, labels deleted.

    Numbers on the path are varied; a method that would have no figure varies its first number, with
    a fit for each value. Of parameters that are not offered for a data set there is no figure.
    """
    offered = algorithm.knobs if dataset is None else algorithm.knobs_for(dataset)
    knobs = {name: knob for name, knob in algorithm.path_knobs.items() if knob in offered}
    captions = {names: text for names, text in algorithm.figures.items() if {*names} <= {*knobs}}
    together = [tuple(knobs[name] for name in names) for names in captions if len(names) > 1]
    alone = [(knob,) for knob in knobs.values() if not knob.choices]
    figures = [
        Figure(_kind(varied), varied, captions.get(tuple(knob.name for knob in varied), ""))
        for varied in (*together, *alone)
    ]
    if algorithm.incomplete:
        of_pairs = dataset is not None and dataset.task is Task.PAIR_PREFERENCES
        caption = _WITHOUT_PAIRS if of_pairs else algorithm.incomplete
        figures.append(Figure("missing", (), caption, of_pairs))
    if not figures:
        figures = [Figure("curve", (knob,)) for knob in offered if not knob.choices][:1]
    return tuple(figures)


def _kind(varied: tuple[Knob, ...]) -> Literal["curve", "lines", "map"]:
    if len(varied) == 1:
        return "curve"
    return "map" if all(knob.scale == "powers of 10" for knob in varied) else "lines"
