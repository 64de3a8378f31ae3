"""Papers: the sentences and numbers of five papers, and the numbers that hold."""

from labelrank_core.papers.table import Table
from pages.papers import recomputation, story, views
from pages.ui.render import widgets

widgets.render_title("Papers", "What do the papers say, and which of their numbers hold?")
paper = story.choose_paper()
story.render_overview(paper)
story.render_paper(paper)
table, block_rows = views.choose_numbers(paper)
recomputation_slot = views.render_views(paper, table, block_rows)
story.render_more(paper)
# Last, because a job that is cancelled ends the script.
if recomputation_slot is not None and isinstance(table, Table):
    with recomputation_slot:
        recomputation.render_recomputation(table)
