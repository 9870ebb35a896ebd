"""First stories on a wire: what is missed and what is wrongly taken for new, offline and from the past alone."""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._display import plural
from dendrometry._progress import track
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.datasets.reuters import ReutersStory, read_reuters
from dendrometry.errors import InvalidInputError
from dendrometry.text.counting import analyzers
from dendrometry.text.detection import DetectionCurve, detection_curve
from dendrometry.text.recent_stories import RecentStories, decay
from dendrometry.text.story_windows import StoryCluster, StoryWindows
from dendrometry.text.vectorize import vectorize_documents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLE = "How often are first stories missed, and others taken for first, offline and from the past alone?"
_OFFLINE, _STREAMING = "offline", "streaming"
_DAYS = (1.0, 3.0, 7.0, 30.0)
_GAPS = (3.0, 7.0, 14.0, np.inf)  # days without a story after which a takeover is another one
_SHOWN = (_OFFLINE, _STREAMING, "memory 7 days", "half-life 7 days", "half-life 30 days")
_WINDOWS = (1.0, 3.0, 7.0)
_THRESHOLD = 0.8  # the default of the package
_ALARM = 4.9  # the cost of all false alarms, in units of all misses
_CODE = re.compile(r"<([^<>]+)>")  # a company, as in CYCLOPS <CYL>

_Topics = list[list[int]]  # the stories of each topic, in order


class _Wire(NamedTuple):
    """Stories with their times in days, the topics by which detection is judged, and what was left out."""

    texts: list[str]
    times: list[float]
    truths: dict[str, _Topics]
    source: str


class _Judged(NamedTuple):
    """The stories by which detection is judged: their topic, whether they are its first, and their weight."""

    topic: IntArray
    story: IntArray
    is_first: BoolArray
    weight: FloatArray


class _Run(NamedTuple):
    """The novelty of each story by one detector, and its clusters as numbers of stories."""

    novelty: FloatArray
    clusters: list[set[int]]


class _Detector:
    """A `StoryStream` whose cosines are known."""

    def __init__(self, name: str, window: float, memory: float = np.inf, half_life: float = np.inf) -> None:
        self.name, self.window = name, window
        self._memory, self._half_life = memory, half_life
        self._windows = StoryWindows(window, _THRESHOLD, 0.4, 2)
        self._novelty: list[float] = []
        self._clusters: list[StoryCluster] = []
        self._first = 0

    def hear(self, item: str, time: float, cosine: FloatArray | None, times: FloatArray) -> None:
        """Take the next story, with its cosines with all before it; None without terms, which is never new."""
        self._clusters += self._windows.close_before(time)
        if cosine is None:
            self._novelty.append(0.0)
            return
        while self._first < times.size and times[self._first] + self._memory < time:
            self._first += 1
        similarity = decay(cosine[self._first :], times[self._first :], time, self._half_life)
        self._windows.add(item, time, similarity)
        self._novelty.append(1.0 - float(similarity.max(initial=0.0)))

    def run(self) -> _Run:
        """Return what was found."""
        clusters = (*self._clusters, *self._windows.clusters_so_far())
        return _Run(np.array(self._novelty), [set(map(int, cluster.items)) for cluster in clusters])


