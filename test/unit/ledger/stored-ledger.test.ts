// The ledger in the database: every link is a leaf in the order of commit, what is damaged is
// named, and a salvage goes on with the tree wherever all links survived.

import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { BY_SELF } from "../../../src/bwts/audit.ts";
import { DAY_MS, HOUR_MS } from "../../../src/ground/clock.ts";
import { PROOF_BEGIN, type ProofPlace, proveAfter } from "../../../src/sqlite/care/proving.ts";
import { salvage } from "../../../src/sqlite/care/salvage.ts";
import { databaseProblem } from "../../../src/sqlite/care/trust.ts";
import { verifyChains } from "../../../src/sqlite/care/verify.ts";
import { databaseFile, openReader, prepare } from "../../../src/sqlite/file/open.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../rig/decoding.ts";

const rigOf = rigsOfTests();

/** Three times an event, a reading that is sealed, and an entry of the audit log. */
function filled(): Rig {
  const rig = rigOf();
  for (let part = 0; part < 3; part += 1) {
    const at_ms = AT_MS - (3 - part) * HOUR_MS;
    const stop = { timestamp: at_ms, event_type: "PROCESS_STOP", data: { part } };
    const reading = { timestamp: at_ms, SYS_PRESSURE: part };
    rig.store.commit([messageOf("events", stop), messageOf("telemetry", reading)]);
    while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
    rig.store.audit([{ ...BY_SELF, at_ms, kind: "export", detail: { part } }], RECEIVED_MS);
  }
  return rig;
}

const leavesOf = ({ db }: Pick<Rig, "db">) => prepare(db, "ledger.page").all({ id: 0, limit: 100 });

const sha = (...parts: readonly Uint8Array[]) => hash("sha256", Buffer.concat(parts), "buffer");

test("every link is a leaf, in the order of commit, and the root is RFC 6962's", () => {
  const rig = filled();
  const leaves = leavesOf(rig);
  expect(leaves.map(({ kind, number }) => `${kind} ${number}`)).toEqual([
    ...["event 1", "segment 1", "audit 1", "event 2", "segment 2", "audit 2"],
    ...["event 3", "segment 3", "audit 3"],
  ]);
  const hex = /^(event|audit) \d [0-9a-f]{64}$|^segment \d [0-9a-f]{64} 1 [0-9a-f]{64}$/;
  for (const { leaf } of leaves) expect(leaf).toMatch(hex);
  const level = leaves.map(({ leaf }) => sha(Buffer.of(0), Buffer.from(leaf)));
  const rootOf = (hashes: readonly Buffer[]): Buffer => {
    if (hashes.length === 1) return hashes[0];
    let half = 1;
    while (2 * half < hashes.length) half *= 2;
    return sha(Buffer.of(1), rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)));
  };
  const { ledger, ledger_root, problem } = verifyChains(rig.db, () => {});
  expect({ ledger, ledger_root, problem }).toEqual({
    ...{ ledger: 9, ledger_root: rootOf(level).toString("hex"), problem: null },
  });
  // Nothing of it goes when readings expire.
  rig.db.exec("update segment set payload = null, thin = null where id = 1");
  expect(verifyChains(rig.db, () => {}).problem).toBeNull();
});

test("a transaction that fails leaves no leaf", () => {
  const { db, store } = filled();
  const failing = () =>
    store.audited((append) => {
      append({ ...BY_SELF, at_ms: AT_MS, kind: "export", detail: {} });
      throw new Error("no");
    });
  expect(failing).toThrow("no");
  expect(verifyChains(db, () => {})).toMatchObject({ ledger: 9, problem: null });
});

test.each([
  ["update ledger set leaf = replace(leaf, 'event', 'audit') where id = 4", "leaf 4"],
  ["update ledger set leaf = leaf || ' ' where id = 2", "leaf 2"],
  ["update ledger set nodes = zeroblob(length(nodes)) where id = 5", "leaf 5"],
  ["update ledger set nodes = substr(nodes, 1, 32) where id = 8", "leaf 8"],
  ["update ledger set nodes = 7 where id = 3", "leaf 3"],
  ["update ledger set kind = 'odd' where id = 3", "leaf 3"],
  ["update ledger set number = 9 where id = 3", "leaf 3"],
  ["delete from ledger where id = 6", "leaf 6"],
  ["delete from ledger where id = 9", "leaf 9"],
  ["delete from ledger where id = 1", "leaf 1"],
  ["update chain_head set count = 8 where chain = 'ledger'", "leaf 10"],
  ["update ledger set id = -id where id in (4, 7); update ledger set id = 11 + id where id < 0"],
  ["update event set hash = zeroblob(32) where id = 2", "leaf 4 of the ledger (event 2)"],
  ["delete from audit where id = 3", "leaf 9 of the ledger (audit 3)"],
])("verify names what %j damages", (change, named = "leaf 4") => {
  const { db } = filled();
  db.exec(change);
  expect(verifyChains(db, () => {}).problem).toContain(named);
});

test("the nightly proof names a damaged leaf, and a start a lost end", () => {
  const { db, dir } = filled();
  db.exec("update ledger set leaf = 'event 2' where id = 4");
  const problems: string[] = [];
  for (let next: ProofPlace | null = PROOF_BEGIN; next !== null; ) {
    const found = proveAfter(db, next);
    problems.push(...found.problems);
    ({ next } = found);
  }
  expect(problems).toEqual([
    "leaf 4 of the ledger (event 2): it isn't the leaf of the stored event",
  ]);
  db.exec("delete from ledger where id = 9");
  expect(databaseProblem(dir)).toMatchObject({ check: "chains" });
});

test.each([
  ["update ledger set leaf = 'x' where id = 4", true],
  ["update ledger set nodes = x'00' where id = 4", true],
  ["update ledger set leaf = 'x', nodes = x'00' where id = 4", false],
  ["delete from ledger where id = 4", false],
  ["delete from ledger where id = 9", false],
  ["update event set description = 'x' where id = 2", false],
])("salvage after %j: the tree goes on: %s", (change, goesOn) => {
  const { db, dir } = filled();
  const before = leavesOf({ db });
  db.exec(change);
  db.close();
  const to = `${dir}/saved.db`;
  const facts = { problem: "damage", by: BY_SELF, now_ms: RECEIVED_MS, built_ms: 0 };
  const { losses } = salvage({ file: databaseFile(dir), to, ...facts });
  expect(losses.some(({ what }) => what === "ledger")).toBe(!goesOn);
  const saved = openReader(to);
  try {
    expect(verifyChains(saved, () => {}).problem).toBeNull();
    const after = leavesOf({ db: saved });
    if (goesOn) expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.kind).toBe("audit");
  } finally {
    saved.close();
  }
});
