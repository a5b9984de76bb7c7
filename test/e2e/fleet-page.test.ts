// The fleet page in Chromium, served by the program from a real PostgreSQL: signs and order of the
// ships, what is hostile in names and documents, a ship's page, files of her readings, silence, and
// thousands of ships.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SYSTEM_VALUES } from "../../src/bwts/documents/system-values.ts";
import { removeFolders } from "../rig/database.ts";
import { SHIPS, type ShipsServed, startShips } from "../rig/fleet-ships.ts";
import { openValidator, type Validator } from "../rig/http-validator.ts";
import { launchBrowser, openPage, REFRESH, type View } from "../rig/onboard-page.ts";

const { WELL, SILENT, QUIET, NEVER, ODD, LONG, TURNED } = SHIPS;

let ships: ShipsServed;
let url: string;
let validator: Validator;
let browser: Browser;
let view: View;
let page: Page;

beforeAll(async () => {
  [ships, browser] = await Promise.all([startShips(), launchBrowser()]);
  url = ships.url;
  validator = openValidator(await (await fetch(`${url}/openapi.json`)).json());
  view = await openPage(browser, { url });
  page = view.page;
});
afterAll(async () => {
  await view?.[Symbol.asyncDispose]();
  await browser?.close();
  await ships?.[Symbol.asyncDispose]();
  removeFolders();
});

const row = (imo: string) => page.locator(`[data-test="ship-${imo}"]`);
const cells = async (imo: string) =>
  (await row(imo).locator("th, td").allTextContents()).map((text) => text.replace(/\s+/g, " "));

const waitFor = (part: string, text: string | RegExp) =>
  page.locator(part).filter({ hasText: text }).first().waitFor(REFRESH);

async function goTo(hash: string): Promise<void> {
  await page.goto(`${url}/${hash}`);
  await page.reload();
}

test("each ship's contact has its own sign, and nothing old stands as the present", async () => {
  await row(WELL).waitFor(REFRESH);
  const signs = page.locator("[data-state]");
  const states = await signs.evaluateAll((found) =>
    found.map((one) => [one.getAttribute("data-test"), one.getAttribute("data-state")]),
  );
  expect(Object.fromEntries(states)).toEqual({
    [`contact-${WELL}`]: "good",
    [`contact-${LONG}`]: "good",
    [`contact-${TURNED}`]: "good",
    [`contact-${QUIET}`]: "without",
    [`contact-${ODD}`]: "without",
    [`contact-${SILENT}`]: "bad",
    [`contact-${NEVER}`]: "bad",
  });
  const order = states.map(([name]) => name);
  expect(order.slice(0, 2)).toEqual([`contact-${SILENT}`, `contact-${NEVER}`]);
  expect(order.at(-1)).toBe(`contact-${WELL}`);
  const well = await cells(WELL);
  expect(well[3]).toMatch(/^3 segments, 4\.2.MB.*oldest .*13 min left$/);
  expect(well.slice(4, 6)).toEqual(["RUNNING · Busan", "0"]);
  expect(well[6]).toMatch(/^outside limits.*UTC.*DEBALLAST · Pusan$/);
  expect(well.slice(7, 9)).toEqual(["91", "lamp 7: 2027-04-05"]);
  expect(well.slice(9, 12)).toEqual(["verified to 2", "+1.5", "0.3.0"]);
  // At midnight UTC today's bytes become yesterday's.
  expect(well.slice(12)).toEqual([
    expect.stringMatching(/^(2\.5|—)$/),
    expect.stringMatching(/^(61|—)$/),
  ]);
  const silent = await cells(SILENT);
  expect(silent[1]).toMatch(/^no contact for 5 h/);
  expect(silent[4]).toMatch(/^reported .* UTC: OLD_STATE · Busan$/);
  for (const place of [3, 5, 6, 7, 10, 12, 13]) expect(silent[place], `${place}`).toBe("—");
  expect((await cells(NEVER)).slice(1)).toEqual([
    ...[
      "no contact yet",
      "—",
      "—",
      "—",
      "—",
      "—",
      "—",
      "—",
      "nothing received yet",
      "—",
      "—",
      "—",
      "—",
    ],
  ]);
  const bar = page.locator('[data-test="silence"]');
  await waitFor('[data-test="silence"]', "2 ships are silent for more than 120 minutes");
  await bar.getByRole("link").click();
  await expect
    .poll(() => page.locator('[data-test="count"]').textContent(), REFRESH)
    .toBe("2 ships");
});