def wire(
    data: str | os.PathLike[str] | None = None,
    *,
    quick: bool = False,
    rng: np.random.Generator | int | None = 0,
    progress: bool = False,
) -> StudyResult:
    """Read Reuters-21578 as a wire, in the order of its dates, and report how well first stories are found.

    Detectors give the novelty of each story by `StoryStream`: with the weights of the whole collection ("offline"),
    with those of the past alone ("streaming"), with a memory of some days, and with similarities that decay. They are
    judged as in the evaluations of topic detection and tracking [1]_: a topic has one first story, the target, and its
    other stories must not be taken for first. Topics count equally. The collection has no events, so that two stand-ins
    serve: its subjects ("topics"), and takeovers: stories on acquisitions whose titles have the same company first,
    until there are none for some days. The codes of companies are removed from the texts.

    Parameters
    ----------
    data : str or path, optional
        A folder or archive of Reuters-21578, see `dendrometry.datasets.read_reuters`; needed unless ``quick``, which
        uses synthetic stories without it.
    quick, rng, progress
        As for `reproduce`; ``quick`` resamples the topics 10 times, not 200.

    Returns
    -------
    StudyResult
        Tables "detection" (for each truth and detector the least cost, its range over resampled topics, the errors
        there, and the cost at a novelty of 0.8) and "clusters" (how well clusters within windows of 1, 3 and 7 days
        match takeovers); figures "topics" and "takeovers", the DET curves.

    Raises
    ------
    InvalidInputError
        If there is no ``data``, or it cannot be read or has no takeovers.
    FormatError
        If the files of Reuters-21578 are damaged.

    References
    ----------
    .. [1] J. G. Fiscus and G. R. Doddington, "Topic detection and tracking evaluation overview", in J. Allan (ed.),
       Topic Detection and Tracking, Kluwer, 2002.

    Examples
    --------
    >>> from dendrometry._studies.wire import wire
    >>> result = wire(quick=True)
    >>> result
    StudyResult(wire: tables detection, clusters; figures topics, takeovers)
    """
    source = random_generator(rng)
    found = _of_reuters(data) if data is not None else _planted(source) if quick else _without_data()
    runs = _runs(found, progress)
    novelty = {name: run.novelty for (name, window), run in runs.items() if window == _WINDOWS[0]}
    judged = {truth: _judged(topics) for truth, topics in found.truths.items()}
    detection = _detection(judged, novelty, 10 if quick else 200, source)
    takeovers = found.truths[_takeovers(_GAPS[1])]
    clusters = _clusters(runs, takeovers, len(found.texts))
    shown = {truth: {name: _curve(judged[truth], novelty[name]) for name in _SHOWN} for truth in found.truths}
    return StudyResult(
        "wire",
        _TITLE,
        {"detection": detection, "clusters": clusters},
        (found.source, *_sentences(found, detection, clusters)),
        figures={
            "topics": partial(_figure, shown["topics"]),
            "takeovers": partial(_figure, shown[_takeovers(_GAPS[1])]),
        },
    )


def _takeovers(gap: float) -> str:
    """Return the name of the takeovers that end when there are no stories for some days."""
    return "takeovers without end" if gap == np.inf else f"takeovers, gap {gap:g} days"


def _without_data() -> _Wire:
    raise InvalidInputError("the study wire needs data: a folder or archive of Reuters-21578")


def _of_reuters(path: str | os.PathLike[str]) -> _Wire:
    """Return the stories of the collection that have a date, in order, and their topics."""
    whole = read_reuters(path)
    dated = [(story.date, story) for story in whole if story.date is not None]
    dated.sort(key=lambda pair: (pair[0], pair[1].number))
    stories = [story for _, story in dated]
    begin = dated[0][0] if dated else datetime.min
    times = [(date - begin).total_seconds() / 86_400 for date, _ in dated]
    truths = {"topics": _subjects(stories), **{_takeovers(gap): _companies(stories, times, gap) for gap in _GAPS}}
    for truth, topics in truths.items():
        if not topics:
            raise InvalidInputError(f"there must be topics of at least two stories with dates; got none for {truth}")
    texts = [_CODE.sub(" ", f"{story.title}\n{story.text}") for story in stories]
    n_days, n_left = len({date.date() for date, _ in dated}), len(whole) - len(stories)
    source = (
        f"Reuters-21578: {len(stories):,} stories from {begin:%Y-%m-%d} to {dated[-1][0]:%Y-%m-%d}, on {n_days} days;"
        f" without a date and left out: {n_left}."
    )
    return _Wire(texts, times, truths, source)


def _subjects(stories: Sequence[ReutersStory]) -> _Topics:
    """Return the stories of each subject of the collection that has at least two."""
    found = defaultdict(list)
    for i, story in enumerate(stories):
        for topic in dict.fromkeys(story.topics):
            found[topic].append(i)
    return [some for some in found.values() if len(some) > 1]


def _companies(stories: Sequence[ReutersStory], times: Sequence[float], gap: float) -> _Topics:
    """Return the stories of each takeover: on acquisitions, the same company first in the title, no gap of days."""
    found: dict[str, _Topics] = defaultdict(list)
    for i, story in enumerate(stories):
        code = _CODE.search(story.title)
        if code is None or "acq" not in story.topics:
            continue
        runs = found[code[1]]
        if not runs or times[i] - times[runs[-1][-1]] > gap:
            runs.append([])
        runs[-1].append(i)
    return [run for runs in found.values() for run in runs if len(run) > 1]


