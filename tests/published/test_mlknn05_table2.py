"""Table II of M.-L. Zhang, Z.-H. Zhou: A k-nearest neighbor based algorithm for multi-label
classification (2005): three other methods on the yeast data, 1500 training and 917 test genes.

The text leaves open what this search tried (Hamming loss, one-error, coverage, ranking loss,
average precision):

BoosTexter, whose column is taken over from Elisseeff and Weston (2001): the number of rounds, and
the kind of rules. Real AdaBoost.MH with stumps at all thresholds, by rounds:

    print  .237  .302   N/A   .298  .717
      30   .211  .233  6.619  .186  .749
     100   .220  .262  6.672  .192  .736
     500   .227  .294  6.730  .198  .725
    1000   .227  .309  6.701  .198  .721
    1500   .231  .310  6.715  .200  .721   all but the ranking loss within .01
    2000   .234  .316  6.824  .207  .716
    3000   .234  .316  6.881  .209  .714

With 32 thresholds per feature 2000 rounds have .232, .306, 6.775, .202 and .716; discrete votes of
3000 rounds .230, .292, 6.771, .198 and .722 (63 thresholds); rules that only ask whether a feature
is above 0 do not get beyond .225, .282, 6.815, .199 and .726 (1000 rounds). A ranking loss of .298
goes with none of them, nor can it easily go with the average precision printed beside it: it is
.1 above ours throughout.

ADTBoost.MH with 30 steps: which thresholds are tried.

    print  .213  .245  6.502   N/A  .738
       8   .219  .253  6.725  .191  .738
      15   .210  .242  6.512  .183  .747   all within .01
      16   .218  .248  6.633  .188  .742
      32   .212  .253  6.640  .186  .741
      64   .214  .256  6.554  .186  .742
     128   .216  .263  6.600  .186  .740
     all   .214  .265  6.520  .185  .738

Trees that add 1 to weights which are not divided by their sum, as Freund and Mason (1999) do, have
.214, .245, 6.589, .186 and .742 with 15 thresholds, .213, .242, 6.617, .184 and .746 with 31.

Rank-SVM with a polynomial kernel of degree 8 and C = 1: the kernel (x · z + c)^8 of the features as
they are, which have length 1, by its constant.

    print  .196  .225  6.717  .179  .763
    c = 0  .221  .250  6.528  .197  .723
      0.2  .211  .250  6.292  .180  .741
      0.4  .200  .237  6.122  .166  .761
      0.5  .196  .237  6.107  .163  .765
      1.0  .193  .227  6.149  .160  .772

On standardised features (x · z / 103 + 1)^8 has .191, .227, 6.135, .160 and .772; on the others
.214, .250, 6.335, .185 and .739. Hamming loss, one-error and average precision are within .01 with
the constant 1. Coverage and ranking loss are then better than print, and nothing tried has all
five.

Rounds, thresholds and constants were tried on the test genes: they show what the open choices can
do, not what anybody would have chosen.
"""

import pytest

from labelrank_core import (
    AdaBoostMHClassifier,
    ADTBoostMHClassifier,
    RankSVMClassifier,
    load_sample,
)
from labelrank_core.metrics import METRICS

MEASURES = (
    *("hamming_loss", "one_error", "coverage_error"),
    *("ranking_loss", "average_precision_score"),
)


def measured(model, X, relevance, **setting):
    """The five measures of a fitted model."""
    point = model.point(X, **setting)
    return [
        measure.mean(relevance, point.prediction if measure.input == "relevance" else point.scores)
        for measure in map(METRICS.get, MEASURES)
    ]


def trained(model):
    """A model fitted to the training genes, and the test genes."""
    data = load_sample("yeast")
    train, test = ~data.split, data.split
    model.fit(data.X[train], data.relevance[train])
    return model, data.X[test], data.relevance[test]


@pytest.mark.slow
def test_boostexter_with_enough_rounds_all_but_the_ranking_loss():
    model, X, relevance = trained(AdaBoostMHClassifier(1500, max_thresholds=None))
    hamming, one_error, _, ranking, precision = measured(model, X, relevance)
    assert hamming == pytest.approx(0.237, abs=0.01)
    assert one_error == pytest.approx(0.302, abs=0.01)
    assert precision == pytest.approx(0.717, abs=0.01)
    # .298 is printed: no number of rounds comes near.
    losses = [
        measured(model, X, relevance, n_estimators=n)[3] for n in (1, 10, 100, 300, 1000, 1500)
    ]
    assert ranking == losses[-1]
    assert max(losses) < 0.21


@pytest.mark.slow
def test_adtboost_with_all_thresholds():
    model, X, relevance = trained(ADTBoostMHClassifier(30, max_thresholds=None))
    hamming, one_error, coverage, _, precision = measured(model, X, relevance)
    assert hamming == pytest.approx(0.213, abs=0.01)
    assert one_error == pytest.approx(0.245, abs=0.025)
    assert coverage == pytest.approx(6.502, abs=0.025)
    assert precision == pytest.approx(0.738, abs=0.01)


def test_adtboost_with_fifteen_thresholds():
    model, X, relevance = trained(ADTBoostMHClassifier(30, max_thresholds=15))
    hamming, one_error, coverage, _, precision = measured(model, X, relevance)
    assert hamming == pytest.approx(0.213, abs=0.01)
    assert one_error == pytest.approx(0.245, abs=0.01)
    assert coverage == pytest.approx(6.502, abs=0.01)
    assert precision == pytest.approx(0.738, abs=0.01)


def rank_svm(**params):
    """Rank-SVM on the features as they are, which have length 1."""
    return trained(RankSVMClassifier(gamma=1.0, **params))


@pytest.mark.slow
def test_rank_svm_with_the_constant_1():
    hamming, one_error, coverage, ranking, precision = measured(*rank_svm())
    assert hamming == pytest.approx(0.196, abs=0.01)
    assert one_error == pytest.approx(0.225, abs=0.01)
    assert precision == pytest.approx(0.763, abs=0.01)
    # Better than print, 6.717 and .179.
    assert coverage < 6.25
    assert ranking < 0.165


def test_rank_svm_with_the_constant_one_half():
    hamming, one_error, coverage, ranking, precision = measured(*rank_svm(coef0=0.5))
    assert hamming == pytest.approx(0.196, abs=0.002)
    assert one_error == pytest.approx(0.225, abs=0.015)
    assert precision == pytest.approx(0.763, abs=0.002)
    assert coverage < 6.25
    assert ranking < 0.165