test("by its bare address, or an unknown one, the list is searched too", async () => {
  const count = () => page.locator('[data-test="count"]').textContent();
  for (const address of [url, `${url}/#/constructor`]) {
    await page.goto(address);
    await page.reload();
    await row(WELL).waitFor(REFRESH);
    const unknown = page.getByText("names no page: constructor. This is the list of ships.");
    await expect.poll(() => unknown.count()).toBe(address === url ? 0 : 1);
    await page.locator('input[type="search"]').fill(WELL);
    await expect.poll(count, REFRESH).toBe("1 ship");
    await expect.poll(() => page.locator('input[type="search"]').inputValue()).toBe(WELL);
  }
});

test("names and documents of any kind are text, found by a part of name or number", async () => {
  await goTo("#/fleet");
  await row(ODD).waitFor(REFRESH);
  const odd = await cells(ODD);
  expect(odd[0]).toContain("<img src=x onerror=");
  expect(odd[4]).toContain("<img src=x");
  expect(odd[4]).not.toContain("\u202e");
  // Counts that can't be, and a score below 0, are none.
  for (const place of [2, 3, 5, 6, 7, 8, 10, 12, 13]) expect(odd[place], `${place}`).toBe("—");
  await expect.poll(() => page.locator("body img, body script, body iframe").count()).toBe(0);
  for (const [words, imo] of [
    ["xyxy", LONG],
    ["\u05e9\u05dc\u05d5\u05dd", TURNED],
    ["9839", QUIET],
    ["mv 9074729", WELL],
  ] as const) {
    await page.keyboard.press("/");
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(words);
    await expect
      .poll(
        () => page.locator("[data-state]").evaluateAll((all) => all.map((one) => one.id || 1)),
        REFRESH,
      )
      .toHaveLength(1);
    await row(imo).waitFor(REFRESH);
    await page.keyboard.press("Tab");
    await page.locator("main").focus();
  }
  await page.keyboard.press("/");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("no such ship");
  await page.locator('[data-test="none"]').waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
  expect(view.hosts()).toEqual([new URL(url).host]);
  expect(view.policy).toMatch(/^default-src 'none'; /);
});

test("forecasts that the ship's own page hides are hidden ashore", async () => {
  await goTo(`#/ship?imo=${TURNED}`);
  await waitFor("section", "Forecasts of lamp life are suspended");
  await expect.poll(() => page.getByText("812 h").count()).toBe(0);
  await goTo("#/fleet");
});

