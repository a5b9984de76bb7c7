// The fuzzers and the soak as their users run them, for some seconds each: that they find nothing,
// that they count what they did, and that what they found once stays mended.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import type { Reading } from "../../../src/bwts/reading.ts";
import { TAGS } from "../../../src/bwts/tags.ts";
import { encodeSegment } from "../../../src/codec/segment.ts";
import { differenceFrom } from "../../../src/codec/segment-check.ts";
import { startAppliance } from "../../oracle/appliance.ts";
import { LONG } from "../../rig/scale.ts";
import { root } from "../../rig/sources.ts";

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** Their findings are tried in tests of their own. */
const TRIED = ["mqtt", "http", "database", "packets", "codec"];

test("a short run of the fuzzers finds nothing, and says what it tried", LONG, async () => {
  console.log(`fuzzers: TEST_SEED=${SEED}`);
  const { code, output } = await run(
    "fuzz.ts",
    "--minutes",
    "0.35",
    "--seed",
    String(SEED),
    "--only",
    TRIED.join(),
  );
  expect(output).toContain(`seed ${SEED}`);
  expect(output).not.toContain("FOUND");
  for (const fuzzer of TRIED)
    expect(output).toMatch(new RegExp(`^${fuzzer}: .* s\n  .*: \\d+`, "m"));
  expect(code).toBe(0);
});

test("a fuzzer that isn't known is named, with those that are", async () => {
  const { code, output } = await run("fuzz.ts", "--only", "smoke");
  expect(output).toContain("--only: got smoke, expected mqtt, packets, http, codec, database");
  expect(code).toBe(2);
});

test("a short soak looks at the program while it works, and gives a verdict", LONG, async () => {
  const { code, output } = await run("soak.ts", "--minutes", "0.3");
  expect(output).toMatch(/readings, \d+ cycles of a page, \d+ exports .*; the chains are whole/);
  expect(output).toMatch(/ok {3}memory at most/);
  // Limits in ms are for a machine that has nothing else to do, that of growth for a warm program.
  const failed = output.match(/^ *FAIL .*$/gm) ?? [];
  expect(failed.filter((line) => !/, ms: |memory, last quarter/.test(line))).toEqual([]);
  expect(code).toBe(failed.length === 0 ? 0 : 1);
});

test("clients that leave before their answer is there keep no answer open", async () => {
  await using appliance = await startAppliance();
  const { hostname, port } = new URL(appliance.url);
  const request = `GET /api/health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
  for (let client = 0; client < 100; client += 1) {
    const socket = connect(Number(port), hostname).resume();
    socket.write(request.repeat(6));
    await sleep(client % 5);
    socket.end();
    await once(socket, "close");
  }
  await appliance.program.waitUntil("every answer to be closed", async () => {
    const metrics = await fetch(`${appliance.url}/metrics`);
    return (await metrics.text()).includes("\nballastd_answers_open 0\n");
  });
  expect((await fetch(`${appliance.url}/api/health`)).status).toBe(200);
});

test("a column that hardly moves beside one that leaps comes back from a segment", () => {
  const readings = Array.from({ length: 17 }, (_, row): Reading => {
    const at_ms = 1_700_000_000_000 + row;
    const received_ms = row === 16 ? 379_384_722_095 : at_ms + ((row * 31) % 90);
    const values = TAGS.map(() => null);
    return { at_ms, received_ms, clock_trusted: true, derived: 0, extra: new Map(), values };
  });
  expect(differenceFrom(encodeSegment(readings), readings)).toBeNull();
});

async function run(script: string, ...args: readonly string[]) {
  const problem = inject("bundleProblem");
  if (problem !== null) throw new Error(problem);
  const file = path.join(root, "scripts", script);
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const end = () => void child.kill("SIGTERM");
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code]: unknown[] = await once(child, "close");
  process.off("exit", end);
  return { code, output };
}
