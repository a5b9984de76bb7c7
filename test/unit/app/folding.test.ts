// Actions of clients are folded before they
// reach the audit log.

import { expect, test } from "vitest";
import { openFolding } from "../../../src/app/audit-queue.ts";
import type { Happening } from "../../../src/bwts/audit.ts";

type Emitted = Omit<Happening, "fold">;

function open() {
  const emitted: Emitted[] = [];
  const folding = openFolding((entry) => emitted.push(entry));
  return { ...folding, emitted, takeOut: () => emitted.splice(0) };
}

const refusal = (address: string, status = 401): Happening => ({
  kind: "refusal",
  actor: "unknown",
  address,
  detail: { status },
  fold: String(status),
});

test("the first goes through at once, its repetitions as one entry a minute, none after", () => {
  const { take, minute, takeOut } = open();
  for (let count = 0; count < 1000; count += 1) take(refusal("10.0.0.1"));
  take(refusal("10.0.0.1", 403));
  take(refusal("10.0.0.2"));
  expect(takeOut()).toMatchObject([
    { address: "10.0.0.1", detail: { status: 401 } },
    { address: "10.0.0.1", detail: { status: 403 } },
    { address: "10.0.0.2", detail: { status: 401 } },
  ]);
  minute();
  expect(takeOut()).toMatchObject([
    { address: "10.0.0.1", detail: { status: 401, repeated: 999 } },
  ]);
  take(refusal("10.0.0.1"));
  expect(takeOut()).toEqual([]);
  minute();
  expect(takeOut()).toMatchObject([{ address: "10.0.0.1", detail: { repeated: 1 } }]);
  minute();
  expect(takeOut()).toEqual([]);
  take(refusal("10.0.0.1"));
  expect(takeOut()).toHaveLength(1);
});

test("a flood from ever new addresses is bounded, counted whole, and hides no other kind", () => {
  const { take, minute, emitted } = open();
  const MINUTES = 60;
  const EACH_MINUTE = 2000;
  for (let now = 0; now < MINUTES; now += 1) {
    for (let count = 0; count < EACH_MINUTE; count += 1) take(refusal(`${now}.${count}`));
    minute();
  }
  const counted = emitted.map(({ detail }) => Number(detail.repeated ?? 1));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(MINUTES * EACH_MINUTE);
  expect(emitted.length).toBeLessThan(60 + MINUTES * 5 + 1);
  take({ ...refusal("10.0.0.1"), kind: "login" });
  expect(emitted.at(-1)).toMatchObject({ kind: "login", address: "10.0.0.1" });
});
