"""From which rise of a totaliser to which other one water moved, and where it stands."""

FIVE_MINUTES = 300_000


class Rises:
    def pauses_at(self, index):
        """No water need move: by a flow of 0 or, without one, by the state."""
        flowless = self.flows[index] is None
        runs = self.states[index] in ("treating", "bypass", "untold")
        return self.stands_at(index) or (flowless and not runs)

    def stands_of(self, kept, rises, column):
        """Where a totaliser stands: (first, after) readings, and if water moved meanwhile."""
        value = lambda place: self.levels[column, kept[place]]
        time = lambda place: self.at(kept[place])
        changes = [p for p in range(1, len(kept)) if value(p) != value(p - 1)]
        ends = [time(p) for p in changes if rises[p - 1]]
        usual = sorted(later - sooner for sooner, later in zip(ends, ends[1:]))
        middle = len(usual) // 2
        most = 3 * (usual[(len(usual) - 1) // 2] + usual[middle]) / 4 if usual else 0
        found = []
        for begin, place in zip([0, *changes], [*changes, None]):
            to = len(kept) - 1 if place is None else place
            by = place or begin
            rise = value(by) - value(by - 1) if by else 0
            lasts = time(to) - time(begin)
            moves = rise > 0.02 * self.water_of(max(FIVE_MINUTES, lasts))
            before = 0 if place is None else self.water_of(time(place) - time(place - 1))
            leaps = place is not None and moves and rise - self.step() > before
            leaps = leaps and rise <= self.water_of(lasts)
            short = lasts <= FIVE_MINUTES and not leaps
            if lasts > most and short or lasts <= most and not moves:
                continue
            moved = lasts <= most or leaps
            if place is None:
                after = kept[to] + 1
            else:
                after = kept[place if moved and rises[place - 1] is None else place - 1]
            found.append((kept[begin], after, moved))
        return found

    def still_rises(self, pairs, rises):
        """The steps from one rise to the next during which each reading tells no moving flow."""
        found, since = set(), None
        for place, (_, b) in enumerate(pairs):
            if rises[place] == 0:
                continue
            if rises[place] and since is not None:
                first = pairs[since][1]
                most = 0.02 * self.water_of(max(FIVE_MINUTES, self.at(b) - self.at(first)))
                inside = range(first, b + 1)
                whole = not any(self.gap[i] for i in inside[1:])
                if rises[place] > most and whole and all(map(self.pauses_at, inside)):
                    found.update(range(since + 1, place + 1))
            since = place if rises[place] else None
        return found

    def pauses(self, pairs, rises, moving):
        """Steps without a rise in a pause, for longer than from one rise to the next."""
        ends = [self.at(b) for (_, b), rise in zip(pairs, rises) if rise]
        usual = sorted(later - sooner for sooner, later in zip(ends, ends[1:]))
        found, flat = set(), []
        for place, (a, b) in enumerate([*pairs, (0, 0)]):
            still = place < len(pairs) and place in moving and rises[place] == 0
            if still and all(map(self.pauses_at, range(a, b))):
                flat.append(place)
                continue
            time = self.at(pairs[flat[-1]][1]) - self.at(pairs[flat[0]][0]) if flat else 0
            if usual and 4 * time > 3 * (usual[(len(usual) - 1) // 2] + usual[len(usual) // 2]):
                found.update(flat)
            flat = []
        return found

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
