"""What goes into papers: tables in LaTeX, diagrams, effect sizes, Bayesian tests and the report."""

import re
import shutil
import subprocess
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from labelrank_core.comparison.bayesian import bayesian_pairs, bayesian_signed_rank
from labelrank_core.comparison.diagram import critical_difference_diagram
from labelrank_core.comparison.drawing import Drawing, Line, TextLine, text_width
from labelrank_core.comparison.effect_sizes import effect_sizes, kendall_w
from labelrank_core.comparison.latex import escape, floating
from labelrank_core.comparison.leaderboard import leaderboard
from labelrank_core.comparison.methods import compare_methods
from labelrank_core.comparison.score_tables import latex_table, wide_table
from labelrank_core.comparison.significance import (
    CriticalDifferences,
    average_ranks,
    wilcoxon_pairs,
)
from tests.core.test_leaderboard import TAU, results

SVG = "{http://www.w3.org/2000/svg}"
NAN = float("nan")
SCORES = pd.DataFrame(
    {
        "A": [0.9, 0.8, 0.7, 0.9, 0.8, 0.7],
        "B": [0.8, 0.7, 0.6, 0.8, 0.7, 0.6],
        "C": [0.5, 0.6, 0.5, 0.6, 0.5, 0.4],
    },
    index=[f"d{i}" for i in range(6)],
)


class TestLatex:
    @pytest.mark.parametrize(
        ("name", "written"),
        [
            ("a_b & 5% #1 $x$ {y}", r"a\_b \& 5\% \#1 \$x\$ \{y\}"),
            ("x^2 ~ \\end", r"x\textasciicircum{}2 \textasciitilde{} \textbackslash{}end"),
            ("two\nlines\x00", "two lines"),
            ("[1] first", "{}[1] first"),
            ("a--b", "a-{}-b"),
            ("k–NN ≥ 3", r"k--NN $\geq$ 3"),
            ("Plackett’s Größe", "Plackett’s Größe"),
        ],
    )
    def test_names_are_text(self, name, written):
        assert escape(name) == written

    def test_the_best_of_a_data_set_is_bold_and_so_are_those_that_tie(self):
        means = pd.DataFrame({"A": [0.5, 0.25], "B": [0.75, 0.25]}, index=["x_1", "y"])
        ranks = pd.DataFrame({"A": [2, 1.5], "B": [1, 1.5]}, index=means.index)
        text = latex_table(means, ranks, deviations=means * 0 + 0.01, digits=2)
        assert r"x\_1 & 0.50 $\pm$ 0.01 (2) & \textbf{0.75} $\pm$ 0.01 (1) \\" in text
        assert text.count(r"\textbf{0.25} $\pm$ 0.01 (1.5)") == 2
        assert r"average rank & 1.75 & 1.25 \\" in text
        rules = [line for line in text.splitlines() if line.endswith("rule")]
        assert rules == [r"\toprule", r"\midrule", r"\midrule", r"\bottomrule"]

    def test_methods_may_be_rows_with_short_names_caption_and_label(self):
        text = latex_table(
            SCORES.iloc[:1],
            SCORES.iloc[:1].rank(axis=1, ascending=False),
            show_ranks=False,
            methods_as_rows=True,
            digits=1,
            short_names={"A": "k-NN_5", "d0": "iris"},
            caption="Means & more",
            label="tab:means_1",
        )
        lines = text.splitlines()
        assert lines[:4] == [
            r"\begin{table}",
            r"\centering",
            r"\caption{Means \& more}",
            r"\label{tab:means_1}",
        ]
        assert r"method & iris & average rank \\" in lines
        assert r"k-NN\_5 & \textbf{0.9} & 1.00 \\" in lines
        assert lines[-1] == r"\end{table}"

    def test_a_long_name_in_the_head_stands_on_several_lines(self):
        scores = pd.DataFrame({"a_long name of a method": [0.5]}, index=["x"])
        text = latex_table(scores, scores.rank(axis=1), caption="Kendall's tau")
        stacked = r"\begin{tabular}[b]{@{}r@{}}a\_long name of\\a method\end{tabular}"
        assert rf"data set & {stacked} \\" in text
        assert r"\caption{Kendall’s tau}" in text

    def test_what_is_missing_is_a_dash_and_has_no_part_in_average_ranks(self):
        means = pd.DataFrame({"A": [0.5, 0.4], "B": [NAN, 0.6]}, index=["x", "y"])
        text = latex_table(means, means.rank(axis=1, ascending=False), digits=1)
        assert r"x & \textbf{0.5} (1) & -- \\" in text
        assert r"average rank & 2.00 & 1.00 \\" in text

    def test_what_cannot_be_written_is_refused(self):
        ranks = SCORES.rank(axis=1)
        with pytest.raises(ValueError, match="digits from 0 to 15, got -1"):
            latex_table(SCORES, ranks, digits=-1)
        with pytest.raises(ValueError, match="different names, got 'A' for two"):
            latex_table(SCORES, ranks, short_names={"B": "A"})
        with pytest.raises(ValueError, match=r"in a label, got 'a\}'"):
            floating("", label="a}")

    @pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex and booktabs")
    def test_tables_of_many_methods_with_long_names_are_no_wider_than_a_line(self, tmp_path):
        name = "Label-ranking random forest of {} trees"
        tables = []
        for n_methods, *options in product(range(1, 11), (False, True), (False, True)):
            columns = [name.format(10 * i) for i in range(n_methods)]
            scores = pd.DataFrame(np.eye(6)[:, :1] / np.arange(1, n_methods + 1), columns=columns)
            scores.index = ["election", "iris", "drinks", "wine", "glass", "vehicle"]
            ranks = scores.rank(axis=1, ascending=False)
            rows, show_ranks = options
            tables.append(
                latex_table(
                    *(scores, ranks),
                    deviations=scores / 9,
                    methods_as_rows=rows,
                    show_ranks=show_ranks,
                    caption="Kendall's tau",
                )
            )
        assert r"\resizebox" not in tables[8]  # three methods
        log = compiled(tmp_path, r"\clearpage".join(tables))
        assert "Overfull" not in log

    @pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex and booktabs")
    def test_a_document_with_hostile_names_compiles(self, tmp_path):
        names = ["a_b%c", "x^2~{", r"\input{x}", "k–NN ≥ 3 “q” 'r' `s`", '[1] <b> |"#$&']
        scores = pd.DataFrame(np.eye(5) / 3, columns=names, index=names[::-1])
        table = latex_table(scores, scores.rank(axis=1), caption=names[0], label="tab:a_b")
        compiled(tmp_path, table)


