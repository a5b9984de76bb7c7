"""Judges operations by the words of docs/operations.md, slowly and simply.

These are the rules of version 5.
Reads one operation a line (JSON) and writes one judgement a line. It shares nothing with ballastd:
each rule looks at all readings anew. Standard library only, Python 3.8.

An operation: start, end (ms), limits, type, cadence (ms or null), voids [[from, to]], and readings
as [at, state, mode, intensity, flow, total, other total] with null for what wasn't told.
"""

import json
import sys

from operation_readings import FIVE_MINUTES, MINUTE
from operation_rises import above
from operation_witnesses import Witnesses

OUTSIDE = {
    "uv_below_limit", "flow_above_certified", "bypass", "fault", "warmup_stopping", "untreated",
}
GAPS = {"no_readings", "hidden_readings"}
SHARED = GAPS | {
    "no_intensity", "no_flow", "no_state", "no_mode", "uv_frozen", "flow_frozen",
}


class Operation(Witnesses):
    def rise_across(self, index, column):
        """What a totaliser rose across the gap before `index`; None where it isn't known."""
        before = after = None
        for i in range(index - 1, -1, -1):
            before = self.readings[i][column]
            if before is not None or self.gap[i]:
                break
        for i in range(index, self.count):
            after = self.readings[i][column]
            if after is not None or self.gap[i + 1]:
                break
        if before is None or after is None or before == after == 0:
            return None
        return after - before

    def stands_beside(self, index):
        return self.moves[index - 1] is False and self.moves[index] is False

    def is_rest(self, index):
        """Both totalisers stood still across the gap before `index`, and no water moves beside."""
        if not self.stands_beside(index):
            return False
        rises = [self.rise_across(index, column) for column in (5, 6)]
        least = 0.02 * self.water_of(FIVE_MINUTES)
        return all(rise is not None and not above(abs(rise), least) for rise in rises)

    def risen_gaps(self):
        """Gaps beside which no water moves or is treated, across which a totaliser rose."""
        found = []
        for index in range(1, self.count):
            beside = {self.states[index - 1], self.states[index]}
            if not self.gap[index] or not self.stands_beside(index):
                continue
            if beside & {"treating", "untold"}:
                continue
            time = max(FIVE_MINUTES, self.at(index) - self.at(index - 1))
            rises = [self.rise_across(index, column) for column in (5, 6)]
            if any(rise is not None and above(rise, 0.02 * self.water_of(time)) for rise in rises):
                found.append(["untreated_once", self.at(index - 1), self.at(index), 1])
        return found

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
            changes = sum(a != b for a, b in zip(others, others[1:]))
            if changes >= 10 or self.is_uneven(first, last):
                found.append(range(first, last + 1))
        return found

    def is_uneven(self, first, last):
        """In some ten minutes of one flow the totaliser rose otherwise than on the mean."""
        if len({r[4] for r in self.readings[first : last + 1]} - {None}) > 1:
            return False
        steps = [
            (rise, self.at(b) - self.at(a))
            for (a, b), rise in zip(self.pairs, self.rises)
            if a >= first and b <= last and rise is not None and not any(self.gap[a + 1 : b + 1])
        ]
        windows, rise, time = [], 0, 0
        for one, ms in steps:
            rise, time = rise + one, time + ms
            if time >= 10 * MINUTE:
                windows.append((rise, time))
                rise = time = 0
        risen, whole = sum(rise for rise, _ in windows), sum(time for _, time in windows)
        coarse = min((one for one, _ in steps if one > 0), default=float("inf"))
        return any(
            above(abs(rise - risen * time / whole), coarse + 0.1 * max(rise, risen * time / whole))
            for rise, time in windows
        )

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

    def slow_water(self, first, after):
        """The water that moved between readings without moving water, m3."""
        if len(self.kept) < 2:
            inside = [i for i in range(first, after) if (self.flows[i] or 0) > 0]
            return sum(self.flows[i] * self.covers[i] for i in inside) / 3_600_000
        return sum(
            self.counted[5, b] - self.counted[5, a]
            for place, (a, b) in enumerate(self.pairs)
            if first <= a and b < after and self.rises[place] is not None
            if not any(self.gap[i + 1] for i in range(a, b))
        )

    def trickle(self):
        still = self.stretches(lambda i: self.moves[i] is False)
        moved = [(one, self.slow_water(*one)) for one in still]
        whole = sum(max(0, water) for _, water in moved)
        least = max(0.02 * self.water_of(FIVE_MINUTES), self.slow_water(0, self.count) / 20)
        if not above(whole, least):
            return []
        return self.named("trickle", [one for one, water in moved if above(water, 0)])

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
        is_unknown = lambda i: moves[i] is None and states[i] != "bypass"
        facts = (
            ("no_intensity", lambda i: i in unsaid and treated[i]),
            ("no_flow", lambda i: moves[i] == "stuck" or is_unknown(i)),
            ("no_state", lambda i: moves[i] is True and states[i] == "untold"),
            ("no_mode", lambda i: self.without_mode(i, uv)),
            ("uv_frozen", lambda i: i in uv_frozen and treated[i]),
            ("flow_frozen", lambda i: i in flow_frozen and treated[i]),
        )
        found = self.beyond_limits() + self.untreated() + self.risen_gaps()
        found += self.untold() + self.trickle()
        for rule, holds in facts:
            found += self.named(rule, self.stretches(holds))
        contradicted = self.is_contradicted() or self.is_above() or self.is_other()
        if self.is_doubted or contradicted:
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
