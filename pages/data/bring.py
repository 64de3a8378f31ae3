"""From a file to a data set: upload, proposal, corrections, findings, use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, Literal

import streamlit as st

from labelrank_core import Dataset, DatasetError, Task, list_samples
from labelrank_core.data.findings import Finding, Severity, count_of
from labelrank_core.data.nouns import CASE_AND_LABEL, MAX_LETTERS, Nouns
from labelrank_core.io import (
    Missing,
    Proposal,
    Role,
    TargetForm,
    Unranked,
    inspect_files,
    read_dataset,
    reading_preview,
)
from labelrank_core.io.infer.choices import (
    could_be_ratings,
    likely_forms,
    missing_values,
    unranked_values,
)
from labelrank_core.io.infer.forms import PREVIEWED, reading_evidence
from pages.data import column_heads, examples, preview, roles, sample_cards
from pages.ui import compute, session, toolbar
from pages.ui.render import drawing, widgets
from pages.ui.view import DATA
from pages.ui.wording import text

# The key of the tabs of the page, which links name, and the tabs.
TAB, IN_USE, YOUR_OWN = "data_tab", "In use now", "Bring your own"
_LARGEST_MB = 200
_N_ROWS, _N_COLUMNS = 5, 50
# A loss of one row in so many is a warning.
_MANY_LOST = 10
FORM_TITLES = {
    TargetForm.POSITIONS: "positions: one column per label, holding its position",
    TargetForm.ORDERS: "orders: one column per position, holding the number of its label",
    TargetForm.ORDERING_STRINGS: "rankings in words, such as b>a>c",
    TargetForm.RELEVANCE: "0/1: one column per label, 1 where it is relevant",
    TargetForm.LABEL_LISTS: "lists of the relevant labels, such as a;c",
    TargetForm.SCORES: "scores: higher is better, above 0 is relevant",
    TargetForm.RATINGS: "ratings: a higher number is better, such as stars",
    TargetForm.GRADES: "grades: a lower number is better, such as school grades",
}
_COLUMN_FORMS = [
    TargetForm.POSITIONS, TargetForm.ORDERS, TargetForm.RELEVANCE, TargetForm.RATINGS,
    TargetForm.GRADES, TargetForm.SCORES,
]  # fmt: skip
_ASSUMED_POSITIONS = (
    "**1 is read as the best number.** With so few rows, the numbers could also be ratings. If the "
    "highest number is the best, choose ratings."
)
_OPEN_QUESTION = "**How are the labels written?** The file can be read in several ways."
_QUESTIONS = {
    frozenset((TargetForm.POSITIONS, TargetForm.ORDERS)): (
        "**Positions or orders?** The file can be read either way."
    ),
    frozenset((TargetForm.RATINGS, TargetForm.GRADES)): (
        "**Is a higher number better, or a lower one?** The file does not say."
    ),
    frozenset((TargetForm.POSITIONS, TargetForm.RATINGS)): (
        "**Is 1 the best number, or the highest one?** The file can be read either way."
    ),
}
_MISSING = {
    Missing.REFUSE: "treat them as errors",
    Missing.FILL: "fill them in, with the median or the most frequent category",
    Missing.DROP_ROWS: "leave out their rows",
}
_NOUN_HELP = (
    "One in the singular, as sentences call it. An unusual plural follows a comma: person, people."
)
_KEPT = "Files are kept for a day, for you alone."
_NEEDED = (
    "A table needs **one row per case**, such as a person, a day or a song. Some columns describe "
    "the case: its **features**. The others are what to predict: its **labels**, two or more."
)
# The files at which looking was cancelled.
_CANCELLED_FILES = "_cancelled_files"


def render_upload() -> None:
    """Draw the file uploader, and inspect the files uploaded."""
    # Once a file is there, the questions about it must be in view.
    head = st.container()
    needed = st.empty()
    if session.proposal() is None:
        needed.markdown(_NEEDED)
    files = st.file_uploader(
        "A spreadsheet or a text file: CSV, Excel and more",
        key="upload",
        on_change=_note_files,
        accept_multiple_files=True,
        max_upload_size=_LARGEST_MB,
        help="The format is detected from the content; Parquet, ARFF and zip are read, too. "
        "Text may be separated by commas, semicolons or tabs, in UTF-8 or Latin-1, with decimal "
        "point or comma. ARFF may be that of MULAN with its XML, of MEKA, or xarff. Multi-label "
        "libsvm, CSV of scikit-lr and PrefLib are read as well. A training and a test file keep "
        "their split if their names say which is which: fruit-train.csv, fruit-test.csv.",
    )
    if files:
        # Instead of the doors, which would stand here until this run ends.
        st.empty()
        _inspect_new(files, head)
        if session.proposal() is not None:
            needed.empty()
    elif session.proposal() is not None:
        # An example, or rows that were pasted.
        st.button(
            "Back to the start", on_click=session.set_proposal, args=(None,), icon=":material/undo:"
        )
    else:
        with st.container():
            _render_doors()


def _render_doors() -> None:
    """Draw the other ways to data: rows to paste, samples, and examples of tables."""
    with st.container(horizontal=True, vertical_alignment="center"):
        examples.render_paste(_inspect_text)
        st.caption(_KEPT, width="content")
    drawing.render_heading("Examples of tables")
    examples.render_examples(_inspect_text)
    sample_cards.render_samples(partial(session.set_state, TAB, IN_USE))


def _inspect_text(file_name: str, content: str) -> None:
    session.set_proposal(inspect_files((file_name, content.encode())), [file_name])


def _note_files() -> None:
    """Have the next run inspect the files; a callback can neither draw progress nor be ended."""
    files = session.get_state("upload") or []
    session.set_proposal(None)
    session.set_state(_CANCELLED_FILES, None)
    session.set_state("_new_files", {file.file_id for file in session.new_files(files)})


def _inspect_new(files: Sequence[Any], slot_container: Any) -> None:
    """Inspect files that are new, or whose proposal was dropped for space."""
    if session.get_state(_CANCELLED_FILES) is not None:
        with slot_container:
            _render_start_again()
        return
    new_ids = session.get_state("_new_files")
    if new_ids is None and not session.lacks_proposal():
        return
    with slot_container:
        slot = st.empty()
    if new_ids is None:
        names = session.proposal_files()
        read = [file for file in files if file.name in names]
        session.restore_proposal(_inspected(read, slot))
    else:
        new = [file for file in files if file.file_id in new_ids]
        proposal, read = _inspected(files, slot), [*files]
        if not proposal.has_table and 0 < len(new) < len(files):
            # Earlier files may be another attempt, so the new ones are inspected alone.
            alone = _inspected(new, slot)
            if alone.has_table:
                proposal, read = alone, new
        session.set_proposal(proposal, [file.name for file in read])
        session.set_state("_new_files", None)
    slot.empty()


def _cancel(file_ids: Sequence[str]) -> None:
    """Stop inspecting the files; this ends the run that does."""
    session.set_proposal(None)
    session.set_state("_new_files", None)
    session.set_state(_CANCELLED_FILES, set(file_ids))


def _render_start_again() -> None:
    """Draw the notice that inspecting was cancelled, with a button to start again."""
    st.info("Cancelled: reading the file.", icon=":material/block:")
    st.button("Start again", on_click=_inspect_again, icon=":material/refresh:")


def _inspect_again() -> None:
    session.set_state("_new_files", session.get_state(_CANCELLED_FILES))
    session.set_state(_CANCELLED_FILES, None)


def _inspected(files: Sequence[Any], slot: Any) -> Proposal:
    """Inspect files; Cancel, a closed tab or another choice ends it when it draws its progress."""
    start, message = monotonic(), None

    def render_progress(waits: bool) -> None:
        nonlocal message
        if message is None:
            with slot.container(horizontal=True, vertical_alignment="center"):
                message = st.empty()
                ids = [file.file_id for file in files]
                st.button(
                    "Cancel", on_click=_cancel, args=(ids,), key=f"cancel_{compute.digest(ids)}"
                )
        seconds = int(monotonic() - start)
        line = "Waiting for other files to be read" if waits else "Reading"
        # A page that is closed, or a click, is noticed when something is sent.
        message.markdown(f":material/hourglass_top: {line}, {seconds} s so far.")

    contents = [(file.name, file.getvalue()) for file in files]
    return inspect_files(contents, max_bytes=_LARGEST_MB * 1_000_000, on_wait=render_progress)


def render_proposal(proposal: Proposal) -> None:
    """Draw the proposal with the choices that correct it, and the button to use it."""
    if not proposal.has_table:
        st.error(
            "This file cannot be read. The data in use are unchanged.", icon=":material/block:"
        )
        widgets.render_findings(proposal.findings, "proposal")
        return
    st.header("How the file is read", anchor=False)
    first, proposal = proposal, roles.choose_targets(proposal)
    table_slot = st.container()
    role_names = {name: str(role) for name, role in proposal.roles.items()}
    # Above the other questions, so that it is in view however long they are; but nobody should use
    # the data before a question that the file leaves open.
    is_open = _is_open(proposal, role_names) or could_be_ratings(proposal)
    form = _choose_form(proposal, role_names) if is_open else None
    answer = st.container()
    form = form if is_open else _choose_form(proposal, role_names)
    choices: dict[str, Any] = {"roles": role_names, "target_form": form}
    unranked = _choose_unranked(proposal, role_names, form)
    if unranked is not None:
        choices["unranked"] = unranked
    missing = _choose_missing(proposal, role_names)
    if missing is not None:
        choices["missing"] = missing
    with st.expander("All columns as a list, with reasons"):
        roles.render_roles(first, proposal)
    with answer:
        _render_answer(proposal, choices, table_slot)


def _render_answer(proposal: Proposal, choices: dict[str, Any], table_slot: Any) -> None:
    """Draw the data as read under the choices, or the findings that prevent using them."""
    dataset, findings = _read_data(proposal, choices)
    with table_slot:
        _render_first_rows(proposal, dataset)
        if dataset is not None:
            _render_findings(findings, "new")
    if dataset is not None:
        _render_use(proposal, dataset, choices)
        return
    choices["skip_bad_rows"] = True
    remaining, left_out = _read_data(proposal, choices) if _in_rows(findings) else (None, ())
    if remaining is not None:
        n_bad = sum(finding.count for finding in left_out if finding.code == "rows-left-out")
        st.error(
            f"{count_of(n_bad, 'row')} cannot be used. The data in use are unchanged.",
            icon=":material/block:",
        )
        widgets.render_findings(findings, "rows")
        _render_use(proposal, remaining, choices)
        widgets.render_findings(left_out, "new")
        return
    st.error("Not usable yet. The data in use are unchanged.", icon=":material/block:")
    widgets.render_findings(findings, "new")
    if _names_other_errors(left_out, findings):
        st.error("The rows without errors cannot be used either.", icon=":material/block:")
        widgets.render_findings(left_out, "rest")


def _names_other_errors(findings: Sequence[Finding], known_findings: Sequence[Finding]) -> bool:
    """Tell whether findings hold an error that is not among known ones."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    return any(
        (error.code, error.column, error.message)
        not in {
            (known_error.code, known_error.column, known_error.message)
            for known_error in known_findings
        }
        for error in errors
    )


