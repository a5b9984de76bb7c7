"""From which rise of a totaliser to which other one water moved, and where it stands."""

from statistics import median

FIVE_MINUTES = 300_000
NOISE = 1e-6
ENDS = [10 ** n for n in range(4, 10)] + [
    2**bits * unit for unit in (1, 0.1, 0.01, 0.001) for bits in (16, 32)
]


def above(value, limit):
    """By more than binary fractions err: what is exactly at a limit isn't above it."""
    return value - limit > NOISE


class Rises:
    def join(self, column):
        """Its values, with what it counted before each end that it went over."""
        values = [reading[column] for reading in self.readings]
        told = [i for i, value in enumerate(values) if value is not None]
        added, least, joined = 0, None, list(values)
        for place, index in enumerate(told):
            rise = values[index] - values[told[place - 1]] if place else 0
            if rise > 0:
                least = rise if least is None else min(least, rise)
            if rise < 0:
                before = told[place - 1]
                most = 1.5 * self.water_of(self.at(index) - self.at(before))
                most = max(most, least or 0)
                fits = [
                    e
                    for e in ENDS
                    if values[before] < e and not above(0, rise + e) and not above(rise + e, most)
                ]
                added += fits[0] if fits else 0
            joined[index] = values[index] + added
        return joined

    def count_rises(self, kept, rises, column):
        """A totaliser that trembles has risen once it is above by more than it falls."""
        last = None
        for place, index in enumerate(kept):
            level = self.levels[column, index]
            if place and rises[place - 1] is not None:
                level = level if above(level - last, self.noise[column]) else last
            self.counted[column, index] = last = level
        return [
            None if rise is None else self.counted[column, b] - self.counted[column, a]
            for (a, b), rise in zip(zip(kept, kept[1:]), rises)
        ]

    def pauses_at(self, index):
        """No water need move: by a flow of 0 or, without one, by the state."""
        flowless = self.flows[index] is None
        runs = self.states[index] in ("treating", "bypass", "untold")
        return self.stands_at(index) or (flowless and not runs)

    def stands_of(self, kept, rises, column):
        """Where a totaliser stands: (first, after) readings, and if water moved meanwhile: at the
        ends it may have."""
        value = lambda place: self.counted[column, kept[place]]
        time = lambda place: self.at(kept[place])
        changes = [p for p in range(1, len(kept)) if value(p) != value(p - 1)]
        ends = [time(p) for p in changes if rises[p - 1] is not None]
        usual = [later - sooner for sooner, later in zip(ends, ends[1:])]
        most = 1.5 * median(usual) if usual else 0
        found = []
        for begin, place in zip([0, *changes], [*changes, None]):
            to = len(kept) - 1 if place is None else place
            by = place or begin
            rise = value(by) - value(by - 1) if by else 0
            lasts = time(to) - time(begin)
            moves = above(rise, 0.02 * self.water_of(max(FIVE_MINUTES, lasts)))
            gives = 0 if place is None else self.water_of(time(place) - time(place - 1))
            leaps = place is not None and moves and above(rise - self.step(), gives)
            leaps = leaps and not above(rise, self.water_of(lasts))
            short = lasts <= FIVE_MINUTES and not leaps
            edge = begin == 0 or place is None
            seen = 0 if place is None else min(time(place) - time(place - 1), most / 1.5)
            explained = lasts <= most + seen
            if not explained and short and not edge or explained and not moves:
                continue
            moved = True if explained or leaps else "may" if short else False
            if place is None:
                after = kept[to] + 1
            else:
                after = kept[place if moved is True and rises[place - 1] is None else place - 1]
            found.append((kept[begin], after, moved))
        return found

    def plain_stands(self, ups, kept, place, by):
        """Up to two stands on one side of a rise in which nothing is paused: time, rise."""
        found = []
        here = ups.index(place) if place in ups else None
        while here is not None and len(found) < 2:
            there = here + by
            if not 0 <= there < len(ups):
                break
            low, high = sorted((ups[here], ups[there]))
            if any(p in self.cut for p in range(low + 1, high + 1)):
                # One that begins at a leap is none; beyond it nothing is known.
                break
            here = there
            inside = range(kept[low], kept[high])
            if not any(self.pauses_at(i) or self.gap[i + 1] for i in inside):
                water = self.counted[self.column, kept[high]] - self.counted[self.column, kept[low]]
                found.append((self.at(kept[high]) - self.at(kept[low]), water))
        return found

    def kind(self, ups, kept, rises, stand):
        """Of a pause between two rises: True for moving water, False for none, else "may"."""
        last, place, paused = stand
        near = self.plain_stands(ups, kept, last, -1) + self.plain_stands(ups, kept, place, 1)
        if not near:
            return "may"
        speed = sum(water for _, water in near) / sum(time for time, _ in near)
        value = lambda p: self.counted[self.column, kept[p]]
        time = lambda p: self.at(kept[p])
        hidden = max(self.step_of(rises), self.noise[self.column]) / speed
        moved = (value(place) - value(last)) / speed - (time(place) - time(last) - paused)
        ends = [time(p) - time(p - 1) for p in (last, place)]
        error = min(hidden, sum(ends) / 2) + 0.05 * median([one for one, _ in near])
        most = min(moved + error, hidden + (ends[1] if self.pauses_at(kept[place] - 1) else 0))
        if not above(2 * most, paused):
            late = self.late(kept, stand)
            return "may" if above(moved - error, 60_000) or late else False
        return True if above(2 * (moved - error), paused) else "may"

    def late(self, kept, stand):
        """True if it rose at rest, and later than a minute after the stop."""
        last, place, paused = stand
        index, time = kept[place], lambda p: self.at(kept[p])
        resting = all(self.pauses_at(i) for i in (index, index + 1) if i < self.count)
        water = self.counted[self.column, index] - self.counted[self.column, kept[last]]
        lasts = max(FIVE_MINUTES, time(place) - time(last))
        rose = above(water, 0.02 * self.water_of(lasts))
        return resting and rose and above(paused - (time(place) - time(place - 1)), 60_000)

    def judge_pauses(self, kept, rises, column, found):
        """What is paused from one rise to the next, and long stands of which no flow tells."""
        value = lambda p: self.counted[column, kept[p]]
        time = lambda p: self.at(kept[p])
        self.column, self.cut = column, {p for p in range(1, len(kept)) if rises[p - 1] is None}
        ups = [p for p in range(1, len(kept)) if p in self.cut or value(p) != value(p - 1)]
        sure = [p for p in ups if p not in self.cut]
        usual = [time(b) - time(a) for a, b in zip(sure, sure[1:])]
        before = False
        for last, place in zip([None, *ups], ups):
            going, before = before, False
            if last is None or last in self.cut or place in self.cut:
                continue
            inside = range(kept[last], kept[place])
            paused = [i for i in inside if self.pauses_at(i)]
            whole = not any(self.gap[i + 1] for i in inside)
            dark = any(self.flows[i] is None for i in inside if i not in paused)
            if not whole or not (paused or dark):
                continue
            lasts = time(place) - time(last)
            water = value(place) - value(last)
            if len(paused) == len(inside) and self.pauses_at(kept[place]):
                before = above(water, 0.02 * self.water_of(max(FIVE_MINUTES, lasts)))
                for i in inside if before else ():
                    found[i] = True
                continue
            length = sum(self.at(i + 1) - self.at(i) for i in paused)
            if paused:
                kind = self.kind(sure, kept, rises, (last, place, length))
                kind = True if kind == "may" and going else kind
                for i in paused:
                    found[i] = False if kind == "may" and self.flows[i] is not None else kind
            often = median(usual) if usual else float("inf")
            stands = lasts - length - (time(place) - time(place - 1))
            if stands > 1.05 * often:
                for i in range(kept[last], kept[place - 1]):
                    if not self.pauses_at(i) and self.flows[i] is None:
                        found[i] = "may" if stands <= 1.5 * often else False

    def without_stands(self, kept, rises, column):
        """Values that stand between leaps, in a tenth of the time at most, measure nothing."""
        leaps = [place for place, rise in enumerate(rises) if rise is None]
        if not leaps:
            return
        ends = [-1, *leaps, len(rises)]
        stands = [
            (low + 1, high)
            for low, high in zip(ends, ends[1:])
            if self.levels[column, kept[low + 1]] == self.levels[column, kept[high]]
        ]
        stood = sum(self.at(kept[high]) - self.at(kept[low]) for low, high in stands)
        if 10 * stood <= self.at(kept[-1]) - self.at(kept[0]):
            for low, high in stands:
                rises[low:high] = [None] * (high - low)
