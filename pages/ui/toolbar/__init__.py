"""The choices of data, case, method and parameters on every page, and the link to the view."""

from pages.ui.toolbar.bar import Toolbar, render, render_in_fragment, rerun_page
from pages.ui.toolbar.case import first_row, start
from pages.ui.toolbar.data import data_title, take_sample
from pages.ui.toolbar.few_cases import render_few_tests, render_too_few
from pages.ui.toolbar.method import choose_parameter, set_case, set_method, set_values
from pages.ui.toolbar.query_params import mend_address, read_address, restore_choices
from pages.ui.toolbar.share import (
    CLASS_KEY,
    TEACHER,
    link,
    render_source,
    view_facts,
    view_text,
    with_parameters,
)

__all__ = [
    "CLASS_KEY",
    "TEACHER",
    "Toolbar",
    "choose_parameter",
    "data_title",
    "first_row",
    "link",
    "mend_address",
    "read_address",
    "render",
    "render_few_tests",
    "render_in_fragment",
    "render_source",
    "render_too_few",
    "rerun_page",
    "restore_choices",
    "set_case",
    "set_method",
    "set_values",
    "start",
    "take_sample",
    "view_facts",
    "view_text",
    "with_parameters",
]