def _render_findings(findings: Sequence[Finding], key: str) -> None:
    """Draw findings under a line that counts them."""
    if findings:
        n_warnings = sum(finding.severity is not Severity.INFO for finding in findings)
        title = count_of(len(findings), "note") + " on the file"
        if n_warnings:
            title += f", {n_warnings} to check"
        with st.expander(title):
            widgets.render_findings(findings, key)


def _in_rows(findings: Sequence[Finding]) -> bool:
    """Tell whether some errors lie in single rows, which can be left out."""
    return any(
        finding.row is not None and finding.severity is Severity.ERROR for finding in findings
    )


def _render_first_rows(proposal: Proposal, dataset: Dataset | None) -> None:
    """Draw the first rows under heads that change the roles, and their reading."""
    raw = proposal.raw
    head = raw.head(_N_ROWS, _N_COLUMNS)
    has_all_rows = dataset is not None and _n_lost(proposal, dataset) == 0
    column_heads.render_heads(
        proposal, head, dataset if has_all_rows else None, partial(roles.correct, proposal)
    )
    if session.corrections():
        st.button("Undo my corrections", on_click=session.set_corrections, icon=":material/undo:")
    _render_facts(proposal)
    if dataset is not None and not has_all_rows:
        preview.render_first_rows(dataset)


