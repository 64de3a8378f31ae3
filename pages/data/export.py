"""The data in use as a file: choose a format, see what it would lose, download."""

from functools import partial

import streamlit as st

from labelrank_core import Dataset, Finding
from labelrank_core.data.findings import Severity
from labelrank_core.io import Writer, format_losses
from labelrank_core.io.export import archive_name, write_archive
from pages.ui import choices, compute, text, widgets


def offer(dataset: Dataset) -> None:
    """Offer the data in every format that can hold them."""
    place = st.popover("Export", icon=":material/download:", on_change="rerun", key="export")
    if not place.open:
        return
    found = _losses(dataset)
    possible = {form.title: (form, findings) for form, findings in found if not _refusals(findings)}
    with place:
        title = choices.choose(st.selectbox, "Format", list(possible), key="export_format")
        _show(dataset, *possible[title])
        _note_impossible(
            [(form, findings) for form, findings in found if form.title not in possible]
        )


def _losses(dataset: Dataset) -> list[tuple[Writer, tuple[Finding, ...]]]:
    """Return what each format of a file would lose of data."""
    key = compute.digest("losses", dataset.fingerprint)
    return compute.once(key, "Looking at the formats", format_losses, dataset)


def _refusals(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def _show(dataset: Dataset, form: Writer, findings: tuple[Finding, ...]) -> None:
    st.caption(text.markdown(form.summary))
    lost = [finding for finding in findings if finding.severity is Severity.WARNING]
    if lost:
        st.warning("**Lost in this format**\n" + _listed(lost), icon=":material/warning:")
    else:
        st.markdown("Nothing is lost.")
    other = [finding for finding in findings if finding.severity is Severity.INFO]
    if other:
        st.caption("Changed in this format:\n" + _listed(other))
    name = archive_name(dataset, form)
    content = partial(write_archive, dataset, form)
    mime = "application/octet-stream"
    widgets.download(text.markdown(name), content, name, mime, type="primary", key="export_file")


def _listed(findings: list[Finding]) -> str:
    return "\n".join(f"- {text.markdown(finding.message)}" for finding in findings)


def _note_impossible(rest: list[tuple[Writer, tuple[Finding, ...]]]) -> None:
    if not rest:
        return
    titles: dict[str, list[str]] = {}
    for form, findings in rest:
        titles.setdefault(_refusals(findings)[0].message, []).append(text.markdown(form.title))
    lines = [f"- {'; '.join(forms)}: {text.markdown(why)}" for why, forms in titles.items()]
    st.caption("These formats cannot hold the data:\n" + "\n".join(lines))
