"""Make label rankings of a copy of RouterBench: which language model for which prompt.

RouterBench holds, for each prompt, a score and a cost of every model. Its licence is not clear to
us, so no part of it is here: bring your own copy, written as CSV with these columns.

    prompt, eval_name       the prompt, and the benchmark that it is from
    MODEL                   the score of a model, from 0 to 1, for every model
    MODEL|total_cost        what its answer cost

Other columns are left out. Models of a better score come first, of equal scores the cheaper one;
models that are equal in both share a position. Then:

    python sample_data/routerbench.py COPY.csv SAMPLE.csv

writes a file that the app and `read_dataset` read. Untried on the published file, which we have not
seen: its columns may have other names; rename them then.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

COST = "|total_cost"


def rank_models(table: pd.DataFrame) -> pd.DataFrame:
    """Return features of each prompt and the position of each model, 1 for the first."""
    models = [name.removesuffix(COST) for name in table.columns if name.endswith(COST)]
    missing = [name for name in ["prompt", "eval_name", *models] if name not in table.columns]
    if missing or len(models) < 2:
        raise ValueError(
            f"Expected the columns prompt, eval_name, and MODEL with MODEL{COST} for two models "
            f"or more; missing: {', '.join(missing) or 'models'}."
        )
    scores = table[models].to_numpy(dtype=float)
    costs = table[[f"{model}{COST}" for model in models]].to_numpy(dtype=float)
    if np.isnan(scores).any() or np.isnan(costs).any():
        row = int(np.flatnonzero((np.isnan(scores) | np.isnan(costs)).any(axis=1))[0])
        raise ValueError(f"Row {row + 1}: a score or a cost is missing.")
    prompts = table["prompt"].astype(str)
    features = pd.DataFrame(
        {
            "benchmark": table["eval_name"].astype(str),
            "letters": prompts.str.len(),
            "words": prompts.str.split().str.len(),
            "lines": prompts.str.count("\n") + 1,
            "digits": prompts.str.count(r"\d"),
            "question marks": prompts.str.count(r"\?"),
        }
    )
    return pd.concat([features, pd.DataFrame(positions(scores, costs), columns=models)], axis=1)


def positions(scores: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Rank the columns of every row: how many are better, or as good and cheaper, plus 1."""
    better = scores[:, :, None] > scores[:, None, :]
    cheaper = (scores[:, :, None] == scores[:, None, :]) & (costs[:, :, None] < costs[:, None, :])
    return (better | cheaper).sum(axis=1) + 1


def main() -> int:
    """Read a copy and write the sample."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("copy", type=Path, help="a copy of RouterBench, as CSV")
    parser.add_argument("sample", type=Path, help="the file to write")
    options = parser.parse_args()
    try:
        sample = rank_models(pd.read_csv(options.copy, keep_default_na=True))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    sample.to_csv(options.sample, index=False, lineterminator="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
