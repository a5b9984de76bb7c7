// Verify of a sealed database, in copies of a small one: it is whole as long as nobody touched it,
// and whatever somebody changed in segments, events or the audit log is named.

import { cpSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BY_SELF } from "../../../../src/bwts/audit.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/ground/clock.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { openRig, rigsOfTests, temporaryFolder } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";
import { foldersOfTests } from "../../../rig/folders.ts";
import { sized } from "../../../rig/scale.ts";

const rigOf = rigsOfTests();

describe("verify", () => {
  const folder = foldersOfTests(afterAll)();
  beforeAll(() => {
    const rig = openRig({}, folder);
    for (let part = 0; part < 4; part += 1) {
      const at_ms = AT_MS - (4 - part) * HOUR_MS;
      rig.store.commit([
        messageOf("telemetry", { timestamp: at_ms, SYS_PRESSURE: part }),
        messageOf("events", { timestamp: at_ms, event_type: "PROCESS_STOP", data: { part } }),
      ]);
      while (rig.store.sealOld(RECEIVED_MS + DAY_MS));
      rig.store.audit([{ ...BY_SELF, at_ms, kind: "start", detail: { part } }], RECEIVED_MS);
    }
    rig.close();
  });
  /** A copy of it. */
  const sealed = () => {
    const dir = temporaryFolder();
    cpSync(folder, dir, { recursive: true });
    return rigOf({}, dir).db;
  };

  test("finds a database that nobody touched whole", () => {
    expect(verifyChains(sealed(), () => {})).toMatchObject({
      segments: 4,
      readings: 4,
      events: 4,
      audit: 4,
      problem: null,
    });
  });

  test.each([
    ["update segment set payload = zeroblob(length(payload)) where id = 2", "segment 2"],
    ["update segment set header = zeroblob(length(header)) where id = 3", "segment 3"],
    ["update segment set first_ms = first_ms + 1 where id = 2", "segment 2"],
    ["update segment_place set newest_received_ms = 1 where id = 2", "segment 2"],
    ["delete from segment_place where id = 3", "segment 3"],
    ["update segment set payload_hash = zeroblob(32) where id = 4", "segment 4"],
    ["delete from segment where id = 2", "segment 2"],
    ["delete from segment where id = 4", "segment 4"],
    ["update segment set id = -id; update segment set id = 5 + id", "segment 1"],
    ["update chain_head set count = 3 where chain = 'segment'", "segment"],
    ["update chain_head set hash = zeroblob(32) where chain = 'event'", "event"],
    ["update event set description = 'x' where id = 3", "event 3"],
    ["update event set data = '{' where id = 1", "event 1"],
    ["update event set received_ms = 1 where id = 2", "event 2"],
    ["delete from event where id = 4", "event 4"],
    ["update audit set actor = 'x' where id = 1", "audit 1"],
    ["update audit set at_ms = at_ms + 1 where id = 2", "audit 2"],
    ["update audit set clock_trusted = 1 - clock_trusted where id = 2", "audit 2"],
    ["update audit set address = '10.0.0.1' where id = 3", "audit 3"],
    ["update audit set detail = '{}' where id = 3", "audit 3"],
    ["delete from audit where id = 2", "audit 2"],
    ["delete from audit where id = 4", "audit 4"],
    ["update chain_head set count = 3 where chain = 'audit'", "audit"],
    ["update event set data = '{' where id = 1; delete from audit where id = 1", "audit 1"],
  ])("names what is broken by %j", (change, named) => {
    const db = sealed();
    db.exec(change);
    expect(verifyChains(db, () => {}).problem).toContain(named);
  });

  test("finds a flipped bit in any byte of a segment", () => {
    const db = sealed();
    const row = prepare(db, "segment.bytes");
    const { header, payload } = row.get({ id: 2 }) ?? { header: null, payload: null };
    for (const [column, bytes] of Object.entries({ header, payload }))
      for (let byte = 0; byte < (bytes?.length ?? 0); byte += sized(21, 7)) {
        const flipped = Buffer.from(bytes ?? []);
        flipped[byte] ^= 1 << (byte % 8);
        const write = db.prepare(`update segment set ${column} = ? where id = 2`);
        write.run(flipped);
        expect(verifyChains(db, () => {}).problem).toContain("segment 2");
        write.run(bytes);
      }
    expect(verifyChains(db, () => {}).problem).toBeNull();
  });
});
