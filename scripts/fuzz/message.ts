// A fuzzed message: a real one of each kind, of which values, members, nesting, size, encoding and
// bytes are changed, a little or beyond recognition. Topics are such that MQTT allows them: what a
// publish must not say is the packets' fuzzer's.

import { TAGS } from "../../src/bwts/tags.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/ground/clock.ts";
import type { Random } from "../../test/rig/random.ts";
import { plainValue, quotedText, tagName, timeValue, wildValue } from "./values.ts";

export interface FuzzedMessage {
  readonly kind: string;
  readonly topic: string;
  readonly payload: Buffer;
}

type Members = [name: string, value: string][];

/** Kind and start time of a case, and its degree of damage: 0 is a real message. */
interface Making {
  readonly random: Random;
  readonly at_ms: number;
  readonly wildness: number;
}

const LAMP_MEMBERS = ["status", "efficiency", "power", "runtime"] as const;
const EVENT_TYPES = ["PROCESS_START", "PROCESS_STOP", "ALARM_TRIGGERED", "alarm_triggered", "X"];
const HUGE_SHARE = 0.0003;
const ODD_BYTES = ["c3", "ff", "00", "22", "5c", "7b", "5d", "efbbbf", "eda080", "f0", "2c", "0a"];

const MAKERS: Readonly<Record<string, (making: Making) => Members>> = {
  telemetry: ({ random }) => {
    const share = random.pick([0.02, 0.1, 0.5, 1]);
    return TAGS.slice(3)
      .filter(() => random.chance(share))
      .map(({ name, type }) => [name, plainValue(random, type)]);
  },
  lamps: (making) => {
    const count = making.random.between(0, 17);
    const lamps = Array.from({ length: count }, (_, lamp) =>
      object([["lamp", String(lamp + 1)], ...lampMembers(making)], making),
    );
    return [["lamps", `[${lamps.join(",")}]`]];
  },
  "lamps/7": (making) => lampMembers(making),
  events: (making) => [
    ["event_type", quotedText(making.random.pick(EVENT_TYPES))],
    ["description", quotedText("BALLAST process started at Singapore")],
    ["data", object([["operation_type", '"BALLAST"'], anyMember(making)], making)],
  ],
  health: ({ random }) =>
    ["overall_score", "uv_health", "lamp_health", "power_efficiency", "thermal_health"].map(
      (name) => [name, plainValue(random, "number")],
    ),
  predictions: (making) => [
    ["component_id", quotedText(`LAMP_${making.random.between(0, 17)}`)],
    ["component_type", '"UV_LAMP"'],
    [
      "current_state",
      object([["efficiency_percent", plainValue(making.random, "number")]], making),
    ],
    ["predictions", object([["remaining_useful_life_hours", "1200.5"]], making)],
  ],
};
const KINDS = Object.keys(MAKERS);

/** The message of one case; what it tells of happened about `at_ms`. */
export function fuzzedMessage(random: Random, at_ms: number): FuzzedMessage {
  const kind = random.chance(0.5) ? "telemetry" : random.pick(KINDS);
  const making = { random, at_ms, wildness: random.pick([0, 0.02, 0.1, 0.5]) };
  const topic = topicOf(kind, making);
  return { kind, topic, payload: bytesOf(textOf(kind, making), making) };
}

function textOf(kind: string, making: Making): string {
  const { random, at_ms, wildness } = making;
  if (random.chance(wildness / 10)) return wildValue(random);
  const one = (offset_ms: number) => {
    const time: Members = random.chance(0.97)
      ? [["timestamp", timeValue(random, at_ms + offset_ms, wildness)]]
      : [];
    return object([...time, ...MAKERS[kind](making)], making);
  };
  if (random.chance(HUGE_SHARE)) return hugeText(random, one(0));
  if (!random.chance(0.1)) return one(random.pick([0, 0, 0, -MINUTE_MS, 1, SECOND_MS]));
  const items = Array.from({ length: random.between(0, 6) }, (_, place) => one(place * SECOND_MS));
  return `[${items.join(",")}]`;
}

