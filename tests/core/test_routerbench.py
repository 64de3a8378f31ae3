"""The script that makes rankings of language models of a copy of RouterBench, on three prompts."""

import subprocess
import sys
from pathlib import Path

from labelrank_core import read_dataset

SCRIPT = Path(__file__).resolve().parents[2] / "sample_data" / "routerbench.py"
# The columns that the benchmark's authors describe; prompts, scores and costs are made up.
COPY = """\
sample_id,prompt,eval_name,small,large,other,small|model_response,small|total_cost,large|total_cost,\
other|total_cost,oracle_model_to_route_to
a.1,What is 2 + 2?,arithmetic,1.0,1.0,0.0,4,0.001,0.02,0.001,small
a.2,Write a sonnet,reasoning,0.25,0.75,0.25,no,0.001,0.02,0.001,large
a.3,"Why?
And how?",reasoning,0.0,0.0,1.0,no,0.002,0.001,0.003,other
"""


def run(tmp_path, content):
    copy, sample = tmp_path / "copy.csv", tmp_path / "sample.csv"
    copy.write_text(content, encoding="utf-8")
    command = [sys.executable, str(SCRIPT), str(copy), str(sample)]
    return subprocess.run(command, capture_output=True, text=True, check=False), sample


def test_a_better_score_comes_first_then_the_lower_cost_and_equals_share_a_position(tmp_path):
    result, sample = run(tmp_path, COPY)
    assert (result.returncode, result.stderr) == (0, "")
    labels = dict.fromkeys(["small", "large", "other"], "label")
    # Three rows of small numbers could be more rankings.
    names = sample.read_text(encoding="utf-8").partition("\n")[0].split(",")
    roles = {**dict.fromkeys(names, "feature"), **labels}
    data = read_dataset(sample, roles=roles, target_form="positions")
    assert list(data.label_names) == ["small", "large", "other"]
    # 1: as good as large and cheaper. 2: small and other are equal in both. 3: large is cheaper.
    assert data.rankings.tolist() == [[1, 2, 3], [2, 1, 2], [3, 2, 1]]
    frame = data.feature_frame([0, 1, 2])
    assert frame["benchmark"].tolist() == ["arithmetic", "reasoning", "reasoning"]
    assert frame["words"].tolist() == [5, 3, 3]
    assert frame["lines"].tolist() == [1, 1, 2]
    assert frame["question marks"].tolist() == [1, 0, 2]


def test_a_copy_without_costs_or_with_gaps_is_refused_by_a_sentence(tmp_path):
    result, sample = run(tmp_path, "prompt,eval_name,small\nHello,greeting,1\n")
    assert result.returncode == 2
    assert result.stderr.startswith("Expected the columns prompt, eval_name, and MODEL with")
    result, sample = run(tmp_path, COPY.replace("reasoning,0.25", "reasoning,"))
    assert result.stderr == "Row 2: a score or a cost is missing.\n"
    assert not sample.exists()
