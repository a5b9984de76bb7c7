// The main thread's side of the writer: `take` resolves when a message is on disk, `call` when a
// call of writer-calls.ts is done. Messages of one turn of the event loop go to the thread
// together. Totals for /metrics and /readyz, which must not ask the thread, are counted from its
// replies.

import { Worker } from "node:worker_threads";
import type { By } from "../../bwts/audit.ts";
import { stepAnswer } from "../../bwts/clock-step.ts";
import type { Message } from "../../bwts/message.ts";
import type { StoredToken } from "../../bwts/token.ts";
import { Declined, messageOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import type { ClockState } from "../records/clock-watch.ts";
import type { QuarantineRoom } from "../records/quarantine.ts";
import {
  type Caller,
  NotCommitted,
  type OpenCalls,
  openCalls,
  type Problem,
  THREAD_LIMITS,
  threadFailure,
  type WorkerRole,
} from "./calls.ts";
import { openReadingOffset } from "./reading-offset.ts";
import type { WriterCalls } from "./writer-calls.ts";
import type { CommandAnswer, CommandInput, WriterCommand } from "./writer-commands.ts";
import {
  type FromWriter,
  type LongestSteps,
  packMessages,
  type WaitingMessage,
  type WriterState,
} from "./writer-messages.ts";
import { type OpenTotals, openTotals, type WriterTotals } from "./writer-totals.ts";

export interface Writer {
  readonly state: WriterState;
  totals(): WriterTotals;
  /** Resolves when the message's effect is on disk; rejects with NotCommitted. */
  take(message: Message): Promise<void>;
  /** Calls `watcher` with each further message; null stops that. */
  watch(watcher: ((message: Message) => void) | null): void;
  /**
   * Resolves when the call is done and on disk. Rejects with Declined if it contradicts stored
   * data, with NotCommitted if it can't be written now.
   */
  readonly call: Caller<WriterCalls>;
  /** As `call`, for a command that people give. */
  command<C extends WriterCommand>(
    name: C,
    input: CommandInput[C],
    by: By,
  ): Promise<CommandAnswer[C]>;
  /** The tokens that are valid, as of the last change. */
  tokens(): readonly StoredToken[];
  /** The state of the clocks, at most a second old. */
  clock(): ClockState;
  /**
   * The PLC's clock minus the box's as of the last reading stored live, in ms, from which the age
   * of readings follows. Null until it is known.
   */
  readingOffset_ms(): number | null;
  /** The longest step of each kind in the thread in ms, at most a second old. */
  longestSteps(): LongestSteps;
  /** Number of stored names of unknown tags, at most a second old; null before the first report. */
  tagNames(): number | null;
  /** Alarms of the treatment system that were quarantined since the last call. */
  takeAsideAlarms(): readonly string[];
  /** The fill of the quarantine, at most a second old; null before the first report. */
  quarantine(): QuarantineRoom | null;
  /** Commits the received messages, empties the write-ahead log, and ends the thread. */
  close(): Promise<void>;
}

interface WriterOptions {
  readonly workerFile: string;
  readonly role: Extract<WorkerRole, { role: "writer" }>;
  readonly log: Log;
  /** Called once for each damage found. */
  readonly onDamage: (problem: string) => void;
  /** Called when data was committed, or may have been; `past`: data from before was changed. */
  readonly onCommitted?: (of: "present" | "past") => void;
  /** Called if the thread dies: only a new start can find out the state of the disk. */
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
  let outbox: WaitingMessage[] = [];
  let watcher: ((message: Message) => void) | null = null;
  let { tokens } = state;
  const told = openTold(state, totals);

  worker.on("message", (reply: FromWriter) => {
    if (reply.kind === "clock") told.saw(reply);
    else if (reply.kind === "tokens") ({ tokens } = reply);
    settle(reply, { ...options, calls, totals });
  });
  const lose = (error: Error) => {
    calls.rejectAll(error);
    if (!closing) options.onLost(error);
  };
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the writer's thread ended")));

  const flushOutbox = () => {
    if (outbox.length === 0) return;
    const packed = packMessages(outbox);
    worker.postMessage({ kind: "ingest", packed }, [packed.payloads.buffer]);
    outbox = [];
  };
  const send = <Settled>(message: object): Promise<Settled> => {
    flushOutbox();
    return calls.expect((seq) => worker.postMessage({ ...message, seq }));
  };
  const call: Writer["call"] = (name, ...given) => send({ kind: "call", call: { name, given } });
  if (state.isVoidUnderWay)
    call("end_void").catch((error: unknown) => {
      options.log.error("a void is still in progress", { problem: messageOf(error) });
    });
  return {
    state,
    totals: () => totals.now(state),
    take(message) {
      watcher?.(message);
      return calls.expect((seq) => {
        if (outbox.length === 0) setImmediate(flushOutbox);
        outbox.push({ seq, message });
      });
    },
    watch(next) {
      watcher = next;
    },
    call,
    command: (name, input, by) => send({ kind: "call", call: { name, given: [input, by] } }),
    tokens: () => tokens,
    ...told.now,
    takeAsideAlarms: totals.takeAsideAlarms,
    async close() {
      closing = true;
      await send({ kind: "close" });
      await worker.terminate();
    },
  };
}

/** Keeps the thread's last report, which is sent each second. */
function openTold({ clock }: WriterState, totals: OpenTotals) {
  type ClockReport = Extract<FromWriter, { readonly kind: "clock" }>;
  let report: ClockReport | null = null;
  const readingOffset = openReadingOffset(totals.silent_ms);
  const now: Pick<
    Writer,
    "clock" | "readingOffset_ms" | "longestSteps" | "tagNames" | "quarantine"
  > = {
    clock: () => report?.clock ?? clock,
    readingOffset_ms: readingOffset.now_ms,
    longestSteps: () => report?.longest ?? {},
    tagNames: () => report?.tag_names ?? null,
    quarantine: () => report?.quarantine ?? null,
  };
  return {
    now,
    saw(next: ClockReport) {
      readingOffset.saw(next.clock, next.steps);
      report = next;
    },
  };
}

interface Settling extends Pick<WriterOptions, "log" | "onDamage" | "onCommitted"> {
  readonly calls: OpenCalls;
  readonly totals: OpenTotals;
}

/** Settles the calls that a reply answers, counts commits, and logs problems. */
function settle(reply: FromWriter, settling: Settling): void {
  const { calls, totals, log, onDamage, onCommitted = () => {} } = settling;
  switch (reply.kind) {
    case "committed":
      totals.committed(reply.batch, reply.seqs.length);
      for (const seq of reply.seqs) calls.resolve(seq, null);
      onCommitted("present");
      return;
    case "withheld": {
      const { seqs, problem } = reply;
      totals.withheld(seqs.length, problem.message);
      log.error("messages can't be committed, acknowledgements are withheld", {
        code: problem.code,
        problem: problem.message,
        count: seqs.length,
      });
      for (const seq of seqs) calls.reject(seq, new NotCommitted(problem));
      return;
    }
    case "corrected":
      totals.counts.corrections += 1;
      onCommitted("past");
      return;
    case "fault":
      totals.counts.faults += reply.count;
      log.error("a fault of ballastd itself was got around, please report it", {
        problem: reply.problem,
        count: reply.count,
      });
      return;
    case "damage":
      for (const problem of reply.problems) onDamage(problem);
      return;
    case "done":
      calls.resolve(reply.seq, reply.result);
      onCommitted("present");
      return;
    case "failed":
      calls.reject(reply.seq, errorOf(reply.problem));
      return;
    case "clock":
      for (const step of reply.steps)
        log.warn(step.clock === "plc" ? "the PLC's clock was set" : "the box's clock was set", {
          ...stepAnswer(step),
        });
  }
}

function errorOf(problem: Problem): Error {
  const { message, reasons } = problem;
  return problem.isDeclined ? new Declined(message, ...reasons) : new NotCommitted(problem);
}

function started(worker: Worker): Promise<WriterState> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (reply: FromWriter) => {
      worker.removeListener("error", reject);
      if (reply.kind === "ready") resolve(reply.state);
      else if (reply.kind === "refused") reject(threadFailure(reply));
      else reject(new Error(`writer: got ${reply.kind}, expected ready or refused`));
    });
  });
}
