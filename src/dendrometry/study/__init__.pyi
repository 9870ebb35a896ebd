from dendrometry.study.registry import STUDIES as STUDIES
from dendrometry.study.registry import Study as Study
from dendrometry.study.registry import reproduce as reproduce
from dendrometry.study.result import StudyResult as StudyResult

__all__: list[str]
