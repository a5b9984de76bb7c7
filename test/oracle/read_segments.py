"""Reads the sealed readings of a ballastd database, written from docs/storage.md alone.

Prints the line of every reading, segment by segment, and checks the hashes, the chain and the
Merkle roots on the way. Needs Python 3 and the command `zstd`.
Usage: read_segments.py <ballastd.db>
With a number and a row behind it: prints the proof that this reading is in this segment, as JSON.
"""

import json
import math
import sqlite3
import struct
import subprocess
import sys
import zlib

from canonical_line import json_of, leaf_of, object_of, path, sha256, time_of, tree

LAMPS = ["LAMP_%02d_%s" % (lamp, what) for lamp in range(1, 17)
         for what in ("STATUS", "EFFICIENCY", "RUNTIME", "POWER")]
FIELDS = """timestamp system_id operation_type location month UVR_INTENSITY UVR_INTENSITY_NORMALIZED
UVR_POWER_OUTPUT UVR_POWER_SETPOINT UVR_WATER_TEMP UVR_LEVEL LDC_AIR_TEMP LDC_FAN_SPEED
LDC_FAN_STATUS LDC_WATER_ALARM FLT_DIFF_PRESSURE FLT_MOTOR_STATUS FLT_BACKFLUSH_ACTIVE
FLT_BACKFLUSH_COUNT SYS_FLOW_RATE SYS_PRESSURE SYS_VALVE_POSITION SYS_TOTAL_BALLAST_VOL
SYS_TOTAL_DEBALLAST_VOL SYS_EXTERNAL_FEED CIP_HOURS_SINCE_LAST PLC_CPU_USAGE
PLC_RAM_USAGE PLC_CPU_TEMP PROCESS_STATE COMPLIANCE_MODE WATER_QUALITY
WATER_QUALITY_FACTOR AVG_LAMP_EFFICIENCY FAILED_LAMP_COUNT DEGRADATION_IMPACT_PCT
POWER_COMPENSATION_PCT""".split() + LAMPS
RECEIVED, TRUSTED, TAGS = 101, 102, 105
AVERAGE = FIELDS.index("AVG_LAMP_EFFICIENCY")
EFFICIENCIES = [FIELDS.index("LAMP_%02d_EFFICIENCY" % lamp) for lamp in range(1, 17)]
TAKEN = ("received_at", "clock_trusted", "extra", "voided")
FRAMES = 17
NONE, DECIMAL, DOUBLE, WORD = range(4)


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise ValueError("cut off")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        packed = self.varint()
        return packed // 2 if packed % 2 == 0 else -(packed + 1) // 2

    def rest(self):
        return self.take(len(self.data) - self.at)


def inflate(data, length):
    plain = zlib.decompress(data, wbits=-15)
    assert len(plain) == length
    return plain


def words_of(data, count):
    source, words = Bytes(data), []
    for _ in range(count):
        kind = source.byte()
        if kind < 2:
            words.append(kind == 1)
            continue
        text = source.take(source.varint())
        words.append(text.decode("utf-16-le", "surrogatepass") if kind == 3 else
                     int(text) if kind == 4 else text.decode("utf-8"))
    assert source.at == len(data)
    return words


def modulo(value):
    return (value + 2**31) % 2**32 - 2**31


