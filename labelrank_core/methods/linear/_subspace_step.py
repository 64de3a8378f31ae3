"""The step of explanations that shows a case among the labels' directions in a subspace."""

import numpy as np

from labelrank_core.explain.evidence import Label, ScoreParts, Step, SubspaceView, Text
from labelrank_core.rankings import FloatArray

SHARED = "shared part"


def subspace_step(parts: ScoreParts, inside: FloatArray, directions: FloatArray) -> Step:
    """Show the main plane of the subspace.

    `inside` turns the inputs into coordinates, (n_inputs, r); `directions` are the labels',
    (r, n_labels).
    """
    shared, r = parts.parts[SHARED], len(directions)
    axes, lengths, _ = np.linalg.svd(directions, full_matrices=False)
    # With one shared dimension the other axis is flat.
    axes = np.pad(axes[:, :2], ((0, 0), (0, max(0, 2 - axes.shape[1]))))
    total = float(np.square(lengths).sum())
    view = SubspaceView(
        case=parts.inputs @ inside @ axes,
        directions=directions.T @ axes,
        shared=shared,
        n_components=r,
        kept_share=float(np.square(lengths[:2]).sum()) / total if total > 0 else 1.0,
    )
    order = np.argsort(-shared, kind="stable")
    values = {
        "r": r,
        "kept": f"{view.kept_share:.0%}",
        "most": Label(int(order[0])),
        "least": Label(int(order[-1])),
    }
    template = _VIEW + (_SOME_KEPT if r > 2 else _ALL_KEPT)
    return Step("The case in the shared subspace", Text(template, values), view)


_VIEW = (
    "The shared part is large where the case lies in a label's direction: largest for {most}, "
    "smallest for {least}."
)
_SOME_KEPT = " Of the {r} shared dimensions, the two shown keep {kept} of the directions."
_ALL_KEPT = " The subspace has no more dimensions than are shown."
