// Sparkplug B's payload as Protocol Buffers: the messages that an edge node sends, and the one
// command that it takes. The numbers of fields and types are those of the specification 3.0,
// chapter 6; what a message may have beside them isn't used here.

import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { Value } from "../bwts/reading.ts";

export const TYPES = { integer: 4, number: 10, boolean: 11, string: 12 } as const;
export type MetricType = keyof typeof TYPES;

/** A metric of a birth, with its definition, or of data, by its alias alone. */
export interface Metric {
  /** Null: known by its alias. */
  readonly name: string | null;
  /** Null: known by its name. */
  readonly alias: number | null;
  readonly type: MetricType;
  readonly unit: string | null;
  readonly value: Value;
  /** When the value was measured. */
  readonly at_ms: number;
  /** True if it isn't of the present. */
  readonly isHistorical: boolean;
}

export interface Payload {
  /** When it is sent. */
  readonly at_ms: number;
  /** Null in the message of a death. */
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
  // The type belongs to the definition.
  if (name !== null) out.tag(METRIC.datatype, WireType.Varint).uint32(TYPES[type]);
  if (isHistorical) out.tag(METRIC.is_historical, WireType.Varint).bool(true);
  if (value === null) out.tag(METRIC.is_null, WireType.Varint).bool(true);
  if (name !== null && unit !== null) writeUnit(out, unit);
  if (value !== null) writeValue(out, type, value);
}

/** The unit as the property by which hosts know it. */
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
    // A negative integer is the same 64 bits.
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

/** The name of the metric by which a host asks for a rebirth. */
export const REBIRTH = "Node Control/Rebirth";

/** True if a command asks for a rebirth. Throws for bytes that are no payload. */
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
