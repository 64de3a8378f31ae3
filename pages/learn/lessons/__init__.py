"""The lessons, one file each: a lesson is a file here and its line in this list."""

from pages.learn.lessons import (
    confidence,
    counts,
    measures,
    missing,
    models,
    neighbours,
    pairs,
    rules,
    subspace,
    ties,
    trees,
    zero_line,
)

LESSONS = (
    neighbours.LESSON,
    rules.LESSON,
    zero_line.LESSON,
    counts.LESSON,
    trees.LESSON,
    subspace.LESSON,
    pairs.LESSON,
    models.LESSON,
    measures.LESSON,
    confidence.LESSON,
    missing.LESSON,
    ties.LESSON,
)