def _n_lost(proposal: Proposal, dataset: Dataset) -> int:
    """Count the rows of the file that are left out."""
    return _n_rows(proposal) - dataset.n_samples


def _n_rows(proposal: Proposal) -> int:
    return proposal.raw.n_rows + len(proposal.raw.file.ragged_lines)


def _render_facts(proposal: Proposal) -> None:
    raw = proposal.raw
    facts = [f"{count_of(raw.n_rows, 'row')}, {count_of(len(proposal.columns), 'column')}"]
    if raw.sparse is not None:
        facts.append(f"{count_of(len(raw.sparse.names), 'feature')} that are mostly 0")
    if raw.file.split is not None:
        n_test = int(raw.file.split.sum())
        facts.append(f"{raw.n_rows - n_test} training and {n_test} test rows")
    format_facts = [proposal.format, *filter(None, [proposal.encoding])]
    format_facts += ["decimal comma"] if raw.decimal_comma else []
    st.caption(f"{'; '.join(facts)}; {', '.join(format_facts)}")
    if len(proposal.columns) > _N_COLUMNS:
        st.caption(f"The first {_N_COLUMNS} columns are shown.")
    files = session.proposal_files()
    if len(files) < len(session.get_state("upload") or []):
        st.caption(f"Read: {text.markdown(', '.join(files))}; the other files were ignored.")


