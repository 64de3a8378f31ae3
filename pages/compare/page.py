"""Results of several methods on several data sets, compared by the field's statistics."""

from pages.compare import comparison_view
from pages.ui.render import widgets

widgets.render_title("Significance", "Which methods differ significantly in a table of results?")
comparison_view.render_comparison()
