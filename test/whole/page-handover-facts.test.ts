// The page Handover against the built program: ten facts that a watch must hand over, such as a
// shelved alert, one whose end wasn't reported, spares, a changed limit, a kill, hidden readings.

import { rmSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { runProgram, temporaryFolder } from "../rig/program.ts";

const TOKEN = "token-of-the-chief-engineer";
const MINUTE_MS = 60_000;
const now_ms = Date.now();
const iso = (at_ms: number) => new Date(at_ms).toISOString();

const folder = temporaryFolder();
let browser: Browser;
let plant: Plant;
const env = { BALLASTD_AUTH_TOKEN: TOKEN };

beforeAll(async () => {
  browser = await launchBrowser();
  const before = await startPlant(env, folder);
  await plantFacts(before);
  await before.program.stop("SIGKILL");
  await before[Symbol.asyncDispose]();
  plant = await startPlant({ ...env, BALLASTD_LIMITS_UV_IMO: "300" }, folder);
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function plantFacts({ publish, url, program }: Plant): Promise<void> {
  const start_ms = now_ms - 60 * MINUTE_MS;
  const data = { operation_type: "BALLAST", location: "Piraeus" };
  const event = (at_ms: number, event_type: string, about: string, given: object) =>
    publish("events", { timestamp: at_ms, event_type, description: about, data: given });
  await event(start_ms, "PROCESS_START", "starts", data);
  for (let at_ms = start_ms; at_ms < start_ms + 30 * MINUTE_MS; at_ms += 10_000)
    await publish("telemetry", {
      ...{ timestamp: at_ms, PROCESS_STATE: "RUNNING", SYS_FLOW_RATE: 400, UVR_INTENSITY: 400 },
    });
  await event(start_ms + 30 * MINUTE_MS, "PROCESS_STOP", "stops", data);
  const alarm = (code: string, about: string, at_ms = now_ms - 5_000) =>
    event(at_ms, "ALARM_TRIGGERED", about, { code, severity: "ALARM" });
  // An alarm of a history that was sent late has no acknowledgement.
  await alarm("CBL-1", "Cable loose", now_ms - 40 * 24 * 60 * MINUTE_MS);
  await alarm("FLT-OVL", "Filter motor overload");
  await alarm("FAN-2", "Cooling fan fault");
  const alarms: { code: string; id: string }[] = await (await fetch(`${url}/api/alarms`)).json();
  const act = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    expect((await fetch(`${url}${path}`, sent)).status).toBe(200);
  };
  const idOf = (code: string) => alarms.find((one) => one.code === code)?.id;
  const shelving = { until: iso(now_ms + 300 * MINUTE_MS), reason: "Spare motor ordered" };
  await act(`/admin/alarms/${idOf("FLT-OVL")}/shelve`, shelving);
  await act(`/admin/alarms/${idOf("FAN-2")}/acknowledge`, { note: "Fan cleaned" });
  await act("/admin/lamps/spares", { spares: 7 });
  const note = { text: "Silt in the river", who: "2/E Reyes", key: "b3f1c2d4a5968778" };
  await act("/admin/notes", { ...note, from: iso(start_ms + 5 * MINUTE_MS) });
  await publish("telemetry", { timestamp: "noon", UVR_INTENSITY: 1 });
  const span = [iso(start_ms + 10 * MINUTE_MS), iso(start_ms + 15 * MINUTE_MS)];
  const given = ["--from", span[0], "--to", span[1], "--reason", "sensor test by maker"];
  const hidden = await runProgram({ args: ["void", ...given.map(String)], folder, env });
  expect(hidden.code, hidden.stderr + program.stderr()).toBe(0);
}

/** The planted facts: the list of the page that has each, and its words. */
const FACTS = [
  ["open-now", /Filter motor overload, shelved until .+ by .+: Spare motor ordered/],
  ["open-now", /Cooling fan fault, acknowledged by .+; its end was not reported/],
  ["open-now", /Cable loose, last raised 20\d\d-.+; its end was not reported/],
  ["changed", /: Uptake, Piraeus\b/],
  ["changed", /spare lamps counted by .+: 7\./],
  ["changed", /limit changed in the configuration's file: .*IMO.*: 252 → 300.W\/m²\./],
  ["changed", /ballastd was started again\. The run before was cut off/],
  ["changed", /readings from .+ to .+ were hidden by \S+: sensor test by maker\./],
  ["changed", /1 message was quarantined: bad_time/],
  ["notes", /Silt in the river.*2\/E Reyes/],
] as const;
/** Goal: a fresh reader misses none of ten. */
const PLANTED = 10;

test("of ten facts that a watch hands over a reader misses none, each in words", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.goto(`${plant.url}/#/handover?since=8`);
  const lines = (list: string) =>
    page.locator(list === "notes" ? ".notes-panel li" : `[data-test=${list}] li`).allTextContents();
  const missed = async () => {
    const shown = { "open-now": await lines("open-now"), changed: await lines("changed") };
    const all = { ...shown, notes: await lines("notes") };
    return FACTS.filter(([list, words]) => !all[list].some((line) => words.test(line))).map(
      ([, words]) => words.source,
    );
  };
  expect(FACTS.length).toBe(PLANTED);
  await expect.poll(missed, REFRESH).toEqual([]);
  const all = (await lines("changed")).join("\n");
  expect(all).toMatch(/no data shown for .+ during an operation: readings of this time are hidden/);
  expect(all).not.toContain("local:");
  expect(all).not.toMatch(/: no data for/);
  expect((await lines("open-now")).join("\n")).not.toContain("1970");
  expect(view.complaints).toEqual([]);
});
