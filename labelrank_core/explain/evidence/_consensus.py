"""Evidence of several consensus rules on the same rankings."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from labelrank_core.aggregation import LOSSES
from labelrank_core.aggregation.kemeny import OptimaCount
from labelrank_core.rankings import format_ranking


@dataclass(frozen=True)
class RuleOutcome:
    """The consensus of the neighbours by one rule.

    Parameters
    ----------
    key : str
        The rule, as in ``aggregation``.
    title : str
        Its name.
    positions : tuple of int
        Its consensus.
    squared, footrule, kendall : float
        Mean losses of the consensus to the neighbours' rankings: squared and absolute rank
        differences, and pairs of labels in reverse order.
    optima : OptimaCount or None
        How many orders do equally well by the rule, where that is counted.
    """

    key: str
    title: str
    positions: tuple[int, ...]
    squared: float
    footrule: float
    kendall: float
    optima: OptimaCount | None = None

    @property
    def counted_title(self) -> str:
        """The name, and that the order is one of several that do equally well, if it is."""
        if self.optima is None or self.optima.number == 1:
            return self.title
        return f"{self.title} (1 of {self.optima})"


@dataclass(frozen=True)
class RuleOrders:
    """The consensus of the same neighbours by several rules.

    Parameters
    ----------
    rules : tuple of RuleOutcome
        The rules.
    predicted : tuple of int
        The predicted positions.
    """

    rules: tuple[RuleOutcome, ...]
    predicted: tuple[int, ...]

    @property
    def others(self) -> list[RuleOutcome]:
        """The rules whose order is not the predicted one."""
        return [rule for rule in self.rules if rule.positions != self.predicted]

    @property
    def optima_sentence(self) -> str:
        """Sentence on the number of optimal orders by Kemeny's rule; empty where there is one."""
        sentences = [rule.optima.sentence() for rule in self.rules if rule.optima is not None]
        return " ".join(filter(None, sentences))

    def frame(self, label_names: Sequence[str]) -> pd.DataFrame:
        """Tabulate the rules with their consensus and its mean losses."""
        differing = set(self.others)
        return pd.DataFrame(
            {
                "rule": [rule.counted_title for rule in self.rules],
                "consensus": [format_ranking(rule.positions, label_names) for rule in self.rules],
                "as predicted": ["no" if rule in differing else "yes" for rule in self.rules],
                **{
                    f"mean {LOSSES[loss].title}": [getattr(rule, loss) for rule in self.rules]
                    for loss in ("squared", "footrule", "kendall")
                },
            }
        )
