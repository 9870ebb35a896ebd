"""Errors of detection by definition: at each threshold, count what is missed and what is taken for a target."""


def errors(scores, is_target, threshold, weights):
    """Return the shares of targets that are missed and of others that are detected."""
    rows = list(zip(scores, is_target, weights, strict=True))
    targets = sum(w for _, target, w in rows if target)
    others = sum(w for _, target, w in rows if not target)
    missed = sum(w for score, target, w in rows if target and score < threshold)
    alarms = sum(w for score, target, w in rows if not target and score >= threshold)
    return missed / targets, alarms / others


def cost(miss, false_alarm, miss_cost, false_alarm_cost, share):
    """Return the expected cost, in units of that of the better of detecting nothing and detecting everything."""
    expected = miss_cost * miss * share + false_alarm_cost * false_alarm * (1 - share)
    return expected / min(miss_cost * share, false_alarm_cost * (1 - share))
