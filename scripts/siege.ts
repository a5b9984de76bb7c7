// `npm run siege`: the built program with 2,000 idle connections, eight clients that send garbage
// as fast as they can, 64 that do the same to HTTP, and a good publisher of 100 readings a second
// among them. Fails when it lost a reading, when one PUBACK in a hundred took longer than a second,
// or when the process held more than 400 MB.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { MINUTE_MS, SECOND_MS } from "../src/ground/clock.ts";
import { EXIT } from "../src/ground/errors.ts";
import { bundledProgram } from "../test/rig/bundled.ts";
import { memoryOf, processor_ms } from "../test/rig/process-facts.ts";
import { runInstalled, startReady } from "../test/rig/served.ts";
import { runScript } from "./command.ts";
import { besiege } from "./siege/besiege.ts";
import { webKinds } from "./siege/hostile-http.ts";
import { watchFromOutside } from "./siege/watcher.ts";

const WAIT_MAX_MS = SECOND_MS;
const MEMORY_MAX_MIB = 400e6 / 2 ** 20;

const USAGE = `usage: npm run siege -- [options]

  --minutes N      how long (default 1; fractions are taken)
  --idle N         MQTT connections that do nothing (default 2000)
  --processes N    processes of the eight that send garbage (default 1)
  --web N          hostile connections to HTTP (default 64)
  --kinds LIST     only these of them, KIND:COUNT with commas between
  --readings N     readings stored before, so that there are large answers (default 50000)
  --program FILE   another main.cjs than the one that is built`;

const OPTIONS = {
  minutes: { type: "string", default: "1" },
  idle: { type: "string", default: "2000" },
  processes: { type: "string", default: "1" },
  web: { type: "string", default: "64" },
  kinds: { type: "string" },
  readings: { type: "string", default: "50000" },
  program: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

await runScript({ name: "siege", usage: USAGE, options: OPTIONS }, async (values) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ballastd-siege-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const program = values.program === undefined ? bundledProgram() : path.resolve(values.program);
  if (Number(values.readings) > 0) {
    const file = path.join(folder, "before.ndjson");
    writeFileSync(file, readingsBefore(Number(values.readings)));
    await runInstalled({ program, folder }, "import", file);
  }
  const ballastd = await startReady({ program, folder });
  const before_ms = processor_ms(ballastd.pid);
  const watcher = watchFromOutside(ballastd.http);
  const outcome = await besiege({
    port: ballastd.mqtt_port,
    seconds: (Number(values.minutes) * MINUTE_MS) / SECOND_MS,
    idle: Number(values.idle),
    processes: Number(values.processes),
    web: {
      port: Number(new URL(ballastd.http).port),
      kinds: values.kinds?.split(",") ?? webKinds(Number(values.web)),
    },
  });
  const watched = await watcher.stop();
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
    watched,
    door: metrics.split("\n").filter((line) => /^ballastd_mqtt_(total|clients)/.test(line)),
  };
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
  await ballastd.stop();
  const isWell = stored === outcome.sent && outcome.acknowledged === outcome.sent;
  const isSmall = peak_mib <= MEMORY_MAX_MIB;
  process.exit(isWell && isSmall && wait(0.99) <= WAIT_MAX_MS ? EXIT.ok : EXIT.failed);
});

/** A reading each ten seconds, as NDJSON, of a plant that sends twenty lamps' worth of values. */
function readingsBefore(count: number): string {
  const first_ms = Date.UTC(2026, 0, 1);
  const lines = Array.from({ length: count }, (_, at) => {
    const timestamp = new Date(first_ms + at * 10 * SECOND_MS).toISOString();
    return JSON.stringify({
      timestamp,
      UVR_INTENSITY: 600 + (at % 97),
      SYS_FLOW_RATE: 800 + (at % 53),
    });
  });
  return `${lines.join("\n")}\n`;
}
