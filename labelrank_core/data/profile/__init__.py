"""The profile of a data set: targets, features, copies, contradictions and alerts."""

from labelrank_core.data.profile._profile import Profile
from labelrank_core.data.profile.diversity import Diversity
from labelrank_core.data.profile.label_sets import LabelSetProfile
from labelrank_core.data.profile.rankings import RankingProfile
from labelrank_core.data.profile.twins import Twins

__all__ = [
    "Diversity",
    "LabelSetProfile",
    "Profile",
    "RankingProfile",
    "Twins",
]
