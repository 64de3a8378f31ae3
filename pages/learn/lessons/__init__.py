"""The lessons, one file each: a lesson is a file here and its line in this list."""

from pages.learn.lessons import counts, neighbours, subspace, trees, zero_line

LESSONS = (
    neighbours.LESSON,
    zero_line.LESSON,
    counts.LESSON,
    trees.LESSON,
    subspace.LESSON,
)
