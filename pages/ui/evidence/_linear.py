"""Linear scores drawn: their parts, what carries them, the case among the labels' directions."""

import pandas as pd

from labelrank_core.explain.evidence import ScoreParts, SubspaceView
from pages.ui import drawing, text
from pages.ui.charts.linear import contribution_bars, score_parts, subspace_view
from pages.ui.evidence._scene import Scene, ask_label, draw

_CARRIED = {
    "feature": "The features that add most: each adds its difference from the mean times its "
    "weight.",
    "training row": "The training rows that add most: each adds its (centred) similarity times "
    "its weight.",
}


@draw.register
def _score_parts(evidence: ScoreParts, scene: Scene) -> None:
    names = scene.dataset.label_names
    table = evidence.frame(names)
    spoken = "; ".join(
        f"{label}: score {score:.2f}, threshold {threshold:.2f}"
        for label, score, threshold in zip(
            table["label"], table["score"], table["threshold"], strict=True
        )
    )
    drawing.chart(
        score_parts(evidence, scene.order, names),
        key=f"{scene.key}-parts",
        alt=spoken,
        table=table,
    )
    if scene.brief:
        return
    label = ask_label(scene, "parts")
    of_features = evidence.carrier == "feature"
    groups = scene.dataset.schema.column_of_feature if of_features else None
    table = evidence.contributions(label, groups=groups)
    called = _carriers(evidence, table, scene)
    table[evidence.carrier] = called
    added = "; ".join(
        f"{name} {total:+.2f}" for name, total in zip(called, table["sum"], strict=True)
    )
    drawing.chart(
        contribution_bars(table, called),
        key=f"{scene.key}-contributions",
        alt=f"what adds most to the score of {names[label]}: {added}",
        table=table,
        caption=_CARRIED[evidence.carrier],
    )


def _carriers(evidence: ScoreParts, table: pd.DataFrame, scene: Scene) -> list[str]:
    """Name what carries a score, with the case's own value of a feature."""
    if evidence.carrier == "feature":
        own = scene.dataset.schema.frame(scene.case.x[None])
        values = own.to_numpy(dtype=object)[0]
        names = [text.with_value(*pair) for pair in zip(own.columns, values, strict=True)]
    else:
        names = [f"#{row + 1}" for row in scene.case.training_rows]
    n_others = len(names) - len(table) + 1
    return [
        names[carrier] if carrier >= 0 else f"{n_others} others"
        for carrier in table[evidence.carrier]
    ]


@draw.register
def _subspace_view(evidence: SubspaceView, scene: Scene) -> None:
    names = scene.dataset.label_names
    table = evidence.frame(names)
    drawing.chart(
        subspace_view(evidence, names),
        key=f"{scene.key}-subspace",
        alt="shared parts: "
        + "; ".join(
            f"{label} {value:+.2f}"
            for label, value in zip(table["label"], table["shared part"], strict=True)
        ),
        table=table,
        caption="◆ this case; lines: the labels' directions, on a scale of their own. Labels on "
        "the case's side get a positive shared part.",
    )
