"""The data in use as a file: its format, the losses in it, the download."""

import streamlit as st

from labelrank_core import Dataset, Finding
from labelrank_core.data.findings import Severity
from labelrank_core.io import Writer, format_losses
from labelrank_core.io.export import archive_name, write_archive
from pages.ui import compute
from pages.ui.choose import choices
from pages.ui.render import widgets
from pages.ui.wording import text

# Of a workbook, which takes longest.
_SECONDS_PER_CELL = 1e-6


def render_export(dataset: Dataset) -> None:
    """Draw the export of the data in every format that can hold them."""
    popover = st.popover("Export", icon=":material/download:", on_change="rerun", key="export")
    if not popover.open:
        return
    losses = _losses(dataset)
    possible = {
        form.title: (form, findings) for form, findings in losses if not _refusals(findings)
    }
    with popover:
        title = choices.choose(st.selectbox, "Format", list(possible), key="export_format")
        _render_format(dataset, *possible[title])
        _render_impossible(
            [(form, findings) for form, findings in losses if form.title not in possible]
        )


def _losses(dataset: Dataset) -> list[tuple[Writer, tuple[Finding, ...]]]:
    """Return the findings of each format on the data it would lose."""
    key = compute.digest("losses", dataset.fingerprint)
    return compute.once(key, "Looking at the formats", format_losses, dataset)


def _refusals(findings: tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def _render_format(dataset: Dataset, form: Writer, findings: tuple[Finding, ...]) -> None:
    st.caption(text.markdown(form.summary))
    lost = [finding for finding in findings if finding.severity is Severity.WARNING]
    if lost:
        st.warning("**Lost in this format**\n" + _listed(lost), icon=":material/warning:")
    else:
        st.markdown("Nothing is lost.")
    changed = [finding for finding in findings if finding.severity is Severity.INFO]
    if changed:
        st.caption("Changed in this format:\n" + _listed(changed))
    name = archive_name(dataset, form)
    seconds = _SECONDS_PER_CELL * dataset.n_samples * (dataset.n_features + dataset.n_labels)
    digest = compute.digest("export", dataset.fingerprint, dataset.name, form.key)
    content = widgets.prepare_content(
        "export", name, digest, write_archive, seconds, dataset, form.key, in_child=True
    )
    if content is not None:
        mime = "application/octet-stream"
        widgets.render_download(
            text.markdown(name), content, name, mime, type="primary", key="export_file"
        )


def _listed(findings: list[Finding]) -> str:
    return "\n".join(f"- {text.markdown(finding.message)}" for finding in findings)


def _render_impossible(impossible: list[tuple[Writer, tuple[Finding, ...]]]) -> None:
    if not impossible:
        return
    titles: dict[str, list[str]] = {}
    for form, findings in impossible:
        titles.setdefault(_refusals(findings)[0].message, []).append(text.markdown(form.title))
    lines = [f"- {'; '.join(forms)}: {text.markdown(why)}" for why, forms in titles.items()]
    st.caption("These formats cannot hold the data:\n" + "\n".join(lines))
