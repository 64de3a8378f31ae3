"""The sentences of the first page, with the words of the data set in use.

What stands in braces after `sentences` is filled in by the page's script while the knob moves.
"""

from labelrank_core import Task
from pages.ui.wording.subject import Subject


def sentences(
    subject: Subject,
    task: Task,
    *,
    method: str,
    knob: str,
    asks_neighbors: bool,
    sizes: tuple[int, int],
    n_drawn: int,
    offers_all: bool = True,
) -> dict[str, str]:
    """Return all sentences by key.

    `asks_neighbors`: whether the method asks similar cases; `sizes`: how many rows and values a
    row there are; `n_drawn`: how many of the values are drawn; `offers_all`: whether every row can
    be chosen, not only those with a ring.
    """
    n_rows, n_values = sizes
    row, rows, label, labels = subject.row, subject.rows, subject.label, subject.labels
    is_set = task is Task.MULTILABEL
    task_line = f"Mark the {labels} that it has" if is_set else f"Put the {labels} in order"
    if is_set:
        hidden = f"We hide the {labels} of this {row}."
    else:
        hidden = f"We hide the ranking of this {row}."
    advisers = "the {k} {rows} most like it" if asks_neighbors else method
    scored = f"{{n}} of {{of}} {labels}" if is_set else f"{{n}} of {{of}} pairs of {labels}"
    predicts = (
        f"the {labels} of one {row}, from {rows} whose {labels} are known"
        if is_set
        else f"a ranking of the {labels} for one {row}, from {rows} whose rankings are known"
    )
    another = f"another {row}" if offers_all else f"a {row} with a ring"
    or_dice = ", or roll the dice" if offers_all else ""
    outcome = "put {score} in the right order" if not is_set else "get {score} right"
    outcome_one = "puts {score} in the right order" if not is_set else "gets {score} right"
    texts = {
        "row": row,
        "rows": rows,
        "row_name": "Row {n}",
        "lead": f"LabelRank Lab predicts {predicts}.",
        "rule": "" if is_set else subject.ranked_by or "",
        "intro": f"{hidden} {task_line}, then ask {advisers}.",
        "intro_without_guess": f"{hidden} Then we ask {advisers}.",
        "done": f"{{k}} similar {{rows}} {outcome}.",
        "done_one": f"The most similar {row} {outcome_one}.",
        "done_untold": f"The real ranking of this {row} puts no {label} ahead of another.",
        "click_map": f"To try it again, click {another} on the map{or_dice}.",
        "click_plane": f"To try it again, click {another} in the picture{or_dice}.",
        "another": "" if offers_all else f"Another {row}",
        "score": scored,
        "of_right": f"of {{of}} {labels} right" if is_set else "of {of} pairs right",
        "your_guess": "Your guess",
        "tap": "Tap or drag",
        "some_say": "{n} similar {rows} say",
        "one_says": "1 similar {rows} says",
        "real": f"The real {labels}" if is_set else "The real ranking",
        "placed": "your position",
        "ask": f"Ask the similar {rows}" if asks_neighbors else f"Ask {method}",
        "show": "Show me without a guess",
        "place_all": f"Place all {len(subject.label_styles)} {labels} before you ask.",
        "pair_note": "" if is_set else f"Any two {labels} make a pair.",
        "step_guess": "Guess.",
        "step_ask": "{k} similar {rows} answer." if asks_neighbors else f"{method} answers.",
        "step_compare": f"See the real {labels if is_set else 'ranking'}.",
        "asking": f"The similar {rows} answer one after another …",
        "your_score": "You:",
        "their_score": f"Similar {rows}:" if asks_neighbors else f"{method}:",
        "untold": "Nothing here can be right or wrong.",
        "ask_some": f"Ask {{n}} similar {rows}",
        "ask_one": f"Ask 1 similar {row}",
        "knob_value": f"{knob}: {{n}}",
        "tips": "Number {n} tips it: {change}." if asks_neighbors else "{change} at {n}.",
        "next": "Ask {more} more and {change}." if asks_neighbors else "At {n}, {change}.",
        "stays": "Further to the right the answer stays the same.",
        "same": "Everywhere on the slider the answer is the same.",
        "overtakes": "{a} moves ahead of {b}",
        "joins": "{a} and {b} tie",
        "enters": "{a} is added",
        "leaves": "{a} is dropped",
        "marks": "{n} marks: the answer changes here",
        "one_mark": "1 mark: the answer changes here",
        "hint_title": f"Which {labels} are {'common' if is_set else 'often first'}?",
        "hint_note": f"How many of the {n_rows} {rows} have each {label}."
        if is_set
        else f"How often each {label} is first among the {n_rows} {rows}.",
        "agree_title": "Do they agree?",
        "agree_note": f"Each dot is a similar {row}. It is filled if the {row} "
        + (f"has the {label}." if is_set else f"ranks the two {labels} in this order."),
        "before": "{a} before {b}",
        "level": "{a} = {b}",
        "count": "of {of}",
        "count_alt": f"{{n}} of {{of}} similar {rows}: {{name}}",
        "who_title": f"The most similar {rows}",
        "who_note": f"These {rows} are most like this {row} in all {n_values} values."
        + (f" The table shows the {n_drawn} values that predict best." * (n_drawn < n_values)),
        "bar_note": f"value, between the lowest and the highest of the {n_rows} {rows}",
        "line_note": f"this {row}",
        "their_ranking": labels.capitalize() if is_set else "Ranking",
        "tied": "tied",
        "hidden": "The answer is hidden.",
        "legend": f"First {label}:",
        "legend_never": "{name} (nowhere)",
        "legend_none": "" if is_set else f"no {label} alone",
        "plane_alt": f"All {rows}. Arrow keys move between them, Enter chooses one.",
    }  # fmt: skip
    if not asks_neighbors:
        texts |= {"done_method": f"{method} {outcome_one}.", "method_says": f"{method} says"}
    return texts
