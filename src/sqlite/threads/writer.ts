// The main thread's side of the writer: `take` resolves when a message is on disk. Messages of one
// turn of the event loop go to the thread together.

import { Worker } from "node:worker_threads";
import type { AuditEntry, By } from "../../bwts/audit.ts";
import type { Event } from "../../bwts/event.ts";
import type { LampWord } from "../../bwts/lamps/word.ts";
import type { Message } from "../../bwts/message.ts";
import type { NewPlant, PlantSaved } from "../../bwts/plant.ts";
import type { StoredToken, TokenAdded } from "../../bwts/token.ts";
import { Failure, messageOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import type { ImportRecord } from "../../payload/import-line.ts";
import type { DueDay } from "../derived/gap-due.ts";
import type { FoundGaps } from "../derived/gaps.ts";
import type { DueSlot } from "../derived/health-due.ts";
import type { LampRun } from "../derived/lamp-states.ts";
import type { ScoredSlot } from "../derived/scoring.ts";
import type { ClockState } from "../records/clock-watch.ts";
import type { RunStart } from "../records/runs.ts";
import type { Expired, Kept } from "../sealed/retention.ts";
import type { SealingState } from "../sealed/seal.ts";
import type { ImportResult } from "../writing/import.ts";
import { packMessages, type Waiting } from "../writing/message-pack.ts";
import type { ReplayAsked, Replayed } from "../writing/replay.ts";
import type { AlarmKey, DisownOutcome, JobRun } from "../writing/small-writes.ts";
import type { NewVoid, VoidOutcome } from "../writing/void-writes.ts";
import type { TokensChanged, WorkerRole, WriterCall, WriterReply, WriterState } from "./calls.ts";
import { exitCodeOf, THREAD_LIMITS } from "./calls.ts";
import type { LongestSteps } from "./step-times.ts";
import { openCalls } from "./writer-calls.ts";
import { settle } from "./writer-replies.ts";
import { openTotals, type Totals, type WriterTotals } from "./writer-totals.ts";

export interface Writer {
  readonly state: WriterState;
  totals(): WriterTotals;
  /** Resolves when the message's effect is on disk; rejects with NotCommitted. */
  take(message: Message): Promise<void>;
  /** Resolves when the valid lines of a file are on disk. Rejects with NotCommitted. */
  importRecords(records: readonly ImportRecord[]): Promise<ImportResult>;
  /** Resolves when the plant is on disk, or is refused. Rejects with NotCommitted. */
  savePlant(plant: NewPlant, by: By): Promise<PlantSaved>;
  /**
   * Resolves with null when the engineer's statement about a lamp is on disk, else with the reason
   * of a refusal. Rejects with NotCommitted.
   */
  saveLampWord(word: LampWord, by: By): Promise<string | null>;
  /** Begins a run over the lamps; the returned revision goes into its result. */
  beginLamps(): Promise<number>;
  saveLamps(run: LampRun): Promise<void>;
  /** Appends entries to the audit log, in one commit. Rejects with NotCommitted. */
  audit(entries: readonly AuditEntry[]): Promise<void>;
  /** Writes the start of a run into the audit log, and the end of the one before. */
  beginRun(run: RunStart): Promise<void>;
  /** The tokens that are valid, as of the last change. */
  tokens(): readonly StoredToken[];
  addToken(token: StoredToken, by: By): Promise<TokenAdded>;
  /** False if there is no token of that name. */
  revokeToken(name: string, by: By): Promise<boolean>;
  /** The oldest slots to be scored that ended by `closed_ms`, at most SCORED_MAX. */
  dueSlots(closed_ms: number): Promise<readonly DueSlot[]>;
  saveHealth(slots: readonly ScoredSlot[]): Promise<void>;
  recordJob(run: JobRun): Promise<void>;
  /** Expires raw readings older than `months` before the newest; null if there are none. */
  expire(months: number): Promise<Expired | Kept | null>;
  /** Disowns receipts dated later than now by a wrong clock. */
  disownReceipts(reason: string, by: By): Promise<DisownOutcome>;
  /** Stores an alarm of ballastd's own; false if it is already active. */
  raiseAlarm(event: Event, about: string): Promise<boolean>;
  /** Notes that an alarm cleared; false if it wasn't active. */
  clearAlarm(alarm: AlarmKey): Promise<boolean>;
  /**
   * Notes that the links of these publishers aren't lost; null at the start of a run: of nobody.
   * Returns the number that are still lost.
   */
  endLinks(publishers: readonly string[] | null): Promise<number>;
  /** The state of the clocks, as of the last second. */
  clock(): ClockState;
  /** The longest step of each kind in the thread, in milliseconds, as of the last second. */
  longestSteps(): LongestSteps;
  /** Number of names of unknown tags kept, as of the last second; null before the first. */
  tagNames(): number | null;
  /** The oldest days to be searched for gaps, at most DAYS_MAX. */
  dueDays(): Promise<readonly DueDay[]>;
  saveGaps(days: readonly FoundGaps[]): Promise<void>;
  addVoid(given: NewVoid, by: By): Promise<VoidOutcome>;
  undoVoid(id: number, by: By): Promise<VoidOutcome>;
  /** Finishes the void that an earlier process left in progress. */
  endVoid(): Promise<void>;
  /** Replays the next quarantine entries; a trial changes nothing. */
  replay(asked: ReplayAsked, how: { by: By; isTrial: boolean }): Promise<readonly Replayed[]>;
  /** Seals readings that were hot for 24 hours; returns the state of sealing. */
  seal(): Promise<SealingState>;
  sealing(): Promise<SealingState>;
  /** Empties the write-ahead log into the database. */
  tidy(): Promise<void>;
  /** Resolves after a turn of the thread's event loop, even if nothing can be committed. */
  ping(): Promise<void>;
  /** Commits the messages taken, empties the write-ahead log, and ends the thread. */
  close(): Promise<void>;
}

type Call = Exclude<WriterCall, { kind: "ingest" }>;
type WithoutSeq<C> = C extends unknown ? Omit<C, "seq"> : never;

interface WriterOptions {
  readonly workerFile: string;
  readonly role: Extract<WorkerRole, { role: "writer" }>;
  readonly log: Log;
  /** Called once for each damage found. */
  readonly onDamage: (problem: string) => void;
  /** Called if the thread dies: only a new start can tell what state the disk is in. */
  readonly onLost: (error: Error) => void;
}

/** Starts the writer's thread. Rejects with a Failure if the database can't be used. */
export async function openWriterThread(options: WriterOptions): Promise<Writer> {
  const worker = new Worker(options.workerFile, {
    workerData: options.role,
    resourceLimits: THREAD_LIMITS,
  });
  const state = await started(worker);
  const totals = openTotals();
  const calls = openCalls();
  let closing = false;
  let outbox: Waiting[] = [];
  let { tokens, clock } = state;
  let longest: LongestSteps = {};
  let tagNames: number | null = null;

  const tools = { calls, totals, log: options.log, onDamage: options.onDamage };
  worker.on("message", (reply: WriterReply) => {
    if (reply.kind === "clock") ({ clock, longest, tag_names: tagNames } = reply);
    settle(reply, tools);
  });
  const lose = (error: Error) => {
    calls.rejectAll(error);
    if (!closing) options.onLost(error);
  };
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the writer's thread ended")));

  const post = (call: WriterCall) => worker.postMessage(call);
  const flushOutbox = () => {
    if (outbox.length === 0) return;
    const packed = packMessages(outbox);
    worker.postMessage({ kind: "ingest", packed } satisfies WriterCall, [packed.payloads.buffer]);
    outbox = [];
  };
  const call = <Result>(what: WithoutSeq<Call>): Promise<Result> => {
    flushOutbox();
    return calls.expect((seq) => post({ ...what, seq }));
  };
  const changeTokens = async <Outcome>(
    what: Extract<WithoutSeq<Call>, { kind: "add_token" | "revoke_token" }>,
  ): Promise<Outcome> => {
    const changed = await call<TokensChanged<Outcome>>(what);
    ({ tokens } = changed);
    return changed.outcome;
  };

  const small = smallCalls(call, totals);
  if (state.isVoidUnderWay) endVoid(small, options.log);
  return {
    state,
    totals: () => totals.now(state),
    take: (message) =>
      calls.expect((seq) => {
        if (outbox.length === 0) setImmediate(flushOutbox);
        outbox.push({ seq, message });
      }),
    tokens: () => tokens,
    addToken: (token, by) => changeTokens({ kind: "add_token", token, by }),
    revokeToken: (name, by) => changeTokens({ kind: "revoke_token", name, by }),
    clock: () => clock,
    longestSteps: () => longest,
    tagNames: () => tagNames,
    ...small,
    async close() {
      closing = true;
      await call({ kind: "close" });
      await worker.terminate();
    },
  };
}

/** Finishes a void that the process before left in progress. */
function endVoid(writer: Pick<Writer, "endVoid">, log: Log): void {
  writer.endVoid().catch((error: unknown) => {
    log.error("a void is still in progress", { problem: messageOf(error) });
  });
}

type Ask = <Result>(what: WithoutSeq<Call>) => Promise<Result>;

/** Calls of jobs and commands, each with a single answer. */
function smallCalls(
  call: Ask,
  totals: Totals,
): Omit<
  Writer,
  | "state"
  | "totals"
  | "take"
  | "tokens"
  | "addToken"
  | "revokeToken"
  | "clock"
  | "longestSteps"
  | "tagNames"
  | "close"
> {
  const corrected = async <Result>(done: Promise<Result>): Promise<Result> => {
    const result = await done;
    totals.addCorrection();
    return result;
  };
  return {
    importRecords: (records) => call({ kind: "import", records }),
    savePlant: (plant, by) => call({ kind: "plant", plant, by }),
    audit: (entries) => call({ kind: "audit", entries }),
    beginRun: (run) => call({ kind: "run", run }),
    dueSlots: (closed_ms) => call({ kind: "due", closed_ms }),
    saveHealth: (slots) => call({ kind: "health", slots }),
    recordJob: (run) => call({ kind: "job", run }),
    disownReceipts: (reason, by) => call({ kind: "disown", reason, by }),
    expire: (months) => call({ kind: "expire", months }),
    raiseAlarm: (event, about) => call({ kind: "raise", event, about }),
    clearAlarm: (alarm) => call({ kind: "clear", alarm }),
    endLinks: (publishers) => call({ kind: "end_links", publishers }),
    dueDays: () => call({ kind: "due_days" }),
    saveGaps: (days) => call({ kind: "gaps", days }),
    saveLampWord: (word, by) => corrected(call({ kind: "lamp_word", word, by })),
    beginLamps: () => call({ kind: "begin_lamps" }),
    saveLamps: (run) => call({ kind: "lamps", run }),
    addVoid: (given, by) => corrected(call({ kind: "void", given, by })),
    undoVoid: (id, by) => corrected(call({ kind: "undo_void", id, by })),
    endVoid: () => corrected(call({ kind: "end_void" })),
    replay: (asked, how) => call({ kind: "replay", asked, ...how }),
    seal: () => call({ kind: "seal" }),
    sealing: () => call({ kind: "sealing" }),
    tidy: () => call({ kind: "tidy" }),
    ping: () => call({ kind: "ping" }),
  };
}

function started(worker: Worker): Promise<WriterState> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (reply: WriterReply) => {
      worker.removeListener("error", reject);
      if (reply.kind === "ready") resolve(reply.state);
      else if (reply.kind === "refused")
        reject(new Failure(exitCodeOf(reply.exitCode), reply.message));
      else reject(new Error(`writer: got ${reply.kind}, expected ready or refused`));
    });
  });
}
