// The inspection sheet in Chromium where something is missing: an operation that can't be read, an
// answer that was cut, facts that nobody entered.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Inspection } from "../../src/bwts/documents/inspection.ts";
import { sailYear } from "../rig/inspected-year.ts";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { until } from "../rig/until.ts";

const OPERATIONS = 40;
const TOKEN = "engineer-of-the-test";
/** Names that a plant may send, of which the sheet shows a row each. */
const PORTS = [
  "Singapore",
  "<b>Busan</b><img src=x onerror=alert(1)>",
  "Port of ".repeat(24),
  "\u202eمرفأ بورسعيد",
  "釜山港".repeat(20),
  `W${"WWWWWWWWW".repeat(20)}`,
  "🚢".repeat(40),
  "a\r\nb\u2028c\u001b[2J",
];
const every = (step: number, from: number) =>
  Array.from({ length: Math.ceil((OPERATIONS - from) / step) }, (_, index) => from + index * step);
let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  const long = "of the Very Long Northern Ballast Water Line";
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({
      ...{ BALLASTD_SYSTEM_VESSEL: `MV Example ${long}`, BALLASTD_SYSTEM_IMO: "9074729" },
      ...{ BALLASTD_SYSTEM_TYPE: `Maker UV ${long}`, BALLASTD_SYSTEM_SERIAL: "A-1207" },
      ...{ BALLASTD_SYSTEM_CERTIFICATE: `TA-0815 ${long}`, BALLASTD_SYSTEM_CAPACITY: "1000" },
      BALLASTD_AUTH_TOKEN: TOKEN,
      ...{ BALLASTD_LIMITS_SOURCE: `certificate ${long}`, BALLASTD_SYSTEM_UTC_OFFSET: "+09:00" },
    }),
  ]);
  const year = { now_ms: Date.now(), operations: OPERATIONS, ports: PORTS };
  await sailYear(plant, { ...year, below: every(3, 0), bypassed: every(3, 1) });
  await until("all to be judged", async () => {
    const { operations, waiting } = (await sheet()).counts;
    return operations === OPERATIONS && waiting === 0;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

async function sheet(): Promise<Inspection> {
  return (await fetch(`${plant.url}/api/inspection`)).json();
}

test("a sheet of an operation that can't be read says so, and the others are printed", async () => {
  const [{ id }] = (await sheet()).operations;
  await using view = await openPage(browser, plant, { [`/api/operations/${id}`]: "[7]" });
  const { page } = view;
  await page.goto(`${plant.url}/#/inspection`);
  await page
    .locator(".operation-sheet .curve .line")
    .nth(1)
    .waitFor({
      ...{ state: "attached", ...REFRESH },
    });
  const text = await page.locator(".operation-sheet").first().textContent();
  expect(text).toBe(`Operation ${id}unexpected answer from /api/operations/${id}`);
  expect(
    (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type \/Page\b/g),
  ).toHaveLength(4);
});

test("the page names what nobody entered, and paper doesn't", async () => {
  await using bare = await startPlant({ BALLASTD_SYSTEM_SERIAL: "A-1207" });
  await using view = await openPage(browser, bare);
  const { page } = view;
  await page.goto(`${bare.url}/#/inspection`);
  const missing = page.locator("[data-test=missing]");
  await missing.waitFor(REFRESH);
  await expect
    .poll(() => missing.textContent())
    .toMatch(
      /^Not entered in ballastd: Ship, IMO no\., Type, Certificate no\. The sheet has boxes/,
    );
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => missing.isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await missing.getByRole("link").click();
  await page.getByText("sudo ballastd config set system.type").waitFor(REFRESH);
  // All of it was entered on the other ship.
  await page.goto(`${plant.url}/#/inspection`);
  await page.locator(".sheet .qr").waitFor(REFRESH);
  await expect.poll(() => missing.count()).toBe(0);
});

test("a sheet whose answer was cut comes long before the next one is due", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  const isSheet = ({ pathname }: URL) => pathname === "/api/inspection";
  await page.route(isSheet, (route) => route.abort("connectionreset"));
  await page.goto(`${plant.url}/#/inspection`);
  const problem = page.locator(".before-sheet .problem");
  await problem.waitFor(REFRESH);
  await page.unroute(isSheet);
  await page.locator(".inspection table").first().waitFor(REFRESH);
  await expect.poll(() => problem.count()).toBe(0);
});