def _is_open(proposal: Proposal, roles: Mapping[str, str]) -> bool:
    """Tell whether label columns can be read in several forms."""
    has_labels = list(roles.values()).count(Role.LABEL) > 1
    return has_labels and "target_form" in proposal.open_choices


def _choose_form(proposal: Proposal, roles: Mapping[str, str]) -> str | None:
    """Draw the choice of the form of label columns, with a preview of each possible one."""
    if list(roles.values()).count(Role.LABEL) < 2 or proposal.target_form is None:
        return None  # the roles decide it
    proposed = proposal.target_form if proposal.target_form in _COLUMN_FORMS else _COLUMN_FORMS[0]
    captions: dict[str, str] = {}
    if _is_open(proposal, roles):
        forms = likely_forms(proposal.raw, proposal.roles)
        st.markdown(_QUESTIONS.get(frozenset(forms[:2]), _OPEN_QUESTION))
        captions = _captions(proposal, roles, [form for form in forms if form in PREVIEWED])
        if TargetForm.ORDERS in forms:
            st.caption(reading_evidence(proposal, roles).text)
    elif could_be_ratings(proposal):
        st.markdown(_ASSUMED_POSITIONS)
        captions = _captions(proposal, roles, [TargetForm.POSITIONS, TargetForm.RATINGS])
    form = st.radio(
        "How the labels are written",
        _COLUMN_FORMS,
        index=_COLUMN_FORMS.index(proposed),
        format_func=FORM_TITLES.get,
        captions=[captions.get(form, "") for form in _COLUMN_FORMS] if captions else None,
    )
    return str(form)


def _captions(
    proposal: Proposal, roles: Mapping[str, str], forms: Sequence[TargetForm]
) -> dict[str, str]:
    """Return the caption of each possible form: its reading of the first row that differs."""
    if len(forms) < 2:
        return {}
    row = reading_preview(proposal, roles, forms=forms, n_rows=1).iloc[0]
    line = f"line {row['line']} ({row['in the file']})"
    return {form: text.markdown(f"{line}: {row[f'as {form}']}") for form in forms}


def _choose_unranked(proposal: Proposal, roles: Mapping[str, str], form: str | None) -> str | None:
    """Draw the choice of the value for 'not ranked'; None if only an empty cell can be."""
    possible = unranked_values(proposal, roles, form)
    if len(possible) < 2:
        return None
    n_labels = list(roles.values()).count(Role.LABEL)
    titles = {
        Unranked.BLANK: "only an empty cell",
        Unranked.ZERO: "0, or an empty cell",
        Unranked.BEYOND: f"{n_labels + 1}, or an empty cell",
    }
    choice = st.radio("What stands for 'not ranked'", possible, format_func=titles.get)
    return str(choice)


def _choose_missing(proposal: Proposal, roles: Mapping[str, str]) -> str | None:
    """Draw the choice of a treatment of features without a value; None where there are none."""
    counts = missing_values(proposal, roles)
    if not counts:
        return None
    listed = ", ".join(f"{text.markdown(name)} ({n})" for name, n in list(counts.items())[:10])
    st.markdown(
        f"**Missing values.** {sum(counts.values())} cells of features are empty: {listed}"
        f"{' …' if len(counts) > 10 else '.'}"
    )
    choice = st.radio("What to do about missing values", list(Missing), format_func=_MISSING.get)
    return str(choice)


def _read_data(
    proposal: Proposal, choices: Mapping[str, Any]
) -> tuple[Dataset | None, tuple[Finding, ...]]:
    key = compute.digest("reading", session.proposal_key(), sorted(choices.items()))
    try:
        dataset = compute.run(key, "Reading the rows", partial(read_dataset, **choices), proposal)
    except DatasetError as error:
        return None, error.findings
    return dataset, tuple(dataset.findings)


