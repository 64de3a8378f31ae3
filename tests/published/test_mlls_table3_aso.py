"""Table III of S. Ji, L. Tang, S. Yu, J. Ye: A shared-subspace learning framework for multi-label
classification (2010), column ASO_SVM, on the Yahoo sets Arts and Education.

Means of the 5 draws that are recorded (the paper: 10). Tolerance .001 and 100 rounds, as the paper
says. α of the paper's grid was chosen for each draw and measure in 5 folds of its training pages;
that takes an hour, so here the chosen values are given and the draws learned again.

Measured, print in brackets: Arts AUC .767 (.768), macro F1 .394 (.357), micro F1 .448 (.445);
Education .773 (.745), .424 (.326), .459 (.432). Where α is chosen by out-of-fold scores whose
thresholds were tuned on the same scores, three other draws of Arts had a micro F1 of .429.
"""

import numpy as np
import pytest

from labelrank_core import ASOSVMClassifier
from labelrank_core.data.splits import covering_split
from labelrank_core.metrics import METRICS
from labelrank_core.papers import data_sets, find_table, recorded

# For each draw, by set and by the rule of decision, which goes with the measure.
CHOSEN = {
    ("Arts", "label_macro_f1"): (0.1, 0.1, 0.1, 0.1, 1.0),
    ("Arts", "global_micro_f1"): (0.01, 0.01, 0.01, 0.01, 0.01),
    ("Education", "label_macro_f1"): (0.1, 0.1, 0.01, 0.1, 0.1),
    ("Education", "global_micro_f1"): (0.001, 0.001, 0.01, 0.001, 0.01),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("name", "rule"), CHOSEN)
def test_table_3(name, rule, benchmark_data):
    data = data_sets.read_pages(benchmark_data / "yahoo" / f"{name.lower()}.svm.gz", name)
    table = find_table("mlls08", "III")
    blocks = [block for block in table.blocks if block.rule == rule]
    values = {block.name: [] for block in blocks}
    for seed, alpha in enumerate(CHOSEN[name, rule]):
        split = covering_split(data, 1000, seed=seed)
        model = ASOSVMClassifier(alpha, tol=1e-3, max_iter=100, threshold=rule)
        model.fit(data.X[split.train], data.relevance[split.train])
        point, relevance = model.point(data.X[split.test]), data.relevance[split.test]
        for block in blocks:
            measure = METRICS[block.measure]
            found = point.prediction if measure.input == "relevance" else point.raw_scores
            values[block.name].append(measure.mean(relevance, found))
    kept = recorded(table)
    kept = kept[(kept["data"] == name) & (kept["column"] == "ASO_SVM")].set_index("block")
    for cell in table.cells:
        if (cell.data, cell.column) == (name, "ASO_SVM") and cell.block in values:
            draws = values[cell.block]
            assert np.mean(draws) == pytest.approx(kept.loc[cell.block, "ours"], abs=1e-3)
            # To one standard error, no figure is below the print.
            assert np.mean(draws) >= cell.value - np.std(draws, ddof=1) / np.sqrt(len(draws))
