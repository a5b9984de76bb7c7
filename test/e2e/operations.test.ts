// Operations through the built program: judged after their stop, again when readings come late, a
// void hides the bad hour or limits change; listed, proven and exported.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Appliance, type Sent, startAppliance } from "../oracle/appliance.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { eventsOfRun, idleReadings, readingsOfRun } from "../rig/operations.ts";
import { runProgram } from "../rig/program.ts";
import { LONG } from "../rig/scale.ts";
import { until } from "../rig/until.ts";

const VERIFIER = path.join(import.meta.dirname, "../../docs/verify-ledger.py");
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = Date.UTC(2026, 4, 1);
const folder = foldersOfTests(afterAll)();
const inFolder = (name: string) => path.join(folder, name);
const run = (...args: readonly string[]) => runProgram({ args, folder });

const sent = (kind: string, payloads: readonly object[]): readonly Sent[] =>
  payloads.map((payload) => ({ kind, payload: JSON.stringify(payload) }));
const time = (at_ms: number) => new Date(at_ms).toISOString();

/** 40 minutes below the limit. */
const BAD = {
  ...{ start_ms: DAY_MS + 2 * HOUR_MS, minutes: 120, location: "Busan" },
  at: (minute: number) => (minute >= 30 && minute < 70 ? { UVR_INTENSITY: 200 } : {}),
};
/** Within the limits; readings of its second hour come late. */
const LATE = { start_ms: DAY_MS + 12 * HOUR_MS, minutes: 120, location: "Ulsan" };
const isLate = ({ timestamp }: { readonly timestamp: number }) =>
  timestamp > LATE.start_ms + HOUR_MS && timestamp < LATE.start_ms + 90 * MINUTE_MS;
/** Its stop is never sent. */
const STOPLESS = { start_ms: DAY_MS + 20 * HOUR_MS, minutes: 60, location: "Busan" };

let appliance: Appliance;
beforeAll(async () => {
  appliance = await startAppliance({ folder });
  const stoplessEvents = eventsOfRun(STOPLESS);
  await appliance.publish([
    ...[BAD, LATE].flatMap((one) => sent("events", Object.values(eventsOfRun(one)))),
    ...sent("events", [stoplessEvents.start]),
    ...sent("telemetry", readingsOfRun(BAD)),
    ...sent("telemetry", idleReadings(BAD.start_ms + 121 * MINUTE_MS, 30)),
    ...sent(
      "telemetry",
      readingsOfRun(LATE).filter((one) => !isLate(one)),
    ),
    ...sent("telemetry", idleReadings(LATE.start_ms + 121 * MINUTE_MS, 30)),
    ...sent("telemetry", readingsOfRun(STOPLESS)),
    ...sent("telemetry", idleReadings(STOPLESS.start_ms + 61 * MINUTE_MS, 30)),
  ]);
});
afterAll(async () => {
  await appliance[Symbol.asyncDispose]();
});

type Told = ReturnType<typeof JSON.parse>;

/** The operations, once `isThere` holds for them. */
async function operations(what: string, isThere: (found: Told) => boolean, query = "") {
  let found: Told = [];
  await until(
    what,
    async () => {
      found = await appliance.json(`/api/operations${query}`);
      return isThere(found);
    },
    () => JSON.stringify(found),
  );
  return found;
}

const isVersion = (at: number, version: number) => (found: Told) => found[at]?.version === version;

test("each operation is judged whole, with its interval, volume and place", async () => {
  const found = await operations("three judged operations", (all) => {
    const isJudged = ({ version, remarks }: Told) => version > 0 && !remarks.includes("waiting");
    return all.length === 3 && all.every(isJudged);
  });
  const [stopless, late, bad] = found;
  expect(bad).toMatchObject({
    ...{ operation_type: "BALLAST", location: "Busan", known_by: "events", version: 1 },
    ...{ verdict: "outside_limits", volume_m3: 1200, volume_source: "totaliser" },
    ...{ start: time(BAD.start_ms), end: time(BAD.start_ms + 2 * HOUR_MS) },
    reasons: [
      {
        ...{ rule: "uv_below_limit", limit: 252, limit_key: "limits.uv_imo", worst: 200 },
        start: time(BAD.start_ms + 30 * MINUTE_MS),
        ...{ end: time(BAD.start_ms + 70 * MINUTE_MS), seconds: 2400, readings: 40 },
      },
    ],
  });
  expect(bad.parts.map(({ part, volume_m3 }: Told) => [part, volume_m3])).toEqual([
    ["within_limits", 300],
    ["outside_limits", 400],
    ["within_limits", 500],
  ]);
  expect(late).toMatchObject({ verdict: "cannot_tell", reasons: [{ rule: "no_readings" }] });
  expect(stopless).toMatchObject({ verdict: "within_limits", remarks: ["no_stop"] });
});

