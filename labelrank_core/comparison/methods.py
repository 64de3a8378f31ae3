r"""Methods compared over data sets by one chain of tests, with its report, table and diagram.

>>> scores = pd.DataFrame(
...     {"A": [0.9, 0.8, 0.7, 0.9, 0.8, 0.7], "B": [0.8, 0.7, 0.6, 0.8, 0.7, 0.6],
...      "C": [0.5, 0.6, 0.5, 0.6, 0.5, 0.4]})
>>> comparison = compare_methods(scores, measure="Kendall's tau")
>>> comparison.test, comparison.is_significant
('friedman', True)
>>> print(comparison.report().splitlines()[0])
3 methods were compared on 6 data sets by Kendall's tau (higher is better).

References
----------
.. [demsar2006] J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7,
   2006.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from labelrank_core.comparison.bayesian import bayesian_pairs
from labelrank_core.comparison.diagram import critical_difference_diagram
from labelrank_core.comparison.drawing import Drawing
from labelrank_core.comparison.effect_sizes import effect_sizes, kendall_w
from labelrank_core.comparison.score_tables import latex_table
from labelrank_core.comparison.significance import (
    AverageRanks,
    CriticalDifferences,
    Friedman,
    average_ranks,
    critical_differences,
    friedman,
    holm,
    wilcoxon_pairs,
)
from labelrank_core.data.findings import count_of

_P_FROM = {
    "exact": "from all permutations of the ranks",
    "sampled": "from 20,000 random permutations of the ranks",
    "f": "from the F distribution",
}


@dataclass(frozen=True, eq=False)
class MethodComparison:
    """The results of `compare_methods`; every number of its report is one of these.

    Parameters
    ----------
    scores : DataFrame
        The values compared: data sets (index) x methods (columns).
    measure : str
        Name of the measure in the report.
    greater_is_better : bool
        Whether higher values are better.
    alpha : float
        Level of significance.
    control : str or None
        The method that all others are compared with; None: all pairs.
    test : {"wilcoxon", "friedman"}
        The first test: Wilcoxon's for two methods, Friedman's for more.
    p : float
        Its p; NaN where two methods are equal on all data sets.
    ranks : AverageRanks
        Ranks on the data sets.
    omnibus : Friedman or None
        Friedman's test, of three or more methods.
    differences : CriticalDifferences or None
        Average ranks and their critical difference, of three or more methods.
    """

    scores: pd.DataFrame
    measure: str
    greater_is_better: bool
    alpha: float
    control: str | None
    test: Literal["wilcoxon", "friedman"]
    p: float
    ranks: AverageRanks
    omnibus: Friedman | None
    differences: CriticalDifferences | None

    @property
    def names(self) -> list[str]:
        """The methods, in the order of the columns."""
        return [str(name) for name in self.scores.columns]

    @property
    def is_significant(self) -> bool:
        """Whether the first test finds that the methods differ at all."""
        return bool(self.p < self.alpha)

    def frame(self) -> pd.DataFrame:
        """Tabulate the methods, best average rank first: rank, median, mean and sd (n - 1)."""
        table = pd.DataFrame(
            {
                "method": self.names,
                "average rank": self.ranks.means,
                "median": self.scores.median().to_numpy(),
                "mean": self.scores.mean().to_numpy(),
                "sd": self.scores.std().to_numpy(),
            }
        )
        return table.sort_values("average rank", kind="stable").reset_index(drop=True)

    def effects(self) -> pd.DataFrame:
        """Tabulate the effect sizes of all pairs, as `effect_sizes` does."""
        return effect_sizes(
            self.scores.to_numpy(), self.names, greater_is_better=self.greater_is_better
        )

    def pairs(self) -> pd.DataFrame:
        """Tabulate Wilcoxon's test of all pairs, as `wilcoxon_pairs` does; p is not adjusted."""
        return wilcoxon_pairs(self.scores.to_numpy(), self.names)

    def holm(self) -> pd.DataFrame | None:
        """Tabulate Holm's comparisons with the control; None without one."""
        if self.control is None:
            return None
        table = holm(self.ranks, self.names.index(self.control))
        return table.assign(method=[self.names[j] for j in table["method"]])

    def bayesian(self, rope: float = 0.01) -> pd.DataFrame:
        """Tabulate the Bayesian signed-rank test of all pairs, as `bayesian_pairs` does."""
        return bayesian_pairs(
            self.scores.to_numpy(),
            self.names,
            rope=rope,
            greater_is_better=self.greater_is_better,
        )

    def diagram(self, short_names: Mapping[str, str] | None = None) -> Drawing:
        """Draw the average ranks with the critical difference; a ValueError for two methods."""
        if self.differences is None:
            raise ValueError("Expected three or more methods for a critical difference, got two.")
        return critical_difference_diagram(self.differences, short_names=short_names)

    def to_latex(
        self,
        *,
        digits: int = 3,
        short_names: Mapping[str, str] | None = None,
        caption: str = "",
        label: str = "",
    ) -> str:
        """Write the values with their ranks in LaTeX, as `latex_table` does."""
        return latex_table(
            self.scores,
            pd.DataFrame(self.ranks.ranks, self.scores.index, self.scores.columns),
            digits=digits,
            short_names=short_names,
            caption=caption,
            label=label,
        )

    def report(self) -> str:
        """Describe the tests, their reasons and their results in English, for a paper."""
        paragraphs = [self._report_data(), *self._report_tests(), self._report_methods()]
        paragraphs.append(self._report_effects())
        return "\n\n".join(paragraphs) + "\n"

    def _report_data(self) -> str:
        direction = "higher" if self.greater_is_better else "lower"
        return (
            f"{len(self.names)} methods were compared on {len(self.scores)} data sets by "
            f"{self.measure} ({direction} is better).\n"
            f"The level of significance is {self.alpha:g}. The tests use ranks and signs of "
            "differences, so they do not assume that values are normally distributed or comparable "
            "between data sets."
        )

    def _report_tests(self) -> list[str]:
        if self.omnibus is None:
            return self._report_wilcoxon()
        test, (first, second) = self.omnibus, self.omnibus.degrees
        text = (
            f"With more than two methods, Friedman's test comes first, which asks whether any of "
            f"them differ. Its statistic, corrected for ties, is {test.chi2_corrected:.2f}; in the "
            f"form of Iman and Davenport F({first}, {second}) = {test.f:.2f}, {_p(self.p)} "
            f"({_P_FROM[test.p_from]}). Kendall's W is {kendall_w(self.ranks):.2f} (1: all data "
            "sets rank the methods alike)."
        )
        if not self.is_significant:
            text += " So no difference between the methods is significant, and no test follows."
        caution = [f"{test.caution}"] if test.caution else []
        post_hoc = [self._report_post_hoc()] if self.is_significant else []
        return [text, *caution, *post_hoc]

    def _report_wilcoxon(self) -> list[str]:
        row = self.pairs().iloc[0]
        text = (
            "With two methods, Wilcoxon's signed-rank test asks whether their differences are "
            f"centred at 0. {row['first']} has the higher value on "
            f"{count_of(row['first has more'], 'data set')}, {row['second']} on "
            f"{row['second has more']}; they are equal on {row['same']}. "
        )
        if np.isnan(self.p):
            return [text + "There is nothing to test."]
        verdict = "differ significantly" if self.is_significant else "do not differ significantly"
        return [f"{text}{_p(self.p)[0].upper()}{_p(self.p)[1:]}: the methods {verdict}."]

    def _report_post_hoc(self) -> str:
        critical = self.differences
        if critical is None:
            return ""
        if critical.control is None:
            groups = [_listed([critical.names[j] for j in group]) for group in critical.groups]
            if len(groups) == 1 and len(critical.groups[0]) == len(critical.names):
                conclusion = "No two of them are so far apart."
            elif groups:
                conclusion = (
                    f"Not significantly different are: {'; '.join(groups)}. All other pairs differ."
                )
            else:
                conclusion = "All pairs differ."
            return (
                "All pairs are then compared by Nemenyi's test, which keeps the level for all of "
                f"them together: average ranks that are more than {critical.difference:.3f} apart "
                f"differ significantly. {conclusion}"
            )
        table = self.holm()
        worse = _listed(critical.worse) or "no method"
        steps = "" if table is None else _listed(
            [f"{row.method} ({_p(row[5])})" for row in table.itertuples()]
        )  # fmt: skip
        return (
            f"All methods are then compared with {self.control} by the Bonferroni-Dunn test: "
            f"average ranks that are more than {critical.difference:.3f} from its own differ "
            f"significantly. Significantly worse than {self.control}: {worse}. Holm's step-down "
            f"procedure adjusts p to: {steps}."
        )

    def _report_methods(self) -> str:
        lines = [
            f"{row.method}: average rank {row[2]:.2f}, median {row.median:.3f}, mean "
            f"{row.mean:.3f}, sd {row.sd:.3f}"
            for row in self.frame().itertuples()
        ]
        return "The methods, best average rank first:\n" + "\n".join(f"- {line}" for line in lines)

    def _report_effects(self) -> str:
        best = self.frame()["method"].iloc[0]
        lines = []
        for row in self.effects().itertuples():
            if best not in (row.first, row.second):
                continue
            sign = 1 if row.first == best else -1
            rival = row.second if row.first == best else row.first
            share = row.superiority if sign == 1 else 1 - row.superiority
            difference = round(sign * row[3], 3)
            favour = f" in favour of {best if difference > 0 else rival}" if difference else ""
            lines.append(
                f"- {rival}: median difference {abs(difference):.3f}{favour}; {best} is better on "
                f"{share:.0%} of the data sets (ties count half), rank-biserial correlation "
                f"{sign * row[5]:+z.2f}"
            )
        return f"Effect sizes of {best} against each other method:\n" + "\n".join(lines)


