// Imports readings from a file. Each is merged like a message's, with the receipt in the file. A
// line that contradicts stored data, or can't be a reading of this system, is refused as a whole
// and reported, so that the user can decide.

import { mergePart, type PartReceipt, withoutDerived } from "../../bwts/merge.ts";
import { AHEAD_MAX_MS, OLDEST_MS, type Reading } from "../../bwts/reading.ts";
import { DamagedError } from "../../codec/bytes.ts";
import { printTime } from "../../ground/clock.ts";
import type { ImportedReading, RefusedLine } from "../../payload/import.ts";
import type { ReadingStore } from "../sealed/readings.ts";
import { tooManyTags } from "../sealed/tag-names.ts";
import { type BatchResult, countsOf } from "./ingest.ts";

/** Counts of a batch's lines; each line is counted once. */
export interface ImportResult {
  /** New readings, and readings with new fields. */
  readonly stored: number;
  /** Readings that were stored in full before. */
  readonly same: number;
  readonly refused: readonly RefusedLine[];
}

/** The receipt for records without one, and the time from which raw readings are kept. */
export interface ImportContext extends PartReceipt {
  readonly raw_from_ms: number;
}

/** The result of a batch, also in the form of a commit. */
export interface ImportBatch {
  readonly result: ImportResult;
  readonly batch: BatchResult;
}

/** Returns a function that stores a batch, in the caller's transaction. */
export function openImport({
  readings,
  isVisible,
}: {
  readonly readings: ReadingStore;
  /** True if no void hides the reading. */
  readonly isVisible: (reading: Reading) => boolean;
}) {
  return (lines: readonly (ImportedReading | RefusedLine)[], context: ImportContext) => {
    const result = importAll(readings, lines, context);
    const flushed = readings.flush();
    const batch: BatchResult = {
      ...countsOf(flushed, isVisible),
      quarantined: 0,
      aside: [],
      repeated: 0,
      events: 0,
      clock_trusted: context.clock_trusted,
    };
    return { result: { result, batch }, flushed };
  };
}

function importAll(
  readings: ReadingStore,
  batch: readonly (ImportedReading | RefusedLine)[],
  context: ImportContext,
): ImportResult {
  const outcomes = batch.map((imported) =>
    "problem" in imported ? imported : importOne(readings, imported, context),
  );
  return {
    stored: outcomes.filter((outcome) => outcome === "stored").length,
    same: outcomes.filter((outcome) => outcome === "same").length,
    refused: outcomes.filter((outcome) => typeof outcome === "object"),
  };
}

function importOne(
  readings: ReadingStore,
  imported: ImportedReading,
  context: ImportContext,
): "stored" | "same" | RefusedLine {
  const { line } = imported;
  const problem = timeProblem(imported, context);
  if (problem !== null) return { line, problem };
  const receipt: PartReceipt = {
    system_id: context.system_id,
    received_ms: imported.received_ms ?? context.received_ms,
    clock_trusted: imported.clock_trusted ?? context.clock_trusted,
  };
  try {
    return mergeOne(readings, imported, receipt);
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return { line, problem: `the stored data of that time is damaged: ${error.message}` };
  }
}

function mergeOne(
  readings: ReadingStore,
  imported: ImportedReading,
  receipt: PartReceipt,
): "stored" | "same" | RefusedLine {
  const { line } = imported;
  const known = readings.at(imported.part.at_ms);
  const part = withoutDerived(imported.part, known);
  // A line is stored only if all of it fits.
  const conflicts = known === null ? [] : mergePart(known, part, receipt).conflicts;
  if (conflicts.length > 0) return { line, problem: shown(conflicts) };
  const { reading, beyond } = readings.merge(part, receipt);
  if (beyond.length > 0) return { line, problem: `but for ${shown([tooManyTags(beyond)])}` };
  return reading === null ? "same" : "stored";
}

function timeProblem(imported: ImportedReading, context: ImportContext): string | null {
  const { at_ms } = imported.part;
  const latest_ms = context.received_ms + AHEAD_MAX_MS;
  const time = printTime(at_ms);
  if (at_ms < OLDEST_MS) return `timestamp: ${time} is before 2000`;
  if (at_ms < context.raw_from_ms)
    return `timestamp: readings before ${printTime(context.raw_from_ms)} have expired, got ${time}`;
  if (!context.clock_trusted) return null;
  const now = printTime(context.received_ms);
  if (at_ms > latest_ms) return `timestamp: ${time} is ahead, it is ${now}`;
  const { received_ms } = imported;
  if (received_ms === null || received_ms <= latest_ms) return null;
  return `received_at: ${printTime(received_ms)} is ahead, it is ${now}`;
}

/** Maximum number of contradictions listed per line. */
const SHOWN_MAX = 3;
const SHOWN_CHARACTERS_MAX = 300;

function shown(conflicts: readonly string[]): string {
  const more = conflicts.length - SHOWN_MAX;
  const rest = more > 0 ? `, and ${more} more` : "";
  return conflicts.slice(0, SHOWN_MAX).join(", ").slice(0, SHOWN_CHARACTERS_MAX) + rest;
}
