// Replays through the built program: what was set aside for a wrong clock, or another
// configuration, is stored with its time corrected, once, however often it is replayed.

import { expect, test } from "vitest";
import { type Appliance, startAppliance } from "../oracle/appliance.ts";
import { runProgram } from "../rig/program.ts";

const HOUR_MS = 3_600_000;
const iso = (at_ms: number) => new Date(at_ms).toISOString();
const EVER = "/api/telemetry/chunked?startDate=2000-01-01&endDate=2100-01-01&limit=1000";

interface Entry {
  readonly id: number;
  readonly stored: number;
  readonly left: string | null;
  readonly detail: string;
}

async function replay(folder: string, env: object, ...options: string[]) {
  const args = ["quarantine", "replay", "--json", ...options];
  const { code, stdout, stderr } = await runProgram({ args, folder, env: { ...env } });
  const entries: readonly Entry[] = JSON.parse(stdout);
  return { code, entries, stderr };
}

const said = async (appliance: Appliance) =>
  (await appliance.json(EVER)).data.map(({ timestamp, A }: { timestamp: string; A: number }) => [
    timestamp,
    A,
  ]);

test("readings of a clock eight hours ahead are stored eight hours earlier, once", async () => {
  await using appliance = await startAppliance();
  const now_ms = Math.floor(Date.now() / 1000) * 1000;
  const ahead = (seconds: number) => now_ms + 8 * HOUR_MS - seconds * 1000;
  const telemetry = (payload: unknown) => ({ kind: "telemetry", payload: JSON.stringify(payload) });
  await appliance.publish([
    telemetry({ timestamp: iso(ahead(30)), A: 1 }),
    // A buffer in which the clock was set: its first reading was taken as it was sent.
    telemetry([
      { timestamp: iso(now_ms - 60_000), A: 2 },
      { timestamp: iso(ahead(50)), A: 3 },
    ]),
    {
      kind: "events",
      payload: JSON.stringify({ timestamp: iso(ahead(40)), event_type: "PROCESS_START" }),
    },
    telemetry("nonsense"),
  ]);
  const { folder } = appliance.program;
  const asked = ["--reason", "future", "--shift", "-8h"];
  const sent = [[iso(now_ms - 60_000), 2]];
  const dry = await replay(folder, {}, ...asked, "--dry-run");
  expect(dry.entries.map(({ stored, left }) => [stored, left])).toEqual([
    [1, null],
    [1, null],
    [1, null],
  ]);
  expect(await said(appliance)).toEqual(sent);

  expect((await replay(folder, {}, ...asked)).code).toBe(0);
  const corrected = [...sent, [iso(now_ms - 50_000), 3], [iso(now_ms - 30_000), 1]];
  expect(await said(appliance)).toEqual(corrected);
  const [event] = await appliance.json("/api/events");
  expect(event.timestamp).toBe(iso(now_ms - 40_000));
  const { last_reading } = await appliance.json("/readyz");
  expect(last_reading).toBe(iso(now_ms - 30_000));

  expect((await replay(folder, {}, ...asked)).entries).toEqual([]);
  const again = await replay(folder, {}, "--id", "1", "--shift=-7h");
  expect(again.entries).toMatchObject([{ stored: 0, left: null, detail: "it was taken before" }]);
  expect(await said(appliance)).toEqual(corrected);
  const listed = await runProgram({ args: ["quarantine", "list"], folder });
  expect(listed.stdout.match(/replayed .* \(shifted by -28800 s\): all of it/g)).toHaveLength(3);
  await appliance.program.stop("SIGTERM");
  const audit = ["export", "--audit", "--format", "ndjson"];
  const { stdout } = await runProgram({ args: audit, folder });
  const replays = stdout.split("\n").filter((line) => line.includes('"kind":"replay"'));
  expect(replays.map((line) => JSON.parse(line).detail)).toMatchObject([
    { entries: 3, stored: 3, left: 0, shift_seconds: -28_800 },
    { entries: 1, stored: 0, left: 0 },
  ]);
});

