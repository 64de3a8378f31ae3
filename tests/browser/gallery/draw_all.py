"""All drawings of the gallery by their names, and which there must be."""

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import product

import numpy as np
import pandas as pd

from labelrank_core.explain.render import markup, picture
from labelrank_core.explain.render.markup import bar_rows, elements, groups, rankings, tables
from labelrank_core.methods import ModelChoice
from pages.learn import rows
from pages.learn.lessons import LESSONS
from pages.learn.story import stops
from pages.ui.render.charts import curves, guarantees
from tests.browser.gallery.drawings import MARKUP
from tests.browser.gallery.evidence import EVIDENCE, OF_PAIRS, OF_SETS
from tests.browser.gallery.labels import LABELS
from tests.browser.gallery.parts import FILES, PARTS
from tests.browser.gallery.views import VIEWS

# Modules of words, colours and figures that others draw.
_NO_DRAWINGS = {"elements", "layers", "palette", "plot_names", "style", "text"}
# Drawings in which no label stands.
_WITHOUT_LABELS = {
    *(groups.group_rows, markup.gauge, markup.links, markup.numbers_table),
    *(
        markup.plain_table,
        markup.quality_plot,
        markup.print_panels,
        markup.shares,
        markup.shares_key,
        markup.standing_bar,
    ),
    *(markup.difference_rows, markup.method_families, markup.rank_diagram, markup.score_table),
    *(markup.standings, markup.waterfall),
}

# Functions that return words, and parts of drawings.
_PARTS = {
    *(markup.first_chips, markup.signed, rankings.left_out, rankings.tied_cell),
    *(bar_rows.color_key, bar_rows.signed_number),
    tables.scrollable,
}


def drawing_functions() -> set[Callable[..., str]]:
    """Every function of the markup that returns a drawing."""
    modules = [
        import_module(f"{markup.__name__}.{module.name}")
        for module in pkgutil.iter_modules(markup.__path__)
        if module.name not in _NO_DRAWINGS
    ]
    return {
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and inspect.signature(function).return_annotation in (str, elements.Html)
    } - _PARTS


def _figure(drawn: str) -> str:
    return f'<figure class="lr">{drawn}</figure>'


def _of_markup() -> Iterator[tuple[str, str]]:
    for function, draw in MARKUP.items():
        for labels in LABELS[:1] if function in _WITHOUT_LABELS else LABELS:
            for name, drawn in draw(labels).items():
                yield f"{function.__name__} {labels} {name}", _figure(drawn)


def _of_evidence() -> Iterator[tuple[str, str]]:
    for (kind, examples), labels in product(EVIDENCE.items(), LABELS):
        if labels.n == 1 and kind in OF_PAIRS:
            continue
        for name, evidence in examples(labels).items():
            found = picture(evidence, labels.scene(evidence, is_set=kind in OF_SETS))
            yield f"{kind.__name__} {labels} {name}", found.html()


def _of_views() -> Iterator[tuple[str, str]]:
    for draw, labels in product(VIEWS.values(), LABELS):
        yield from draw(labels).items()


def _of_guarantees() -> Iterator[tuple[str, str]]:
    levels = np.linspace(0.5, 0.99, 50)
    curves = {
        "many": (levels, (levels + 0.02).clip(0, 1), 1.5 - levels),
        "few": (levels[-2:], levels[-2:], levels[-2:] * 0),
    }
    for name, (promised, realised, kept) in curves.items():
        curve = pd.DataFrame(
            {"promised": promised, "realised": realised, "kept": kept, "low": realised, "high": 1.0}
        )
        other = curve.rename(columns={"promised": "threshold", "realised": "right"})
        other["realised"] = other["right"]
        good = "share of decided pairs that are right"
        for end, chosen in (("lowest", float(promised[0])), ("highest", float(promised[-1]))):
            drawn = guarantees.promised_against_realised(curve, chosen, good)
            yield f"promise {name} {end}", drawn
            drawn = guarantees.kept_against_realised(curve, other, chosen, good)
            yield f"kept {name} {end}", drawn
            yield f"decided {name} {end}", guarantees.decided_against_promised(curve, chosen)
            sizes = curve.assign(size=8 * promised)
            drawn = guarantees.set_size_against_promised(sizes, chosen, "labels in a set")
            yield f"set sizes {name} {end}", drawn


def _of_curves() -> Iterator[tuple[str, str]]:
    names = ["k-NN, k = 5", "k-NN, k = 11", "a method with a name as long as this"]
    for name, ends in {"near": (0.9, 0.91, 0.92), "far": (0.001, 1.0, 1000.0)}.items():
        points = pd.DataFrame(
            [
                {"line": line, "x": x, "value": end / (1 + 9 / x)}
                for line, end in zip(names, ends, strict=True)
                for x in (1, 2, 20, 100)
            ]
        )
        for scale in ("log", "linear"):
            yield (
                f"curves {name} {scale}",
                curves.curves(points, ("number of labels", "seconds"), (scale, scale)),
            )


def _of_lessons() -> Iterator[tuple[str, str]]:
    """Draw every screen of every lesson, before its question is answered and after."""
    for lesson in LESSONS:
        example = lesson.examples[0]
        dataset = rows.read_rows(example.rows, lesson)
        choice = ModelChoice(lesson.method, (), scaled=False).with_params(**example.params)
        steps = lesson.make_steps(rows.make_setting(dataset, choice, np.array(example.case)))
        for stop in stops(steps):
            shown = steps[stop.step].picture_shown(is_answered=stop.is_answered)
            yield f"lesson {lesson.key}: {stop.name}", shown.html()


def draw_parts() -> dict[str, str]:
    """Return the drawings that pages alone have, or offer to download, by their names."""
    parts = {
        f"{function.__name__} {name}": f'<div class="stMain">{drawn}</div>'
        for function, draw in PARTS.items()
        for name, drawn in draw().items()
    }
    files = {
        f"{function.__name__} {name}": f'<div class="lr lr-scroll">{drawn}</div>'
        for function, draw in FILES.items()
        for name, drawn in draw().items()
    }
    return parts | files


def draw_all() -> dict[str, str]:
    """Return every drawing by its name."""
    parts = (_of_evidence(), _of_markup(), _of_views(), _of_lessons())
    whole = {name: drawn for part in parts for name, drawn in part}
    framed = (*_of_guarantees(), *_of_curves())
    return whole | {name: _figure(drawn) for name, drawn in framed}
