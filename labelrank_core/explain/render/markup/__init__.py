"""Drawings as HTML and SVG: the same on pages, in lessons and in reports.

Pure functions from plain values to markup, for pages, notebooks and reports; no part of what the
package offers its users. Names are escaped here and nowhere else.
They need the style sheet `STYLE` once a page. Lines and muted words take the colour of the text
around them, so that they fit both themes and paper.
"""

from labelrank_core.explain.render.markup.bars import gauge as gauge
from labelrank_core.explain.render.markup.bars import signed as signed
from labelrank_core.explain.render.markup.bars import standing_bar as standing_bar
from labelrank_core.explain.render.markup.cycles import cycle_of as cycle_of
from labelrank_core.explain.render.markup.differences import Difference as Difference
from labelrank_core.explain.render.markup.differences import DifferenceRow as DifferenceRow
from labelrank_core.explain.render.markup.differences import difference_rows as difference_rows
from labelrank_core.explain.render.markup.differences import reach_beyond as reach_beyond
from labelrank_core.explain.render.markup.dots import dot_rows as dot_rows
from labelrank_core.explain.render.markup.formulas import BarPart as BarPart
from labelrank_core.explain.render.markup.formulas import CutBar as CutBar
from labelrank_core.explain.render.markup.formulas import choice_bars as choice_bars
from labelrank_core.explain.render.markup.formulas import cut_rows as cut_rows
from labelrank_core.explain.render.markup.formulas import logistic_curve as logistic_curve
from labelrank_core.explain.render.markup.formulas import part_rows as part_rows
from labelrank_core.explain.render.markup.grids import label_sets as label_sets
from labelrank_core.explain.render.markup.grids import matrix as matrix
from labelrank_core.explain.render.markup.grids import tint_key as tint_key
from labelrank_core.explain.render.markup.intervals import Span as Span
from labelrank_core.explain.render.markup.intervals import intervals as intervals
from labelrank_core.explain.render.markup.known_pairs import known_pairs as known_pairs
from labelrank_core.explain.render.markup.known_pairs import known_pairs_rows as known_pairs_rows
from labelrank_core.explain.render.markup.ledgers import LedgerNumber as LedgerNumber
from labelrank_core.explain.render.markup.ledgers import PaperShare as PaperShare
from labelrank_core.explain.render.markup.ledgers import links as links
from labelrank_core.explain.render.markup.ledgers import numbers_table as numbers_table
from labelrank_core.explain.render.markup.ledgers import row_button as row_button
from labelrank_core.explain.render.markup.ledgers import shares as shares
from labelrank_core.explain.render.markup.ledgers import shares_key as shares_key
from labelrank_core.explain.render.markup.method_groups import MethodGroup as MethodGroup
from labelrank_core.explain.render.markup.method_groups import method_groups as method_groups
from labelrank_core.explain.render.markup.outline import outline as outline
from labelrank_core.explain.render.markup.plane import Plane as Plane
from labelrank_core.explain.render.markup.plane import divided as divided
from labelrank_core.explain.render.markup.plane import legend as legend
from labelrank_core.explain.render.markup.plane import named_neighborhood as named_neighborhood
from labelrank_core.explain.render.markup.plane import neighborhood as neighborhood
from labelrank_core.explain.render.markup.plane import stacked_plots as stacked_plots
from labelrank_core.explain.render.markup.position_counts import position_counts as position_counts
from labelrank_core.explain.render.markup.print_panels import PrintedNumber as PrintedNumber
from labelrank_core.explain.render.markup.print_panels import print_panels as print_panels
from labelrank_core.explain.render.markup.quality import QualityRow as QualityRow
from labelrank_core.explain.render.markup.quality import quality_plot as quality_plot
from labelrank_core.explain.render.markup.rank_diagrams import RankedMethod as RankedMethod
from labelrank_core.explain.render.markup.rank_diagrams import rank_diagram as rank_diagram
from labelrank_core.explain.render.markup.ranked_labels import RankedLabels as RankedLabels
from labelrank_core.explain.render.markup.ranked_labels import ranked_rows as ranked_rows
from labelrank_core.explain.render.markup.rankings import LabelBar as LabelBar
from labelrank_core.explain.render.markup.rankings import chip as chip
from labelrank_core.explain.render.markup.rankings import first_chips as first_chips
from labelrank_core.explain.render.markup.rankings import ladder as ladder
from labelrank_core.explain.render.markup.rankings import strip as strip
from labelrank_core.explain.render.markup.side_by_side import side_by_side as side_by_side
from labelrank_core.explain.render.markup.squares import squares as squares
from labelrank_core.explain.render.markup.standings import Standing as Standing
from labelrank_core.explain.render.markup.standings import method_families as method_families
from labelrank_core.explain.render.markup.standings import standings as standings
from labelrank_core.explain.render.markup.strips import strips as strips
from labelrank_core.explain.render.markup.style import COLOR_STYLE as COLOR_STYLE
from labelrank_core.explain.render.markup.style import STYLE as STYLE
from labelrank_core.explain.render.markup.style import label_colors_style as label_colors_style
from labelrank_core.explain.render.markup.style import style_for as style_for
from labelrank_core.explain.render.markup.tables import cases_table as cases_table
from labelrank_core.explain.render.markup.tables import deciding_table as deciding_table
from labelrank_core.explain.render.markup.tables import plain_table as plain_table
from labelrank_core.explain.render.markup.tables import score_table as score_table
from labelrank_core.explain.render.markup.trees import Branch as Branch
from labelrank_core.explain.render.markup.trees import stacked_votes as stacked_votes
from labelrank_core.explain.render.markup.trees import way as way
from labelrank_core.explain.render.markup.trees import whole_tree as whole_tree
from labelrank_core.explain.render.markup.vote_squares import vote_squares as vote_squares
from labelrank_core.explain.render.markup.waterfall import Waterfall as Waterfall
from labelrank_core.explain.render.markup.waterfall import waterfall as waterfall