test("they are found by date, type, place and verdict, and one by its number", async () => {
  const ids = async (query: string) =>
    (await appliance.json(`/api/operations?${query}`)).map(({ location }: Told) => location);
  expect(await ids("location=busan")).toEqual(["Busan", "Busan"]);
  expect(await ids("verdict=outside_limits&type=ballast")).toEqual(["Busan"]);
  expect(await ids("type=DEBALLAST")).toEqual([]);
  expect(await ids("startDate=2026-05-01T13:00:00Z&endDate=2026-05-01T19:00:00Z")).toEqual([
    "Ulsan",
  ]);
  expect(await ids("limit=1")).toHaveLength(1);
  const [newest] = await appliance.json("/api/operations?limit=1");
  expect(await appliance.json(`/api/operations/${newest.id}`)).toEqual(newest);
});

test.each([
  ["/api/operations?verdict=compliant", 400, "within_limits, outside_limits or cannot_tell"],
  ["/api/operations?limit=0", 400, "limit: "],
  ["/api/operations?type=", 400, "expected 1 to 200 characters"],
  ["/api/operations/999", 404, "there is none"],
  ["/api/operations/x", 404, "there is none"],
])("GET %s is %i", async (asked, status, text) => {
  const answer = await appliance.get(asked);
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
});

test("a version that was exported is named by the one that late readings make", async () => {
  const csv = await appliance.get("/export/operations?endDate=2026-05-02");
  expect(csv.status).toBe(200);
  expect(csv.text.split("\r\n")[0]).toContain("id,operation_type,location,start,end");
  const given = await operations("given out", (all) => all[1].versions[0].given_out !== null);
  expect(given[1].version).toBe(1);
  await appliance.publish(sent("telemetry", readingsOfRun(LATE).filter(isLate)));
  const [, late, bad] = await operations("a second version", isVersion(1, 2));
  expect(late).toMatchObject({ verdict: "within_limits", reasons: [], id: given[1].id });
  expect(late.versions[1].because).toMatch(
    /^29 readings came late; the version before was given out on \d{4}-\d\d-\d\d$/,
  );
  expect(bad.version).toBe(1);
});

test("a void over the bad hour tells both verdicts, and its undoing the first again", async () => {
  const [from, to] = [30, 70].map((minute) => time(BAD.start_ms + minute * MINUTE_MS));
  const hidden = await run("void", "--from", from, "--to", to, "--reason", "sensor");
  expect(hidden.code).toBe(0);
  const [, , bad] = await operations("the void", isVersion(2, 2));
  expect(bad).toMatchObject({
    ...{ verdict: "cannot_tell", verdict_with_hidden: "outside_limits", readings_hidden: 41 },
    voids: [{ id: 1, reason: "sensor", readings: 41 }],
  });
  expect((await run("void", "undo", "1")).code).toBe(0);
  const [, , again] = await operations("the undoing", isVersion(2, 3));
  expect(again).toMatchObject({ verdict: "outside_limits", verdict_with_hidden: null, voids: [] });
  expect(again.versions[2].because).toContain("void 1 was undone");
});

test("a verdict is proven by HTTP and by the command, with the independent verifier", async () => {
  const number = 1;
  await until("a head after the verdict", async () => {
    const { status } = await appliance.get(`/api/ledger/proof?kind=verdict&number=${number}`);
    return status === 200;
  });
  const { verifier_key } = await appliance.json("/api/ledger/head");
  const { text } = await appliance.get(`/api/ledger/proof?kind=verdict&number=${number}`);
  writeFileSync(inFolder("http.json"), `${text}\n`);
  const proven = await run("ledger", "prove", "verdict", "2", "--output", inFolder("cli.json"));
  expect(proven).toMatchObject({ code: 0 });
  for (const [file, claim] of [
    ["http.json", "verdict 1"],
    ["cli.json", "verdict 2"],
  ]) {
    const given = ["--key", verifier_key, "--proof", inFolder(file), "--claim", claim];
    const said = execFileSync("python3", ["-I", VERIFIER, ...given], { encoding: "utf8" });
    expect(said).toContain("ballastd verdict 2");
    expect(said).toMatch(/all of this is proven\n$/);
  }
  expect(await run("verify")).toMatchObject({ code: 0 });
});