function hugeText(random: Random, item: string): string {
  switch (random.between(0, 4)) {
    case 0:
      return `[${"{},".repeat(random.pick([1000, 40_001, 200_000]))}{}]`;
    case 1:
      return `[${Array(random.between(50, 400)).fill(item).join(",")}]`;
    case 2:
      return `{"x":"${"y".repeat(random.pick([65_536, 1_048_500, 1_048_576, 1_300_000]))}"}`;
    case 3:
      return "[".repeat(random.pick([10_000, 500_000]));
    default: {
      const tags = Array.from({ length: random.pick([256, 257, 5000]) }, (_, tag) => `"T${tag}":1`);
      return `{"timestamp":"2026-05-01T00:00:00Z",${tags.join(",")}}`;
    }
  }
}

function lampMembers({ random }: Making): Members {
  return LAMP_MEMBERS.filter(() => random.chance(0.8)).map((name) => [
    name,
    plainValue(random, name === "status" ? "string" : "number"),
  ]);
}

/** An object of members, some of them replaced, left out, doubled or put in. */
function object(members: Members, making: Making): string {
  const { random, wildness } = making;
  const changed = members.flatMap((member): Members => {
    if (!random.chance(wildness)) return [member];
    const [name, value] = member;
    switch (random.between(0, 4)) {
      case 0:
        return [];
      case 1:
        return [member, [name, wildValue(random)]];
      case 2:
        return [[tagName(random), value]];
      default:
        return [[name, wildValue(random)]];
    }
  });
  while (random.chance(wildness)) changed.push(anyMember(making));
  return `{${changed.map(([name, value]) => `${quotedText(name)}:${value}`).join(",")}}`;
}

function anyMember({ random }: Making): Members[number] {
  return [tagName(random), random.chance(0.5) ? plainValue(random, "number") : wildValue(random)];
}

function bytesOf(text: string, { random, wildness }: Making): Buffer {
  const bytes = Buffer.from(text, random.chance(0.05) ? "latin1" : "utf8");
  if (!random.chance(wildness / 2)) return bytes;
  const at = random.between(0, bytes.length);
  switch (random.between(0, 5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes, Buffer.alloc(random.between(1, 100))]);
    case 2:
      return Buffer.concat([Buffer.from("efbbbf", "hex"), bytes]);
    case 3:
      return Buffer.from(`\ufeff${text}`, "utf16le");
    case 4: {
      const odd = Buffer.from(random.pick(ODD_BYTES), "hex");
      return Buffer.concat([bytes.subarray(0, at), odd, bytes.subarray(at)]);
    }
    default:
      if (at < bytes.length) bytes[at] ^= 1 << random.between(0, 7);
      return bytes;
  }
}

function topicOf(kind: string, { random, wildness }: Making): string {
  const levels = ["bwts", "BWTS-001", kind];
  if (!random.chance(wildness / 2)) return levels.join("/");
  switch (random.between(0, 4)) {
    case 0:
      levels[random.between(0, 2)] = random.pick([
        "x",
        "",
        " ",
        "BWTS-002",
        "é",
        "🚢",
        "..",
        "\u0001",
      ]);
      break;
    case 1:
      levels[2] = random.pick(["lamps/0", "lamps/17", "lamps/07", "lamps/__proto__", "lamps/-1"]);
      break;
    case 2:
      levels[2] = random.pick(["__proto__", "constructor", "toString", "TELEMETRY", "telemetry/"]);
      break;
    case 3:
      // The broker closes the connection of a topic with more than a hundred levels.
      levels.push(...Array<string>(random.pick([1, 2, 90])).fill("x"));
      break;
    default:
      return random.pick(["/", "///", "x".repeat(65_535), "é".repeat(32_767)]);
  }
  return levels.join("/");
}
