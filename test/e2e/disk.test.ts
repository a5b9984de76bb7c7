// A disk that fills, fails, or goes away under the built program: nothing is acknowledged that
// isn't on disk, what is there is read on, and it passes by itself. A full disk is a small file
// system in a mount namespace of its own, for which the tests must be run as root.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test as single } from "vitest";
import { type Appliance, publishAll, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { buildDisk } from "../rig/forgetful-disk.ts";
import { printed } from "../rig/logbook.ts";
import { LONG, sampled } from "../rig/scale.ts";

const FIRST_MS = Date.UTC(2024, 1, 27);

// They mostly wait for a fault to be noticed and to pass, so they wait together.
const test = single.concurrent;

const newFolder = foldersOfTests(afterAll);
const mounted: ChildProcess[] = [];
afterAll(() => {
  for (const child of mounted) child.kill("SIGKILL");
});

const messageOf = (number: number) => ({
  kind: "telemetry",
  payload: JSON.stringify({ timestamp: printed(FIRST_MS + number * 1000), SYS_PRESSURE: number }),
});

/** Publishes on a connection of its own; whether the PUBACK came before the connection ended. */
async function isAcknowledged(appliance: Appliance, number: number): Promise<boolean> {
  const client = await appliance.connect();
  const closed = new Promise<boolean>((resolve) => client.once("close", () => resolve(false)));
  const done = publishAll(client, [messageOf(number)]).then(
    () => true,
    () => false,
  );
  const result = await Promise.race([done, closed]);
  await client.endAsync(true);
  return result;
}

/** Publishes readings from number `first` on until one isn't acknowledged; those that were. */
async function takenUntilFull(appliance: Appliance, first: number): Promise<readonly number[]> {
  const taken: number[] = [];
  // Messages that fit into the log's own pages are still taken, and the floor is checked at
  // intervals.
  while (await isAcknowledged(appliance, first + taken.length)) {
    taken.push(first + taken.length);
    expect(taken.length).toBeLessThan(1000);
  }
  return taken;
}

async function numbersOf(appliance: Appliance): Promise<readonly number[]> {
  const path = "/api/telemetry/chunked?startDate=2000-01-01&endDate=2100-01-01&limit=10000";
  const { data }: { data: { SYS_PRESSURE: number }[] } = await appliance.json(path);
  return data.map((reading) => reading.SYS_PRESSURE);
}

async function readiness(appliance: Appliance): Promise<{ ready: boolean; reasons: string[] }> {
  return JSON.parse((await appliance.get("/readyz")).text);
}

async function metric(appliance: Appliance, name: string): Promise<number> {
  const { text } = await appliance.get("/metrics");
  return Number(new RegExp(`^ballastd_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** The rules while nothing can be committed, and after. */
async function bearsIt(appliance: Appliance, fault: { begin(): void; end(): void }): Promise<void> {
  await appliance.publish([messageOf(0), messageOf(1)]);
  fault.begin();
  const stored = [0, 1, ...(await takenUntilFull(appliance, 2))];
  expect(await numbersOf(appliance)).toEqual(stored);
  expect(await readiness(appliance)).toMatchObject({
    ready: false,
    reasons: expect.arrayContaining([expect.stringContaining("messages can't be committed")]),
  });
  expect(await metric(appliance, "withheld_messages_total")).toBeGreaterThan(0);
  expect(await metric(appliance, "commits_failing")).toBe(1);
  await appliance.program.waitForOutput(/acknowledgements are withheld/);
  fault.end();
  // By itself, with nobody sending.
  await appliance.program.waitUntil("ready again", async () => (await readiness(appliance)).ready);
  expect(await metric(appliance, "commits_failing")).toBe(0);
  expect(await isAcknowledged(appliance, stored.length)).toBe(true);
  expect(await numbersOf(appliance)).toEqual([...stored, stored.length]);
}

/** By errno. */
const FAULTS = { "an input/output error": 5, "a file system that turns read-only": 30 };

test.each(sampled(3, Object.entries(FAULTS)))(
  "%s costs no acknowledged message and passes by itself",
  async (_title, error) => {
    const folder = newFolder();
    const data = path.join(folder, "data");
    const mark = path.join(folder, "fault");
    const env = { LD_PRELOAD: buildDisk(folder), DISK_FOLDER: data, DISK_FAULT: mark };
    await using appliance = await startAppliance({ folder, env });
    await bearsIt(appliance, {
      begin: () => writeFileSync(mark, String(error)),
      end: () => rmSync(mark),
    });
    expect(await appliance.program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  },
);

test("a limit on files that comes and goes leaves no job and no message behind", LONG, async () => {
  await using appliance = await startAppliance();
  const { program } = appliance;
  const limit = (bytes: string) =>
    execFileSync("prlimit", [`--pid=${program.pid}`, `--fsize=${bytes}:unlimited`]);
  const treated = (number: number) => {
    const timestamp = printed(FIRST_MS + number * 10_000);
    const members = { timestamp, PROCESS_STATE: "RUNNING", UVR_INTENSITY: 600 };
    return { kind: "telemetry", payload: JSON.stringify(members) };
  };
  const slots = [0, 90, 180];
  await appliance.publish(slots.map(treated));
  limit("4096");
  const isFailing = (job: string) =>
    new RegExp(`"job":"${job}".*job failed`).test(program.stderr());
  await program.waitUntil("jobs fail", async () => {
    // Readings that come for a slot change it while its score can't be stored.
    expect(await isAcknowledged(appliance, 0)).toBe(false);
    return isFailing("health") && isFailing("lamps");
  });
  limit("unlimited");
  await program.waitUntil("ready again", async () => (await readiness(appliance)).ready);
  await appliance.publish(slots.map((number) => treated(number + 1)));
  await appliance.publish([messageOf(1)]);
  await program.waitUntil("scores", async () => {
    return (await appliance.json("/api/health")).length === slots.length;
  });
  expect(await metric(appliance, "faults_total")).toBe(0);
});

test("a data folder that is moved away is noticed, and taken up when it's back", LONG, async () => {
  await using appliance = await startAppliance();
  const data = path.join(appliance.program.folder, "data");
  await bearsIt(appliance, {
    begin: () => renameSync(data, `${data}-gone`),
    end: () => renameSync(`${data}-gone`, data),
  });
});

test("nothing is acknowledged into a log that was deleted", LONG, async () => {
  await using appliance = await startAppliance();
  await appliance.publish([messageOf(0)]);
  rmSync(path.join(appliance.program.folder, "data", "ballastd.db-wal"));
  expect(await isAcknowledged(appliance, 1)).toBe(false);
  const { reasons } = await readiness(appliance);
  expect(reasons.join()).toContain("was removed or replaced");
});

const MEBIBYTE = 1024 * 1024;

/** A file system of a size, in a mount namespace of its own. */
interface SmallDisk {
  /** The command that starts a program in the namespace, and the place of its data. */
  readonly through: readonly string[];
  readonly data: string;
  /** The disk as it is seen from outside. */
  readonly seen: string;
}

async function smallDisk(size: string): Promise<SmallDisk> {
  if (process.getuid?.() !== 0)
    throw new Error("mounting a small file system needs root: run the tests as root, or with sudo");
  const script = `mount -t tmpfs -o size=${size} small /mnt && echo mounted && exec sleep 600`;
  const child = spawn("unshare", ["-m", "sh", "-c", script], { stdio: ["ignore", "pipe", "pipe"] });
  mounted.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.stderr?.once("data", (text) => reject(new Error(`unshare: ${text}`)));
    child.once("error", reject);
  });
  const through = [
    "nsenter",
    `--mount=/proc/${child.pid}/ns/mnt`,
    `--root=/proc/${child.pid}/root`,
    `--wd=${os.tmpdir()}`,
  ];
  return { through, data: "/mnt/data", seen: `/proc/${child.pid}/root/mnt` };
}

/** Fills the disk to its last byte; returns a way to free it. */
function fill(disk: string): () => void {
  const file = path.join(disk, "fill");
  for (const bytes of [MEBIBYTE, 4096, 1])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
    } catch {
      // Full, to within the next smaller piece.
    }
  return () => rmSync(file);
}

const NO_FLOOR = { BALLASTD_STORAGE_FREE_STOP: "0", BALLASTD_STORAGE_FREE_WARN: "0" };
const FLOOR = { BALLASTD_STORAGE_FREE_STOP: "8 MiB", BALLASTD_STORAGE_FREE_WARN: "16 MiB" };

const FLOORS = { "to the last byte": NO_FLOOR, "with the floor of storage.free_stop": FLOOR };

test.each(sampled(3, Object.entries(FLOORS)))(
  "a disk that fills %s stops acknowledgements and not answers, and passes",
  async (_title, floor) => {
    const { through, data, seen } = await smallDisk("50m");
    const env = { ...floor, BALLASTD_STORAGE_DIR: data };
    await using appliance = await startAppliance({ env, through });
    let free = () => {};
    await bearsIt(appliance, {
      begin() {
        free = fill(seen);
      },
      end: () => free(),
    });
  },
);

test("a start on a full disk serves what is there, after a cut of the power too", async () => {
  const { through, data, seen } = await smallDisk("50m");
  const env = { ...NO_FLOOR, BALLASTD_STORAGE_DIR: data };
  const stored: number[] = [];
  for (const [index, ending] of (["SIGTERM", "SIGKILL"] as const).entries()) {
    {
      await using before = await startAppliance({ env, through });
      await before.publish([messageOf(index)]);
      await before.program.stop(ending);
    }
    rmSync(path.join(seen, "data", "ballastd.db-shm"), { force: true });
    const free = fill(seen);
    await using appliance = await startAppliance({ env, through });
    expect(await numbersOf(appliance)).toContain(index);
    stored.push(index, ...(await takenUntilFull(appliance, 1000 * (index + 1))));
    expect(await appliance.program.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    free();
  }
  await using appliance = await startAppliance({ env, through });
  expect(await isAcknowledged(appliance, 9000)).toBe(true);
  expect(await numbersOf(appliance)).toEqual([...stored, 9000].sort((a, b) => a - b));
});

test("on a small disk filled by ingest alone, what was acknowledged is there", LONG, async () => {
  const { through, data, seen } = await smallDisk("3m");
  const env = { ...NO_FLOOR, BALLASTD_STORAGE_DIR: data };
  const acknowledged: number[] = [];
  {
    await using appliance = await startAppliance({ env, through });
    const client = await appliance.connect();
    const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
    let isOpen = true;
    void closed.then(() => {
      isOpen = false;
    });
    for (let number = 0; isOpen && number < 50_000; number += 1) {
      const publishing = publishAll(client, [bulky(number)]).then(
        () => acknowledged.push(number),
        () => null,
      );
      if (number % 50 === 0) await Promise.race([publishing, closed]);
    }
    await closed;
    expect(acknowledged.length).toBeGreaterThan(0);
    const stored = new Set(await numbersOf(appliance));
    expect(acknowledged.slice(0, 9000).filter((number) => !stored.has(number))).toEqual([]);
    await appliance.program.stop("SIGKILL");
  }
  const wal = statSync(path.join(seen, "data", "ballastd.db-wal"));
  expect(wal.size).toBeLessThan(3 * MEBIBYTE);
});

/** A reading that doesn't compress: events are stored as they are. */
function bulky(number: number) {
  const { payload } = messageOf(number);
  const text = Array.from({ length: 20 }, (_, index) => `"T${index}":${Math.random()}`);
  return { kind: "telemetry", payload: `${payload.slice(0, -1)},${text.join()}}` };
}

const EXPORT = "/export/telemetry?format=ndjson&startDate=2024-01-01&endDate=2024-12-31";

test("the write-ahead log stays small though somebody leaves an export unread", LONG, async () => {
  await using appliance = await startAppliance();
  const lot = (from: number) => [...Array(1000).keys()].map((index) => bulky(from + index));
  await appliance.publish(lot(0));
  const { hostname, port } = new URL(appliance.url);
  const slow = connect({ host: hostname, port: Number(port) }).pause();
  slow.write(`GET ${EXPORT} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  for (let from = 1000; from < 8000; from += 1000) {
    await appliance.publish(lot(from));
    expect(await metric(appliance, "db_wal_bytes")).toBeLessThan(20 * MEBIBYTE);
  }
  slow.destroy();
});
