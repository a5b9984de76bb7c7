// Prints of the inspection sheet that are asked for all at once: how many are made, for whom, and
// in which order.

import { expect, test } from "vitest";
import { askedSheet } from "../../../src/app/control/asked-sheet.ts";
import { Inspection } from "../../../src/bwts/documents/inspection.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { systemClock } from "../../../src/ground/clock.ts";
import type { Client } from "../../../src/http/turns.ts";
import { scriptedReaders } from "../../rig/http-server-rig.ts";

/** Without a verdict, of which some might be new to paper. */
const SHEET: Inspection = {
  ...Inspection.parse(Inspection.meta()?.example),
  ...{ operations: [], exceptions: [], trace: null },
};
const OFFICER = { actor: "chief", address: "10.0.0.2" };

/** Readers that give a numbered sheet once `go` was called; a print reads it twice. */
function rig() {
  const gate = Promise.withResolvers<void>();
  let made = 0;
  const readers = scriptedReaders(async function* () {
    await gate.promise;
    made += 1;
    yield JSON.stringify({ ...SHEET, ship_time: `${made}` });
  });
  const signed: string[] = [];
  const sheet = askedSheet({
    ...{ config: loadConfig({ file: null, env: {} }).config, clock: systemClock },
    build: { version: "0.2.0", commit: "unbuilt", build: "", sqlite: "", built_ms: 0 },
    isSimulated: false,
    readers: readers as never,
    writer: { call: async () => null as never },
    signer: {
      async sign(reason) {
        signed.push(reason);
        return null as never;
      },
      rotate: async () => null as never,
    },
  });
  return { sheet, go: gate.resolve, reads: () => readers.asked.length, signed };
}

function clientAt(address: string): Client & { gone: boolean } {
  const client = { address, gone: false, isGone: () => client.gone, cut() {} };
  return client;
}

test("nothing is made, noted or signed for clients who have gone", async () => {
  const { sheet, go, reads, signed } = rig();
  const gone = clientAt("10.0.0.2");
  const leaving = sheet.print(OFFICER, gone);
  await expect.poll(reads).toBe(1);
  const waiting = clientAt("10.0.0.1");
  const lost = sheet.print(OFFICER, waiting).catch(() => "refused");
  gone.gone = true;
  waiting.gone = true;
  go();
  await expect(leaving).rejects.toThrow("nobody waits for this print any more");
  expect([reads(), signed]).toEqual([1, []]);
  // Whoever comes next doesn't wait behind them.
  expect((await sheet.print(OFFICER, clientAt("10.0.0.3"))).length).toBeGreaterThan(0);
  expect([reads(), signed]).toEqual([3, ["print"]]);
  void lost;
});

test("a limited number of prints waits, more are refused for now", async () => {
  const { sheet, go, reads } = rig();
  const asked = Array.from({ length: 40 }, (_, number) =>
    sheet.print(OFFICER, clientAt(`10.0.1.${number}`)).then(
      () => "printed",
      (problem: Error) => problem.name,
    ),
  );
  await expect.poll(reads).toBe(1);
  go();
  const told = await Promise.all(asked);
  expect(told.filter((one) => one === "printed")).toHaveLength(17);
});
