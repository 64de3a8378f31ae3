"""Alerts: findings that deserve a look before a method learns from a data set."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from labelrank_core.data.dataset import Dataset
from labelrank_core.data.findings import Finding, Severity, listed
from labelrank_core.data.profile.features import constant_features, repeated_features
from labelrank_core.data.profile.label_sets import LabelSetProfile
from labelrank_core.data.profile.rankings import RankingProfile
from labelrank_core.data.profile.twins import Twins

IMBALANCE = 10.0
FEW_ROWS = 10
RARELY_RANKED = 0.5


def find_alerts(
    dataset: Dataset,
    twins: Twins,
    rankings: RankingProfile | None,
    label_sets: LabelSetProfile | None,
) -> tuple[Finding, ...]:
    """List the alerts of a data set, warnings first; none is an error."""
    alerts = [*_of_features(dataset), *_of_rows(dataset, twins)]
    alerts += [] if rankings is None else [*_of_rankings(rankings)]
    alerts += [] if label_sets is None else [*_of_label_sets(label_sets)]
    return tuple(sorted(alerts, key=lambda alert: alert.severity is not Severity.WARNING))


def _of_features(dataset: Dataset) -> Iterator[Finding]:
    names = dataset.feature_names
    constant = constant_features(dataset).tolist()
    if constant and dataset.n_samples > 1:
        yield Finding(
            "constant-feature",
            Severity.WARNING,
            f"{_count(len(constant), 'feature has', 'features have')} the same value in every row: "
            f"{_names(names, constant)}.",
            "They cannot distinguish any rows; leave them out.",
        )
    repeated = repeated_features(dataset)
    if repeated and dataset.n_samples > 1:
        pairs = [f"{names[column]} = {names[first]}" for column, first in repeated.items()]
        yield Finding(
            "repeated-feature",
            Severity.WARNING,
            f"{_count(len(pairs), 'feature repeats', 'features repeat')} an earlier one: "
            f"{listed(pairs, quote='')}.",
            "A repeated feature counts twice in every distance; keep one of each.",
        )


def _of_rows(dataset: Dataset, twins: Twins) -> Iterator[Finding]:
    if not dataset.n_features:
        return
    n_repeats, n_contradicting = int(twins.repeating.sum()), int(twins.contradicting.sum())
    if n_repeats:
        yield Finding(
            "repeated-rows",
            Severity.INFO,
            f"{_count(n_repeats, 'row repeats', 'rows repeat')} an earlier one, features and "
            "target.",
            "A test row that is a copy of a training row makes results look better than they are; "
            "keep one of each unless they are separate cases.",
        )
    bounds = twins.limiting_bounds() if n_contradicting else {}
    if bounds:
        phrases = {
            "kendall_tau_score": "Kendall's tau at most",
            "pair_tau_score": "Kendall's tau of known pairs at most",
            "hamming_loss": "Hamming loss at least",
        }
        limits = " and ".join(f"{phrases[key]} {value:.3f}" for key, value in bounds.items())
        yield Finding(
            "contradicting-rows",
            Severity.WARNING,
            f"{n_contradicting} rows have the features of another row and a "
            f"different target, so no method can be perfect on these data: mean {limits}.",
            "Look for a feature that distinguishes them, and compare results with this bound.",
        )


def _of_rankings(profile: RankingProfile) -> Iterator[Finding]:
    names, n_rows = profile.label_names, profile.n_rows
    if profile.diversity.n_distinct == 1 and n_rows > 1:
        yield Finding(
            "one-ranking",
            Severity.WARNING,
            "All rows have the same ranking.",
            "There is nothing to learn; check that the targets are the right columns.",
        )
    never = _where(profile.ranked_counts == 0)
    if never:
        yield Finding(
            "label-never-ranked",
            Severity.WARNING,
            f"{_count(len(never), 'label is', 'labels are')} ranked in no row: "
            f"{_names(names, never)}.",
            "Its position in a prediction means nothing; leave it out.",
        )
    shares = profile.ranked_counts / n_rows
    rare = _where((shares > 0) & (shares < RARELY_RANKED))
    if rare:
        yield Finding(
            "label-rarely-ranked",
            Severity.INFO,
            f"{_count(len(rare), 'label is', 'labels are')} ranked in fewer than half of the rows: "
            f"{_names(names, rare)}.",
            "Choose a consensus rule for incomplete rankings, such as pairwise win shares.",
        )
    if profile.cycle:
        chain = " before ".join(names[label] for label in (*profile.cycle, profile.cycle[0]))
        n_labels = int((profile.cycle_members > 0).sum())
        yield Finding(
            "majority-cycle",
            Severity.INFO,
            f"The majorities among {n_labels} labels contain a preference cycle: {chain}.",
            "No ranking agrees with all majorities, so consensus rules can differ here; compare "
            "Borda with Kemeny.",
        )


def _of_label_sets(profile: LabelSetProfile) -> Iterator[Finding]:
    names, counts, n_rows = profile.label_names, profile.label_counts, profile.n_rows
    for count, code, phrase in (
        (0, "label-never-relevant", "no row has"),
        (n_rows, "label-always-relevant", "every row has"),
    ):
        labels = _where(counts == count)
        if labels:
            yield Finding(
                code,
                Severity.WARNING,
                f"{_count(len(labels), 'label', 'labels')} that {phrase}: {_names(names, labels)}.",
                "Nothing can be learned about them; leave them out of comparisons.",
            )
    few = _where((counts > 0) & (counts < min(FEW_ROWS, n_rows / 10)))
    if few:
        yield Finding(
            "label-in-few-rows",
            Severity.WARNING,
            f"{_count(len(few), 'label has', 'labels have')} fewer than {FEW_ROWS} rows: "
            f"{_names(names, few)}.",
            "A random test set may contain none of them; use cross-validation, or merge labels.",
        )
    rare = _where(np.isfinite(profile.imbalance) & (profile.imbalance > IMBALANCE))
    if rare:
        yield Finding(
            "imbalance",
            Severity.INFO,
            f"{_count(len(rare), 'label is', 'labels are')} more than {IMBALANCE:g} times rarer "
            f"than the most frequent one: {_names(names, rare)}.",
            "A method can ignore them and still have a low Hamming loss; look at the ranking "
            "measures and at each label as well.",
        )
    empty = int(profile.size_counts[0])
    if empty:
        yield Finding(
            "no-label",
            Severity.INFO,
            f"{_count(empty, 'row has', 'rows have')} no label.",
            "Measures that need a relevant label ignore them; check that 0 does not mean "
            "'unknown'.",
        )


def _where(mask: NDArray[np.bool_]) -> list[int]:
    return np.flatnonzero(mask).tolist()


def _names(names: Sequence[str], indices: Sequence[int]) -> str:
    return listed([names[index] for index in indices], quote="")


def _count(count: int, one: str, more: str) -> str:
    return f"1 {one}" if count == 1 else f"{count} {more}"
