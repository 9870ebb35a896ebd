from dendrometry.levels.label_profile import BestCut as BestCut
from dendrometry.levels.label_profile import LabelProfile as LabelProfile
from dendrometry.levels.label_profile import label_profile as label_profile
from dendrometry.levels.profile import Profile as Profile
from dendrometry.levels.profile import profile as profile
from dendrometry.levels.stages import Stages as Stages
from dendrometry.levels.stages import stages as stages
from dendrometry.levels.stages import stages_of_partitions as stages_of_partitions

__all__: list[str]
