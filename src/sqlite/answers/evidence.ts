// The evidence of an instant: every stored reading of it, sealed or hot, hidden or not, with its
// times and its place in the chain. A segment's bytes are proven before its reading is shown.

import { doubtedNames, type Spans } from "../../bwts/plausible.ts";
import type { EvidenceAnswer } from "../../bwts/present/evidence.ts";
import type { Reading } from "../../bwts/reading.ts";
import { writeReading } from "../../codec/json.ts";
import { JsonWriter } from "../../codec/json-writer.ts";
import { lineWriter } from "../../codec/line.ts";
import { LEAF, sha256 } from "../../codec/merkle.ts";
import { openSegment, type Segment } from "../../codec/segment-reader.ts";
import { printTime } from "../../ground/clock.ts";
import { exactJson, parseExact } from "../../ground/exact-json.ts";
import { type Connection, prepare } from "../file/open.ts";
import { readingOf } from "../sealed/block.ts";
import { isBytes, provenBytes, type SealedRow } from "../sealed/segment-proof.ts";
import { segmentsOf } from "../sealed/segments.ts";
import { spansInForce } from "../sealed/spans.ts";
import { rawFrom } from "../sealed/timeline.ts";
import { listVoids } from "../sealed/voids.ts";

type EvidenceReading = EvidenceAnswer["readings"][number];

/** The evidence as JSON; null if no reading of the instant is stored. */
export function evidenceJson(db: Connection, at_ms: number): string | null {
  return db.transaction(() => {
    if (at_ms < rawFrom(db)) return null;
    const readings = [...hotEvidence(db, at_ms), ...sealedEvidence(db, at_ms)];
    if (readings.length === 0) return null;
    const counted = readings.map((one, index) => ({ ...one, counts: index === 0 }));
    return exactJson({
      timestamp: printTime(at_ms),
      hidden: hiddenAt(db, at_ms),
      readings: counted,
    });
  })();
}

function hotEvidence(db: Connection, at_ms: number): readonly Omit<EvidenceReading, "counts">[] {
  const row = prepare(db, "reading.at").get({ at_ms });
  if (row === undefined) return [];
  return [{ stored: "hot", ...told(readingOf(row), spansInForce(db)), segment: null }];
}

/**
 * The sealed readings of the instant, the newest segment first: its reading replaces the others.
 */
function sealedEvidence(db: Connection, at_ms: number): readonly Omit<EvidenceReading, "counts">[] {
  const segments = segmentsOf(db);
  segments.refresh();
  const spans = segments.within({ start_ms: at_ms, end_ms: at_ms });
  const bytes = prepare<"segment.bytes", SealedRow>(db, "segment.bytes");
  return [...spans]
    .sort((one, other) => other.id - one.id)
    .flatMap(({ id }) => {
      const row = bytes.get({ id });
      const { header, payload } = provenBytes(id, row);
      if (payload === null) return [];
      const segment = openSegment({ header, payload });
      const at = segment.at_ms.indexOf(at_ms);
      if (at < 0) return [];
      const place = {
        ...{ number: id, hash: hexOf(row?.hash), root: hexOf(segment.root) },
        ...{ rows: segment.count, row: at, leaf: hexOf(leafOf(segment, at)) },
      };
      return [
        {
          stored: "sealed" as const,
          ...told(segment.reading(at), spansInForce(db)),
          segment: place,
        },
      ];
    });
}

/** The hash of a row, a leaf of the segment's root. */
function leafOf(segment: Segment, row: number): Buffer {
  const out = new JsonWriter();
  lineWriter(segment)(row, out);
  return sha256(Buffer.concat([Buffer.of(LEAF), out.written]));
}

function told(reading: Reading, spans: Spans | null) {
  const out = new JsonWriter();
  writeReading(reading, out);
  return {
    received_at: printTime(reading.received_ms),
    clock_trusted: reading.clock_trusted,
    values: parseExact(Buffer.from(out.written).toString()),
    not_believed: doubtedNames(reading, spans),
  };
}

function hiddenAt(db: Connection, at_ms: number): EvidenceAnswer["hidden"] {
  const hiding = listVoids(db).find(
    ({ what, undone_ms, start_ms, end_ms }) =>
      what === "readings" && undone_ms === null && start_ms <= at_ms && end_ms >= at_ms,
  );
  if (hiding === undefined) return null;
  return { reason: hiding.reason, since: printTime(hiding.made_ms) };
}

const hexOf = (bytes: unknown) => (isBytes(bytes) ? Buffer.from(bytes).toString("hex") : "");