def compiled(folder, content):
    """Compile a document with the content; return what pdfLaTeX says."""
    known = subprocess.run(["kpsewhich", "booktabs.sty"], capture_output=True, check=False)
    if known.returncode:
        pytest.skip("needs booktabs")
    head = r"\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}"
    (folder / "t.tex").write_text(f"{head}\n{content}\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    log = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, log[-2000:]
    return log


class TestLeaderboard:
    def board(self):
        first = results({"A_1": [0.2, 0.4], "B": [0.5, 0.5]}, data="x")
        second = results({"A_1": [0.75, 0.25]}, data="y")
        return leaderboard(pd.concat([first, second]), TAU)

    def test_wide_table(self):
        table = self.board().wide(digits=2)
        assert table.to_dict("index") == {
            "x": {"A_1": "0.30 ± 0.14", "B": "0.50 ± 0.00"},
            "y": {"A_1": "0.50 ± 0.35", "B": ""},
        }

    def test_a_single_fold_has_no_deviation(self):
        means = pd.DataFrame({"A": [0.5]})
        assert wide_table(means, means * NAN, digits=1).iloc[0, 0] == "0.5"
        assert wide_table(means, digits=0).iloc[0, 0] == "0"

    def test_latex(self):
        text = self.board().to_latex(digits=2, caption="c", label="l")
        assert r"data set & A\_1 & B \\" in text
        assert r"x & 0.30 $\pm$ 0.14 & \textbf{0.50} $\pm$ 0.00 \\" in text
        assert r"y & \textbf{0.50} $\pm$ 0.35 & -- \\" in text
        assert r"average rank & 2.00 & 1.00 \\" in text
        plain = self.board().to_latex(deviations=False, ranks=True, digits=1)
        assert r"x & 0.3 (2) & \textbf{0.5} (1) \\" in plain

    def test_of_a_loss_the_least_is_bold(self):
        table = results({"A": [0.2], "B": [0.5]}, measure="hamming_loss")
        text = leaderboard(table, "hamming_loss").to_latex(digits=1)
        assert r"\textbf{0.2} & 0.5" in text

    def test_wilcoxon_over_draws(self):
        a, b = [0.5, 0.6, 0.7, 0.65, 0.9], [0.45, 0.62, 0.6, 0.5, 0.6]
        board = leaderboard(results({"A": a, "B": b}, n_folds=5), TAU)
        (row,) = board.wilcoxon("d").to_dict("records")
        assert (row["first"], row["first has more"], row["second has more"]) == ("A", 4, 1)
        assert row["p"] == pytest.approx(stats.wilcoxon(a, b).pvalue)

    def test_comparison_of_methods(self):
        tables = [
            results({name: [value] for name, value in row.items()}, data=data)
            for data, row in SCORES.iterrows()
        ]
        comparison = leaderboard(pd.concat(tables), TAU).compare()
        assert comparison.measure == "Kendall's tau"
        assert comparison.p == compare_methods(SCORES).p


class TestDiagram:
    NAMES, MEANS = ("A&B", "<x>", "C"), np.array([1.0, 1.5, 3.0])

    def drawn(self, **options):
        found = CriticalDifferences(self.NAMES, self.MEANS, 1.25, **options)
        return critical_difference_diagram(found)

    def test_lengths_are_the_ranks(self):
        drawing = self.drawn()
        axis, *rest = drawing.lines
        step = (axis.x2 - axis.x1) / 2
        (bar,) = [line for line in rest if line.width == 2.4]
        # From rank 1 to rank 1.5, and 2 more on each side.
        assert (bar.x1, bar.x2) == pytest.approx((axis.x1 - 2, axis.x1 + step / 2 + 2))
        (ruler,) = [line for line in rest if line.y1 == line.y2 and line.y1 < axis.y1]
        assert ruler.x2 - ruler.x1 == pytest.approx(1.25 * step)

    def test_svg_has_a_size_in_millimetres_and_escaped_names(self):
        drawing = self.drawn()
        root = ElementTree.fromstring(drawing.svg())
        width = float(root.get("width").removesuffix("mm"))
        assert width == pytest.approx(drawing.width * 25.4 / 72, abs=0.01)
        words = [text.text for text in root.findall(f"{SVG}text")]
        assert {"CD = 1.250", "A&B  1.00", "<x>  1.50", "C  3.00", "1", "2", "3"} == set(words)

    def test_a_control_has_a_thick_part_of_the_axis(self):
        drawing = self.drawn(control=1)
        (band,) = [line for line in drawing.lines if line.width == 4]
        axis = drawing.lines[0]
        step = (axis.x2 - axis.x1) / 2
        assert (band.x1, band.x2) == pytest.approx((axis.x1, axis.x1 + 1.75 * step))

    @pytest.mark.parametrize("n", [2, 3, 9])
    def test_nothing_lies_outside(self, n):
        names = [f"a long name of method number {i}" for i in range(n)]
        means = np.linspace(1, n, n)
        drawing = critical_difference_diagram(CriticalDifferences(names, means, 0.9 * n))
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}
        for text in drawing.texts:
            width = text_width(text.text)
            left = text.x - shift[text.anchor] * width
            assert 0 <= left <= left + width <= drawing.width
            assert 0 <= text.y <= drawing.height
        for line in drawing.lines:
            assert 0 <= min(line.x1, line.x2) <= max(line.x1, line.x2) <= drawing.width

    def test_pdf_objects_are_where_its_table_says(self):
        file = self.drawn().pdf()
        assert file.startswith(b"%PDF-1.4\n")
        start = int(file.rsplit(b"startxref\n", 1)[1].split()[0])
        entries = file[start:].splitlines()[3:8]
        for number, entry in enumerate(entries, 1):
            assert file[int(entry[:10]) :].startswith(b"%d 0 obj" % number)
        (length,) = re.findall(rb"/Length (\d+)", file)
        stream = file.split(b"stream\n", 1)[1].split(b"\nendstream")[0]
        assert len(stream) == int(length)
        assert b"(A&B  1.00) Tj" in stream

    def test_pdf_escapes_brackets_and_refuses_letters_it_lacks(self):
        texts = [TextLine(10, 10, "k (5) \\ ü")]
        drawing = Drawing(50, 20, [Line(0, 0, 1, 1)], texts)
        assert rb"(k \(5\) \\ " + "ü".encode("cp1252") + b")" in drawing.pdf()
        with pytest.raises(ValueError, match="write SVG instead, or use a short name without 'τ'"):
            Drawing(50, 20, [], [TextLine(0, 0, "τ")]).pdf()

    @pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")
    def test_a_reader_of_pdf_sees_the_words(self, tmp_path):
        (tmp_path / "cd.pdf").write_bytes(self.drawn().pdf())
        command = ["pdftotext", "-layout", str(tmp_path / "cd.pdf"), "-"]
        seen = subprocess.run(command, capture_output=True, check=True, text=True)
        assert seen.stderr == ""
        assert "CD = 1.250" in seen.stdout
        assert "A&B" in seen.stdout


