"""Flow and totalisers as witnesses against each other, as the oracle compares them."""

from statistics import median

from operation_readings import FIVE_MINUTES
from operation_rises import above
from operation_volumes import Volumes


class Witnesses(Volumes):
    def is_contradicted(self):
        by_total = by_flow = time = 0
        for place, (a, b) in enumerate(self.pairs):
            inside = range(a, b)
            known = all(self.flows[i] is not None for i in range(a, b + 1))
            if self.rises[place] is None or any(self.gap[i + 1] for i in inside) or not known:
                continue
            if all(self.moves[i] is False for i in inside):
                continue
            by_total += self.rises[place]
            time += self.at(b) - self.at(a)
            for i in inside:
                mean = (self.flows[i] + self.flows[i + 1]) / 2
                by_flow += mean * (self.at(i + 1) - self.at(i)) / 3_600_000
        step = 0 if above(by_total, self.water_of(time)) else self.step()
        return self.is_apart(by_total, by_flow, step)

    def is_above(self):
        """The totaliser shows more than 110 % of the certified flow, and the flow less of it."""
        ends = [
            self.at(b)
            for (a, b), rise in zip(self.pairs, self.rises)
            if rise and self.counted[5, b] != self.counted[5, a]
        ]
        stands = [later - sooner for sooner, later in zip(ends, ends[1:])]
        if not stands:
            return False
        by_step = 10 * self.step() * 3_600_000 / self.certified
        least = max(FIVE_MINUTES, by_step, 10 * median(stands))
        value = lambda place: self.levels[5, self.kept[place]]
        begin = 0
        for last in range(1, len(self.kept)):
            if self.rises[last - 1] is None:
                begin = last
            first = begin
            for place in range(begin, last):
                if self.at(self.kept[last]) - self.at(self.kept[place]) >= least:
                    first = place
            while first > begin and value(first - 1) == value(first):
                first -= 1
            a, b = self.kept[first], self.kept[last]
            most = self.water_of(self.at(b) - self.at(a))
            known = all(self.flows[i] is not None for i in range(a, b + 1))
            if self.at(b) - self.at(a) < least or not known or any(self.gap[a + 1 : b + 1]):
                continue
            moved = sum(
                (self.flows[i] + self.flows[i + 1]) / 2 * (self.at(i + 1) - self.at(i))
                for i in range(a, b)
            )
            over = above(value(last) - value(first) - self.step(), 1.1 * most)
            if over and not above(moved / 3_600_000, most):
                return True
        return False

    def is_other(self):
        """The other type's totaliser rises, and its own, which isn't 0, stands."""
        if len(self.kept) < 2:
            return False
        most = 0.02 * self.water_of(max(FIVE_MINUTES, self.at(self.count - 1) - self.at(0)))
        pairs, rises = self.witness(6)[1:3]
        risen = lambda column, steps, of: sum(
            self.counted[column, b] - self.counted[column, a]
            for (a, b), rise in zip(steps, of)
            if rise is not None
        )
        if not above(risen(5, self.pairs, self.rises), most):
            return above(risen(6, pairs, rises), most)
        alone = {
            i
            for first, after, moved in self.stands
            for i in range(first, after)
            if moved is False and self.flows[i] is None
        }
        return above(sum(rise or 0 for (a, _), rise in zip(pairs, rises) if a in alone), most)

    def is_apart(self, by_total, by_flow, step=0):
        """By more than meters differ, and than a step of the totaliser."""
        least = max(0.02 * self.water_of(FIVE_MINUTES), step)
        return above(abs(by_total - by_flow), max(least, 0.1 * max(by_total, by_flow)))
