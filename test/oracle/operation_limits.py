"""What was beyond its limits in an operation, and which water moved untreated."""

from operation_readings import FIVE_MINUTES, MINUTE, Readings
from operation_rises import above


class Limits(Readings):
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
                inside = [self.rises[p] or 0 for p in range(first, last + 1)]
                flat = any(self.is_flat(p) for p in range(first, last + 1))
                # Where it stood, its first rise may be of before.
                risen = sum(inside) - (next((one for one in inside if one), 0) if flat else 0)
                # Both are decimal: 350 m3 in 21 min are 1,000 m3/h.
                return round(round(risen, 6) * 3_600_000 / span(), 6) if span() > 0 else None
        return None

    def is_flat(self, place):
        a, b = self.pairs[place]
        return self.levels[5, a] == self.levels[5, b]

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

    def beyond_intervals(self, values, below, name, judged):
        found, start, breaking = [], None, []
        for index in range(self.count):
            value, treated = values[index], judged[index]
            if treated and value is None:
                continue
            limit = self.limit(index, name)
            breaks = treated and (value < limit if below else value > limit)
            if start is None:
                if breaks:
                    start, breaking = index, [index]
            elif not treated or not (
                above(limit * 1.02, value) if below else above(value, limit * 0.98)
            ):
                found.append((start, index, breaking))
                start = None
            elif breaks:
                breaking.append(index)
        if start is not None:
            found.append((start, self.count, breaking))
        return found

    def beyond_limits(self):
        """Where water may have moved, what is beyond with it can't be told."""
        found = self.beyond_where(self.treated)
        if found:
            return found
        kinds = ("treating", "untold")
        may = [
            treated or (i in self.may and self.states[i] in kinds)
            for i, treated in enumerate(self.treated)
        ]
        once = {"uv_below_limit": "uv_below_once", "flow_above_certified": "flow_above_once"}
        return [[once.get(one[0], one[0]), *one[1:]] for one in self.beyond_where(may)]

    def beyond_where(self, judged):
        unsaid = self.unsaid(3)
        intensity = [r[3] for r in self.readings]
        flow = [
            r[4] if self.flows[i] is not None else self.slope(i)
            for i, r in enumerate(self.readings)
        ]
        low = self.beyond_intervals(intensity, True, "uv", judged)
        high = self.beyond_intervals(flow, False, "flow_max", judged)
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

    def step(self):
        return self.step_of(self.rises)

    def step_of(self, steps):
        """The coarsest step of which all rises of the totaliser are multiples, m3; 0 for none."""
        rises = [rise for rise in steps if rise]
        for step in (1000, 500, 100, 50, 25, 20, 10, 5, 2, 1) if rises else ():
            if all(abs(rise / step - round(rise / step)) < 1e-6 for rise in rises):
                return step
        return 0

    def moving_in(self, rule, holds):
        """Moving water, if it is more than a minute; with what may have moved it can't be told."""
        moves = self.moves
        certain = self.stretches(lambda i: holds(i) and moves[i] is True)
        if self.time_of(certain) > MINUTE:
            once = sum(b - a for a, b in certain) < 2
            return self.named("untreated_once" if once else rule, certain)
        unsure = self.stretches(lambda i: holds(i) and (moves[i] is True or i in self.may))
        return self.named("untreated_once", unsure) if self.time_of(unsure) > MINUTE else []

    def untreated(self):
        state, moves = self.states, self.moves
        found = []
        for word, certain in (("bypass", (True, None)), ("fault", (True,))):
            here = self.stretches(lambda i: state[i] == word and moves[i] in certain)
            unsure = self.stretches(lambda i: state[i] == word and i in self.may)
            if not here and self.time_of(unsure) > MINUTE:
                found += self.named("untreated_once", unsure)
            found += self.named(word, here)
        for word in ("warmup", "stopping"):
            for a, b in self.times(self.stretches(lambda i: state[i] == word)):
                found += self.moving_in(
                    "warmup_stopping", lambda i: a <= i < b and state[i] == word
                )
        found += self.moving_in("untreated", lambda i: state[i] == "rest")
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
