// Messages for the decoder: what a PLC's payload on a topic becomes, with the catalogue's names
// back on the values so that tests read like the wire.

import type { Message } from "../../src/bwts/message.ts";
import { believed, spansOf } from "../../src/bwts/plausible.ts";
import type { ReadingPart, Value } from "../../src/bwts/reading.ts";
import { indexOfTag, TAGS, type TagName } from "../../src/bwts/tags.ts";
import { loadConfig } from "../../src/config/load.ts";
import { decodeMessage } from "../../src/payload/decode.ts";
import type { DecodedMessage } from "../../src/payload/decoded.ts";
import { openMap, oursFilter } from "../../src/payload/map-rules.ts";

export const RECEIVED_MS = Date.parse("2026-05-01T10:00:00.700Z");
export const AT = "2026-05-01T09:59:30.000Z";
export const AT_MS = Date.parse(AT);

interface Given extends Partial<Message> {
  readonly merge_ms?: number;
  readonly clock_trusted?: boolean;
  readonly system_id?: string;
  readonly prefix?: string;
}

/** A message on `bwts/BWTS-001/<kind>`: a text and bytes as they are, anything else as JSON. */
export function messageOf(kind: string, content: unknown, given: Partial<Message> = {}): Message {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const payload = content instanceof Uint8Array ? content : Buffer.from(text);
  return {
    topic: `bwts/BWTS-001/${kind}`,
    payload,
    payload_bytes: payload.length,
    received_ms: RECEIVED_MS,
    qos: 1,
    retain: false,
    dup: false,
    client: "plc",
    packet_id: 7,
    will: false,
    ...given,
  };
}

/** Decodes such a message. */
export function decode(kind: string, content: unknown, given: Given = {}): DecodedMessage {
  const { merge_ms = 0, clock_trusted = true, system_id = "BWTS-001", ...rest } = given;
  const { prefix = "bwts", ...message } = rest;
  const context = { merge_ms, clock_trusted, system_id, prefix };
  return decodeMessage(messageOf(kind, content, message), context);
}

/** Decodes a message on any topic by the rules of a map. */
export function decodeMapped(
  rules: readonly object[],
  content: unknown,
  given: Given & { readonly unmapped?: "keep" | "drop" } = {},
): DecodedMessage {
  const { unmapped = "keep", merge_ms = 0, clock_trusted = true, ...message } = given;
  const env = { BALLASTD_MAP_RULE: JSON.stringify(rules), BALLASTD_MAP_UNMAPPED: unmapped };
  const { config } = loadConfig({ file: null, env, defaultFile: null });
  const map = openMap(config.map, oursFilter(config.mqtt, config.system));
  const context = { merge_ms, clock_trusted, system_id: "BWTS-001", prefix: "bwts", map };
  const foreign = { topic: "ship/uv1", ...message };
  return decodeMessage(messageOf("", content, foreign), context);
}

/** The one reading of a payload on `ship/uv1`; unmapped tags are dropped. */
export function mapped(rules: readonly object[], payload: unknown) {
  const decoded = decodeMapped(
    rules.map((rule) => ({ topic: "ship/uv1", ...rule })),
    payload,
    { unmapped: "drop" },
  );
  const nothing = { values: [], extra: new Map() };
  const { timestamp_source, ...says } = said(decoded.readings[0] ?? nothing);
  return { says, rejects: turnedAway(decoded) };
}

/** The contents of a part: catalogue fields by name, then the unknown tags. */
export function said(part: Pick<ReadingPart, "values" | "extra">): Record<string, Value> {
  const known = part.values.flatMap((value, index): [string, Value][] =>
    value === null ? [] : [[TAGS[index].name, value]],
  );
  return Object.fromEntries([...known, ...part.extra]);
}

/** As `said`, of the one reading that a `telemetry` object with `members` and a time becomes. */
export function telemetry(members: string): Record<string, Value> {
  const decoded = decode("telemetry", `{"timestamp":"${AT}",${members}}`);
  if (decoded.readings.length !== 1) throw new Error(`got ${JSON.stringify(decoded.rejects)}`);
  return said(decoded.readings[0]);
}

/** The reasons and details of what was turned away. */
export function turnedAway({ rejects }: DecodedMessage): readonly string[] {
  return rejects.map(({ reason, detail }) => `${reason}: ${detail}`);
}

const SPANS = spansOf({ flow_max_imo: 1000 });

/** The value of a field of the first reading as it came, and as it is believed. */
export function seen(
  { readings }: DecodedMessage,
  name: TagName,
): readonly [came: Value, believed: Value] {
  const [reading] = readings;
  const tag = indexOfTag(name);
  return [reading.values[tag], believed({ ...reading, derived: 0 }, SPANS).values[tag]];
}