def _render_use(proposal: Proposal, dataset: Dataset, choices: Mapping[str, Any]) -> None:
    """Draw the size of the data and the button to use them, with the rows left out."""
    n_rows, n_lost = _n_rows(proposal), _n_lost(proposal, dataset)
    loses_many = n_lost * _MANY_LOST >= n_rows
    kind = {
        Task.LABEL_RANKING: "a label ranking",
        Task.MULTILABEL: "multi-label data",
        Task.CALIBRATED_RANKING: "a ranking with a zero line",
        Task.PAIR_PREFERENCES: "a set of preferences between pairs of labels",
    }[dataset.task]
    summary = (
        f"{text.markdown(dataset.name)} is {kind}: {count_of(dataset.n_samples, 'row')}, "
        f"{count_of(len(dataset.schema.columns), 'feature')}, {dataset.n_labels} labels."
    )
    if loses_many:
        st.warning(
            f"{summary} {count_of(n_lost, 'row')} of {n_rows} would be left out.",
            icon=":material/warning:",
        )
    else:
        st.success(summary, icon=":material/check_circle:")
    dropped = session.name_to_drop(dataset)
    if dropped is not None:
        st.caption(
            f"No more than {session.MOST_OWN} of your data sets are kept: using these removes "
            f"{text.markdown(dropped.removesuffix(' (mine)'))}, the oldest."
        )
    nouns = _choose_nouns(dataset)
    # Not a callback: its arguments would be those of the last run, before an answer that was
    # given at the same moment.
    # On a phone the style sheet keeps it in sight at the lower end of the window.
    with st.container(key="use"):
        label = f"Use {dataset.n_samples} of {n_rows} rows" if n_lost else "Use these data"
        emphasis: Literal["primary", "secondary"] = "secondary" if loses_many else "primary"
        if st.button(label, type=emphasis, icon=":material/play_arrow:"):
            session.run_again(partial(_use, replace(dataset, nouns=nouns), choices))


def _choose_nouns(dataset: Dataset) -> Nouns:
    """Draw two questions on the nouns for rows and labels; both may stay open."""
    row_column, label_column = st.columns(2)
    file_key = session.proposal_key()
    examples = ", ".join(dataset.label_names[:2])
    row = row_column.text_input(
        "What is a row? (optional)",
        placeholder="case, such as customer",
        max_chars=MAX_LETTERS,
        key=f"row_noun_{file_key}",
        help=_NOUN_HELP,
    )
    label = label_column.text_input(
        f"What are {text.markdown(examples)}? (optional)", placeholder="label, such as brand",
        max_chars=MAX_LETTERS, key=f"label_noun_{file_key}", help=_NOUN_HELP,
    )  # fmt: skip
    try:
        return Nouns.of(row.strip() or Nouns.row, label.strip() or Nouns.label)
    except ValueError:
        st.error("A noun has letters only. Until then, sentences say case and label.")
        return CASE_AND_LABEL


def _use(dataset: Dataset, choices: Mapping[str, Any]) -> None:
    session.add_own_data(dataset, choices, session.proposal_files())
    toolbar.start(dataset)
    session.stash_proposal(dataset)
    session.set_state(TAB, IN_USE)


def render_in_use(dataset: Dataset) -> None:
    """Draw the notice that uploaded data are in use, with the links onward and back."""
    # The button that led here stands further down than the page begins now.
    widgets.scroll_to_top(key="to_top", height=1)
    st.success(f"{text.markdown(dataset.name)} is in use.", icon=":material/check_circle:")
    with st.container(horizontal=True, vertical_alignment="center"):
        for page, title, icon in (
            ("predict", "Predict", ":material/search:"),
            ("evaluate", "Evaluate", ":material/straighten:"),
        ):
            with st.container(width="content"):
                widgets.render_link(page, title, icon)
        if session.has_proposal_of(dataset):
            st.button(
                "Change what its columns are",
                on_click=session.restore_stashed_proposal,
                args=(dataset,),
                icon=":material/edit:",
            )
        st.button(
            "Remove these data",
            on_click=_remove,
            args=(dataset,),
            icon=":material/delete:",
            help="Removes them from the server's memory. A sample is shown then.",
        )


def _remove(dataset: Dataset) -> None:
    first = list_samples()[0].name
    session.remove_own_data(dataset)
    session.set_state(DATA, first)
    toolbar.start(compute.sample(first))
