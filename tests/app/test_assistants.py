"""Twenty questions about data, answered by reading the pages that an assistant is served as text.

Streamlit's agent access describes a page without a browser. Every answer is computed by the core.
"""

import json
import re
import subprocess
import sys
import time
import urllib.request
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from labelrank_core import KNeighborsLabelRanker, KNeighborsMultilabelRanker, load_sample
from labelrank_core.metrics import kendall_tau_score
from pages.ui.view import View
from pages.ui.wording.as_text import text_of
from tests.browser.driver import free_port

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 15_000
ROW, SONG = 2, 9


@pytest.fixture(scope="module")
def ask():
    """Return a function that asks a server for a page: its answer, as bytes."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += [f"--server.port={port}", "--server.enableAgentApi=true", "--server.headless=true"]
    command += ["--server.agentWaitTimeout=100"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def ask(page, *query, session="", **actions):
        payload = {"query_params": {name: [value] for name, value in query}, **actions}
        payload |= {"page": page} if page else {}
        if session:
            payload = {"session_id": session, **actions}
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/_stcore/agent/interact",
            json.dumps(payload).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read()

    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=10).close()
            break
        except OSError:
            time.sleep(0.2)
    # The first run of a server does not know the other pages yet.
    ask("", ("row", "1"))
    yield ask
    process.terminate()
    process.wait(30)


def texts_of(node):
    """The sentences of a page in their order: no names of widgets, no numbers of tables."""
    if isinstance(node, list):
        return [text for child in node for text in texts_of(child)]
    is_text = node.get("type") in ("text", "markdown", "caption", "title", "header")
    own = [node["props"]["body"]] if is_text and "body" in node.get("props", {}) else []
    return own + texts_of(node.get("children", []))


@pytest.fixture(scope="module")
def read(ask):
    """Return a function that reads a page as text."""

    def read(page, data, row):
        document = json.loads(ask(page, ("data", data), ("row", str(row + 1))))
        assert document["status"] == "ready"
        return "\n".join(texts_of(document["tree"]))

    return read


def others_of(name, row):
    """The data, the rows that a case may learn from, and all rows scaled by these."""
    data = load_sample(name)
    view, _ = View.from_query({}, {name: lambda: data}, lambda _: row)
    others = view.split.train[view.split.train != row]
    scaled = (data.X - data.X[others].mean(axis=0)) / data.X[others].std(axis=0)
    return data, view.split, others, scaled


def written(positions, names):
    return " > ".join(names[i] for i in np.argsort(positions, kind="stable"))


def district_answers():
    """The answers on a district: question, page, what is looked for in its text, the answer."""
    data, split, others, scaled = others_of("election", ROW)
    names, rankings = data.label_names, data.rankings
    case = scaled[[ROW]]

    def predicted(k):
        model = KNeighborsLabelRanker(n_neighbors=k).fit(scaled[others], rankings[others])
        return written(model.predict(case)[0], names)

    model = KNeighborsLabelRanker(n_neighbors=5).fit(scaled[others], rankings[others])
    nearest = others[np.argsort(np.linalg.norm(scaled[others] - case, axis=1), kind="stable")[:5]]
    asked = rankings[nearest]
    spd, cdu = names.index("SPD"), names.index("CDU/CSU")
    order = np.argsort(model.predict(case)[0])
    # Of the neighbouring parties those for which the fewest, but most of the five, are.
    closest = min(
        (int(votes), names[a], names[b])
        for a, b in pairwise(order)
        if (votes := (asked[:, a] < asked[:, b]).sum()) > 2
    )
    changes = [k for k in range(2, 51) if predicted(k) != predicted(k - 1)]
    trained = (data.X - data.X[split.train].mean(axis=0)) / data.X[split.train].std(axis=0)

    def tested(k):
        ranker = KNeighborsLabelRanker(n_neighbors=k)
        return ranker.fit(trained[split.train], rankings[split.train]).predict(trained[split.test])

    truth = rankings[split.test]
    off = np.abs(tested(5) - truth).mean(axis=0)
    tau = {k: f"{kendall_tau_score(truth, tested(k)):.3f}" for k in (1, 5)}
    lines = r"(?m)^(?:\d+ to )?{} \| (.+)$"
    return [
        ("How many similar districts are asked?", "", r"Similar cases \(k\) (\d+)", "5"),
        (
            "What is predicted for row 3?",
            "predict",
            r"Predicted mean rank Real\n(.+)",
            predicted(5),
        ),
        (
            "What is its real ranking?",
            "",
            r"The real ranking: (.+)\.",
            written(rankings[ROW], names),
        ),
        ("How many pairs are right?", "predict", r"All (\d+) pairs of parties are right", "10"),
        (
            "Which row is the most similar?",
            "predict",
            r"similar cases: (\d+):",
            str(nearest[0] + 1),
        ),
        (
            "Who are the five?",
            "predict",
            r"the most similar cases: (.+)",
            ", ".join(f"{row + 1}: {data.case_names[row]}" for row in nearest),
        ),
        (
            "How did the most similar one vote?",
            "predict",
            r"nearest first; (.+?);",
            written(asked[0], names),
        ),
        (
            "Which neighbouring parties are the closest, and how many agree?",
            "predict",
            r"(Closest pair: \w+ ahead of .+, as in \d) of the 5 most similar districts\.",
            "Closest pair: {1} ahead of {2}, as in {0}".format(*closest),
        ),
        (
            "What is the mean rank of SPD?",
            "predict",
            r"SPD has the lowest mean rank, ([\d.]+)\.",
            f"{asked[:, spd].mean():.2f}",
        ),
        (
            "And of CDU/CSU?",
            "predict",
            r"CDU/CSU follows with ([\d.]+)\.",
            f"{asked[:, cdu].mean():.2f}",
        ),
        (
            "How sure is it?",
            "predict",
            r"([\d.]+) compared with \d+ test districts:",
            f"{model.predict_confidence(case)[0]:.2f}",
        ),
        ("What would the nearest alone say?", "", r"(?m)^1 \| (.+)$", predicted(1)),
        ("What would 50 say?", "", lines.format(50), predicted(50)),
        (
            "At how many k does it change?",
            "predict",
            r"It changes at (\d+) values",
            str(len(changes)),
        ),
        ("At which k first?", "", r"Their answer\n1 \|.+\n(\d+)", str(changes[0])),
        ("From which k on does it stay?", "", r"(?m)^(\d+) to 50 \|", str(changes[-1])),
        (
            "How many districts test it?",
            "evaluate",
            r"Measured on (\d+) test districts",
            str(len(split.test)),
        ),
        ("How good is it, in tau?", "evaluate", r"k-NN label ranking ([\d.]+);", tau[5]),
        ("And the nearest one alone?", "evaluate", r"Nearest single district ([\d.]+),", tau[1]),
        (
            "Which party is misplaced most, and by how much?",
            "evaluate",
            r"the worst first: (.+?);",
            f"{names[off.argmax()]} {off.max():.2f}",
        ),
    ]


def test_twenty_questions_about_a_district_are_answered_by_the_text_of_pages(read):
    answers = district_answers()
    assert len(answers) == 20
    wrong = []
    for question, page, pattern, answer in answers:
        match = re.search(pattern, read(page, "election", ROW))
        if match is None or match[1] != answer:
            wrong.append((question, answer, match and match[1]))
    assert wrong == []


def test_the_text_says_where_the_zero_line_stands(read):
    data, _, others, scaled = others_of("songs", SONG)
    model = KNeighborsMultilabelRanker(n_neighbors=10).fit(scaled[others], data.relevance[others])
    (has,) = model.predict(scaled[[SONG]])
    votes = {
        name: int(
            data.relevance[
                others[
                    np.argsort(
                        np.linalg.norm(scaled[others] - scaled[SONG], axis=1), kind="stable"
                    )[:10]
                ]
            ][:, label].sum()
        )
        for label, name in enumerate(data.label_names)
    }
    above, line, below = read("predict", "songs", SONG).partition("Above this line: predicted.")
    assert line
    for name, is_predicted in zip(data.label_names, has, strict=True):
        rung = f"{name} {votes[name]} of 10"
        assert rung in (above if is_predicted else below)
        assert rung not in (below if is_predicted else above)


def test_pages_of_assistants_are_short(ask):
    pages = json.loads(ask("data"))["pages"]
    addresses = [page["url_path"] for page in pages if not page.get("hidden")]
    assert len(addresses) > 10
    sizes = {
        (data, page): len(ask(page, ("data", data), ("row", "10")))
        for data, page in product(["election", "songs"], addresses)
    }
    assert {page: size for page, size in sizes.items() if size > MOST_BYTES} == {}
    assert all(b"<svg" not in ask(page) and b"data:image" not in ask(page) for page in addresses)


def test_what_is_closed_is_read_once_it_is_opened(ask):
    predict = json.loads(ask("predict", ("data", "iris"), ("row", "74")))
    smallest_change = "of its range"
    assert smallest_change not in str(predict["tree"])
    more = json.loads(ask("", session=predict["session_id"], trigger={"key": "next_chapter"}))
    assert smallest_change in str(more["tree"])

    evaluate = json.loads(ask("evaluate", ("data", "iris")))
    definition = "Of the pairs of labels that the true ranking orders"
    assert definition not in str(evaluate["tree"])
    opened = {"measures_open": True}
    more = json.loads(ask("", session=evaluate["session_id"], widget_state=opened))
    assert definition in str(more["tree"])

    papers = json.loads(ask("papers", ("data", "iris")))
    assert "Protocol" not in str(papers["tree"])
    opened = {"views_lr06-1": "How we recompute"}
    more = json.loads(ask("", session=papers["session_id"], widget_state=opened))
    assert "Protocol" in str(more["tree"])


def test_tied_labels_and_a_zero_line_keep_their_places():
    assert (
        text_of(
            '<div class="lr-strip"><span class="lr-tied"><span class="lr-chip">a</span><i>=</i>'
            '<span class="lr-chip">b</span></span><span class="zero" role="img" aria-label="line">'
            '</span><span class="lr-chip">c</span></div>'
        )
        == "a = b > line > c"
    )
