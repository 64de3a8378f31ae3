"""
Every file format
=================

``write_dataset`` writes a data set in each format, ``read_dataset`` finds out from the content
which one it is. ``format_losses`` says beforehand what a format cannot hold.
"""

from labelrank_core import load_sample, read_dataset
from labelrank_core.io import format_losses, write_dataset

for name in ("drinks", "outings", "drinks_calibrated"):
    data = load_sample(name)
    print(f"{name} ({data.task})")
    for writer, losses in format_losses(data):
        if any(loss.severity == "error" for loss in losses):
            print(f"  {writer.key}: cannot hold it")
            continue
        files = write_dataset(data, writer)
        again = read_dataset(files)
        names = ", ".join(file_name for file_name, _ in files)
        print(f"  {writer.key}: {names}, {again.n_samples} cases, {len(losses)} losses")

# %%
# A file whose meaning is not certain is not guessed: the reader says what has to be chosen.

from labelrank_core import inspect_files

file = ("fruit.csv", b"size,L1,L2,L3\n1,1,2,3\n2,2,1,3\n3,3,1,2\n")
proposal = inspect_files(file)
print(proposal.open_choices)
read_dataset(file, target_form="positions").Y
