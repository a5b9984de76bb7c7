"""The volume of an operation both ways, as the oracle adds it up: exactly, in fractions."""

from fractions import Fraction

from operation_cadence import is_gap
from operation_limits import Limits


class Volumes(Limits):
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
            stuck = self.is_long("stuck") or by_total == 0 and self.is_long(True)
            if (by_total == 0 and by_flow) or by_total > most or is_open or stuck:
                by_total = None
        both = by_total is not None and by_flow is not None
        unclear = both and abs(by_total - by_flow) > max(by_total, by_flow) / 10
        unclear = unclear or self.gap[0] or self.gap[self.count]
        volume = None if unclear else by_total if by_total is not None else by_flow
        return [None if v is None else float(v) for v in (by_total, by_flow, volume)]

    def is_long(self, what):
        time = sum(self.covers[i] for i in range(self.count) if self.moves[i] == what)
        return 20 * time > self.at(self.count - 1) - self.at(0)

    def exact(self, a, b):
        return Fraction(repr(self.levels[5, b])) - Fraction(repr(self.levels[5, a]))

    def flow_between(self, from_ms, to_ms):
        """The flow integrated by trapezoids, between two times or whole."""
        told = [i for i in range(self.count) if self.readings[i][4] is not None]
        if len(told) < 2 or not self.reaches(told):
            return None
        times = [self.at(i) for i in told]
        untold = {
            b
            for place, (a, b) in enumerate(zip(told, told[1:]), 1)
            if b - a > 1 and is_gap(times, place, self.at(b) - self.at(a), self.known)
        }
        missing = sum(self.at(b) - self.at(a) for a, b in zip(told, told[1:]) if b in untold)
        if 20 * missing > self.at(self.count - 1) - self.at(0):
            return None
        whole = Fraction(0)
        for a, b in zip(told, told[1:]):
            start, end = self.at(a), self.at(b)
            f1, f2 = (Fraction(repr(self.readings[i][4])) for i in (a, b))
            lo = start if from_ms is None else max(start, from_ms)
            hi = end if to_ms is None else min(end, to_ms)
            if hi <= lo:
                continue
            risen = self.risen_between(start, end) if b in untold else None
            if risen is not None:
                whole += risen * Fraction(hi - lo, end - start)
                continue
            at = lambda t: f1 + (f2 - f1) * Fraction(t - start, end - start)
            whole += (at(lo) + at(hi)) / 2 * (hi - lo) / 3_600_000
        return whole

    def risen_between(self, from_ms, to_ms):
        """What the totaliser rose between two times; None if it doesn't tell all of it."""
        if not self.kept or from_ms < self.at(self.kept[0]) or to_ms > self.at(self.kept[-1]):
            return None
        risen = Fraction(0)
        for place, (a, b) in enumerate(self.pairs):
            time = min(to_ms, self.at(b)) - max(from_ms, self.at(a))
            if time > 0 and self.rises[place] is None:
                return None
            if time > 0:
                risen += self.exact(a, b) * Fraction(time, self.at(b) - self.at(a))
        return risen

    def reaches(self, told):
        times = [self.at(i) for i in told]
        lead, tail = times[0] - self.at(0), self.at(self.count - 1) - times[-1]
        starts_late = is_gap(times, 0, lead, self.known)
        return not (starts_late or is_gap(times, len(times), tail, self.known))
