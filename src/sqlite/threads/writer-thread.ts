// The writer: the only thread with a read-write connection. Messages that arrive during a commit
// make the next batch, so that one fsync serves many of them (group commit) without a timer. Every
// acknowledged message was committed here before.

import type { MessagePort } from "node:worker_threads";
import { codeOf, Failure, messageOf } from "../../ground/errors.ts";
import type { DecodeImported } from "../../payload/import-line.ts";
import { beforeSchemaFile, makeBackup } from "../care/backup.ts";
import { openDatabase } from "../care/database.ts";
import { damageOf, isDamage } from "../file/damage.ts";
import { openDiskFloor } from "../file/disk-floor.ts";
import { openFaults } from "../file/faults.ts";
import { prepare } from "../file/open.ts";
import { newestTime, UNDAMAGED } from "../sealed/timeline.ts";
import { storedTokens } from "../writing/audited-writes.ts";
import { unpackMessages } from "../writing/message-pack.ts";
import { openStore, type StoreOptions } from "../writing/store.ts";
import { problemOf, type WorkerRole, type WriterCall, type WriterReply } from "./calls.ts";
import { openStepTimes } from "./step-times.ts";
import { openBatches } from "./writer-batches.ts";
import { openTurns, type Started, workOf } from "./writer-work.ts";

/** Interval at which the clocks are read, and reports about them and about damage are sent. */
const WATCH_MS = 1000;

/** The decoders, passed in by the entry file, which knows the MQTT side. */
interface Decoders {
  readonly decode: StoreOptions["decode"];
  readonly decodeImported: DecodeImported;
}

/** Runs the writer on `port` until a message closes it. */
export function runWriter(
  port: MessagePort,
  role: Extract<WorkerRole, { role: "writer" }>,
  { decode, decodeImported }: Decoders,
): void {
  const reply = (message: WriterReply) => port.postMessage(message);
  const started = start(role, decode, reply);
  if (started === null) return;
  const { db, times } = started;
  const commit = openBatches(started, newestTime(db, UNDAMAGED), reply);
  const { system_id } = role.store;
  const working = { ...started, commit, system_id, decodeImported, inTurn: openTurns() };
  const watches = setInterval(() => {
    watchClocks(started, reply);
    const problems = damageOf(db).take();
    if (problems.length > 0) reply({ kind: "damage", problems });
  }, WATCH_MS);
  let isClosed = false;

  // Runs one step of a call; waiting messages are committed before each.
  const carryOn = (call: Call, work: Generator<void, unknown>) => {
    if (isClosed) return;
    if (call.kind === "close") commit.end();
    else commit.now();
    try {
      const { done, value } = times.timed(call.kind, () => work.next());
      if (!done) {
        setImmediate(() => carryOn(call, work));
        return;
      }
      if (call.kind === "disown") watchClocks(started, reply);
      if (CORRECTIONS.includes(call.kind)) commit.corrected(newestTime(db, UNDAMAGED));
      reply({ kind: "done", seq: call.seq, result: value });
    } catch (error) {
      if (isDamage(error)) damageOf(db).note(messageOf(error));
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
    if (call.kind !== "close") return;
    isClosed = true;
    clearInterval(watches);
    db.close();
    port.close();
  };
  port.on("message", (call: WriterCall) => {
    if (call.kind === "ingest") commit.add(unpackMessages(call.packed));
    else carryOn(call, workOf(call, working));
  });
}

type Call = Exclude<WriterCall, { kind: "ingest" }>;

/** Calls after which another reading may be the newest. */
const CORRECTIONS: readonly WriterCall["kind"][] = [
  ...(["void", "undo_void", "end_void", "replay", "disown"] as const),
];

/** Reports the clocks' state; a step that can't be written now is kept. */
function watchClocks(
  { store, faults, times }: Started,
  reply: (message: WriterReply) => void,
): void {
  try {
    const steps = times.timed("clock", () => store.recordSteps());
    const known = { clock: store.clockState(), longest: times.longest() };
    reply({ kind: "clock", ...known, steps, tag_names: store.tagNames() });
  } catch (error) {
    faults.tellOwn("the clocks can't be watched", error);
  }
}

function start(
  role: Extract<WorkerRole, { role: "writer" }>,
  decode: StoreOptions["decode"],
  reply: (message: WriterReply) => void,
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
    const store = openStore(db, { ...role.store, decode }, floor, report);
    const job_runs = new Map(
      prepare<object, { job: string; started_ms: number }>(db, "job.last_runs")
        .all({})
        .map(({ job, started_ms }) => [job, started_ms]),
    );
    const state = {
      migrations,
      job_runs,
      last_reading_ms: newestTime(db, UNDAMAGED),
      last_received_ms: store.newestReceipt(),
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
