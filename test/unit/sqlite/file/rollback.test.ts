// Transactions that fail at their very end: the disk says no to the commit when everything was
// written. Nothing of them may stay in memory, whatever was written: what comes after must be what
// it is in a store in which nothing ever failed.

import { describe, expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { ownAlarm } from "../../../../src/bwts/event.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../../src/ground/clock.ts";
import { decodeImported } from "../../../../src/payload/import.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { DERIVATIONS } from "../../../../src/sqlite/derived/derivations.ts";
import { openFaults } from "../../../../src/sqlite/file/faults.ts";
import type { Connection } from "../../../../src/sqlite/file/open.ts";
import { savePlant } from "../../../../src/sqlite/records/plants.ts";
import { addToken, revokeToken } from "../../../../src/sqlite/records/tokens.ts";
import { SEGMENT_READINGS } from "../../../../src/sqlite/sealed/seal-portion.ts";
import { openBatches, openStepTimes } from "../../../../src/sqlite/threads/writer-batches.ts";
import { importLines } from "../../../../src/sqlite/threads/writer-calls.ts";
import type { FromWriter } from "../../../../src/sqlite/threads/writer-messages.ts";
import { contentOf, type Rig, recomputed, rigsOfTests } from "../../../rig/database.ts";
import { messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { dueOf, saveFound } from "../../../rig/derive.ts";
import { sized } from "../../../rig/scale.ts";
import { randomOf } from "../../../rig/sealing.ts";
import { ended, type WholeStore } from "../../../rig/whole-store.ts";

const rigOf = rigsOfTests();
const seed = Number(process.env.TEST_SEED ?? 1 + Math.floor(Math.random() * 1e6));
const act = { ...BY_SELF, at_ms: RECEIVED_MS };
const START_MS = RECEIVED_MS - 20 * DAY_MS;
const ROUNDS = sized(30, 150);

/** Lets every commit fail while `isFailing`: a foreign key is looked at when it is too late. */
function failingCommits(db: Connection): { isFailing: boolean } {
  const tables = db
    .prepare<[], { name: string }>(
      `select name from pragma_table_list
       where schema = 'main' and type = 'table' and name not like 'sqlite_%'`,
    )
    .all();
  db.exec("create table owner (id integer primary key)");
  db.exec("create table owned (id references owner deferrable initially deferred)");
  db.exec("create table switch (isOn integer); insert into switch values (0)");
  for (const { name } of tables)
    for (const change of ["insert", "update", "delete"])
      db.exec(`create trigger fail_${name}_${change} after ${change} on ${name}
        when (select isOn from switch) begin insert into owned values (1); end`);
  const set = db.prepare("update switch set isOn = ?");
  return {
    set isFailing(isOn: boolean) {
      set.run(isOn ? 1 : 0);
    },
  };
}

/** The writer's calls in a run, each with random content, whether they change readings or not. */
function deeds(random: () => number): readonly ((store: WholeStore, db: Connection) => unknown)[] {
  const within = (end: number) => Math.floor(random() * end);
  const [id, name, text, hidden] = [within(9), `t${within(4)}`, within(1e6), 1 + within(6)];
  const at_ms = START_MS + within(20 * DAY_MS);
  const reading = (time_ms: number) =>
    messageOf("telemetry", {
      timestamp: time_ms,
      UVR_INTENSITY: within(900),
      [`T${within(3)}`]: 1,
    });
  const alarm = (code: string) =>
    ownAlarm(RECEIVED_MS, {
      ...{ code, text: code, parameter: null, value: null, limit: null, unit: null },
    });
  const day_ms = at_ms - (at_ms % DAY_MS);
  const code = `A${within(3)}`;
  const plant = { id: BigInt(id), name: "plant", tag: null };
  const line = { line: 1, json: JSON.stringify({ timestamp: at_ms, SYS_PRESSURE: 1 }) };
  const event = { timestamp: at_ms, event_type: "PROCESS_START", data: { n: within(5) } };
  // In one step each, however slow the machine: both stores must make the same ones.
  const step_ms = Number.POSITIVE_INFINITY;
  const asked = { ids: null, reason: null, received: EVER, shift_ms: 0, after_id: 0, step_ms };
  const late = Array.from({ length: 400 }, (_, index) => reading(at_ms + index * HOUR_MS));
  const live = Array.from({ length: 400 }, (_, index) => reading(day_ms + index * SECOND_MS * 30));
  return [
    (store) => store.commit(live),
    (store) => store.commit(late),
    (store) => store.commit([messageOf("events", event), messageOf("telemetry", { X: {} })]),
    (store) => store.commit([messageOf("telemetry", { A: 1 }, { dup: true })]),
    (store) => store.setAside(messageOf("telemetry", String(text)), new Error("a fault")),
    (store) => store.importReadings([decodeImported(line, "BWTS-001")], RECEIVED_MS),
    (store) => store.raiseAlarm(alarm(code), "", RECEIVED_MS),
    (store) => store.clearAlarm({ code, about: "" }, RECEIVED_MS),
    (store) => store.sealFull(),
    (store) => store.sealOld(RECEIVED_MS + 2 * DAY_MS),
    (store) => store.addVoid({ ...hour(at_ms), reason: "calibration" }, act),
    (store) => store.undoVoid(hidden, act),
    (store) => store.replay(asked, act),
    (store) => saveAll(store, "health", (start_ms) => ({ start_ms, record: null })),
    (store) => saveAll(store, "gaps", () => ({ gaps: [], ended: EVER })),
    (store) => store.recordSteps(),
    (store, db) => store.audited((append) => savePlant(db, append, { plant, act })),
    (store, db) => store.audited((append) => addToken(db, append, { token: token(name), act })),
    (store, db) => store.audited((append) => revokeToken(db, append, { name, act })),
    (store) => ended(store.expire(24)),
  ];
}

/** Saves the same for each piece that is due. */
function saveAll(store: WholeStore, name: string, each: (start_ms: number) => object): void {
  const found = store.takeDue(name, RECEIVED_MS).starts.map(each);
  saveFound({ store }, name, found.length === 0 ? null : found);
}

const EVER = { start_ms: 0, end_ms: 253_402_300_799_999 };
const hour = (at_ms: number) => ({ start_ms: at_ms, end_ms: at_ms + HOUR_MS });
const token = (name: string) => ({
  ...({ name, role: "engineer", hash: new Uint8Array(32), added_ms: 0 } as const),
});

function expectSame(failed: Rig, other: Rig): void {
  const [one, two] = [failed, other].map(({ db }) => contentOf(db));
  expect(one).toEqual(two);
  expect(one).toMatchObject(recomputed(failed.db));
  for (const derivation of DERIVATIONS.map(({ name }) => name)) {
    const [of, to] = [failed, other].map((rig) => new Set(dueOf(rig, derivation)));
    // After a rollback the newest may be computed again.
    expect([...to].filter((start_ms) => !of.has(start_ms))).toEqual([]);
    expect(of.size).toBeLessThanOrEqual(to.size + 1);
  }
}

test(`commits that fail leave nothing in memory (TEST_SEED=${seed})`, () => {
  const [failed, other] = [rigOf(), rigOf()];
  // A repair that failed begins anew, and would take more calls than the other's.
  for (const { store } of [failed, other]) while (store.sealFull());
  const disk = failingCommits(failed.db);
  const random = randomOf(seed);
  let failures = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = deeds(random);
    const deed = all[Math.floor(random() * all.length)];
    // Each in its turn, so that every one fails in a small run too.
    const failing = all[round % all.length];
    disk.isFailing = true;
    try {
      failing(failed.store, failed.db);
    } catch (error) {
      expect(error).toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" });
      failures += 1;
    }
    disk.isFailing = false;
    expect(deed(failed.store, failed.db)).toEqual(deed(other.store, other.db));
  }
  expect(failures).toBeGreaterThan(ROUNDS / 5);
  expectSame(failed, other);
  verifyChains(failed.db, () => null);
});

test("a void that failed hides nothing from the next seal", () => {
  const { db, store } = rigOf();
  const disk = failingCommits(db);
  const count = SEGMENT_READINGS + 100;
  store.commit(
    Array.from({ length: count }, (_, index) =>
      messageOf("telemetry", { timestamp: START_MS + index * SECOND_MS, A: index }),
    ),
  );
  disk.isFailing = true;
  const range = { start_ms: START_MS, end_ms: START_MS + 500 * SECOND_MS };
  expect(() => store.addVoid({ ...range, reason: "calibration" }, act)).toThrow("FOREIGN KEY");
  disk.isFailing = false;
  expect(store.sealFull()).toBe(true);
  const { hours, readings } = contentOf(db);
  expect(readings).toHaveLength(count);
  expect(hours.reduce((sum, { count: inHour }) => sum + inHour, 0)).toBe(count);
});

test("a repair that failed begins anew", () => {
  const { db, store } = rigOf();
  db.exec("delete from mark where name like 'rules_%'");
  const disk = failingCommits(db);
  disk.isFailing = true;
  const repairAll = () => {
    while (store.sealFull());
  };
  expect(repairAll).toThrow("FOREIGN KEY");
  disk.isFailing = false;
  const made = () => db.prepare("select name from mark where name like 'rules_%'").all();
  expect(made()).toEqual([]);
  repairAll();
  expect(made()).not.toEqual([]);
});

describe("a message that can't be stored", () => {
  const FAILING_MS = START_MS + 77 * SECOND_MS;
  const messages = Array.from({ length: 200 }, (_, seq) => ({
    seq,
    message: messageOf("telemetry", { timestamp: START_MS + seq * SECOND_MS, A: seq }),
  }));
  const failingAt = (db: Connection, table: string, when: string) =>
    db.exec(`create trigger fail before insert on ${table} when ${when}
      begin select raise(abort, 'a fault of ours'); end`);
  const committed = ({ db, store }: Rig) => {
    const replies: FromWriter[] = [];
    const told: string[] = [];
    const faults = openFaults((problem) => told.push(problem));
    const committing = { store, faults, present() {}, times: openStepTimes() };
    const batches = openBatches(committing, null, (reply) => replies.push(reply));
    batches.add(messages);
    batches.end();
    const seqs = replies.flatMap((reply) => (reply.kind === "committed" ? [...reply.seqs] : []));
    expect(seqs.sort((one, other) => one - other)).toEqual(messages.map(({ seq }) => seq));
    const { readings, quarantine } = contentOf(db);
    expect(readings.map(({ at_ms }) => at_ms)).toEqual(
      messages.map(({ seq }) => START_MS + seq * SECOND_MS).filter((ms) => ms !== FAILING_MS),
    );
    return { told, quarantine };
  };

  test("is set aside and acknowledged, and the others of its batch are stored", () => {
    const rig = rigOf();
    failingAt(rig.db, "reading", `new.at_ms = ${FAILING_MS}`);
    const { told, quarantine } = committed(rig);
    expect(told).toEqual([expect.stringMatching(/is in quarantine .*: a fault of ours$/)]);
    expect(quarantine).toMatchObject([
      { reason: "fault", detail: "storing it failed: a fault of ours" },
    ]);
    // It is taken in when what failed on it is mended; until then it is left, and the rest isn't.
    const asked = { ids: null, reason: null, received: EVER, shift_ms: 0, after_id: 0 };
    expect(rig.store.replay(asked, act).entries).toMatchObject([{ left: "fault" }]);
    rig.db.exec("drop trigger fail");
    expect(rig.store.replay(asked, act).entries).toMatchObject([{ left: null, stored: 1 }]);
  });

  test("and can't be set aside either is acknowledged and told as lost", () => {
    const rig = rigOf();
    failingAt(rig.db, "reading", `new.at_ms = ${FAILING_MS}`);
    rig.db.exec(
      "create trigger full before insert on quarantine begin select raise(abort, 'no'); end",
    );
    const { told, quarantine } = committed(rig);
    expect(told).toEqual([expect.stringMatching(/^a message is lost .*a fault of ours\): no$/)]);
    expect(quarantine).toEqual([]);
  });

  test("of an imported file is refused, and the others are taken", () => {
    const rig = rigOf();
    failingAt(rig.db, "reading", `new.at_ms = ${FAILING_MS}`);
    const { store } = rig;
    const committing = { store, faults: openFaults(() => null), present() {} };
    const batches = openBatches({ ...committing, times: openStepTimes() }, null, () => null);
    const lines = messages.map(({ seq }) => {
      const json = JSON.stringify({ timestamp: START_MS + seq * SECOND_MS, A: seq });
      return decodeImported({ line: seq + 1, json }, "BWTS-001");
    });
    expect(ended(importLines({ store, batches }, lines))).toEqual({
      stored: 199,
      same: 0,
      refused: [{ line: 78, problem: "storing it failed: a fault of ours" }],
    });
  });
});