class TestEffectSizes:
    def test_worked_by_hand(self):
        # Differences 0.1, -0.05, 0.2, 0: ranks of the sizes 2, 1, 3 without the zero.
        scores = [[0.9, 0.8], [0.7, 0.75], [0.8, 0.6], [0.5, 0.5]]
        (row,) = effect_sizes(scores, ["A", "B"]).to_dict("records")
        assert row["superiority"] == (2 + 0.5) / 4
        assert row["rank-biserial"] == pytest.approx((2 + 3 - 1) / 6)
        assert row["median difference"] == pytest.approx(0.05)
        differences = np.array([0.1, -0.05, 0.2, 0])
        assert row["d"] == pytest.approx(differences.mean() / differences.std(ddof=1))

    def test_of_a_loss_the_sign_is_turned(self):
        scores = [[0.9, 0.8], [0.7, 0.75], [0.8, 0.6]]
        higher = effect_sizes(scores, ["A", "B"]).iloc[0]
        lower = effect_sizes(scores, ["A", "B"], greater_is_better=False).iloc[0]
        for name in ("median difference", "rank-biserial", "d"):
            assert lower[name] == pytest.approx(-higher[name])
        assert lower["superiority"] == pytest.approx(1 - higher["superiority"])

    def test_rank_biserial_is_that_of_wilcoxons_statistic(self):
        rng = np.random.default_rng(3)
        a, b = rng.random((2, 20))
        (row,) = effect_sizes(np.column_stack([a, b]), ["A", "B"]).to_dict("records")
        # SciPy's statistic is the smaller of both sums of ranks.
        smaller = stats.wilcoxon(a, b).statistic
        assert abs(row["rank-biserial"]) == pytest.approx(1 - 2 * smaller / (20 * 21 / 2))

    def test_equal_methods_have_no_effect(self):
        (row,) = effect_sizes([[0.5, 0.5], [0.3, 0.3]], ["A", "B"]).to_dict("records")
        assert (row["median difference"], row["superiority"], row["rank-biserial"]) == (0, 0.5, 0)
        assert np.isnan(row["d"])

    def test_concordance(self):
        assert kendall_w(average_ranks([[3, 2, 1]] * 4)) == pytest.approx(1)
        assert kendall_w(average_ranks([[3, 2, 1], [1, 2, 3]])) == pytest.approx(0)
        # By its definition: squared distances of the rank sums from their mean.
        ranks = average_ranks([[3, 2, 1], [3, 2, 1], [2, 3, 1]])
        sums = ranks.ranks.sum(axis=0)
        expected = 12 * ((sums - sums.mean()) ** 2).sum() / (3**2 * (3**3 - 3))
        assert kendall_w(ranks) == pytest.approx(expected)