test("a ship's page has curves, lamps, alerts, chains, files; old is told as old", async () => {
  await goTo(`#/ship?imo=${WELL}`);
  await waitFor('[data-test="said"]', "Current report");
  await page.locator('.chart[data-points="30"]').first().waitFor(REFRESH);
  await expect.poll(() => page.locator(".chart").count()).toBe(SYSTEM_VALUES.length);
  const text = await page.locator("main").textContent();
  for (const part of [
    "NO_DATA",
    "2026-08-09 to 2028-03-11",
    "812 h",
    "PROCESS_START",
    "Audit log",
    "uv_below_limit",
  ])
    expect(text, part).toContain(part === "PROCESS_START" ? "Start" : part);
  await waitFor('[data-test="unreadable"]', "3 documents");
  await waitFor('[data-test="rated"]', "rated life");
  // The rig's readings are of 1 May 2026.
  const links = await page
    .locator("a[download]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  const [csv, parquet] = links.map((href) => href.replace(/\d{4}-\d\d-\d\d/g, "2026-05-01"));
  const file = await fetch(`${url}/${csv}`);
  const lines = (await file.text()).trimEnd().split("\r\n");
  expect([lines.length, lines[1].slice(0, 24)]).toEqual([61, "2026-05-01T00:00:00.000Z"]);
  expect(file.headers.get("ballastd-segments-lacking")).toBe("0");
  const bytes = Buffer.from(await (await fetch(`${url}/${parquet}`)).arrayBuffer());
  expect([bytes.toString("latin1", 0, 4), bytes.toString("latin1", bytes.length - 4)]).toEqual([
    ...["PAR1", "PAR1"],
  ]);
  await goTo(`#/ship?imo=${SILENT}`);
  await waitFor('[data-test="said"]', "not the present");
  await expect.poll(() => page.locator("main section.old").count()).toBe(1);
  await goTo(`#/ship?imo=${ODD}`);
  await waitFor('[data-test="said"]', "Current report");
  await expect.poll(() => page.locator("h2#ship").textContent()).toContain("<img src=x onerror=");
  await expect.poll(() => page.locator("body img, body script, body iframe").count()).toBe(0);
  await goTo(`#/ship?imo=${NEVER}`);
  await page.getByText("No report received.").waitFor(REFRESH);
  await goTo("#/ship?imo=9999993");
  await waitFor('[data-test="lost"]', "no ship of this fleet");
  const complaints = view.complaints.filter((line) => !line.includes("404"));
  expect(complaints).toEqual([]);
});

test("every answer is as the document has it, and silence is told to Prometheus", async () => {
  const described = async (path: string, status = 200) => {
    const answer = await fetch(url + path);
    const type = answer.headers.get("Content-Type") ?? "";
    const told = { method: "GET", path: path.replace(/\?.*/, ""), status: answer.status, type };
    const body = await answer.text();
    expect(answer.status, body).toBe(status);
    expect(validator.answerProblems({ ...told, body })).toBeNull();
    return body;
  };
  const { alerts, silence_minutes } = JSON.parse(await described("/api/fleet"));
  const since = expect.stringMatching(/Z$/);
  expect(silence_minutes).toBe(120);
  expect(alerts).toEqual([
    { ship: NEVER, name: `MV ${NEVER}`, kind: "silent", since },
    { ship: SILENT, name: `MV ${SILENT}`, kind: "silent", since },
  ]);
  for (const imo of [WELL, SILENT, NEVER, ODD]) await described(`/api/ship?ship=${imo}`);
  const hours = `/api/ship/hours?ship=${WELL}&startDate=2026-05-01&endDate=`;
  await described(`${hours}2026-11-30`, 400);
  await described(`${hours}2026-05-02&fields=PROCESS_STATE`, 400);
  await described(`/export/ship?ship=${WELL}&startDate=2026-05-01&endDate=2026-06-01`, 400);
  await described(`/export/ship?ship=9999993&startDate=2026-05-01&endDate=2026-05-01`, 404);
  const days = `${hours}2099-01-01&interval=day&fields=UVR_INTENSITY,LAMP_01_RUNTIME`;
  const told = JSON.parse(await described(days));
  const count = told.reduce((sum: number, one: { count: number }) => sum + one.count, 0);
  expect([told.length >= 2, count]).toEqual([true, 30 * 3600]);
  const metrics = await described("/metrics");
  expect(metrics).toMatch(/^ballastd_fleet_ships 7$/m);
  expect(metrics).toMatch(/^ballastd_fleet_ships_silent 2$/m);
  expect(metrics).toContain(`ballastd_fleet_ship_silent{ship="${SILENT}"} 1`);
  expect(metrics).toContain(`ballastd_fleet_ship_silent{ship="${WELL}"} 0`);
  expect(metrics).toMatch(/^ballastd_fleet_backlog_bytes \d+$/m);
});
