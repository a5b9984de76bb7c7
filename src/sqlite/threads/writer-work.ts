// The writer's calls beside messages. Most take one step; longer ones take several, between which
// messages are committed.

import type { Act, By } from "../../bwts/audit.ts";
import type { DecodeImported } from "../../payload/import-line.ts";
import type { Faults } from "../file/faults.ts";
import { type Connection, prepare } from "../file/open.ts";
import type { RunStart } from "../records/runs.ts";
import { storedTokens } from "../writing/audited-writes.ts";
import type { Replayed } from "../writing/replay.ts";
import type { Store } from "../writing/store.ts";
import type { WriterCall } from "./calls.ts";
import type { StepTimes } from "./step-times.ts";
import type { Batches } from "./writer-batches.ts";

/** The writer once its database is open. */
export interface Started {
  readonly db: Connection;
  readonly store: Store;
  readonly isLogMissing: boolean;
  readonly present: () => void;
  readonly faults: Faults;
  readonly times: StepTimes;
}

/** The parts that carry out a call on the store, and files of readings. */
export interface Working extends Started {
  readonly commit: Batches;
  readonly system_id: string;
  readonly decodeImported: DecodeImported;
  readonly inTurn: ReturnType<typeof openTurns>;
}

/** Carries out a call step by step; the return value is the answer. */
export function* workOf(
  call: Exclude<WriterCall, { kind: "ingest" }>,
  working: Working,
): Generator<void, unknown> {
  const { store, commit, system_id, decodeImported, inTurn } = working;
  switch (call.kind) {
    case "import":
      return yield* commit.imported(
        call.records.map((record) => decodeImported(record, system_id)),
      );
    case "seal":
      while (store.sealOld(Date.now())) yield;
      return store.sealing();
    case "replay":
      return yield* inTurn(replayed(call, store));
    case "void":
      return yield* inTurn(store.voiding.add(call.given, actOf(call.by)));
    case "undo_void":
      return yield* inTurn(store.voiding.undo(call.id, actOf(call.by)));
    case "end_void":
      return yield* inTurn(store.voiding.end());
    default:
      return carryOut(call, working);
  }
}

type SmallCall = Exclude<WriterCall, { kind: SteppedKind }>;
type SteppedKind = "ingest" | "import" | "seal" | "replay" | "void" | "undo_void" | "end_void";

const actOf = (by: By): Act => ({ ...by, at_ms: Date.now() });

/** A queue of corrections: each waits for those before it. */
export function openTurns() {
  const line: object[] = [];
  return function* <Result>(work: Generator<void, Result>): Generator<void, Result> {
    line.push(work);
    try {
      while (line[0] !== work) yield;
      return yield* work;
    } finally {
      line.splice(line.indexOf(work), 1);
    }
  };
}

/** Replays the next entries; a long one until it is done. */
function* replayed(
  { asked, by, isTrial }: Extract<WriterCall, { kind: "replay" }>,
  store: Store,
): Generator<void, readonly Replayed[]> {
  const act = actOf(by);
  const step = isTrial ? store.tryReplay : store.replay;
  let { entries, progress } = step(asked, act);
  while (progress !== null && entries.length === 0) {
    yield;
    ({ entries, progress } = step(asked, act, progress));
  }
  return entries;
}

function carryOut(call: SmallCall, started: Started): unknown {
  const { db, store } = started;
  switch (call.kind) {
    case "plant":
      return store.savePlant(call.plant, actOf(call.by));
    case "lamp_word":
      return store.saveLampWord(call.word, actOf(call.by));
    case "begin_lamps":
      return store.beginLamps();
    case "lamps":
      store.saveLamps(call.run);
      return null;
    case "audit":
      store.audit(call.entries, Date.now());
      return null;
    case "run":
      beginRun(call.run, started);
      return null;
    case "add_token": {
      const outcome = store.addToken(call.token, actOf(call.by));
      return { outcome, tokens: storedTokens(db) };
    }
    case "revoke_token": {
      const outcome = store.revokeToken(call.name, actOf(call.by));
      return { outcome, tokens: storedTokens(db) };
    }
    case "health":
      store.saveHealth(call.slots);
      return null;
    case "job":
      store.recordJob(call.run);
      return null;
    case "due":
      return store.dueSlots(call.closed_ms);
    case "sealing":
      return store.sealing();
    case "disown":
      return store.disownReceipts(actOf(call.by), call.reason);
    case "expire":
      return store.expire(call.months);
    case "raise":
      return store.raiseAlarm(call.event, call.about, Date.now());
    case "clear":
      return store.clearAlarm(call.alarm, Date.now());
    case "end_links":
      return store.endLinks(call.publishers, Date.now());
    case "due_days":
      return store.dueDays();
    case "gaps":
      store.saveGaps(call.days);
      return null;
    case "ping":
      return null;
    case "tidy":
      return store.tidy();
    case "close":
      tidyIfPossible(started);
      return null;
  }
}

function beginRun(run: RunStart, { db, store, isLogMissing }: Started): void {
  store.beginRun(run, { now_ms: Date.now(), isLogMissing });
  // Into the file itself: the start of the run must be known even if the log is lost.
  prepare(db, "state.checkpoint_some").get({});
}

// On a full disk the log stays unchanged: the next start reads it.
function tidyIfPossible({ store, faults }: Started): void {
  try {
    store.tidy();
  } catch (error) {
    faults.tellOwn("the write-ahead log can't be emptied", error);
  }
}
