"""Feed the readers with mutations that reach new code, and keep what breaks them.

python3 tests/run fuzz            100 000 inputs, about half an hour
python -m tests.fuzz.readers 50   so many

An input that breaks a reader is written to `tests/fuzz/finds`, where the test suite reads it again
from then on. Atheris steers by coverage; it runs on Linux and macOS.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["labelrank_core.io", "labelrank_core.data.dataset"]):
    import labelrank_core.io  # noqa: F401

from tests.fuzz.reading import check
from tests.fuzz.seeds import seeds

FINDS = Path(__file__).parent / "finds"
MOST_BYTES, MOST_SECONDS, MOST_MEGABYTES = 4096, 60, 2048


def main():
    """Run until the inputs are used up or one breaks a reader."""
    runs = sys.argv[1] if len(sys.argv) > 1 else "100000"
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in seeds().items():
            (Path(folder) / name).write_bytes(content)
        options = [
            f"-runs={runs}",
            f"-max_len={MOST_BYTES}",
            f"-timeout={MOST_SECONDS}",
            f"-rss_limit_mb={MOST_MEGABYTES}",
            f"-artifact_prefix={FINDS}/",
            "-print_final_stats=1",
            "-seed=1",
        ]
        atheris.Setup([sys.argv[0], *options, folder], check)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