class Segment:
    def __init__(self, header, payload):
        source = Bytes(header)
        assert source.byte() == 1
        self.count = source.varint()
        self.first_ms, self.last_ms = struct.unpack("<dd", source.take(16))
        self.root = source.take(32)
        self.names = []
        names = source.varint()
        if names > 0:
            length = source.varint()
            self.names = words_of(inflate(source.take(source.varint()), length), names)
        length = source.varint()
        directory = Bytes(inflate(source.rest(), length))
        self.stored = [directory.varint() for _ in range(FRAMES)]
        self.codes = Bytes(directory.take(directory.varint()))
        self.amounts = Bytes(directory.rest())
        self.used = [0] * FRAMES
        self.plans = [self.plan() for _ in range(TAGS + len(self.names))]
        assert sum(self.stored) == len(payload)
        zstd = subprocess.run(["zstd", "-dcq"], input=payload, stdout=subprocess.PIPE, check=True)
        plain = zstd.stdout
        assert len(plain) == sum(self.used)
        starts = [sum(self.used[:frame]) for frame in range(FRAMES)]
        self.frames = [plain[start:start + length] for start, length in zip(starts, self.used)]
        self.columns = {}

    def place(self, frame, length):
        self.used[frame] += length
        return frame, self.used[frame] - length, length

    def bytes_at(self, place):
        frame, start, length = place
        return self.frames[frame][start:start + length]

    def plan(self):
        mask = self.codes.byte()
        kinds = [kind for kind in range(4) if mask & (1 << kind)]
        plan = {"rows": {kinds[0]: self.count}, "mixed": None, "kind": kinds[0]}
        if len(kinds) > 1:
            plan["rows"] = {kind: self.amounts.varint() for kind in kinds}
            plan["mixed"] = self.place(0, self.count)
        rows = plan["rows"]
        if DECIMAL in rows:
            code = self.codes.byte()
            plan["scale"], plan["single"] = code % 16, code >= 16
            plan["integers"] = self.run(rows[DECIMAL])
        if DOUBLE in rows:
            plan["doubles"] = [self.place(16, rows[DOUBLE]) for _ in range(8)]
        if WORD in rows:
            plan["word_count"] = self.amounts.varint()
            plan["words"] = self.place(0, self.amounts.varint())
            plan["word_codes"] = self.run(rows[WORD])
        return plan

    def run(self, count):
        coding = self.codes.byte()
        run = {"window": coding & 7, "by_steps": coding & 8 != 0}
        run["narrow"], run["count"] = coding & 16 != 0, count
        frame = self.codes.byte()
        run["reference"] = self.codes.varint()
        if run["reference"] > 0:
            run["multiplier"], = struct.unpack("<f", self.amounts.take(4))
        run["first"] = self.amounts.signed()
        run["step"] = self.amounts.signed() if run["by_steps"] else 0
        planes = [frame, 0, 0, 0, 0, 0, 0][:coding >> 5]
        run["planes"] = [self.place(plane, count) for plane in planes]
        return run

    def integers(self, run, reference):
        values = [0] * run["count"]
        for plane, place in enumerate(run["planes"]):
            digits = struct.unpack("%db" % run["count"], self.bytes_at(place))
            for row, digit in enumerate(digits):
                values[row] += digit << (8 * plane)
        fit = modulo if run["narrow"] else lambda value: value
        width = 1 << run["window"]
        before = run["step"] if run["by_steps"] else run["first"]
        last = [before] * width
        total = fit(before * width + width // 2)
        for row, residual in enumerate(values):
            values[row] = fit((total >> run["window"]) + residual)
            total = fit(total + values[row] - last[row % width])
            last[row % width] = values[row]
        if run["by_steps"]:
            sum_ = run["first"]
            for row, step in enumerate(values):
                sum_ = fit(sum_ + step)
                values[row] = sum_
        if reference is not None:
            values = [fit(value + math.floor(run["multiplier"] * other + 0.5))
                      for value, other in zip(values, reference)]
        return values

    def kinds(self, index):
        plan = self.plans[index]
        if plan["mixed"] is None:
            return [plan["kind"]] * self.count
        return list(self.bytes_at(plan["mixed"]))

    def scaled(self, index):
        """The scaled integers of all rows, 0 where there is none."""
        plan, kinds = self.plans[index], self.kinds(index)
        rows = [row for row in range(self.count) if kinds[row] == DECIMAL]
        run, reference = plan["integers"], None
        if run["reference"] > 0:
            is_average = run["reference"] == 1
            other = self.average(plan["scale"]) if is_average else self.scaled(run["reference"] - 2)
            reference = [other[row] for row in rows]
        scaled = [0] * self.count
        for row, integer in zip(rows, self.integers(run, reference)):
            scaled[row] = integer
        return scaled

    def average(self, scale):
        values = []
        for row in range(self.count):
            sum_, known = 0.0, 0
            for index in EFFICIENCIES:
                value = self.column(index)[row]
                if isinstance(value, float):
                    sum_, known = sum_ + value, known + 1
            exact = sum_ / known * 10.0**scale if known > 0 else math.nan
            is_fit = math.isfinite(exact) and abs(exact) < 2**48
            whole = math.floor(exact) if is_fit else 0
            values.append(whole + (exact - whole >= 0.5) if is_fit else 0)
        return values

    def column(self, index):
        if index not in self.columns:
            self.columns[index] = self.read(index)
        return self.columns[index]

    def read(self, index):
        plan, kinds = self.plans[index], self.kinds(index)
        values = [None] * self.count
        if "integers" in plan:
            for row, integer in enumerate(self.scaled(index)):
                if kinds[row] == DECIMAL:
                    values[row] = float(integer) / 10.0**plan["scale"]
                    if plan["single"]:
                        values[row], = struct.unpack("<f", struct.pack("<f", values[row]))
        if "doubles" in plan:
            doubles = zip(*[self.bytes_at(place) for place in plan["doubles"]])
            for row in (row for row in range(self.count) if kinds[row] == DOUBLE):
                values[row], = struct.unpack(">d", bytes(next(doubles)))
        if "words" in plan:
            words = words_of(self.bytes_at(plan["words"]), plan["word_count"])
            codes = iter(self.integers(plan["word_codes"], None))
            for row in (row for row in range(self.count) if kinds[row] == WORD):
                values[row] = words[next(codes)]
        return values

    def lines(self):
        return [self.line(row) for row in range(self.count)]

    def line(self, row):
        members = [(name, json_of(self.column(index)[row]))
                   for index, name in enumerate(FIELDS) if index > 0]
        members.append(("timestamp", time_of(self.column(0)[row])))
        members.append(("received_at", time_of(self.column(RECEIVED)[row])))
        members.append(("clock_trusted", json_of(self.column(TRUSTED)[row])))
        tags = [(name, json_of(self.column(TAGS + place)[row]))
                for place, name in enumerate(self.names)]
        members += [tag for tag in tags if tag[0] not in TAKEN]
        taken = [tag for tag in tags if tag[0] in TAKEN and tag[1] is not None]
        if taken:
            members.append(("extra", object_of(taken)))
        return object_of([member for member in members if member[1] is not None])


def segments(db):
    previous, count = bytes(32), 0
    rows = db.execute("select id, header, payload, payload_hash, hash from segment order by id")
    for number, header, payload, payload_hash, hash_ in rows:
        count += 1
        assert number == count, "segment %d is missing" % count
        assert sha256(header, payload_hash, previous) == hash_, "segment %d: chain" % number
        previous = hash_
        if payload is not None:
            assert sha256(payload) == payload_hash, "segment %d: payload" % number
            yield number, Segment(header, payload)
    head = db.execute("select count, hash from chain_head where chain = 'segment'").fetchone()
    assert head is None or head == (count, previous), "the head of the chain"


def main(file, number=None, row=None):
    db = sqlite3.connect("file:%s?mode=ro" % file, uri=True)
    for segment_number, segment in segments(db):
        lines = segment.lines()
        leaves = [leaf_of(line) for line in lines]
        assert tree(leaves) == segment.root, "segment %d: root" % segment_number
        if number is None:
            for line in lines:
                sys.stdout.buffer.write(line.encode("utf-8") + b"\n")
        elif int(number) == segment_number:
            proof = {"row": int(row), "count": segment.count, "root": segment.root.hex(),
                     "path": [node.hex() for node in path(int(row), leaves)]}
            print(json.dumps(proof))


if __name__ == "__main__":
    main(*sys.argv[1:])
