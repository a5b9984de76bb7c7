// Replays quarantine entries with shifted times and the present configuration. Replaying an entry
// again changes nothing: records stored when the message arrived, or in an earlier replay, are
// recognised and left unchanged, so that no record is stored at two times.

import { hash } from "node:crypto";
import type { Act } from "../../bwts/audit.ts";
import { contradictionsIn } from "../../bwts/judging/contradicted.ts";
import type { Message } from "../../bwts/message.ts";
import { lateAfter } from "../../ground/clock.ts";
import { rejectOf } from "../file/faults.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { ClosedRange } from "../file/query.ts";
import { openAuditLog } from "../records/audit.ts";
import { detailOf, type QuarantineEntry } from "../records/quarantine.ts";
import type { IngestOptions, IngestParts } from "./ingest.ts";
import { type EntryProgress, type TakenIn, takeIn } from "./replay-entry.ts";

/** The choice of entries, and the shift of their times. */
export interface ReplayChoice {
  /** Ids of the entries; null for all waiting entries that match the rest. */
  readonly ids: readonly number[] | null;
  readonly reason: string | null;
  /** Range in which the message was first received. */
  readonly received: ClosedRange;
  /** Added to every time that the message gives itself, in ms. */
  readonly shift_ms: number;
  /** Id after which entries are replayed: earlier calls did the others. */
  readonly after_id: number;
  /** Corrected payload, used instead of the original, which the entry keeps. */
  readonly payload?: Uint8Array | null;
  /** Length of a step; STEP_MS by default. */
  readonly step_ms?: number;
}

/** The result for an entry. */
export interface EntryResult {
  readonly id: number;
  readonly topic: string;
  /** Readings, events and records that changed something now. */
  readonly stored: number;
  /** The reason why it, or part of it, stays quarantined; null if nothing does. */
  readonly left: string | null;
  readonly detail: string;
}

/**
 * Limits of a step: time, entries, bytes of payload. Writing the changes takes about as long again.
 */
const STEP_MS = 60;
export const PAGE_ENTRIES = 200;
const PAGE_BYTES = 8 * 1024 * 1024;

/** Maximum length of quoted text, in characters: a whole page must fit an answer. */
const SHOWN_MAX = 500;

interface Entry
  extends Pick<
    QuarantineEntry,
    "id" | "topic" | "reason" | "detail" | "payload" | "payload_bytes"
  > {
  readonly first_received_ms: number;
  readonly clock_trusted: number;
  readonly replayed_ms: number | null;
  readonly shift_ms: number | null;
  readonly stored: number | null;
  readonly left_reason: string | null;
}

/**
 * The audited act, the time from which readings are kept, the maximum number of entries, and the
 * position in the first entry after an earlier step.
 */
export interface ReplayContext {
  readonly act: Act;
  readonly raw_from_ms: number;
  readonly limit: number;
  readonly progress: EntryProgress | null;
}

/** The result of a step: finished entries, and the position in the next one. */
export interface ReplayStep {
  readonly entries: readonly EntryResult[];
  readonly progress: EntryProgress | null;
}

/**
 * The replay. Methods run in the caller's transaction. A step without entries and progress means
 * that none are left.
 */
export interface Replay {
  /** Replays the next entries until `isLate`; a long last one in part. */
  next(asked: ReplayChoice, around: ReplayContext): ReplayStep;
  /** Leaves the next entry, on which `next` failed with `error`, unchanged. */
  leave(asked: ReplayChoice, act: Act, error: unknown): readonly EntryResult[];
}