def _planted(rng: np.random.Generator) -> _Wire:
    """Return synthetic stories: events with words of their own, and others."""
    n_events, n_others = 12, 60
    rows = [(rng.uniform(0, 20), f"other{i} {i}") for i in range(n_others)]
    for event in range(n_events):
        start = rng.uniform(0, 18)
        times = np.append(start, start + rng.uniform(0, 2, rng.integers(1, 5)))
        rows += [(time, f"event{event} cause{event} place{event % 7}") for time in times.tolist()]
    rows.sort()
    texts = [f"{text} {' '.join(f'word{i}' for i in rng.integers(40, size=6))}" for _, text in rows]
    events = [[i for i, (_, text) in enumerate(rows) if text.startswith(f"event{event} ")] for event in range(n_events)]
    truths = {name: events for name in ("topics", *map(_takeovers, _GAPS))}
    return _Wire(texts, [time for time, _ in rows], truths, f"{len(rows)} synthetic stories, {n_events} events.")


def _runs(found: _Wire, progress: bool) -> dict[tuple[str, float], _Run]:
    """Return what each detector says with each window."""
    offline = [_Detector(_OFFLINE, window) for window in _WINDOWS]
    streaming = [_Detector(_STREAMING, window) for window in _WINDOWS]
    streaming += [_Detector(f"memory {plural(int(days), 'day')}", _WINDOWS[0], memory=days) for days in _DAYS]
    streaming += [_Detector(f"half-life {plural(int(days), 'day')}", _WINDOWS[0], half_life=days) for days in _DAYS]
    split, _ = analyzers("english", False)
    terms = [split(text) for text in found.texts]
    stories = track(range(2 * len(terms)), "stories", 2 * len(terms), progress)
    _listen(found, terms, RecentStories(vectorize_documents(found.texts)), offline, stories)
    _listen(found, terms, RecentStories(None), streaming, stories)
    return {(one.name, one.window): one.run() for one in (*offline, *streaming)}


def _listen(
    found: _Wire,
    terms: Sequence[list[str]],
    recent: RecentStories,
    detectors: Sequence[_Detector],
    ticks: Iterable[int],
) -> None:
    """Give each story to all detectors with the same weights, with its cosines, which are computed once."""
    for i, (some, time, _) in enumerate(zip(terms, found.times, ticks, strict=False)):
        cosine = recent.compare(str(i), some, time) if some else None
        for one in detectors:
            one.hear(str(i), time, cosine, recent.times[:-1])


def _judged(topics: _Topics) -> _Judged:
    """Return the first stories, and the others of each topic that are not the first of another one."""
    firsts = {topic[0] for topic in topics}
    rows = []
    for number, topic in enumerate(topics):
        others = [story for story in topic if story not in firsts]
        rows.append((number, topic[0], True, 1.0))
        rows += [(number, story, False, 1.0 / len(others)) for story in others]
    topic_of, story_of, is_first, weight = map(np.array, zip(*rows, strict=True))
    return _Judged(topic_of, story_of, is_first, weight)


def _curve(judged: _Judged, novelty: FloatArray, times: IntArray | None = None) -> DetectionCurve:
    """Return the errors at every threshold, each topic counted so many times, by default once."""
    weight = judged.weight if times is None else judged.weight * times[judged.topic]
    return detection_curve(novelty[judged.story], judged.is_first, weights=weight)


def _detection(
    judged: Mapping[str, _Judged], novelty: Mapping[str, FloatArray], n_draws: int, rng: np.random.Generator
) -> Table:
    """Return one row for each truth and detector, with the range of the least cost over resampled topics."""
    costs = ("least_cost", "low", "high", "better_than_offline")
    names = ("truth", "detector", "topics", *costs, "threshold", "miss", "false_alarm", "cost_at_default")
    rows = []
    for truth, one in judged.items():
        n_topics = int(one.topic.max()) + 1
        draws = [rng.multinomial(n_topics, np.full(n_topics, 1.0 / n_topics)) for _ in range(n_draws)]
        drawn = {
            name: np.array([_curve(one, score, times).least.cost for times in draws]) for name, score in novelty.items()
        }
        for name, score in novelty.items():
            curve = _curve(one, score)
            low, high = np.quantile(drawn[name], [0.05, 0.95]).tolist()
            better = None if name == _OFFLINE else float((drawn[name] < drawn[_OFFLINE]).mean())
            best = curve.least
            rest = (best.threshold, best.miss, best.false_alarm, curve.at(_THRESHOLD).cost)
            rows.append((truth, name, n_topics, best.cost, low, high, better, *rest))
    return Table.of_rows(names, rows)


