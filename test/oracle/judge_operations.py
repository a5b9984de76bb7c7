"""Judges operations by the words of docs/operations.md, slowly and simply.

These are the rules of version 4.
Reads one operation a line (JSON) and writes one judgement a line. It shares nothing with ballastd:
each rule looks at all readings anew. Standard library only, Python 3.8.

An operation: start, end (ms), limits, type, cadence (ms or null), voids [[from, to]], and readings
as [at, state, mode, intensity, flow, total, other total] with null for what wasn't told.
"""

import json
import sys
from fractions import Fraction

KNOWN = {
    "RUNNING": "treating", "BACKFLUSH": "treating", "BYPASS": "bypass", "FAULT": "fault",
    "WARMUP": "warmup", "STOPPING": "stopping",
    "IDLE": "rest", "STOPPED": "rest", "STANDBY": "rest", "CIP": "rest",
}
FIVE_MINUTES = 300_000
MINUTE = 60_000


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


def usual_at(times, place, known):
    """place: the index of the time after the distance; 0 for the start, len(times) for the end."""
    near_before, near_after = times[max(0, place - 21) : place], times[place : place + 21]
    before = [b - a for a, b in zip(near_before, near_before[1:])]
    after = [b - a for a, b in zip(near_after, near_after[1:])]
    return usual_cadence(before, after, before + after, known)


def is_gap(times, place, distance, known):
    return distance > 5 * usual_at(times, place, known)


def plausible(value, low, high):
    if value is None or value in (32767, -32768, 65535) or not low <= value <= high:
        return None
    return value


