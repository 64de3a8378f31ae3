"""PrefLib's rankings: names, ties, counts and broken lines."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from labelrank_core import DatasetError, KNeighborsLabelRanker, Task, inspect_files, read_dataset
from labelrank_core.aggregation import aggregate
from labelrank_core.io.formats import preflib
from labelrank_core.io.sources import Source

pytestmark = pytest.mark.usefixtures("in_this_program")

TEXT = b"""# FILE NAME: 00001-00000001.toi
# TITLE: Lunch
# DATA TYPE: toi
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 5
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Soup > bread, with butter
# ALTERNATIVE NAME 2: Salad
# ALTERNATIVE NAME 3: Rice
2: 1,{2,3}
1: 3,1
2: {1,2},3
"""
# 1 > 2 = 3 twice, 3 > 1 once, 1 = 2 > 3 twice.
POSITIONS = [[1, 2, 2], [1, 2, 2], [2, np.nan, 1], [1, 1, 2], [1, 1, 2]]


class TestGrammar:
    def test_every_ranking_stands_as_often_as_it_was_given(self):
        for content in (TEXT, TEXT.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + TEXT):
            data = read_dataset(("lunch.toi", content))
            assert data.task is Task.LABEL_RANKING
            assert data.label_names == ("Soup > bread, with butter", "Salad", "Rice")
            assert np.array_equal(data.rankings, POSITIONS, equal_nan=True)

    def test_nothing_is_asked_and_what_is_missing_is_said(self):
        proposal = inspect_files(("lunch.toi", TEXT))
        assert proposal.format == "PrefLib"
        assert proposal.certain
        assert not proposal.errors
        codes = {issue.code for issue in proposal.findings}
        assert codes >= {"no-features", "counted-rankings", "partial-rankings"}
        assert proposal.table.index.tolist() == [10, 10, 11, 12, 12]

    def test_alternatives_without_a_name_have_their_number(self):
        text = TEXT.replace(b"# ALTERNATIVE NAME 2: Salad\n", b"")
        assert read_dataset(("f", text)).label_names[1:] == ("2", "Rice")

    def test_they_can_be_summed_up_but_not_learnt_from(self):
        data = read_dataset(("lunch.toi", TEXT))
        assert data.X.shape == (5, 0)
        assert len(data.fingerprint) == 32
        # Mean positions 6/5, 6/4 and 9/5: the same order as by Borda's scores.
        assert aggregate(data.rankings, method="borda").tolist() == [1, 2, 3]
        with pytest.raises(ValueError, match="0 feature"):
            KNeighborsLabelRanker().fit(data.X, data.rankings)


class TestFindings:
    @pytest.mark.parametrize(
        "line",
        [b"1: 4,1", b"1: 1,1", b"1: 0", b"1: {1,2", b"1: 1}", b"1: 1;2", b"x: 1,2", b"1:", b"1 2 3",
         b"-1: 1,2", b"1: {1,{2,3}}"],
    )  # fmt: skip
    def test_a_line_that_is_no_ranking(self, line):
        with pytest.raises(DatasetError, match="Line 13: this is not a ranking"):
            read_dataset(("f", TEXT + line + b"\n"))
        assert read_dataset(("f", TEXT + line), skip_bad_rows=True).n_samples == 5

    def test_other_data_of_preflib(self):
        graph = TEXT.replace(b"DATA TYPE: toi", b"DATA TYPE: pwg")
        with pytest.raises(DatasetError, match="counts all voters pair by pair"):
            read_dataset(("f.pwg", graph))
        text = TEXT.replace(b"DATA TYPE: toi", b"DATA TYPE: wmd")
        with pytest.raises(DatasetError, match="type 'wmd', which holds no rankings"):
            preflib.read(Source("f", text))

    def test_no_ranking_and_too_many(self, monkeypatch):
        head = TEXT[: TEXT.index(b"2: 1,")]
        for body in (b"", b"0: 1,2\n"):
            with pytest.raises(DatasetError, match="ound no ranking"):
                preflib.read(Source("f", head + body))
        with pytest.raises(DatasetError, match="1000000004 rankings of 3 labels"):
            preflib.read(Source("f", TEXT + b"999999999: 1,2\n"))
        with pytest.raises(DatasetError, match="70000 alternatives"):
            preflib.read(Source("f", TEXT.replace(b"ALTERNATIVES: 3", b"ALTERNATIVES: 70000")))
        with pytest.raises(DatasetError, match="1000005 rankings of 3 labels"):
            preflib.read(Source("f", TEXT + b"1000000: 1,2\n"))  # 15 bytes of a million rows
        monkeypatch.setattr("labelrank_core.io.limits.MAX_POSITIONS", 8)
        with pytest.raises(DatasetError, match="3 rankings"):
            preflib.read(Source("f", TEXT))

    @pytest.mark.parametrize(
        "text",
        [b"", b"# a comment\nx,y\n1,2\n", b"3\n1,2\n2,3\n", b"3,2,3\n1,2,3,4,5\n", b"2\n1,a\n2,b\n",
         b"2\n1,a\n2,b\n3,c\n", b"99999999\n1,a\n"],
    )  # fmt: skip
    def test_other_files_are_not_taken_for_it(self, text):
        assert not preflib.recognises(Source("f", text))

    @given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.binary(max_size=3)), max_size=4))
    @example([(11, b"\0")])
    def test_any_mutation_is_a_table_or_findings(self, changes):
        text = TEXT
        for place, new in changes:
            text = text[:place] + new + text[place + 1 :]
        source = Source("f", text)
        if preflib.recognises(source):
            with suppress(DatasetError):
                assert len(preflib.read(source).lines)
