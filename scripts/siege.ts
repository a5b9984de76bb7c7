// `npm run siege`: the built program with 2,000 idle connections and eight clients that send
// garbage as fast as they can, and a good publisher of 100 readings a second among them. Fails when
// it lost a reading or waited longer for a PUBACK than a second.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { MINUTE_MS, SECOND_MS } from "../src/clock.ts";
import { EXIT } from "../src/errors.ts";
import { startBallastd } from "./bench/ballastd-program.ts";
import { memoryOf, processor_ms } from "./bench/process-facts.ts";
import { bundledProgram } from "./bundled.ts";
import { besiege } from "./siege/besiege.ts";

const WAIT_MAX_MS = SECOND_MS;

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => process.exit(EXIT.failed));

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    idle: { type: "string", default: "2000" },
    processes: { type: "string", default: "1" },
    program: { type: "string" },
  },
});
const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-siege-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const program = values.program === undefined ? bundledProgram() : path.resolve(values.program);
const ballastd = await startBallastd({ program, folder }, "/healthz");
const before_ms = processor_ms(ballastd.pid);
const outcome = await besiege({
  port: Number(new URL(ballastd.mqtt).port),
  seconds: (Number(values.minutes) * MINUTE_MS) / SECOND_MS,
  idle: Number(values.idle),
  processes: Number(values.processes),
});
const page = `/api/telemetry/chunked?startDate=${outcome.from}&endDate=${outcome.to}&limit=1`;
const answer = await fetch(ballastd.http + page);
const stored: unknown = (await answer.json()).pagination.total;
const waits = outcome.waits_ms.toSorted((one, other) => one - other);
const wait = (share: number) => waits[Math.floor(share * (waits.length - 1))] ?? 0;
const { resident_mib, peak_mib } = memoryOf(ballastd.pid);
const metrics = await (await fetch(`${ballastd.http}/metrics`)).text();
const facts = {
  ...{ sent: outcome.sent, acknowledged: outcome.acknowledged, stored },
  thrown_out: outcome.thrown_out,
  wait_ms: { half: wait(0.5), "99%": wait(0.99), longest: wait(1) },
  memory_mib: { now: resident_mib, most: peak_mib },
  processor_s: (processor_ms(ballastd.pid) - before_ms) / SECOND_MS,
  door: metrics.split("\n").filter((line) => /^ballastd_mqtt_(total|clients)/.test(line)),
};
process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
await ballastd.stop();
const isWell = stored === outcome.sent && outcome.acknowledged === outcome.sent;
process.exit(isWell && wait(1) <= WAIT_MAX_MS ? EXIT.ok : EXIT.failed);