def naive_posterior(z, weights, rope):
    """The three sums of a single draw of weights."""
    sums = {"above": 0.0, "within": 0.0, "below": 0.0}
    for (a, u), (b, v) in product(zip(z, weights, strict=True), repeat=2):
        side = "above" if a + b > 2 * rope else "below" if a + b < -2 * rope else "within"
        sums[side] += u * v
    return sums


class TestBayesianSignedRank:
    def test_shares_are_those_of_the_definition(self):
        rng = np.random.default_rng(1)
        a, b = rng.random((2, 8)) / 10
        posterior = bayesian_signed_rank(a, b, rope=0.01, n_draws=2000, seed=4)
        weights = np.random.default_rng(4).dirichlet(np.ones(9), 2000)
        z = [0.0, *(a - b)]
        largest = [
            max(sums, key=sums.get) for sums in (naive_posterior(z, w, 0.01) for w in weights)
        ]
        shares = [largest.count(side) / 2000 for side in ("above", "within", "below")]
        assert [posterior.first, posterior.equivalent, posterior.second] == pytest.approx(shares)

    # Printed by baycomp 1.0.3, SignedRankTest.probs(SECOND, FIRST, rope, prior=prior,
    # nsamples=50000, random_state=0); its order is first, equivalent, second reversed. No sum of
    # two differences lies at the border of the region, where rounding would decide.
    FIRST = (
        *(0.645, 0.77475, 0.81052, 0.61004, 0.65177, 0.92487),
        *(0.62465, 0.64542, 0.93191, 0.81766, 0.72915, 0.77899),
    )
    SECOND = (
        *(0.61939, 0.76548, 0.8061, 0.58878, 0.62328, 0.91692),
        *(0.61571, 0.61971, 0.93732, 0.83595, 0.70925, 0.7804),
    )

    @pytest.mark.parametrize(
        ("rope", "prior", "printed"),
        [
            (0.0, 0.5, (0.9948, 0, 0.0052)),
            (0.0, 1, (0.9942, 0, 0.0058)),
            (0.01, 0.5, (0.5502, 0.4498, 0.0)),
            (0.01, 1, (0.5104, 0.4896, 0.0)),
        ],
    )
    def test_equals_baycomp_up_to_the_error_of_the_draws(self, rope, prior, printed):
        posterior = bayesian_signed_rank(self.FIRST, self.SECOND, rope=rope, prior_strength=prior)
        shares = (posterior.first, posterior.equivalent, posterior.second)
        # Both draw, so four errors of a difference of two.
        error = 4 * 2**0.5 * posterior.standard_error
        assert shares == pytest.approx(printed, abs=error)
        assert error < 0.013

    def test_swapped_methods_swap_their_shares(self):
        a, b = SCORES["A"], SCORES["C"]
        one, other = bayesian_signed_rank(a, b), bayesian_signed_rank(b, a)
        assert (one.first, one.equivalent) == (other.second, other.equivalent)
        loss = bayesian_signed_rank(a, b, greater_is_better=False)
        assert (loss.first, loss.second) == (one.second, one.first)

    def test_equal_methods_are_equivalent(self):
        posterior = bayesian_signed_rank([0.5, 0.4], [0.5, 0.4], n_draws=100)
        assert (posterior.first, posterior.equivalent, posterior.second) == (0, 1, 0)
        without_region = bayesian_signed_rank([0.5, 0.4], [0.5, 0.4], rope=0, n_draws=100)
        assert without_region.first == without_region.second == pytest.approx(0.5)

    def test_the_prior_may_favour_a_method(self):
        a, b = [0.5, 0.52, 0.51], [0.51, 0.5, 0.52]
        places = ("first", "second")
        one, other = (bayesian_signed_rank(a, b, prior_place=place) for place in places)
        assert one.first > other.first
        assert other.second > one.second

    @pytest.mark.parametrize(
        "wrong",
        [{"rope": -1}, {"prior_strength": 0}, {"n_draws": 0}, {"prior_place": "left"}],
    )
    def test_parameters_are_checked(self, wrong):
        with pytest.raises(ValueError, match="Expected"):
            bayesian_signed_rank([1.0], [2.0], **wrong)

    def test_values_are_checked(self):
        for second in ([1.0, 2.0], [NAN]):
            with pytest.raises(ValueError, match="Expected finite values of both"):
                bayesian_signed_rank([1.0], second)

    def test_all_pairs(self):
        table = bayesian_pairs(SCORES.to_numpy(), list(SCORES))
        assert table[["first", "second"]].to_numpy().tolist() == [
            ["A", "B"],
            ["A", "C"],
            ["B", "C"],
        ]
        shares = table[["first better", "equivalent", "second better"]]
        np.testing.assert_allclose(shares.sum(axis=1), 1)


