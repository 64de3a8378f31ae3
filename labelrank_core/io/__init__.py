r"""Files to data sets: inspect a file, propose its contents, read it as a user confirms it.

>>> file = ("fruit.csv", b"size,L1,L2,L3\n1,1,2,3\n2,2,1,3\n3,3,1,2\n")
>>> inspect_files(file).open_choices
('target_form',)
>>> read_dataset(file, target_form="positions").Y[2]
array([3., 1., 2.])
"""

from labelrank_core._exports import lazy_exports

# A program that parses one file must not wait for what others import.
__getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