def _clusters(runs: Mapping[tuple[str, float], _Run], topics: _Topics, n_stories: int) -> Table:
    """Return one row for each detector and window: the cost of the cluster that matches each topic best, on average.

    A topic that no cluster matches better than none at all has a miss of 1 and a cost of 1.
    """
    rows = []
    for (name, window), run in runs.items():
        best = np.array([_best(set(topic), run.clusters, n_stories) for topic in topics])
        cost, miss, alarm = best.mean(axis=0).tolist()
        n_inside = sum(map(len, run.clusters))
        rows.append((name, window, len(run.clusters), n_inside, float((best[:, 0] < 1.0).mean()), cost, miss, alarm))
    names = ("detector", "window", "clusters", "stories", "topics_found", "cost", "miss", "false_alarm")
    return Table.of_rows(names, rows)


def _best(topic: set[int], clusters: Sequence[set[int]], n_stories: int) -> tuple[float, float, float]:
    """Return the least cost of a cluster as a match of a topic, and its misses and false alarms."""
    found = (1.0, 1.0, 0.0)
    for cluster in clusters:
        inside = len(cluster & topic)
        if inside:
            miss, alarm = 1.0 - inside / len(topic), (len(cluster) - inside) / (n_stories - len(topic))
            found = min(found, (miss + _ALARM * alarm, miss, alarm))
    return found


def _sentences(found: _Wire, detection: Table, clusters: Table) -> Iterator[str]:
    """Summarise the findings in sentences computed from the numbers."""
    rows: list[dict[str, Any]] = [dict(zip(detection.columns, row, strict=True)) for row in detection.rows()]
    for truth, topics in found.truths.items():
        some = {str(row["detector"]): row for row in rows if row["truth"] == truth}
        n_stories = len({story for topic in topics for story in topic})
        yield f"{truth}: {plural(len(topics), 'topic')} in {n_stories:,} stories."
        best = min(some.values(), key=lambda row: row["least_cost"])
        yield (
            f"{truth}: least cost {_range(some[_OFFLINE])} offline, {_range(some[_STREAMING])} streaming;"
            f" streaming is better in {some[_STREAMING]['better_than_offline']:.0%} of the resamples;"
            f" the best is {best['detector']} with {_range(best)}."
        )
        useless = [name for name, row in some.items() if row["high"] >= 0.995]
        if useless:
            yield f"{truth}: not clearly better than detecting nothing (cost 1): {', '.join(useless)}."
    for name, window, n_clusters, n_inside, share, cost, *_ in clusters.rows():
        if name in (_OFFLINE, _STREAMING):
            yield (
                f"clusters within {window:g} days, {name}: {n_clusters:,} of {n_inside:,} stories;"
                f" {share:.1%} of the takeovers have one, mean cost {cost:.3f}."
            )
    yield (
        "a detector that forgets as soon as a takeover ends has an advantage by the definition of takeovers: compare"
        " detectors over all gaps."
    )
    yield (
        "not comparable with the evaluations of topic detection and tracking: there the topics are events, read by"
        " people; here they are subjects, or takeovers found by the companies in titles."
    )


def _range(row: Mapping[str, Any]) -> str:
    """Return a least cost with its range."""
    return f"{row['least_cost']:.3f} ({row['low']:.3f} to {row['high']:.3f})"


def _figure(curves: Mapping[str, DetectionCurve]) -> "Figure":
    """Draw the DET curves of some detectors."""
    from matplotlib.figure import Figure

    from dendrometry.plot.detection_curves import detection_curves

    figure = Figure(figsize=(6.0, 5.2), layout="constrained")
    detection_curves(curves, ax=figure.subplots())
    return figure
