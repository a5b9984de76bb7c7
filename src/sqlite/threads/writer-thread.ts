// The writer: the only thread with a read-write connection. Messages that arrive during a commit
// make the next batch, so that one fsync serves many of them (group commit) without a timer. A
// message is acknowledged only after it was committed here.

import type { MessagePort } from "node:worker_threads";
import { codeOf, Failure, messageOf } from "../../ground/errors.ts";
import { openMap, oursFilter } from "../../payload/map-rules.ts";
import { beforeSchemaFile, makeBackup } from "../care/backup.ts";
import { openDatabase } from "../care/database.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { openFaults } from "../file/faults.ts";
import { prepare } from "../file/open.ts";
import { openDiskFloor } from "../file/writable.ts";
import { toldReceipt } from "../records/present-receipt.ts";
import { storedTokens } from "../records/tokens.ts";
import { newestTime, UNDAMAGED } from "../sealed/timeline.ts";
import { problemOf, type WorkerRole } from "./calls.ts";
import { openStore } from "./store.ts";
import { openBatches, openStepTimes, type StepTimes } from "./writer-batches.ts";
import { type ToWriter, type WriterParts, writerWork } from "./writer-calls.ts";
import { type FromWriter, unpackMessages } from "./writer-messages.ts";

/** Interval at which the clocks are read, and reports about them and about damage are sent. */
const WATCH_MS = 1000;

/** Runs the writer on `port` until a message closes it. */
export function runWriter(port: MessagePort, role: Extract<WorkerRole, { role: "writer" }>): void {
  const reply = (message: FromWriter) => port.postMessage(message);
  const started = start(role, reply);
  if (started === null) return;
  const { db, store, times, faults } = started;
  const batches = openBatches(started, newestTime(db, UNDAMAGED), reply);
  const watchClocks = () => reportClocks(started, reply);
  const parts: WriterParts = {
    ...started,
    batches,
    system_id: role.store.system_id,
    inTurn: openTurns(),
    corrected() {
      batches.corrected(newestTime(db, UNDAMAGED));
      reply({ kind: "corrected" });
    },
    reply,
    watchClocks,
  };
  const watches = setInterval(() => {
    watchClocks();
    const problems = damageOf(db).take();
    if (problems.length > 0) reply({ kind: "damage", problems });
  }, WATCH_MS);
  let isClosed = false;

  // Carries out one step of a call; waiting messages are committed before each.
  const carryOn = (call: Calling) => {
    if (isClosed) return;
    const { seq, name, work } = call;
    batches.now();
    try {
      const { done, value } = times.timed(name, () => work.next());
      if (done) reply({ kind: "done", seq, result: value });
      else setImmediate(() => carryOn(call));
    } catch (error) {
      if (isDamage(error)) damageOf(db).note(messageOf(error));
      reply({ kind: "failed", seq, problem: problemOf(error) });
    }
  };
  const close = (seq: number) => {
    batches.end();
    try {
      times.timed("close", () => store.tidy());
    } catch (error) {
      // On a full disk the log stays as it is, and the next start reads it.
      faults.tellOwn("the write-ahead log can't be emptied", error);
    }
    reply({ kind: "done", seq, result: null });
    isClosed = true;
    clearInterval(watches);
    db.close();
    port.close();
  };
  port.on("message", (message: ToWriter) => {
    if (message.kind === "ingest") batches.add(unpackMessages(message.packed));
    else if (message.kind === "close") close(message.seq);
    else {
      const { seq, call } = message;
      carryOn({ seq, name: call.name, work: writerWork(call, parts) });
    }
  });
}

interface Calling {
  readonly seq: number;
  readonly name: string;
  readonly work: Generator<void, unknown>;
}

/** A queue of long work, carried out one after the other. */
function openTurns(): WriterParts["inTurn"] {
  const line: object[] = [];
  return function* (work) {
    line.push(work);
    try {
      while (line[0] !== work) yield;
      return yield* work;
    } finally {
      line.splice(line.indexOf(work), 1);
    }
  };
}

/** The writer's parts once its database is open. */
interface Started extends Pick<WriterParts, "db" | "store" | "faults" | "isLogMissing"> {
  readonly present: () => void;
  readonly times: StepTimes;
}

/** Reports the clocks' state; a clock step that can't be written now is kept for the next time. */
function reportClocks(
  { store, faults, times }: Started,
  reply: (message: FromWriter) => void,
): void {
  try {
    const steps = times.timed("clock", () => store.recordSteps());
    const known = { clock: store.clockState(), longest: times.longest() };
    reply({ kind: "clock", ...known, steps, ...roomsOf(store) });
  } catch (error) {
    faults.tellOwn("the clocks can't be watched", error);
  }
}

const roomsOf = (store: Started["store"]) => {
  return { tag_names: store.tagNames(), quarantine: store.quarantineRoom() };
};

function start(
  role: Extract<WorkerRole, { role: "writer" }>,
  reply: (message: FromWriter) => void,
): Started | null {
  try {
    const { db, migrations, isLogMissing, present } = openDatabase(role.dir, {
      now_ms: Date.now(),
      before(schema) {
        const order = role.before_migration;
        makeBackup({ ...order, output: beforeSchemaFile(order.output, schema) });
      },
    });
    const hasRoom = openDiskFloor(role.dir, role.free_stop_bytes);
    const floor = () => {
      present();
      hasRoom();
    };
    const faults = openFaults((problem, count) => reply({ kind: "fault", problem, count }));
    const report = (problem: string) => reply({ kind: "fault", problem, count: 1 });
    const map = openMap(role.map, oursFilter(role.store, { id: role.store.system_id }));
    const store = openStore(db, { ...role.store, map }, floor, report);
    const job_runs = new Map(
      prepare(db, "job.last_runs")
        .all({})
        .map(({ job, started_ms }) => [job, started_ms]),
    );
    const state = {
      migrations,
      job_runs,
      last_reading_ms: newestTime(db, UNDAMAGED),
      last_received_ms: store.newestReceipt(),
      last_told_ms: toldReceipt(db),
      clock_trusted: store.trustsClock(Date.now()),
      clock: store.clockState(),
      tokens: storedTokens(db),
      isVoidUnderWay: store.voiding.isUnderWay(),
    };
    reply({ kind: "ready", state });
    return { db, store, isLogMissing, present, faults, times: openStepTimes() };
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    const exitCode = error instanceof Failure ? error.exitCode : null;
    reply({ kind: "refused", message: messageOf(error), exitCode });
    return null;
  }
}
