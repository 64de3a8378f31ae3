"""One piece of work by one library, in an environment that has it.

python rival_work.py WORK FOLDER    with X.npy, Y.npy and queries.npy in the folder

Saves the prediction in the folder and prints the seconds and the peak MB. With X.npz and
queries.npz, of sparse features, WORK is a model of MODELS: it prints seconds of the processor for
fit and predict, then both peaks.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.benchmarks.measure import seconds, with_peak

K, N_TREES, DEPTH = 10, 20, 8


def own_knn(X, Y, queries):
    from labelrank_core import KNeighborsLabelRanker

    return lambda: KNeighborsLabelRanker(K).fit(X, Y).predict(queries)


def sklr_knn(X, Y, queries, algorithm="auto"):
    from sklr.neighbors import KNeighborsLabelRanker

    return lambda: KNeighborsLabelRanker(K, algorithm=algorithm).fit(X, Y).predict(queries)


def sklr_knn_brute(X, Y, queries):
    return sklr_knn(X, Y, queries, "brute")


def own_knn_with_ties(X, Y, queries):
    from labelrank_core import KNeighborsLabelRanker

    model = KNeighborsLabelRanker(K, aggregation="kemeny", ties="predict")
    return lambda: model.fit(X, Y).predict(queries)


def sklr_knn_with_ties(X, Y, queries):
    """IBPLR: the bucket pivot algorithm on the neighbours' rankings."""
    from sklr.neighbors import KNeighborsPartialLabelRanker

    return lambda: KNeighborsPartialLabelRanker(K).fit(X, Y).predict(queries)


def own_ib_m(X, Y, queries):
    from labelrank_core import MallowsLabelRanker

    return lambda: MallowsLabelRanker(K).fit(X, Y).predict(queries)


def own_ib_pl(X, Y, queries):
    from labelrank_core import PlackettLuceLabelRanker

    return lambda: PlackettLuceLabelRanker(K).fit(X, Y).predict(queries)


def sklr_plackett_luce(X, Y, queries):
    from sklr.neighbors import KNeighborsLabelRanker

    model = KNeighborsLabelRanker(K, model="plackett_luce")
    return lambda: model.fit(X, Y).predict(queries)


def own_tree(X, Y, queries):
    from labelrank_core import RankingTreeLabelRanker

    return lambda: RankingTreeLabelRanker(min_samples_split=2).fit(X, Y).predict(queries)


def sklr_tree(X, Y, queries):
    from sklr.tree import DecisionTreeLabelRanker

    return lambda: DecisionTreeLabelRanker(random_state=0).fit(X, Y).predict(queries)


def own_forest(X, Y, queries):
    from labelrank_core import LabelRankingForest

    return lambda: (
        LabelRankingForest(N_TREES, max_depth=DEPTH, voting="rankings").fit(X, Y).predict(queries)
    )


def sklr_trees(X, Y, queries):
    """scikit-lr has trees but no forest: grow them on bootstrap samples, average the positions."""
    from scipy.stats import rankdata
    from sklr.tree import DecisionTreeLabelRanker

    def work():
        random = np.random.default_rng(0)
        votes = np.zeros((len(queries), Y.shape[1]))
        for seed in range(N_TREES):
            drawn = random.integers(0, len(X), len(X))
            tree = DecisionTreeLabelRanker(
                max_depth=DEPTH, max_features=int(np.log2(X.shape[1])) + 1, random_state=seed
            )
            votes += tree.fit(X[drawn], Y[drawn]).predict(queries)
        return rankdata(votes, method="ordinal", axis=1)

    return work


def own_ml_knn(X, Y, queries):
    from labelrank_core import MLkNNClassifier

    return lambda: MLkNNClassifier(K).fit(X, Y).predict(queries)


def skmultilearn_ml_knn(X, Y, queries, own_row=True):
    def work():
        model = ml_knn_model(own_row).fit(X, Y)
        model.ignore_first_neighbours = 0
        return model.predict(queries).toarray()

    return work


def ml_knn_model(own_row=False):
    """ML-kNN of scikit-multilearn.

    It counts a training case among its own neighbours. Its parameter for that leaves out the
    nearest neighbour in training and in prediction alike, and is set in training only here.
    """
    import skmultilearn.adapt.mlknn as module
    from sklearn.neighbors import NearestNeighbors

    # It passes k by position, which scikit-learn does not take since 1.0.
    module.NearestNeighbors = lambda k: NearestNeighbors(n_neighbors=k)
    return module.MLkNN(k=K, ignore_first_neighbours=0 if own_row else 1)


def skmultilearn_ml_knn_others(X, Y, queries):
    return skmultilearn_ml_knn(X, Y, queries, own_row=False)


def own_br(X, Y, queries):
    from labelrank_core import BinaryRelevanceClassifier

    return lambda: BinaryRelevanceClassifier().fit(X, Y).predict(queries)


def skmultilearn_br(X, Y, queries):
    model = br_model()
    return lambda: model.fit(X, Y).predict(queries).toarray()


def br_model():
    from sklearn.svm import LinearSVC
    from skmultilearn.problem_transform import BinaryRelevance

    return BinaryRelevance(LinearSVC(random_state=0))


def own_chain(X, Y, queries):
    from labelrank_core import ClassifierChainsClassifier

    return lambda: ClassifierChainsClassifier(1).fit(X, Y).predict(queries)


def skmultilearn_chain(X, Y, queries):
    model = chain_model()
    return lambda: model.fit(X, Y).predict(queries).toarray()


def chain_model():
    from sklearn.linear_model import LogisticRegression
    from skmultilearn.problem_transform import ClassifierChain

    return ClassifierChain(LogisticRegression(max_iter=1000))


# What scikit-multilearn has of the methods here, by their keys in the catalog.
MODELS = {"mlknn": ml_knn_model, "br": br_model, "chains": chain_model}


def cost(work, folder):
    """Return processor seconds of fit and predict, and both peaks."""
    import scipy.sparse as sparse

    X, queries = (sparse.load_npz(folder / f"{name}.npz") for name in ("X", "queries"))
    Y, model = np.load(folder / "Y.npy"), MODELS[work]()
    # Their base learners take dense features as they are.
    X, queries = (each if each.nnz < 0.5 * np.prod(each.shape) else each.toarray()
                  for each in (X, queries))  # fmt: skip
    fit, fit_mb = with_peak(lambda: seconds(lambda: model.fit(X, Y), "processor"))
    ask, ask_mb = with_peak(lambda: seconds(lambda: model.predict(queries), "processor"))
    return [fit, ask, fit_mb, ask_mb]


def main(work, folder):
    warnings.simplefilter("ignore")
    folder = Path(folder)
    if work in MODELS:
        sys.stdout.write(json.dumps(cost(work, folder)) + "\n")
        return
    run = globals()[work](*(np.load(folder / f"{name}.npy") for name in ("X", "Y", "queries")))
    found = []
    taken, megabytes = with_peak(lambda: seconds(lambda: found.append(run())))
    np.save(folder / f"{work}.npy", found[0])
    sys.stdout.write(json.dumps([taken, megabytes]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