test("the command shows the same in 80 columns", async () => {
  const listed = await run("operations", "--place", "Ulsan");
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/BALLAST +Ulsan +2026-05-01 12:00 +14:00 +1200 +within limits/);
  const [late] = JSON.parse((await run("operations", "--place", "Ulsan", "--json")).stdout);
  expect(late).toEqual(await appliance.json(`/api/operations/${late.id}`));
  const { stdout } = await run("operations", String(late.id));
  expect(stdout.replace(/\s+/g, " ")).toContain("29 readings came late");
  const long = `${listed.stdout}${stdout}`.split("\n").filter((one) => one.length > 80);
  expect(long).toEqual([]);
  expect(await run("operations", "999")).toMatchObject({ code: 1 });
  expect(await run("operations", "--verdict", "good")).toMatchObject({ code: 2 });
  const file = inFolder("operations.ndjson");
  expect(await run("export", "operations", "--output", file)).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(3);
});

test("limits changed by a restart count from then on, and not for the past", LONG, async () => {
  await appliance[Symbol.asyncDispose]();
  // An operation of a minute: readings can't be dated further ahead.
  const env = { BALLASTD_LIMITS_UV_IMO: "650", BALLASTD_LIMITS_BEYOND_SECONDS: "30" };
  appliance = await startAppliance({ folder, env });
  const next = { start_ms: Date.now() + 1000, minutes: 60, step_ms: 1000, location: "Goa" };
  await appliance.publish([
    ...sent("events", Object.values(eventsOfRun(next))),
    ...sent("telemetry", readingsOfRun(next)),
    ...sent("telemetry", idleReadings(next.start_ms + 2 * MINUTE_MS, 1)),
  ]);
  const found = await operations("the next one", (all) => all.length === 4 && all[0].version > 0);
  expect(found[0]).toMatchObject({ location: "Goa", verdict: "outside_limits" });
  const first = readingsOfRun(STOPLESS)[10];
  await appliance.publish(sent("telemetry", [{ ...first, timestamp: first.timestamp + 7000 }]));
  const [, stopless] = await operations("judged anew", isVersion(1, 2));
  expect(stopless).toMatchObject({ verdict: "within_limits", readings: 63 });
  expect(stopless.versions[1].because).toMatch(/^1 reading came late/);
});

test("the certificate's limits, once they are given, count for what was before, too", async () => {
  const old: Told[] = await operations("the old ones", () => true);
  const judgedBefore = old.find(({ location }) => location === "Ulsan");
  expect(judgedBefore).toMatchObject({ verdict: "within_limits" });
  expect(judgedBefore.limits_source).toMatch(/^default, /);
  await appliance[Symbol.asyncDispose]();
  const certificate = { BALLASTD_LIMITS_SOURCE: "certificate 0815" };
  const env = {
    ...{ ...certificate, BALLASTD_LIMITS_UV_IMO: "650", BALLASTD_LIMITS_FLOW_MAX_IMO: "1200" },
  };
  // Killed before they are judged again, none is within limits by what was in force before.
  await (await startAppliance({ folder, env })).program.stop("SIGKILL");
  const sheet = JSON.parse((await run("inspection", "--json")).stdout);
  const row = sheet.operations.find(({ id }: Told) => id === judgedBefore.id);
  expect(["outside_limits", null]).toContain(row.verdict);
  appliance = await startAppliance({ folder, env });
  const ulsan = (found: Told[]) => found.find(({ location }) => location === "Ulsan");
  const found = await operations("the old one anew", (all) => {
    return ulsan(all)?.version === judgedBefore.version + 1;
  });
  const { verdict, versions, limits_source } = ulsan(found);
  expect(verdict).toBe("outside_limits");
  expect(versions.at(-1).because).toMatch(
    /^the limit is now UV, IMO, at least 650 W.m² instead of 252/,
  );
  expect(limits_source).toBe("certificate 0815; the default where it is stricter");
  const verified = await run("verify");
  expect(verified.code, verified.stdout).toBe(0);
});
