// A root that doesn't follow from the readings, in a segment whose hashes were all made to fit.

import { expect, test } from "vitest";
import { readSegmentHead } from "../../../../src/codec/segment-reader.ts";
import { DAY_MS } from "../../../../src/ground/clock.ts";
import { verifyChains } from "../../../../src/sqlite/care/verify.ts";
import { EMPTY_CHAIN, moveHead, segmentHash } from "../../../../src/sqlite/file/hash-chain.ts";
import { prepare } from "../../../../src/sqlite/file/open.ts";
import { rigsOfTests } from "../../../rig/database.ts";
import { AT_MS, messageOf, RECEIVED_MS } from "../../../rig/decoding.ts";

const rigOf = rigsOfTests();
/** In the header of a segment with one reading: after the format, the count and two times. */
const ROOT_AT = 18;

test("a root that isn't that of the readings' lines is named when the lines are looked at", () => {
  const { store, db } = rigOf();
  store.commit([messageOf("telemetry", { timestamp: AT_MS, SYS_PRESSURE: 2.5 })]);
  while (store.sealOld(RECEIVED_MS + DAY_MS));
  const verified = (withRoots: boolean) => verifyChains(db, () => {}, { withRoots }).problem;
  expect(verified(true)).toBeNull();

  const [link] = prepare(db, "segment.chain").all({ id: 0, limit: 1 });
  const header = Buffer.from(link.header);
  header[ROOT_AT] ^= 1;
  const hash = segmentHash({ ...link, header, previous: EMPTY_CHAIN.hash });
  db.prepare("update segment set header = ?, hash = ? where id = 1").run(header, hash);
  db.exec("delete from ledger; delete from chain_head where chain = 'ledger'");
  moveHead(db, "segment", { count: 1, hash }, readSegmentHead(header));

  expect(verified(false)).toBeNull();
  expect(verified(true)).toBe("segment 1: its root doesn't follow from its readings");
});
