// The writer: the one thread with a read-write connection. Messages that arrive while a commit
// waits for the disk make the next batch, so that one fsync serves many of them (group commit)
// without any of them waiting on a timer. What is acknowledged outside was committed here before.

import type { MessagePort } from "node:worker_threads";
import type { Act, By } from "../bwts/audit.ts";
import { codeOf, Failure, messageOf } from "../errors.ts";
import { storedTokens } from "./audited-writes.ts";
import { beforeSchemaFile, makeBackup } from "./backup.ts";
import { problemOf, type WorkerRole, type WriterCall, type WriterReply } from "./calls.ts";
import { damageOf, isDamage } from "./damage.ts";
import { openDatabase } from "./database.ts";
import { openDiskFloor } from "./disk-floor.ts";
import { type Faults, openFaults } from "./faults.ts";
import type { DecodeImported } from "./import.ts";
import { unpackMessages } from "./message-pack.ts";
import { type Connection, prepare } from "./open.ts";
import { openStore, type Store, type StoreOptions } from "./store.ts";
import { newestTime, UNDAMAGED } from "./timeline.ts";
import { openBatches } from "./writer-batches.ts";

/** How often the clocks are looked at, and what is known of them and of damage is told. */
const WATCH_MS = 1000;

/** How what comes from outside is read: given from above, where the MQTT side is known. */
interface Doors {
  readonly decode: StoreOptions["decode"];
  readonly decodeImported: DecodeImported;
}

/** Runs the writer on `port` until it is told to close. */
export function runWriter(
  port: MessagePort,
  role: Extract<WorkerRole, { role: "writer" }>,
  { decode, decodeImported }: Doors,
): void {
  const reply = (message: WriterReply) => port.postMessage(message);
  const started = start(role, decode, reply);
  if (started === null) return;
  const { db } = started;
  const commit = openBatches(started, newestTime(db, UNDAMAGED), reply);
  const watches = setInterval(() => {
    watchClocks(started, reply);
    const problems = damageOf(db).take();
    if (problems.length > 0) reply({ kind: "damage", problems });
  }, WATCH_MS);

  port.on("message", (call: WriterCall) => {
    if (call.kind === "ingest") {
      commit.add(unpackMessages(call.packed));
      return;
    }
    if (call.kind === "close") commit.end();
    else commit.now();
    try {
      const result =
        call.kind === "import"
          ? commit.imported(
              call.records.map((record) => decodeImported(record, role.store.system_id)),
            )
          : carryOut(call, started);
      if (call.kind === "disown") watchClocks(started, reply);
      if (CORRECTIONS.includes(call.kind)) commit.corrected(newestTime(db, UNDAMAGED));
      reply({ kind: "done", seq: call.seq, result });
    } catch (error) {
      if (isDamage(error)) damageOf(db).note(messageOf(error));
      reply({ kind: "failed", seq: call.seq, problem: problemOf(error) });
    }
    if (call.kind === "close") {
      clearInterval(watches);
      db.close();
      port.close();
    }
  });
}

/** Calls after which another reading may be the newest. */
const CORRECTIONS: readonly WriterCall["kind"][] = ["void", "undo_void", "replay", "disown"];

/** Tells what is known of the clocks; a step that can't be written down now waits. */
function watchClocks({ store, faults }: Started, reply: (message: WriterReply) => void): void {
  try {
    const steps = store.recordSteps();
    reply({ kind: "clock", clock: store.clockState(), steps });
  } catch (error) {
    faults.tellOwn("the clocks can't be watched", error);
  }
}

interface Started {
  readonly db: Connection;
  readonly store: Store;
  readonly isLogMissing: boolean;
  readonly present: () => void;
  readonly faults: Faults;
}

type SmallCall = Exclude<WriterCall, { kind: "ingest" | "import" }>;

function carryOut(call: SmallCall, started: Started): unknown {
  const { db, store, isLogMissing } = started;
  const act = (by: By): Act => ({ ...by, at_ms: Date.now() });
  switch (call.kind) {
    case "plant":
      return store.savePlant(call.plant, act(call.by));
    case "lamp_word":
      return store.saveLampWord(call.word, act(call.by));
    case "begin_lamps":
      return store.beginLamps();
    case "lamps":
      store.saveLamps(call.run);
      return null;
    case "audit":
      store.audit(call.entries, Date.now());
      return null;
    case "run":
      store.beginRun(call.run, { now_ms: Date.now(), isLogMissing });
      // Into the file itself: that the run began must be known even if its log is lost.
      prepare(db, "state.checkpoint_some").get({});
      return null;
    case "add_token": {
      const outcome = store.addToken(call.token, act(call.by));
      return { outcome, tokens: storedTokens(db) };
    }
    case "revoke_token": {
      const outcome = store.revokeToken(call.name, act(call.by));
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
    case "seal":
      store.sealOld(Date.now());
      return store.sealing();
    case "sealing":
      return store.sealing();
    case "disown":
      return store.disownReceipts(act(call.by), call.reason);
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
    case "void":
      return store.addVoid(call.given, act(call.by));
    case "undo_void":
      return store.undoVoid(call.id, act(call.by));
    case "replay": {
      const { asked, by, isTrial } = call;
      const { entries } = isTrial ? store.tryReplay(asked, act(by)) : store.replay(asked, act(by));
      return entries;
    }
    case "tidy":
      store.tidy();
      return null;
    case "close":
      tidyIfPossible(started);
      return null;
  }
}

// On a full disk the log stays as it is: the next start reads it.
function tidyIfPossible({ store, faults }: Started): void {
  try {
    store.tidy();
  } catch (error) {
    faults.tellOwn("the write-ahead log can't be emptied", error);
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
    };
    reply({ kind: "ready", state });
    return { db, store, isLogMissing, present, faults };
  } catch (error) {
    if (!(error instanceof Failure) && codeOf(error) === null) throw error;
    const exitCode = error instanceof Failure ? error.exitCode : null;
    reply({ kind: "refused", message: messageOf(error), exitCode });
    return null;
  }
}
