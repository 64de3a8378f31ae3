"""What a data set looks like: targets, features, copies and contradictions, and what to do."""

from labelrank_core.data.profile._profile import Profile
from labelrank_core.data.profile.alerts import find_alerts
from labelrank_core.data.profile.conditions import (
    Condition,
    Contradicts,
    FeatureIs,
    FeatureWithin,
    HasLabels,
    LabelCount,
    NotRanked,
    Prefers,
    RankedAt,
    Repeats,
    SameLabels,
    SameRanking,
    Tied,
    in_words,
    matching_rows,
    rows_where,
)
from labelrank_core.data.profile.diversity import Diversity
from labelrank_core.data.profile.features import feature_bins, feature_frame
from labelrank_core.data.profile.label_sets import LabelSetProfile
from labelrank_core.data.profile.rankings import RankingProfile
from labelrank_core.data.profile.twins import Twins

__all__ = [
    "Condition",
    "Contradicts",
    "Diversity",
    "FeatureIs",
    "FeatureWithin",
    "HasLabels",
    "LabelCount",
    "LabelSetProfile",
    "NotRanked",
    "Prefers",
    "Profile",
    "RankedAt",
    "RankingProfile",
    "Repeats",
    "SameLabels",
    "SameRanking",
    "Tied",
    "Twins",
    "feature_bins",
    "feature_frame",
    "find_alerts",
    "in_words",
    "matching_rows",
    "rows_where",
]
