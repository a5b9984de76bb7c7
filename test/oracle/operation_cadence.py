"""The usual cadence at a place of a series, and what is a gap there. Python 3.8."""

from bisect import bisect_left


def median_upper(values):
    return sorted(values)[len(values) // 2]


def usual_cadence(before, after, others, known):
    """The usual distance at a place, from the distances on both sides."""
    sides = [side for side in (before[-20:], after[:20]) if len(side) >= 4]
    if sides:
        return max(median_upper(side) for side in sides)
    if others:
        return median_upper(others)
    return known if known is not None else 180_000


def usual_at(times, place, known, scans=None):
    """place: the index of the time after the distance; 0 for the start, len(times) for the end."""
    if scans is not None:
        times, place = [times[i] for i in scans], bisect_left(scans, place)
    near_before = times[max(0, place - 21) : place]
    near_after = times[place : place + 21]
    before = [b - a for a, b in zip(near_before, near_before[1:])]
    after = [b - a for a, b in zip(near_after, near_after[1:])]
    return usual_cadence(before, after, before + after, known)


def is_gap(times, place, distance, known):
    return distance > 5 * usual_at(times, place, known)
