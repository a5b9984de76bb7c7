"""Judges operations by the words of docs/operations.md, slowly and simply.

Reads one operation a line (JSON) and writes one judgement a line. It shares nothing with ballastd:
each rule looks at all readings anew. Standard library only, Python 3.8.

An operation: start, end (ms), limits, type, cadence (ms or null), voids [[from, to]], and readings
as [at, state, mode, intensity, flow, total] with null for what wasn't told.
"""

import json
import sys
from fractions import Fraction

WATER = ("RUNNING", "BACKFLUSH")
PHASE = {"WARMUP": 1, "STOPPING": 3, "IDLE": 0, "STOPPED": 0, "CIP": 0}


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


def is_gap(times, place, distance, known):
    """place: the index of the time after the distance; 0 for the start, len(times) for the end."""
    near_before, near_after = times[max(0, place - 21) : place], times[place : place + 21]
    before = [b - a for a, b in zip(near_before, near_before[1:])]
    after = [b - a for a, b in zip(near_after, near_after[1:])]
    return distance > 5 * usual_cadence(before, after, before + after, known)


class Operation:
    def __init__(self, given, with_hidden):
        self.start, self.end = given["start"], given["end"]
        self.limits, self.known = given["limits"], given["cadence"]
        self.type = given["type"]
        voids = given["voids"]
        hidden = lambda at: any(a <= at <= b for a, b in voids)
        self.everything = given["readings"]
        self.readings = [r for r in self.everything if with_hidden or not hidden(r[0])]
        self.follow()
        self.find_gaps()

    def follow(self):
        """A reading that doesn't tell state, mode or flow leaves it as the one before told."""
        state = mode = flow = None
        self.doing, self.modes = [], []
        for _, told_state, told_mode, _, told_flow, _ in self.readings:
            state = told_state if told_state is not None else state
            mode = told_mode if told_mode is not None else mode
            flow = told_flow if told_flow is not None else flow
            moving = flow is not None and flow > 0.05 * self.limits["flow_max_imo"]
            if state in WATER or (state is None and moving):
                doing = "treating"
            elif state == "BYPASS":
                doing = "bypass"
            elif state == "FAULT" and moving:
                doing = "fault"
            else:
                doing = state or "IDLE"
            self.doing.append(doing)
            self.modes.append(mode)

    def find_gaps(self):
        """gap[i]: between reading i - 1 and i; the first is from the start, the last to the end."""
        at_all = [r[0] for r in self.everything]
        gaps_all = []
        for place in range(len(at_all) + 1):
            before = at_all[place - 1] if place > 0 else self.start
            after = at_all[place] if place < len(at_all) else self.end
            gaps_all.append(is_gap(at_all, place, after - before, self.known))
        if not at_all:
            gaps_all = [True]
        self.gap, self.hides = [], []
        shown = {id(r) for r in self.readings}
        now, hides = False, False
        for place, reading in enumerate(self.everything):
            now = now or gaps_all[place]
            if id(reading) in shown:
                self.gap.append(now or hides)
                self.hides.append(hides)
                now, hides = False, False
            else:
                hides = True
        self.gap.append(now or gaps_all[-1] or hides)
        self.hides.append(hides)

    def at(self, index):
        if index < 0:
            return self.start
        return self.readings[index][0] if index < len(self.readings) else self.end

    def half_way(self, before, after):
        return (self.at(before) + self.at(after) + 1) // 2

    def end_of(self, held, index):
        """The end of an interval that reading `index` (or the operation's end) ended."""
        return self.half_way(held, index) if self.gap[index] else self.at(index)

    def limit(self, index, value):
        """(limit, key) of the reading's mode; without a mode the looser one."""
        a, b = value + "_imo", value + "_uscg"
        mode = self.modes[index]
        if mode == "IMO":
            return self.limits[a]
        if mode == "USCG":
            return self.limits[b]
        pick = min if value == "uv" else max
        return pick(self.limits[a], self.limits[b])

    def intensity_gaps(self):
        """The readings in a gap of the intensity, with the one that ends it."""
        told = [i for i, r in enumerate(self.readings) if r[3] is not None]
        count = len(self.readings)
        if not told:
            return set(range(count))
        times = [self.at(i) for i in told]
        unsaid = set()
        for place in range(len(told) + 1):
            before = told[place - 1] if place > 0 else -1
            after = told[place] if place < len(told) else count
            from_ms = self.at(before) if place > 0 else self.at(0)
            to_ms = self.at(after) if place < len(told) else self.at(count - 1)
            if is_gap(times, place, to_ms - from_ms, self.known):
                unsaid.update(range(before + 1, min(after, count - 1) + 1))
        return unsaid

    def value_intervals(self, rule, column, below, name, unsaid):
        """Intervals of a value beyond its limit, with hysteresis and minimum duration."""
        found, start, held, breaking, worst = [], None, None, 0, None
        count = len(self.readings)
        for index in range(count):
            treating = self.doing[index] == "treating"
            value = self.readings[index][column]
            if treating and value is None:
                if start is not None and index not in unsaid:
                    held = index
                continue
            limit = self.limit(index, name)
            breaks = treating and (value < limit if below else value > limit)
            if start is None:
                if breaks:
                    start, held, breaking, worst = index, index, 1, value - limit
                continue
            well = not treating or (value >= limit * 1.02 if below else value <= limit * 0.98)
            if well:
                end = self.half_way(held, index) if index in unsaid else self.end_of(held, index)
                found.append((start, end, breaking))
                start = None
                continue
            held = index
            breaking += 1 if breaks else 0
        if start is not None:
            found.append((start, self.end_of(count - 1, count), breaking))
        return [
            [rule, self.at(first), end, readings]
            for first, end, readings in found
            if readings >= 2 and end - self.at(first) >= 30_000
        ]

    def state_intervals(self, rule, holds, counts):
        found, start = [], None
        count = len(self.readings)
        for index in range(count + 1):
            if index < count and holds(index):
                start = index if start is None else start
            elif start is not None:
                found.append([rule, self.at(start), self.end_of(index - 1, index), index - start])
                start = None
        return [one for one in found if not counts or (one[3] >= 2 and one[2] - one[1] >= 30_000)]

    def untold(self):
        def phase(index):
            if index < 0 or index >= len(self.readings):
                return 0
            doing = self.doing[index]
            return 2 if doing in ("treating", "bypass", "fault") else PHASE.get(doing, 0)

        dry = {0: (0, 1), 1: (1,), 2: (), 3: (3, 0, 1)}
        found = []
        for index in range(len(self.readings) + 1):
            if not self.gap[index]:
                continue
            if self.readings and phase(index) in dry[phase(index - 1)]:
                continue
            rule = "hidden_readings" if self.hides[index] else "no_readings"
            found.append([rule, self.at(index - 1), self.at(index), 0])
        return found

    def without_mode(self, index, uv, flow):
        if self.doing[index] != "treating" or self.modes[index] is not None:
            return False
        lows = sorted((self.limits["uv_imo"], self.limits["uv_uscg"]))
        flows = sorted((self.limits["flow_max_imo"], self.limits["flow_max_uscg"]))
        between_uv = uv[index] is not None and lows[0] <= uv[index] < lows[1]
        return between_uv or (flow[index] is not None and flows[0] < flow[index] <= flows[1])

    def last_told(self, column):
        found, last = [], None
        for index, reading in enumerate(self.readings):
            if index > 0 and self.gap[index]:
                last = None
            last = reading[column] if reading[column] is not None else last
            found.append(last)
        return found

    def findings(self):
        unsaid = self.intensity_gaps()
        uv, flow = self.last_told(3), self.last_told(4)
        silent = lambda i: (
            i in unsaid and self.readings[i][3] is None and self.doing[i] == "treating"
        )
        found = (
            self.value_intervals("uv_below_limit", 3, True, "uv", unsaid)
            + self.value_intervals("flow_above_certified", 4, False, "flow_max", set())
            + self.state_intervals("bypass", lambda i: self.doing[i] == "bypass", False)
            + self.state_intervals("fault", lambda i: self.doing[i] == "fault", True)
            + self.untold()
            + self.state_intervals("no_intensity", silent, False)
            + self.state_intervals("no_mode", lambda i: self.without_mode(i, uv, flow), False)
        )
        if self.readings and not set(self.doing) & {"treating", "bypass", "fault"}:
            found.append(["not_treating", self.start, self.end, len(self.readings)])
        return sorted(found)

    def verdict(self):
        found = self.findings()
        outside = ("uv_below_limit", "flow_above_certified", "bypass", "fault")
        if any(one[0] in outside for one in found):
            return "outside_limits"
        if any(one[0] == "not_treating" for one in found) or not self.readings:
            return "cannot_tell"
        if self.start == self.end and found:
            return "cannot_tell"
        covered, until = 0, self.start
        for _, start, end, _ in sorted(found, key=lambda one: one[1]):
            covered += max(0, end - max(start, until))
            until = max(until, end)
        return "cannot_tell" if 20 * covered > self.end - self.start else "within_limits"

    def volumes(self):
        totals = self.series(5)
        flows = self.series(4)
        by_total = by_flow = None
        if totals is not None:
            values = [Fraction(repr(v)) for _, v in totals]
            if all(b >= a for a, b in zip(values, values[1:])):
                by_total = float(values[-1] - values[0])
        if flows is not None:
            whole = Fraction(0)
            for (t1, f1), (t2, f2) in zip(flows, flows[1:]):
                whole += (Fraction(repr(f1)) + Fraction(repr(f2))) * (t2 - t1) / 2 / 3_600_000
            by_flow = float(whole)
        return by_total, by_flow

    def series(self, column):
        told = [(r[0], r[column]) for r in self.readings if r[column] is not None]
        if len(told) < 2:
            return None
        times = [at for at, _ in told]
        lead, tail = times[0] - self.at(0), self.readings[-1][0] - times[-1]
        if is_gap(times, 0, lead, self.known) or is_gap(times, len(times), tail, self.known):
            return None
        return told


def judge(given):
    shown, everything = Operation(given, False), Operation(given, True)
    by_total, by_flow = shown.volumes()
    return {
        "verdict": shown.verdict(),
        "verdict_with_hidden": everything.verdict(),
        "findings": shown.findings(),
        "volume_totaliser_m3": by_total,
        "volume_flow_m3": by_flow,
    }


for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))), flush=True)