test("1970 and another system's id are mended with nothing running; the rest is left", async () => {
  await using appliance = await startAppliance();
  const client = await appliance.connect();
  const publish = (topic: string, payload: unknown) =>
    client.publishAsync(topic, JSON.stringify(payload), { qos: 1 });
  await publish("bwts/BWTS-002/telemetry", { timestamp: "2026-05-01T10:00:00Z", A: 1 });
  await publish("bwts/BWTS-001/telemetry", { timestamp: 300, A: 2 });
  await publish("bwts/BWTS-001/telemetry", { timestamp: "yesterday", A: 3 });
  const { folder } = appliance.program;
  await appliance.program.stop("SIGTERM");
  const env = { BALLASTD_SYSTEM_ID: "BWTS-002" };
  const first = await replay(folder, env);
  expect(first.code).toBe(1);
  expect(first.entries).toMatchObject([
    { id: 1, stored: 1, left: null },
    { id: 2, stored: 0, left: "other_system" },
    { id: 3, stored: 0, left: "other_system" },
  ]);
  const seconds = String(Date.UTC(2026, 4, 1) / 1000);
  const second = await replay(folder, {}, "--id", "2", "--id", "3", "--shift", `+${seconds}`);
  expect(second.entries).toMatchObject([
    { id: 2, stored: 1, left: null },
    { id: 3, stored: 0, left: "bad_time", detail: expect.stringContaining("yesterday") },
  ]);
  await using again = await startAppliance({ folder });
  expect(await said(again)).toEqual([
    ["2026-05-01T00:05:00.000Z", 2],
    ["2026-05-01T10:00:00.000Z", 1],
  ]);
  const missing = await replay(folder, {}, "--id", "77");
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("77")]);
  const careless = await replay(folder, {}, "--shift", "1h");
  expect([careless.code, careless.stderr]).toEqual([2, expect.stringContaining("--reason")]);
});

test("a reason that there isn't is refused with those that there are", async () => {
  const token = "token-of-an-engineer-for-this-test";
  await using appliance = await startAppliance({ env: { BALLASTD_AUTH_TOKEN: token } });
  const expected = /expected bad_json, .*future, .* or unknown_topic/;
  const args = ["quarantine", "replay", "--reason", "futur"];
  const { code, stderr } = await runProgram({ args, folder: appliance.program.folder });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/--reason futur: .*unknown_topic/)]);
  expect(stderr).toMatch(expected);
  const asked = async (reason: string) => {
    const url = `${appliance.url}/admin/quarantine?reason=${reason}`;
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return [answer.status, await answer.text()];
  };
  expect(await asked("futur")).toEqual([400, expect.stringMatching(expected)]);
  expect(await asked("future")).toEqual([200, expect.stringContaining('"data":[]')]);
});

test("an hour that a clock ran through twice is stored an hour later", async () => {
  await using appliance = await startAppliance();
  const at = (minute: number) => iso(Date.UTC(2026, 9, 25, 1, minute));
  const reading = (minute: number, A: number) => ({
    kind: "telemetry",
    payload: JSON.stringify({ timestamp: at(minute), A, SYS_PRESSURE: A }),
  });
  const minutes = Array.from({ length: 60 }, (_, minute) => minute);
  await appliance.publish(minutes.map((minute) => reading(minute, minute)));
  await appliance.publish(minutes.map((minute) => reading(minute, 1000 + minute)));
  const { folder } = appliance.program;
  const { code, entries } = await replay(folder, {}, "--reason", "clock_repeat", "--shift", "3600");
  expect([code, entries.length]).toEqual([0, 60]);
  expect(await said(appliance)).toEqual([
    ...minutes.map((minute) => [at(minute), minute]),
    ...minutes.map((minute) => [at(minute + 60), 1000 + minute]),
  ]);
});

test("of what didn't fit the quarantine only the hash is there, and a replay says so", async () => {
  const env = { BALLASTD_QUARANTINE_MAX_BYTES: "10" };
  await using appliance = await startAppliance({ env });
  await appliance.publish([{ kind: "telemetry", payload: '{"timestamp":"yesterday","A":1}' }]);
  const { code, entries } = await replay(appliance.program.folder, env);
  expect(code).toBe(1);
  expect(entries).toMatchObject([{ stored: 0, left: "no_payload" }]);
});
