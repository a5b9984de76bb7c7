// A PLC strung together by a different programmer each time: it knows what it wants to say of an
// instant, and says it spelled, split, doubled and ordered as the contract allows.

import { LAMP_NUMBERS, TAGS } from "../../src/bwts/tags.ts";
import { printed, type Statement, type Value } from "../rig/logbook.ts";
import type { Random } from "../rig/random.ts";
import type { Sent } from "./appliance.ts";

type Fields = ReadonlyMap<string, Value>;
/** JSON as text, because JSON.stringify writes -0 as 0 and knows one spelling of a number. */
type Json = string;

const says = TAGS.filter(({ name }) => name !== "timestamp" && name !== "system_id");

/** Random fields of a PLC: each with the probability `share`, and a few unknown tags. */
export function randomFields(random: Random, share: number): Fields {
  const fields = new Map<string, Value>();
  for (const { name, type } of says) {
    if (!random.chance(share)) continue;
    if (name === "month") fields.set(name, random.between(1, 12));
    else if (name === "FAILED_LAMP_COUNT") fields.set(name, random.between(0, 16));
    else fields.set(name, randomValue(random, type));
  }
  const unknown = ["X", "PLC.Uptime", "a-b_c", "9", "__proto__", "LAMP_07_VOLTAGE", "constructor"];
  for (const name of unknown)
    if (random.chance(share / 3))
      fields.set(name, randomValue(random, random.pick(["number", "boolean", "string"])));
  return fields;
}

const TEXTS = ["RUNNING", "ACTIVE", "FAILED", "STANDBY", "Rotterdam", " kept as sent ", "café"];
const ODD_TEXTS = ['"quoted" \\ back', "tab\there", "\u0001", "🚢 ‮turned", "1.5", "true", "null"];

function randomValue(random: Random, type: "number" | "integer" | "boolean" | "string"): Value {
  switch (type) {
    case "boolean":
      return random.chance(0.5);
    case "string":
      return random.pick(random.chance(0.8) ? TEXTS : ODD_TEXTS);
    case "integer":
      return random.pick([0, -0, 7, -3, random.between(0, 5000), 2 ** 53 - 1, -(2 ** 40)]);
    case "number":
      return randomNumber(random);
  }
}

function randomNumber(random: Random): number {
  switch (random.between(0, 6)) {
    case 0:
      return random.pick([0, -0, 1e300, -1e300, 5e-324, 1.7976931348623157e308, 1e21, 1e-7]);
    case 1:
      return (random.next() - 0.5) * 10 ** random.between(-20, 20); // 17 digits
    case 2:
      return random.between(-1000, 1000);
    default:
      return random.between(0, 100_000) / 100;
  }
}

