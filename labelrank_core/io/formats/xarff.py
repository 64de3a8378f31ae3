"""WEKA-LR's ``xarff``: rankings such as ``b>a`` and independent chains such as ``b>a|c>d``."""

from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from labelrank_core.data.findings import DatasetError, Finding, Severity, shorten

_HINT = (
    "Leave such rows out, or write one chain in their place, such as the longest: its labels are "
    "ranked then and the others are not."
)


def join_chains(text: str) -> str:
    """Write chains as one ranking, where together they say the same."""
    graph: TopologicalSorter[str] = TopologicalSorter()
    for chain in text.split("|"):
        labels = [label.strip() for label in chain.split(">")]
        graph.add(labels[0])
        for better, worse in pairwise(labels):
            graph.add(worse, better)
    try:
        graph.prepare()
    except CycleError as error:
        raise _refused(text, "its chains contradict each other") from error
    ranking: list[str] = []
    while graph.is_active():
        best = graph.get_ready()
        if len(best) > 1:
            lost = (
                f"the order of '{shorten(best[0])}' and '{shorten(best[1])}' is left open; "
                "as positions the chains would lose that they are independent"
            )
            raise _refused(text, lost)
        ranking += best
        graph.done(*best)
    return ">".join(ranking)


def _refused(text: str, but: str) -> DatasetError:
    message = f"found '{shorten(text)}', but {but}."
    return DatasetError([Finding("independent-chains", Severity.ERROR, message, _HINT)])