class TestReport:
    def test_all_pairs_by_friedman_and_nemenyi(self):
        comparison = compare_methods(SCORES, measure="Kendall's tau")
        text = comparison.report()
        assert "3 methods were compared on 6 data sets by Kendall's tau (higher is better)" in text
        test = comparison.omnibus
        assert f"F(2, 10) = {test.f:.2f}" in text
        assert f"{test.chi2_corrected:.2f}" in text
        assert f"more than {comparison.differences.difference:.3f} apart" in text
        assert f"Kendall's W is {kendall_w(comparison.ranks):.2f}" in text
        # Average ranks 1, 2, 3 and a critical difference of 1.353: only A and C differ.
        assert "Not significantly different are: A and B; B and C. All other pairs differ." in text
        assert "- A: average rank 1.00, median 0.800, mean 0.800, sd 0.089" in text
        assert "- C: median difference 0.300 in favour of A; A is better on 100%" in text

    def test_where_no_two_methods_are_far_enough_apart_no_pair_is_said_to_differ(self):
        # The ranks are 3 2 4 1, 4 1.5 3 1.5, 3 2 4 1, 3 1 4 2 and 3 1 2 4. Friedman's p is 0.035,
        # and the average ranks, from 1.5 to 3.4, are less than 2.098 apart.
        rows = [[0.862, 0.868, 0.855, 0.872], [0.96, 0.982, 0.964, 0.982]]
        rows += [[0.94, 0.948, 0.936, 0.959], [0.856, 0.931, 0.827, 0.919]]
        rows += [[0.841, 0.863, 0.854, 0.84]]
        text = compare_methods(pd.DataFrame(rows, columns=list("ABCD")), measure="tau").report()
        assert (
            "more than 2.098 apart differ significantly. No two of them are so far apart." in text
        )
        assert "other pairs" not in text

    def test_a_median_difference_favours_one_method_or_neither(self):
        # Three data sets each, so both have the average rank 1.5. A minus B: the median of .01 and
        # -.05 is -.02; of .0001 and -.0001 it is 0.
        for large, small, said in (
            (0.01, -0.05, "- B: median difference 0.020 in favour of B; A is better on 50%"),
            (1e-4, -1e-4, "- B: median difference 0.000; A is better on 50%"),
        ):
            b = np.linspace(0.5, 0.6, 6)
            scores = pd.DataFrame({"A": b + np.repeat([large, small], 3), "B": b})
            text = compare_methods(scores).report()
            assert said in text
            assert "-0.00" not in text

    def test_with_a_control_by_bonferroni_dunn_and_holm(self):
        comparison = compare_methods(SCORES, control="A")
        text = comparison.report()
        assert "Significantly worse than A: C." in text
        for row in comparison.holm().to_dict("records"):
            shown = "p < 0.001" if row["adjusted p"] < 0.001 else f"p = {row['adjusted p']:.3f}"
            assert f"{row['method']} ({shown})" in text

    def test_without_a_significant_difference_no_test_follows(self):
        scores = pd.DataFrame({"A": [1, 2, 3], "B": [2, 3, 1], "C": [3, 1, 2]}, dtype=float)
        text = compare_methods(scores).report()
        assert "no difference between the methods is significant, and no test follows" in text
        assert "Nemenyi" not in text
        assert "3 data sets are few" in text

    def test_two_methods_by_wilcoxon(self):
        comparison = compare_methods(SCORES[["A", "C"]], greater_is_better=False)
        assert (comparison.test, comparison.omnibus) == ("wilcoxon", None)
        expected = wilcoxon_pairs(SCORES[["A", "C"]].to_numpy(), ["A", "C"])["p"].iloc[0]
        assert comparison.p == expected
        text = comparison.report()
        assert f"P = {expected:.3f}: the methods differ significantly." in text
        assert "A has the higher value on 6 data sets, C on 0; they are equal on 0." in text
        assert "Effect sizes of C against each other method" in text
        two = pd.DataFrame({"A": [1.0, 2.0], "B": [2.0, 1.0]})
        assert "A has the higher value on 1 data set, B on 1;" in compare_methods(two).report()
        with pytest.raises(ValueError, match="three or more methods"):
            comparison.diagram()

    def test_equal_methods_leave_nothing_to_test(self):
        scores = pd.DataFrame({"A": [0.5, 0.6], "B": [0.5, 0.6]})
        comparison = compare_methods(scores)
        assert "There is nothing to test." in comparison.report()
        assert not comparison.is_significant

    def test_input_is_checked(self):
        for wrong, message in [
            ({"alpha": 0}, "alpha between 0 and 1"),
            ({"control": "Z"}, "a control among A, B, C, got 'Z'"),
        ]:
            with pytest.raises(ValueError, match=message):
                compare_methods(SCORES, **wrong)
        with pytest.raises(ValueError, match="two or more data sets, got 1"):
            compare_methods(SCORES.iloc[:1])

    def test_table_and_diagram_are_those_of_the_same_ranks(self):
        comparison = compare_methods(SCORES)
        assert "A  1.00" in comparison.diagram().svg()
        assert "k1  1.00" in comparison.diagram({"A": "k1"}).svg()
        assert r"average rank & 1.00 & 2.00 & 3.00 \\" in comparison.to_latex()
