// A shore whose server is in wrong hands, key and all, or a proxy before it that answers anything:
// the session ends, the problem is named, the next one begins, and no memory is taken.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShoreFile } from "../../../src/bwts/documents/shore-file.ts";
import { keyPinOf } from "../../../src/ground/key-pin.ts";
import { authority } from "../../rig/certificates.ts";
import { type Rig, removeFolders, temporaryFolder } from "../../rig/database.ts";
import * as hostile from "../../rig/hostile-server.ts";
import { memoryOf } from "../../rig/process-facts.ts";
import { shipAboard } from "../../rig/ship-links.ts";
import { openBox } from "../../rig/shore-rig.ts";
import { until } from "../../rig/until.ts";

/** Rows of 4 MB and the buffers that they come in; a busy machine collects them late. */
const GROWTH_MAX_MIB = 250;

let server: hostile.HostileServer;
let rig: Rig;
let file: ShoreFile;

beforeAll(async () => {
  const own = authority(temporaryFolder(), "shore");
  const [pair, ship] = [own.issue("server"), own.issue("ship")];
  const { publicKey } = new X509Certificate(readFileSync(pair.cert));
  server = await hostile.openHostileServer(pair);
  rig = shipAboard({ seed: 3, segments: 120, readings: 10 });
  file = {
    ...{ format: 1, ship: "9074729", name: "MV One" },
    key_pin: keyPinOf(publicKey.export({ type: "spki", format: "der" })),
    urls: [`postgres://ship_9074729_1@127.0.0.1:${server.port}/fleet`],
    ...{ certificate: readFileSync(ship.cert, "utf8"), key: readFileSync(ship.key, "utf8") },
  };
});
afterAll(() => {
  server?.close();
  rig?.close();
  removeFolders();
});

/** The answer ends two sessions with the problem. */
async function failing(problem: RegExp): Promise<void> {
  const before_mib = memoryOf(process.pid).anonymous_mib;
  const sessions = server.sessions();
  await using box = openBox(rig, file);
  const { state } = box.shore;
  const isTold = async () => server.sessions() > sessions + 1 && problem.test(state.problem ?? "");
  await until(`${problem}`, isTold, () => `${state.phase}: ${state.problem}`);
  expect(memoryOf(process.pid).anonymous_mib - before_mib).toBeLessThan(GROWTH_MAX_MIB);
}

const always = (bytes: Buffer) => (write: (bytes: Buffer) => void) => write(bytes);
const NAMES = Array.from({ length: 32_767 }, (_, place) => place.toString(36));

test("rows without an end, each with all columns and no value, take no memory", async () => {
  const none = hostile.message("D", hostile.int16(0));
  const rows = Buffer.concat(Array.from({ length: 400_000 }, () => none));
  const { PREPARED, ENDED } = hostile;
  server.say(always(Buffer.concat([PREPARED, hostile.described(NAMES), rows, ENDED])));
  await failing(/hello can't be read/);
});

test("bytes that are no messages, and messages that lie about their length", async () => {
  const { PREPARED, int16, int32, message } = hostile;
  for (const odd of [
    message("T", int16(5), Buffer.from("a")),
    message("D", int16(-3), int32(-7)),
    Buffer.concat([Buffer.from("E"), int32(0), Buffer.alloc(200, 0)]),
    Buffer.alloc(5000, "?"),
  ]) {
    server.say(always(Buffer.concat([PREPARED, odd, hostile.ENDED])));
    await failing(/\w/);
  }
  // Most of 2 GB never comes.
  const long = Buffer.concat([Buffer.from("D"), int32(0x7fffffff), Buffer.alloc(6_000_000)]);
  server.say(always(Buffer.concat([PREPARED, long])));
  await failing(/sends more than was asked for/);
});

test("notices without an end are no answer", async () => {
  const notice = hostile.said("N", "00000", "x".repeat(100_000));
  server.say((write) => {
    let left = 100;
    const timer = setInterval(() => {
      write(notice);
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, 20);
  });
  await failing(/sends more than was asked for/);
});

test("a refusal of everything, in a book each, is told short", async () => {
  const hello = {
    ...{ now_ms: Date.now(), revisions: {}, revision: 0, requests: [], others: [] },
    chains: {
      segment: { common: 0, head: 0, lacking: [] },
      ...{ event: { common: 0, head: 0 }, audit: { common: 0, head: 0 } },
    },
  };
  const { PREPARED, ENDED, described, row, said, ready } = hostile;
  const columns = described(["is_standby", "hello"], [16, 3802]);
  const greeting = Buffer.concat([PREPARED, columns, row(["f", JSON.stringify(hello)]), ENDED]);
  const book = said("E", "FL002", `\u001b[2J${"no. ".repeat(250_000)}`);
  server.say((write, isFirst) => write(isFirst ? greeting : Buffer.concat([book, ready()])));
  await using box = openBox(rig, file);
  const { refusals } = box.shore.state;
  await until("refusals", async () => server.statements() > 200 && refusals.size > 1);
  expect(refusals.size).toBeLessThanOrEqual(100);
  for (const { reason } of refusals.values()) expect(reason.length).toBeLessThan(1000);
});
