from dendrometry._studies.registry import STUDIES as STUDIES
from dendrometry._studies.registry import Study as Study
from dendrometry._studies.registry import reproduce as reproduce
from dendrometry._studies.result import StudyResult as StudyResult

__all__: list[str]
