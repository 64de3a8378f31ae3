"""
Sparse text
===========

Counts of words are sparse, and stay sparse: neighbours of texts by the cosine of TF-IDF weights.
"""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from labelrank_core import KNeighborsMultilabelRanker

texts = [
    "the striker scored two goals",
    "the keeper saved a goal in the cup",
    "the minister resigned after the vote",
    "parliament delayed the vote on taxes",
    "the minister opened the new stadium before the cup",
    "taxes on tickets: what clubs and parliament want",
]
topics = ["sport", "politics", "money"]
relevance = [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1]]

model = make_pipeline(TfidfVectorizer(), KNeighborsMultilabelRanker(2, metric="cosine"))
model.fit(texts, relevance)
new = ["the vote on the stadium", "goals of the cup"]
for text, row in zip(new, model.predict(new), strict=True):
    print(text, "->", [topic for topic, relevant in zip(topics, row, strict=True) if relevant])

# %%
# Scores above 0 are relevant; their order is the ranking of the labels.

model.decision_function(new).round(2)