export function openReplay(db: Connection, parts: IngestParts, options: IngestOptions): Replay {
  const log = openAuditLog(db);
  const put = prepare(db, "replay.put");
  /**
   * Records the result for an entry: `stored` records in total, of which earlier steps stored
   * `before`.
   */
  const note = (entry: Entry, { asked, act }: Asker, taken: NotedSteps): EntryResult => {
    const { stored, before, rejects, isWhole } = taken;
    const { shift_ms } = asked;
    const left = isWhole ? (rejects.at(0)?.reason ?? null) : UNFINISHED;
    const detail = isWhole ? detailOf(rejects).slice(0, SHOWN_MAX) : "a part of it was taken in";
    const total = (entry.stored ?? 0) + stored - before;
    const row = { at_ms: act.at_ms, shift_ms, stored: total, reason: left, detail };
    put.run({ quarantine_id: entry.id, ...row });
    // The readings that the message contradicted are no longer in doubt.
    const instants = contradictionsIn(entry.detail, act.at_ms).map(({ at_ms }) => at_ms);
    if (left === null) parts.due.changed({ of: "readings", instants });
    return { ...said(entry), stored, left, detail };
  };
  const told = (done: readonly EntryResult[], { asked, act }: Asker): readonly EntryResult[] => {
    if (done.length === 0) return done;
    const stored = done.reduce((sum, entry) => sum + entry.stored, 0);
    const left = done.filter((entry) => entry.left !== null).length;
    const ids = { first: done[0].id, last: done[done.length - 1].id };
    const shift_seconds = asked.shift_ms / 1000;
    const corrected = asked.payload ? { corrected_sha256: hash("sha256", asked.payload) } : {};
    const detail = { entries: done.length, ...ids, shift_seconds, stored, left, ...corrected };
    log.add({ ...act, kind: "replay", detail }, { clock_trusted: parts.clock.trusts(act.at_ms) });
    return done;
  };
  return {
    next(asked, { act, raw_from_ms, limit, progress }) {
      const clock_trusted = parts.clock.trusts(act.at_ms);
      const { shift_ms } = asked;
      const replay = { shift_ms, now_ms: act.at_ms };
      const isLate = lateAfter(asked.step_ms ?? STEP_MS);
      const context = { ...options, clock_trusted, raw_from_ms, replay, isLate };
      const done: EntryResult[] = [];
      let begun = progress;
      for (const entry of nextEntries(db, asked, limit)) {
        const refusal = refusalOf(entry, asked);
        if (refusal !== null) done.push({ ...refusal, ...said(entry), stored: 0 });
        else {
          const before = begun?.stored ?? 0;
          const trusted = { clock_trusted: entry.clock_trusted === 1 };
          const taking = { message: messageOf(entry, asked), ...trusted, progress: begun };
          const taken = takeIn(taking, parts, context);
          const noted = note(entry, { asked, act }, { ...taken, before });
          if (!taken.isWhole) return { entries: told(done, { asked, act }), progress: taken };
          done.push(noted);
        }
        begun = null;
        if (isLate()) break;
      }
      return { entries: told(done, { asked, act }), progress: null };
    },
    leave(asked, act, error) {
      const rejects = [rejectOf(error)];
      const done = nextEntries(db, asked, 1).map((entry) =>
        note(entry, { asked, act }, { stored: 0, before: 0, rejects, isWhole: true }),
      );
      return told(done, { asked, act });
    },
  };
}

/**
 * The reason of an entry that was stored only in part, because the process ended between two steps.
 */
const UNFINISHED = "unfinished";

interface NotedSteps extends Pick<TakenIn, "stored" | "rejects" | "isWhole"> {
  /** Number of `stored` records that earlier steps stored. */
  readonly before: number;
}

interface Asker {
  readonly asked: ReplayChoice;
  readonly act: Act;
}

const said = ({ id, topic }: Entry) => ({ id, topic: topic.slice(0, SHOWN_MAX) });

function nextEntries(db: Connection, asked: ReplayChoice, limit: number): readonly Entry[] {
  const { ids, reason, received, after_id } = asked;
  const rows = prepare(db, "quarantine.to_replay").iterate({
    ...received,
    reason,
    after_id,
    ids: ids === null ? null : JSON.stringify(ids),
    limit,
  });
  const entries: Entry[] = [];
  let bytes = 0;
  for (const entry of rows) {
    bytes += entry.payload?.length ?? 0;
    if (entries.length > 0 && bytes > PAGE_BYTES) break;
    entries.push(entry);
  }
  return entries;
}

/** The reason why an entry can't be replayed at all; null if it can. */
function refusalOf(
  entry: Entry,
  { shift_ms, payload = null }: ReplayChoice,
): Pick<EntryResult, "left" | "detail"> | null {
  if (entry.payload === null)
    return { left: "no_payload", detail: "the quarantine was full: only its hash is kept" };
  if (entry.replayed_ms !== null && entry.left_reason === null)
    return { left: null, detail: "it was taken before" };
  if ((entry.stored ?? 0) > 0 && entry.shift_ms !== shift_ms) {
    const seconds = (entry.shift_ms ?? 0) / 1000;
    const detail = `part of it was stored with a shift of ${seconds} s, expected the same`;
    return { left: "other_shift", detail };
  }
  // A different text could store the same record at two times.
  if ((entry.stored ?? 0) > 0 && payload !== null)
    return { left: "other_payload", detail: "part of it was stored as it was, expected that text" };
  return null;
}

function messageOf(entry: Entry, { payload = null }: ReplayChoice): Message {
  return {
    topic: entry.topic,
    payload: payload ?? entry.payload ?? new Uint8Array(),
    payload_bytes: payload?.length ?? entry.payload_bytes,
    received_ms: entry.first_received_ms,
    qos: 1,
    // The time of a message refused as retained is still unknown.
    retain: entry.reason === "retained",
    dup: false,
    client: "",
    packet_id: null,
    will: false,
  };
}