def compare_methods(
    scores: pd.DataFrame,
    *,
    measure: str = "score",
    greater_is_better: bool = True,
    alpha: float = 0.05,
    control: str | None = None,
) -> MethodComparison:
    """Compare methods over data sets by the tests that [demsar2006]_ recommends.

    Two methods: Wilcoxon's signed-rank test. More: Friedman's test, and if it is significant
    Nemenyi's for all pairs, or Bonferroni-Dunn's and Holm's with a control.

    Parameters
    ----------
    scores : DataFrame of shape (n_data_sets, n_methods)
        One finite value per data set (index) and method (columns), such as
        `Leaderboard.distinct_scores`; two or more of both.
    measure : str, default="score"
        What the values are called in the report.
    greater_is_better : bool, default=True
        Whether higher values are better.
    alpha : float, default=0.05
        Level of significance, between 0 and 1.
    control : str or None, default=None
        A column to compare the others with; of two methods either is the other's.

    Returns
    -------
    MethodComparison
        Tests, effect sizes, report, LaTeX table and diagram.

    Raises
    ------
    ValueError
        If the scores are not such a table, or the control or the level is none.

    Examples
    --------
    >>> scores = pd.DataFrame({"A": [0.9, 0.8, 0.7, 0.9, 0.6], "B": [0.8, 0.6, 0.6, 0.7, 0.5]})
    >>> compared = compare_methods(scores)
    >>> compared.test, compared.p
    ('wilcoxon', 0.0625)
    """
    if len(scores) < 2:
        raise ValueError(f"Expected two or more data sets, got {len(scores)}.")
    if not 0 < alpha < 1:
        raise ValueError(f"Expected alpha between 0 and 1, got {alpha}.")
    names = [str(name) for name in scores.columns]
    if control is not None and control not in names:
        raise ValueError(f"Expected a control among {', '.join(names)}, got {control!r}.")
    values = scores.to_numpy(dtype=np.float64)
    ranks = average_ranks(values, greater_is_better=greater_is_better)
    if len(names) == 2:
        control = None
        p = float(wilcoxon_pairs(values, names)["p"].iloc[0])
        return MethodComparison(
            scores, measure, greater_is_better, alpha, control, "wilcoxon", p, ranks, None, None
        )
    omnibus = friedman(ranks)
    control_index = None if control is None else names.index(control)
    differences = critical_differences(ranks, names, alpha=alpha, control=control_index)
    return MethodComparison(
        *(scores, measure, greater_is_better, alpha, control),
        *("friedman", omnibus.p, ranks, omnibus, differences),
    )


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" * bool(names)
