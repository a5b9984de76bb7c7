// Sparkplug B's payload as Protocol Buffers: the messages that an edge node sends, and the one
// command that it accepts. The numbers of fields and types are those of the specification 3.0,
// chapter 6; other parts of a message aren't used here.

import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Value } from "../bwts/reading.ts";

export const TYPES = { integer: 4, number: 10, boolean: 11, string: 12 } as const;
export type MetricType = keyof typeof TYPES;

/** A metric: in a birth with its definition, in data with its alias only. */
export interface Metric {
  /** Name; null if only the alias is sent. */
  readonly name: string | null;
  /** Alias; null if it has a name only. */
  readonly alias: number | null;
  readonly type: MetricType;
  readonly unit: string | null;
  readonly value: Value;
  /** Time at which the value was measured. */
  readonly at_ms: number;
  /** True if the value isn't a present one. */
  readonly isHistorical: boolean;
}

export interface Payload {
  /** Time at which it is sent. */
  readonly at_ms: number;
  /** Sequence number; null in the message of the node's death. */
  readonly seq: number | null;
  readonly metrics: readonly Metric[];
}

const PAYLOAD = { timestamp: 1, metrics: 2, seq: 3 } as const;
const METRIC = {
  ...{ name: 1, alias: 2, timestamp: 3, datatype: 4, is_historical: 5, is_null: 7, properties: 9 },
  ...{ integer: 11, number: 13, boolean: 14, string: 15 },
} as const;
const PROPERTY_SET = { keys: 1, values: 2 } as const;
const PROPERTY_VALUE = { type: 1, string: 8 } as const;

export function encodePayload({ at_ms, seq, metrics }: Payload): Buffer {
  const out = new BinaryWriter();
  out.tag(PAYLOAD.timestamp, WireType.Varint).uint64(at_ms);
  for (const metric of metrics) {
    out.tag(PAYLOAD.metrics, WireType.LengthDelimited).fork();
    writeMetric(out, metric);
    out.join();
  }
  if (seq !== null) out.tag(PAYLOAD.seq, WireType.Varint).uint64(seq);
  return Buffer.from(out.finish());
}

function writeMetric(out: BinaryWriter, metric: Metric): void {
  const { name, alias, at_ms, type, unit, value, isHistorical } = metric;
  if (name !== null) out.tag(METRIC.name, WireType.LengthDelimited).string(name);
  if (alias !== null) out.tag(METRIC.alias, WireType.Varint).uint64(alias);
  out.tag(METRIC.timestamp, WireType.Varint).uint64(at_ms);
  // The type is sent with the definition only.
  if (name !== null) out.tag(METRIC.datatype, WireType.Varint).uint32(TYPES[type]);
  if (isHistorical) out.tag(METRIC.is_historical, WireType.Varint).bool(true);
  if (value === null) out.tag(METRIC.is_null, WireType.Varint).bool(true);
  if (name !== null && unit !== null) writeUnit(out, unit);
  if (value !== null) writeValue(out, type, value);
}

/** Writes the unit as the property that hosts know. */
function writeUnit(out: BinaryWriter, unit: string): void {
  out.tag(METRIC.properties, WireType.LengthDelimited).fork();
  out.tag(PROPERTY_SET.keys, WireType.LengthDelimited).string("engUnit");
  out.tag(PROPERTY_SET.values, WireType.LengthDelimited).fork();
  out.tag(PROPERTY_VALUE.type, WireType.Varint).uint32(TYPES.string);
  out.tag(PROPERTY_VALUE.string, WireType.LengthDelimited).string(unit);
  out.join().join();
}

function writeValue(out: BinaryWriter, type: MetricType, value: NonNullable<Value>): void {
  switch (type) {
    // A negative integer has the same 64 bits.
    case "integer":
      out.tag(METRIC.integer, WireType.Varint).int64(BigInt(value));
      return;
    case "number":
      out.tag(METRIC.number, WireType.Bit64).double(Number(value));
      return;
    case "boolean":
      out.tag(METRIC.boolean, WireType.Varint).bool(value === true);
      return;
    case "string":
      out.tag(METRIC.string, WireType.LengthDelimited).string(String(value));
  }
}

/** Name of the metric by which a host requests a rebirth. */
export const REBIRTH = "Node Control/Rebirth";

/** True if a command requests a rebirth. Throws for bytes that aren't a payload. */
export function isRebirthAsked(bytes: Uint8Array): boolean {
  const reader = new BinaryReader(bytes);
  let isAsked = false;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === PAYLOAD.metrics && type === WireType.LengthDelimited)
      isAsked = isRebirth(new BinaryReader(reader.bytes())) || isAsked;
    else reader.skip(type, field);
  }
  return isAsked;
}

function isRebirth(reader: BinaryReader): boolean {
  let name = "";
  let isTrue = false;
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === METRIC.name && type === WireType.LengthDelimited) name = reader.string();
    else if (field === METRIC.boolean && type === WireType.Varint) isTrue = reader.bool();
    else reader.skip(type, field);
  }
  return name === REBIRTH && isTrue;
}
