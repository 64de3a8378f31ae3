"""The results of the example on the page *Experiments*, measured and written anew.

python tests/benchmarks/example_experiment.py
"""

import datetime
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from labelrank_core.experiments.example import RESULTS, measure_example
from labelrank_core.version import __version__


def main() -> int:
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    results = measure_example().assign(version=__version__, date=date)
    results = results.round(6)
    RESULTS.write_text(json.dumps(results.to_dict("records"), indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
