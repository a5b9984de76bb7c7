// The findings of `ballastd check` in a data folder, without the program: the clock beside what a
// running instance stores meanwhile, the ledger's key, and the record of migrations.

import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { ledgerKeyFile } from "../../../src/app/control/key-file.ts";
import { checkDatabase } from "../../../src/app/recovery/check-database.ts";
import { checkClock } from "../../../src/app/recovery/check-machine.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type Rig, rigsOfTests } from "../../rig/database.ts";
import { messageOf } from "../../rig/decoding.ts";
import { grownHead } from "../../rig/ledger-signer.ts";

const rigOf = rigsOfTests();
const configOf = ({ dir }: Rig) =>
  loadConfig({
    file: null,
    env: { BALLASTD_STORAGE_DIR: dir },
  }).config;
const found = (rig: Rig, name: string) =>
  checkDatabase(configOf(rig), { isThorough: false }).find(({ what }) => what === name);

function receive({ store }: Rig, received_ms: number): void {
  const timestamp = new Date(received_ms).toISOString();
  store.commit([messageOf("telemetry", { timestamp, SYS_PRESSURE: 3 }, { received_ms })]);
}

test("a message that is received while the clock is checked makes it no clock set back", () => {
  const rig = rigOf();
  const now_ms = Date.now();
  receive(rig, now_ms - 1000);
  const clock = () => {
    receive(rig, now_ms + 5);
    return now_ms;
  };
  const [checked] = checkClock(configOf(rig), { built_ms: 0 }, clock);
  expect(checked).toMatchObject({ state: "ok" });
  const [back] = checkClock(configOf(rig), { built_ms: 0 }, () => now_ms - 60_000);
  expect(back).toMatchObject({ state: "failed" });
});

test("a ledger's key that isn't beside the heads that it signed is reported", async () => {
  const rig = rigOf();
  expect(found(rig, "ledger key")).toBeUndefined();
  await grownHead(rig, 3);
  expect(found(rig, "ledger key")).toMatchObject({ state: "ok" });
  rmSync(ledgerKeyFile(rig.dir));
  expect(found(rig, "ledger key")).toMatchObject({ state: "warning" });
  expect(found(rig, "ledger key")?.says).toContain("signed head");
});

test.each([0, -1, 3_000_000_000, 99])(
  "a row %d too many in the record of migrations is reported",
  (number) => {
    const rig = rigOf();
    rig.db
      .prepare("insert into schema_migration values (?, '900-other.sql', 'abc', 0)")
      .run(BigInt(number));
    expect(found(rig, "database")).toMatchObject({
      state: "failed",
      says: expect.stringContaining("the record of its migrations has more rows"),
    });
  },
);
