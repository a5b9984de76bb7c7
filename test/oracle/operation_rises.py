"""From which rise of a totaliser to which other one water moved, and where it stands."""

FIVE_MINUTES = 300_000


class Rises:
    def still_rises(self, pairs, rises):
        """The steps from one rise to the next during which each reading tells a flow of 0."""
        found, since = set(), None
        for place, (_, b) in enumerate(pairs):
            if rises[place] == 0:
                continue
            if rises[place] and since is not None:
                first = pairs[since][1]
                most = 0.02 * self.water_of(max(FIVE_MINUTES, self.at(b) - self.at(first)))
                if rises[place] > most and all(map(self.stands_at, range(first, b + 1))):
                    found.update(range(since + 1, place + 1))
            since = place if rises[place] else None
        return found

    def pauses(self, pairs, rises, moving):
        """Steps without a rise while the flow is 0, for longer than from one rise to the next."""
        ends = [self.at(b) for (_, b), rise in zip(pairs, rises) if rise]
        usual = sorted(later - sooner for sooner, later in zip(ends, ends[1:]))
        found, flat = set(), []
        for place, (a, b) in enumerate([*pairs, (0, 0)]):
            still = place < len(pairs) and place in moving and rises[place] == 0
            if still and all(map(self.stands_at, range(a, b))):
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
            if self.readings[kept[low + 1]][column] == self.readings[kept[high]][column]
        ]
        stood = sum(self.at(kept[high]) - self.at(kept[low]) for low, high in stands)
        if 10 * stood <= self.at(kept[-1]) - self.at(kept[0]):
            for low, high in stands:
                rises[low:high] = [None] * (high - low)