/** The messages that say `fields` of an instant: one or many, some things twice. */
export function messagesOf(random: Random, { at_ms, fields }: Statement): readonly Sent[] {
  const parts = new Map<string, [string, Json][]>();
  const tell = (kind: string, name: string, json: Json) => {
    const part = parts.get(kind) ?? [["timestamp", spelledTime(random, at_ms)]];
    parts.set(kind, [...part, [name, json]]);
  };
  for (const [name, value] of random.shuffled([...fields]))
    for (let time = random.chance(0.1) ? 2 : 1; time > 0; time -= 1)
      tellField(random, { name, json: spelled(random, name, value) }, tell);
  if (parts.size === 0) tell("telemetry", "SYS_PRESSURE", random.pick(["null", '""']));
  return [...parts].map(([kind, members]) => ({
    kind: kind.replace(/#.*/, ""),
    payload: kind === "lamps#list" ? lampList(members) : object(distinct(members)),
  }));
}

type Tell = (kind: string, name: string, json: Json) => void;

function tellField(random: Random, field: { name: string; json: Json }, tell: Tell): void {
  const { name, json } = field;
  const [, number, member] = /^LAMP_(\d\d)_(\w+)$/.exec(name) ?? [];
  if (number === undefined || !LAMP_NUMBERS.includes(number)) {
    tell(random.pick(["telemetry", "telemetry#other"]), name, json);
    return;
  }
  const short = member.toLowerCase();
  const [kind, spelledName] = random.pick([
    ["telemetry", name],
    ["lamps#flat", name],
    ["lamps#list", `${number} ${short}`],
    [`lamps/${random.pick([number, String(Number(number))])}`, short],
  ]);
  tell(kind, spelledName, json);
}

/** `{"timestamp", "lamps": [...]}` of members named `<number> <member>`. */
function lampList([timestamp, ...members]: readonly [string, Json][]): Json {
  const byLamp = Map.groupBy(distinct(members), ([name]) => name.split(" ")[0]);
  const lamps = [...byLamp].map(([number, ofLamp]) =>
    object([
      ["lamp", String(Number(number))],
      ...ofLamp.map(([name, json]): [string, Json] => [name.split(" ")[1], json]),
    ]),
  );
  return object([timestamp, ["lamps", `[${lamps.join(",")}]`]]);
}

/** JSON takes the last of two members of one name: said twice is said once. */
function distinct(members: readonly [string, Json][]): readonly [string, Json][] {
  return [...new Map(members)];
}

/** An object's text of its members' texts. */
export function object(members: Iterable<readonly [string, Json]>): Json {
  return `{${[...members].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

const typeOf = new Map(TAGS.map(({ name, type }) => [name, type]));

function spelled(random: Random, name: string, value: Value): Json {
  const isKnown = typeOf.has(name);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return isKnown ? spelledNumber(random, value) : literal(value);
  if (!isKnown) return String(value);
  return random.pick(
    value ? ["true", "1", '"1"', '"True"', '"TRUE"'] : ["false", "0", '"0"', '"False"'],
  );
}

/** The number as JSON, negative zero included. */
export function literal(value: number): Json {
  return Object.is(value, -0) ? "-0" : String(value);
}

function spelledNumber(random: Random, value: number): Json {
  const plain = literal(value);
  // With three digits behind its only comma a text could be two numbers.
  const comma = /\.\d{3}(?!\d)/.test(plain) ? "." : ",";
  switch (random.between(0, 6)) {
    case 0:
      return `"${plain}"`;
    case 1:
      return `"${plain.replace(".", comma)}"`;
    case 2:
      return `" \\t${plain.replace(".", comma)} "`;
    case 3:
      return Object.is(value, -0) ? '"-0.0E+1"' : `"${value.toExponential().toUpperCase()}"`;
    case 4:
      return plain.startsWith("-") ? `"${plain}"` : `"+${plain}"`;
    default:
      return plain;
  }
}

/** The instant in one of the contract's spellings. */
export function spelledTime(random: Random, at_ms: number): Json {
  const iso = printed(at_ms);
  const bare = iso.slice(0, -1);
  const shifted = (hours: number) => printed(at_ms + hours * 3_600_000).slice(0, -1);
  return random.pick([
    `"${iso}"`,
    `"${iso}"`,
    `"${bare}"`,
    `"${bare.replace("T", " ")}Z"`,
    `"${bare}987654Z"`,
    `"${shifted(5)}+05:00"`,
    `"${shifted(-9)}-0900"`,
    String(at_ms),
    `"${at_ms}"`,
    String(at_ms / 1000),
    `"${(at_ms / 1000).toFixed(3)}"`,
  ]);
}

/** Some of the telemetry messages put together into arrays, as a PLC empties its buffer. */
export function buffered(random: Random, messages: readonly Sent[]): readonly Sent[] {
  const isBuffered = new Map(
    messages.map((message) => [message, message.kind === "telemetry" && random.chance(0.5)]),
  );
  const buffer = messages.filter((message) => isBuffered.get(message));
  const arrays: Sent[] = [];
  for (let start = 0; start < buffer.length; ) {
    const end = start + random.between(1, 20);
    const items = buffer.slice(start, end).map(({ payload }) => payload);
    arrays.push({ kind: "telemetry", payload: `[${items.join(" ,\n")}]` });
    start = end;
  }
  return [...messages.filter((message) => !isBuffered.get(message)), ...arrays];
}
