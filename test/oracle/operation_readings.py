"""An operation's readings: gaps, what one leaves unsaid, and if water moved. Python 3.8."""

from operation_cadence import is_gap, usual_at
from operation_rises import FIVE_MINUTES, Rises, above

KNOWN = {
    "RUNNING": "treating", "BACKFLUSH": "treating", "BYPASS": "bypass", "FAULT": "fault",
    "WARMUP": "warmup", "STOPPING": "stopping",
    "IDLE": "rest", "STOPPED": "rest", "STANDBY": "rest", "CIP": "rest",
}
MINUTE = 60_000


def plausible(value, low, high):
    if value is None or value in (32767, -32768, 65535) or not low <= value <= high:
        return None
    return value


class Readings(Rises):
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
        found = [
            at, state, mode, plausible(intensity, 0, 5000), plausible(flow, 0, 3000),
            plausible(total, 0, 1e9), plausible(other, 0, 1e9),
        ]
        rejected = {i for i in (3, 4) if reading[i] is not None and found[i] is None}
        return found + [rejected]

    def at(self, index):
        if index < 0:
            return self.start
        return self.readings[index][0] if index < self.count else self.end

    def find_gaps(self):
        """covers[i]: what reading i stands for; gap, hides: before it."""
        times = [r[0] for r in self.everything]
        shown = {id(r) for r in self.readings}
        scans = self.scans()
        self.covers, self.gap = [0] * self.count, [False] * (self.count + 1)
        self.hides = [False] * (self.count + 1)
        index = -1
        hiding = False
        begun = 0
        self.scan = []
        for place, reading in enumerate(self.everything + [None]):
            begun += place in scans
            if reading is not None and id(reading) not in shown:
                hiding = True
                continue
            self.scan.append(begun)
            here = index + 1
            to = reading[0] if reading is not None else self.end
            from_ms = times[place - 1] if place > 0 else self.start
            if hiding:
                self.gap[here] = self.hides[here] = True
            else:
                usual = usual_at(times, place, self.known, scans)
                self.gap[here] = to - from_ms > 5 * usual
                if index >= 0:
                    self.covers[index] = min(to - from_ms, 5 * usual)
            hiding = False
            index = here
        if not self.everything:
            self.gap = [True]

    def scans(self):
        """The readings that begin a scan: they tell a field again that the scan has told."""
        found, told = [], set()
        for index, reading in enumerate(self.everything):
            here = {i for i in range(1, 7) if reading[i] is not None}
            if not found or told & here:
                found.append(index)
                told = set()
            told |= here
        return found

    def follow(self):
        """A reading that doesn't tell state, mode or flow leaves it as the one before told."""
        self.states, self.modes, self.flows = [], [], []
        unsaid, no_state, no_mode = self.unsaid(4), self.unsaid_word(1), self.unsaid_word(2)
        state = mode = flow = None
        for index, (_, told_state, told_mode, _, told_flow, _, _, _) in enumerate(self.readings):
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
        """The same for a word; one that is sent at most four times, and (but for a mode) not twice
        alike by readings one after the other, or never twice alike in a row, is sent on change."""
        words = [reading[column] for reading in self.readings]
        told = sum(word is not None for word in words)
        repeated = any(a == b and a is not None for a, b in zip(words, words[1:]))
        repeated = repeated and column != 2
        sent = [word for word in words if word is not None]
        changes = all(a != b for a, b in zip(sent, sent[1:]))
        return set() if (changes if told > 4 else not repeated) else self.unsaid(column)

    def unsaid(self, column):
        """The readings without a value in a gap of its own cadence, or after an implausible one."""
        told = [i for i in range(self.count) if self.readings[i][column] is not None]
        if not told:
            return set(range(self.count))
        rejected = self.after_rejected(column)
        times = [self.at(i) for i in told]
        found = set()
        for place in range(len(told) + 1):
            before = told[place - 1] if place > 0 else -1
            after = told[place] if place < len(told) else self.count
            from_ms = self.at(before) if place > 0 else self.at(0)
            to_ms = self.at(after) if place < len(told) else self.at(self.count - 1)
            if is_gap(times, place, to_ms - from_ms, self.known):
                found.update(range(before + 1, after))
        return found | rejected

    def after_rejected(self, column):
        """From each value that isn't believed up to the next that is."""
        found, rejected = set(), False
        for index, reading in enumerate(self.readings):
            rejected = reading[column] is None and (rejected or column in reading[7])
            if rejected:
                found.add(index)
        return found

    def water_of(self, ms):
        return self.certified * ms / 3_600_000

    def is_step(self, a, b, column=5):
        """Water explains a totaliser's step from reading a to reading b."""
        return self.is_rise(a, b, self.joined[column][b] - self.joined[column][a])

    def is_rise(self, a, b, rise):
        """One that falls by less than five cubic metres, or 2 % of five minutes, trembles."""
        most = 3 * self.water_of(max(FIVE_MINUTES, self.at(b) - self.at(a)))
        least = -max(5, 0.02 * self.water_of(FIVE_MINUTES))
        return not above(least, rise) and not above(rise, most)

    def totals(self, column=5):
        """The readings whose totaliser counts: odd ones between or beside others are left out."""
        told = [i for i in range(self.count) if self.readings[i][column] is not None]
        told = told if any(self.readings[i][column] for i in told) else []
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
        self.levels, self.broken, self.counted, self.noise = {}, {}, {}, {}
        self.joined = {column: self.join(column) for column in (5, 6)}
        self.kept, self.pairs, self.rises, self.rising = self.witness(5)
        values = [reading[5] for reading in self.readings if reading[5] is not None]
        told, kept = len(values) if any(values) else 0, len(self.totals())
        unexplained = told - kept + self.broken[5]
        self.is_doubted = unexplained >= 3 and unexplained > 0.1 * (told - 1)
        other = self.witness(6)[3]
        self.rising = [True if other[i] is True else own for i, own in enumerate(self.rising)]
        self.stands = self.stands_of(self.kept, self.rises, 5) if self.kept else []
        self.find_moves()

    def witness(self, column):
        """The values of a totaliser that count, its steps, and at which readings it rises."""
        kept = self.totals(column)
        kept = kept if len(kept) > 1 else []
        pairs = list(zip(kept, kept[1:]))
        rises = self.rises_of(kept, pairs, column)
        self.broken[column] = rises.count(None)
        self.without_stands(kept, rises, column)
        counted = self.count_rises(kept, rises, column)
        moving = set()
        # One that begins or ends without a rise is found by a shorter one.
        for first in (place for place, rise in enumerate(counted) if rise):
            risen = 0
            for last in range(first, len(pairs)):
                risen += counted[last] or 0
                time = self.at(pairs[last][1]) - self.at(pairs[first][0])
                if last > first and time > FIVE_MINUTES:
                    break
                least = self.noise[column] + 0.02 * self.water_of(max(FIVE_MINUTES, time))
                if counted[last] and above(risen, least):
                    moving.update(range(first, last + 1))
        found = [None] * self.count
        for place, (a, b) in enumerate(pairs):
            if rises[place] is not None:
                for index in range(a, b):
                    found[index] = place in moving
        self.judge_pauses(kept, rises, column, found)
        # The last value, and one before a gap, go on as the step before, if no flow stands still.
        if pairs and rises[-1] is not None:
            last = pairs[-1][1]
            found[last] = None if self.stands_at(last) else found[pairs[-1][0]]
        for index in range(self.count - 1):
            if self.gap[index + 1]:
                goes_on = index > 0 and not self.gap[index] and not self.stands_at(index)
                found[index] = found[index - 1] if goes_on else None
        return kept, pairs, rises, found

    def rises_of(self, kept, pairs, column):
        """What it rose above its highest value up to then; None where no water explains it."""
        rises = []
        for index in kept[:1]:
            self.levels[column, index] = self.joined[column][index]
        self.noise[column] = 0
        for a, b in pairs:
            before, value = self.levels[column, a], self.joined[column][b]
            is_step = self.is_rise(a, b, value - before)
            self.levels[column, b] = max(before, value) if is_step else value
            if is_step:
                self.noise[column] = max(self.noise[column], before - value)
            rises.append(self.levels[column, b] - before if is_step else None)
        return rises

    def flows_at(self, index):
        return above(self.flows[index] or 0, 0.02 * self.limits["flow_max_imo"])

    def stands_at(self, index):
        return self.flows[index] is not None and not self.flows_at(index)

    def is_before_treating(self, index):
        """The last still reading of warm-up, rest or fault before one, soon, that treats water."""
        own = self.scan[index]
        earlier = [i for i in range(index) if self.scan[i] != own]
        later = [i for i in range(index, self.count) if self.scan[i] != own]
        following = [i for i in later if self.scan[i] == self.scan[later[0]]]
        if not later or any(self.gap[index + 1 : following[-1] + 1]):
            return False
        last = following[-1]
        place = earlier[-1] if earlier else None
        before = None if place is None else self.states[place]
        is_fault = self.states[index] == before == "fault"
        if not is_fault and self.states[index] not in ("warmup", "rest"):
            return False
        whole = place is not None and not any(self.gap[place + 1 : index + 1])
        if whole and before != "treating":
            if self.rising[place] is True or self.flows_at(place):
                return False
        soon = self.at(later[0]) - self.at(index) <= FIVE_MINUTES
        treats = self.states[last] == "treating" and self.flows_at(last)
        return soon and treats and self.stands_at(index)

    def find_moves(self):
        """Per reading: True, False, None where no witness tells, "stuck" where it may be so."""
        moved, long, edge = set(), set(), set()
        for first, after, moves in self.stands:
            (edge if moves == "may" else moved if moves else long).update(range(first, after))
        self.moves, self.may = [], set()
        for index in range(self.count):
            flow, rising, state = self.flows[index], self.rising[index], self.states[index]
            rises = rising is True and not self.is_before_treating(index)
            runs = state in ("treating", "bypass")
            if rises or self.flows_at(index):
                self.moves.append(True)
            elif flow is not None:
                self.moves.append(False)
            elif index in moved and rising != "may" and (runs or state == "untold"):
                self.moves.append(True)
            elif rising is None:
                self.moves.append(False if state in ("rest", "warmup", "stopping") else None)
            else:
                self.moves.append("stuck" if index in long and runs else False)
            alone = flow is None and self.moves[-1] is not True
            at_edge = index in edge and runs
            if alone and (rising == "may" or at_edge or self.moves[-1] == "stuck"):
                self.may.add(index)
        self.treated = [
            moves in (True, None) and state in ("treating", "untold")
            for moves, state in zip(self.moves, self.states)]