class Operation:
    def __init__(self, given, with_hidden):
        self.start, self.end = given["start"], given["end"]
        self.limits, self.known = given["limits"], given["cadence"]
        self.type = given["type"]
        self.certified = max(self.limits["flow_max_imo"], self.limits["flow_max_uscg"])
        voids = given["voids"]
        hidden = lambda at: any(a <= at <= b for a, b in voids)
        self.everything = [self.believed(r) for r in given["readings"]]
        self.readings = [r for r in self.everything if with_hidden or not hidden(r[0])]
        self.count = len(self.readings)
        self.found = None
        self.find_gaps()
        self.follow()
        self.find_water()

    def believed(self, reading):
        at, state, mode, intensity, flow, total, other = reading
        return [
            at, state, mode, plausible(intensity, 0, 5000), plausible(flow, 0, 3000),
            plausible(total, 0, 1e9), plausible(other, 0, 1e9),
        ]

    def at(self, index):
        if index < 0:
            return self.start
        return self.readings[index][0] if index < self.count else self.end

    def find_gaps(self):
        """covers[i]: what reading i stands for; gap, hides: before it."""
        times = [r[0] for r in self.everything]
        shown = {id(r) for r in self.readings}
        self.covers, self.gap = [0] * self.count, [False] * (self.count + 1)
        self.hides = [False] * (self.count + 1)
        index = -1
        hiding = False
        for place, reading in enumerate(self.everything + [None]):
            if reading is not None and id(reading) not in shown:
                hiding = True
                continue
            here = index + 1
            to = reading[0] if reading is not None else self.end
            from_ms = times[place - 1] if place > 0 else self.start
            if hiding:
                self.gap[here] = self.hides[here] = True
            else:
                usual = usual_at(times, place, self.known)
                self.gap[here] = to - from_ms > 5 * usual
                if index >= 0:
                    self.covers[index] = min(to - from_ms, 5 * usual)
            hiding = False
            index = here
        if not self.everything:
            self.gap = [True]

    def follow(self):
        """A reading that doesn't tell state, mode or flow leaves it as the one before told."""
        self.states, self.modes, self.flows = [], [], []
        unsaid, no_state, no_mode = self.unsaid(4), self.unsaid_word(1), self.unsaid_word(2)
        state = mode = flow = None
        for index, (_, told_state, told_mode, _, told_flow, _, _) in enumerate(self.readings):
            if index > 0 and self.gap[index]:
                state = flow = None
            state = told_state if told_state is not None else state
            mode = told_mode if told_mode is not None else mode
            flow = told_flow if told_flow is not None else flow
            is_known = state is not None and index not in no_state
            self.states.append(KNOWN.get(state, "unknown") if is_known else "untold")
            self.modes.append(None if index in no_mode else mode)
            self.flows.append(None if index in unsaid else flow)

    def unsaid_word(self, column):
        """The same for a word; one that is told at most four times is sent on change."""
        told = sum(reading[column] is not None for reading in self.readings)
        return self.unsaid(column) if told > 4 else set()

    def unsaid(self, column):
        """The readings without a value in a gap of its own cadence."""
        told = [i for i in range(self.count) if self.readings[i][column] is not None]
        if not told:
            return set(range(self.count))
        times = [self.at(i) for i in told]
        found = set()
        for place in range(len(told) + 1):
            before = told[place - 1] if place > 0 else -1
            after = told[place] if place < len(told) else self.count
            from_ms = self.at(before) if place > 0 else self.at(0)
            to_ms = self.at(after) if place < len(told) else self.at(self.count - 1)
            if is_gap(times, place, to_ms - from_ms, self.known):
                found.update(range(before + 1, after))
        return found

    def water_of(self, ms):
        return self.certified * ms / 3_600_000

    def is_step(self, a, b, column=5):
        """Water explains a totaliser's step from reading a to reading b."""
        rise = self.readings[b][column] - self.readings[a][column]
        return 0 <= rise <= 3 * self.water_of(max(FIVE_MINUTES, self.at(b) - self.at(a)))

    def totals(self, column=5):
        """The readings whose totaliser counts: odd ones between or beside others are left out."""
        told = [i for i in range(self.count) if self.readings[i][column] is not None]
        is_step = lambda a, b: self.is_step(a, b, column)
        if all(is_step(a, b) for a, b in zip(told, told[1:])):
            return told
        kept = []
        for place, index in enumerate(told):
            if kept and place + 1 < len(told):
                before, after = kept[-1], told[place + 1]
                fits = is_step(before, index) and is_step(index, after)
                if is_step(before, after) and not fits:
                    continue
            kept.append(index)
        return [
            index
            for place, index in enumerate(kept)
            if (place > 0 and is_step(kept[place - 1], index))
            or (place + 1 < len(kept) and is_step(index, kept[place + 1]))
        ]

    def find_water(self):
        self.kept, self.pairs, self.rises, self.rising = self.witness(5)
        told = sum(reading[5] is not None for reading in self.readings)
        kept = len(self.totals())
        broken = sum(rise is None for rise in self.rises)
        unexplained = told - kept + broken
        self.is_doubted = unexplained >= 3 and unexplained > 0.1 * (told - 1)
        other = self.witness(6)[3]
        self.rising = [True if other[i] else own for i, own in enumerate(self.rising)]
        self.find_moves()

    def witness(self, column):
        """The values of a totaliser that count, its steps, and at which readings it rises."""
        kept = self.totals(column)
        kept = kept if len(kept) > 1 else []
        pairs = list(zip(kept, kept[1:]))
        rises = [
            self.readings[b][column] - self.readings[a][column]
            if self.is_step(a, b, column)
            else None
            for a, b in pairs
        ]
        moving = set()
        for first in range(len(pairs)):
            risen = 0
            for last in range(first, len(pairs)):
                risen += rises[last] or 0
                time = self.at(pairs[last][1]) - self.at(pairs[first][0])
                if last > first and time > FIVE_MINUTES:
                    break
                if risen > 0.02 * self.water_of(max(FIVE_MINUTES, time)):
                    up = [p for p in range(first, last + 1) if rises[p]]
                    moving.update(range(up[0], up[-1] + 1))
        found = [None] * self.count
        for place, (a, b) in enumerate(pairs):
            if rises[place] is not None:
                for index in range(a, b):
                    found[index] = place in moving
        # The last value, and one before a gap, go on as the step before.
        if pairs and rises[-1] is not None:
            found[pairs[-1][1]] = found[pairs[-1][0]]
        for index in range(self.count - 1):
            if self.gap[index + 1]:
                goes_on = index > 0 and not self.gap[index]
                found[index] = found[index - 1] if goes_on else None
        return kept, pairs, rises, found

    def find_moves(self):
        self.moves = []
        for index in range(self.count):
            flow, rising = self.flows[index], self.rising[index]
            if rising or (flow is not None and flow > 0.02 * self.limits["flow_max_imo"]):
                self.moves.append(True)
            elif flow is None and rising is None:
                rests = self.states[index] in ("rest", "warmup", "stopping")
                self.moves.append(False if rests else None)
            else:
                self.moves.append(False)
        self.treated = [
            self.moves[i] is not False and self.states[i] in ("treating", "untold")
            for i in range(self.count)
        ]

    def slope(self, index):
        """The totaliser's slope over five minutes, where the flow isn't known."""
        for place, (a, b) in enumerate(self.pairs):
            if a <= index < b and self.rises[place] is not None:
                first, last = place, place
                span = lambda: self.at(self.pairs[last][1]) - self.at(self.pairs[first][0])
                while span() < FIVE_MINUTES and last + 1 < len(self.pairs):
                    last += 1
                while span() < FIVE_MINUTES and first > 0:
                    first -= 1
                risen = sum(self.rises[p] or 0 for p in range(first, last + 1))
                return risen * 3_600_000 / span() if span() > 0 else None
        return None

    def end_of(self, index):
        """The end of an interval that reading `index` (or the operation's end) ended."""
        if index < self.count:
            return self.at(index)
        last = self.count - 1
        return self.at(last) + self.covers[last] if self.gap[index] else self.end

    def limit(self, index, value):
        """The limit of the reading's mode; without a mode the looser one."""
        a, b = value + "_imo", value + "_uscg"
        mode = self.modes[index]
        if mode == "IMO":
            return self.limits[a]
        if mode == "USCG":
            return self.limits[b]
        pick = min if value == "uv" else max
        return pick(self.limits[a], self.limits[b])

    def beyond_intervals(self, values, below, name):
        found, start, breaking = [], None, []
        for index in range(self.count):
            value, treated = values[index], self.treated[index]
            if treated and value is None:
                continue
            limit = self.limit(index, name)
            breaks = treated and (value < limit if below else value > limit)
            if start is None:
                if breaks:
                    start, breaking = index, [index]
            elif not treated or (value >= limit * 1.02 if below else value <= limit * 0.98):
                found.append((start, index, breaking))
                start = None
            elif breaks:
                breaking.append(index)
        if start is not None:
            found.append((start, self.count, breaking))
        return found

    def beyond_limits(self):
        unsaid = self.unsaid(3)
        intensity = [r[3] for r in self.readings]
        flow = [
            r[4] if self.flows[i] is not None else self.slope(i)
            for i, r in enumerate(self.readings)
        ]
        low = self.beyond_intervals(intensity, True, "uv")
        high = self.beyond_intervals(flow, False, "flow_max")
        within = set()
        for start, after, _ in low:
            within.update(i for i in range(start, after) if i not in unsaid)
        for start, after, _ in high:
            within.update(range(start, after))
        covered = sum(self.covers[i] for i in within)
        breaking = {i for one in low + high for i in one[2]}
        if covered <= MINUTE:
            return []
        words = ("uv_below_limit", "flow_above_certified")
        if len(breaking) < 2:
            words = ("uv_below_once", "flow_above_once")
        return [
            [word, self.at(start), self.end_of(after), len(broken)]
            for word, intervals in zip(words, (low, high))
            for start, after, broken in intervals
        ]

    def stretches(self, holds):
        found, start = [], None
        for index in range(self.count + 1):
            if index < self.count and holds(index):
                start = index if start is None else start
            elif start is not None:
                found.append((start, index))
                start = None
        return found

    def named(self, rule, stretches):
        return [[rule, self.at(a), self.end_of(b), b - a] for a, b in stretches]

    def time_of(self, stretches):
        return sum(self.covers[i] for a, b in stretches for i in range(a, b))

    def counted(self, rule, stretches):
        if self.time_of(stretches) <= MINUTE:
            return []
        once = sum(b - a for a, b in stretches) < 2
        return self.named("untreated_once" if once else rule, stretches)

    def untreated(self):
        state, moves = self.states, self.moves
        found = self.named(
            "bypass", self.stretches(lambda i: state[i] == "bypass" and moves[i] is not False)
        )
        found += self.named("fault", self.stretches(lambda i: state[i] == "fault" and moves[i]))
        for word in ("warmup", "stopping"):
            moving = self.stretches(lambda i: state[i] == word and moves[i])
            for a, b in self.times(self.stretches(lambda i: state[i] == word)):
                found += self.counted("warmup_stopping", [m for m in moving if a <= m[0] < b])
        found += self.counted(
            "untreated", self.stretches(lambda i: state[i] == "rest" and moves[i])
        )
        unknown = self.stretches(lambda i: state[i] == "unknown" and moves[i] is not False)
        return found + self.named("unknown_state", unknown)

    def times(self, stretches):
        """Stretches with less than five minutes between them are one time."""
        found = []
        for a, b in stretches:
            if found and self.at(a) - self.end_of(found[-1][1]) < FIVE_MINUTES:
                found[-1] = (found[-1][0], b)
            else:
                found.append((a, b))
        return found

    def is_rest(self, index):
        """Both totalisers stood still across the gap before `index`, and no water moves beside."""
        if self.moves[index - 1] is not False or self.moves[index] is not False:
            return False
        for column in (5, 6):
            before = after = None
            for i in range(index - 1, -1, -1):
                before = self.readings[i][column]
                if before is not None or self.gap[i]:
                    break
            for i in range(index, self.count):
                after = self.readings[i][column]
                if after is not None or self.gap[i + 1]:
                    break
            if before is None or after is None:
                return False
            if abs(after - before) > 0.02 * self.water_of(FIVE_MINUTES):
                return False
        return True

    def untold(self):
        found = []
        for index in range(self.count + 1):
            if not self.gap[index]:
                continue
            if 0 < index < self.count and self.is_rest(index):
                continue
            before = index - 1
            from_ms = self.at(before) + (self.covers[before] if before >= 0 else 0)
            rule = "hidden_readings" if self.hides[index] else "no_readings"
            found.append([rule, from_ms, self.at(index), 0])
        return found

    def without_mode(self, index, uv):
        if not self.treated[index] or self.modes[index] is not None:
            return False
        lows = sorted((self.limits["uv_imo"], self.limits["uv_uscg"]))
        highs = sorted((self.limits["flow_max_imo"], self.limits["flow_max_uscg"]))
        flow = self.flows[index]
        between_uv = uv[index] is not None and lows[0] <= uv[index] < lows[1]
        return between_uv or (flow is not None and highs[0] < flow <= highs[1])

    def last_told(self, column):
        found, last = [], None
        for index, reading in enumerate(self.readings):
            if index > 0 and self.gap[index]:
                last = None
            last = reading[column] if reading[column] is not None else last
            found.append(last)
        return found

    def frozen(self, column, other):
        """The readings in which a value is the same for 30 min and 20 readings, the other not."""
        told = [i for i in range(self.count) if self.readings[i][column] is not None]
        found = []
        while told:
            same = [told[0]]
            while len(same) < len(told) and (
                self.readings[told[len(same)]][column] == self.readings[told[0]][column]
            ):
                same.append(told[len(same)])
            told = told[len(same) :]
            first, last = same[0], same[-1]
            if len(same) < 20 or self.at(last) - self.at(first) < 30 * MINUTE:
                continue
            others = [r[other] for r in self.readings[first : last + 1] if r[other] is not None]
            if sum(a != b for a, b in zip(others, others[1:])) >= 10:
                found.append(range(first, last + 1))
        return found

    def unconfirmed(self, same):
        """A frozen flow without the half hours in which the totaliser agrees with it."""
        left = set(same)
        flow = self.readings[same[0]][4]
        values = [i for i in self.kept if i in same]
        begins = values[:1]
        for i in values:
            if self.at(i) - self.at(begins[-1]) >= 30 * MINUTE:
                begins.append(i)
        if len(begins) > 1:
            begins.pop()
        for place, begin in enumerate(begins):
            is_last = place == len(begins) - 1
            end = values[-1] if is_last else begins[place + 1]
            steps = [
                (rise, self.at(b) - self.at(a))
                for (a, b), rise in zip(self.pairs, self.rises)
                if a >= begin and b <= end and rise is not None
            ]
            risen, time = sum(rise for rise, _ in steps), sum(ms for _, ms in steps)
            moved = flow * time / 3_600_000
            if time == 0 or self.is_apart(risen, moved):
                continue
            low = same[0] if place == 0 else begin
            left -= set(range(low, same[-1] + 1 if is_last else end))
        return left

    def is_contradicted(self):
        by_total = by_flow = 0
        for place, (a, b) in enumerate(self.pairs):
            inside = range(a, b)
            known = all(self.flows[i] is not None for i in range(a, b + 1))
            if self.rises[place] is None or any(self.gap[i + 1] for i in inside) or not known:
                continue
            if all(self.moves[i] is False for i in inside):
                continue
            by_total += self.rises[place]
            for i in inside:
                mean = (self.flows[i] + self.flows[i + 1]) / 2
                by_flow += mean * (self.at(i + 1) - self.at(i)) / 3_600_000
        return self.is_apart(by_total, by_flow)

    def is_apart(self, by_total, by_flow):
        least = 0.02 * self.water_of(FIVE_MINUTES)
        return abs(by_total - by_flow) > max(least, 0.1 * max(by_total, by_flow))

    def findings(self):
        if self.found is None:
            self.found = self.all_findings()
        return self.found

    def all_findings(self):
        unsaid = self.unsaid(3)
        uv = self.last_told(3)
        treated, moves, states = self.treated, self.moves, self.states
        uv_frozen = {i for same in self.frozen(3, 4) for i in same}
        flow_frozen = {i for same in self.frozen(4, 3) for i in self.unconfirmed(same)}
        facts = (
            ("no_intensity", lambda i: i in unsaid and treated[i]),
            ("no_flow", lambda i: moves[i] is None and states[i] != "bypass"),
            ("no_state", lambda i: moves[i] is True and states[i] == "untold"),
            ("no_mode", lambda i: self.without_mode(i, uv)),
            ("uv_frozen", lambda i: i in uv_frozen and treated[i]),
            ("flow_frozen", lambda i: i in flow_frozen and treated[i]),
        )
        found = self.beyond_limits() + self.untreated() + self.untold()
        for rule, holds in facts:
            found += self.named(rule, self.stretches(holds))
        if self.is_doubted or self.is_contradicted():
            found.append(["flow_contradicted", self.start, self.end, self.count])
        outside = any(one[0] in OUTSIDE for one in found)
        is_treated = any(treated[i] and self.covers[i] > 0 for i in range(self.count))
        if self.readings and not outside and not is_treated:
            found.append(["not_treating", self.start, self.end, self.count])
        return sorted(found)

    def time_untold(self):
        """What isn't told, and of how much: the time of moving water."""
        found = self.findings()
        of = sum(self.covers[i] for i in range(self.count) if self.moves[i] is not False)
        of += sum(end - start for rule, start, end, _ in found if rule in GAPS)
        covered, until = 0, self.start
        for rule, start, end, _ in sorted(found, key=lambda one: one[1]):
            if rule in SHARED:
                covered += max(0, end - max(start, until))
                until = max(until, end)
        return covered, of

    def verdict(self):
        rules = {one[0] for one in self.findings()}
        if rules & OUTSIDE:
            return "outside_limits"
        covered, of = self.time_untold()
        if of == 0 or rules - SHARED or 20 * covered > of:
            return "cannot_tell"
        return "within_limits"

    def volumes(self):
        by_flow = self.flow_between(None, None)
        most = 1.5 * self.water_of(self.end - self.start)
        if by_flow is not None and by_flow > most:
            by_flow = None
        by_total = None
        if self.kept and self.reaches(self.kept):
            first, last = self.kept[0], self.kept[-1]
            fill = lambda a, b: 0 if by_flow is None else self.flow_between(self.at(a), self.at(b))
            by_total = fill(0, first) + fill(last, self.count - 1)
            for place, (a, b) in enumerate(self.pairs):
                by_total += fill(a, b) if self.rises[place] is None else self.exact(a, b)
            is_open = by_flow is None and None in self.rises
            if (by_total == 0 and by_flow) or by_total > most or is_open:
                by_total = None
        both = by_total is not None and by_flow is not None
        unclear = both and abs(by_total - by_flow) > max(by_total, by_flow) / 10
        volume = None if unclear else by_total if by_total is not None else by_flow
        return [None if v is None else float(v) for v in (by_total, by_flow, volume)]

    def exact(self, a, b):
        return Fraction(repr(self.readings[b][5])) - Fraction(repr(self.readings[a][5]))

    def flow_between(self, from_ms, to_ms):
        """The flow integrated by trapezoids, between two times or whole."""
        told = [i for i in range(self.count) if self.readings[i][4] is not None]
        if len(told) < 2 or not self.reaches(told):
            return None
        whole = Fraction(0)
        for a, b in zip(told, told[1:]):
            start, end = self.at(a), self.at(b)
            f1, f2 = (Fraction(repr(self.readings[i][4])) for i in (a, b))
            lo = start if from_ms is None else max(start, from_ms)
            hi = end if to_ms is None else min(end, to_ms)
            if hi <= lo:
                continue
            at = lambda t: f1 + (f2 - f1) * Fraction(t - start, end - start)
            whole += (at(lo) + at(hi)) / 2 * (hi - lo) / 3_600_000
        return whole

    def reaches(self, told):
        times = [self.at(i) for i in told]
        lead, tail = times[0] - self.at(0), self.at(self.count - 1) - times[-1]
        starts_late = is_gap(times, 0, lead, self.known)
        return not (starts_late or is_gap(times, len(times), tail, self.known))


OUTSIDE = {
    "uv_below_limit", "flow_above_certified", "bypass", "fault", "warmup_stopping", "untreated",
}
GAPS = {"no_readings", "hidden_readings"}
SHARED = GAPS | {
    "no_intensity", "no_flow", "no_state", "no_mode", "uv_frozen", "flow_frozen",
}


def judge(given):
    shown = Operation(given, False)
    everything = Operation(given, True) if given["voids"] else shown
    by_total, by_flow, volume = shown.volumes()
    return {
        "verdict": shown.verdict(),
        "verdict_with_hidden": everything.verdict(),
        "findings": shown.findings(),
        "untold": shown.time_untold(),
        "volume_totaliser_m3": by_total,
        "volume_flow_m3": by_flow,
        "volume_m3": volume,
    }


for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))), flush=True)
