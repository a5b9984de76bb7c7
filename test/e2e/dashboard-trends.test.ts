// The page Trends in Chromium, against the built program: three operations of eight hours with a
// silence in the last one. What is drawn is judged by its pixels, its table and its address.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  launchBrowser,
  openPage,
  type Plant,
  REFRESH,
  startPlant,
  type View,
} from "../rig/onboard-page.ts";
import { showTrends } from "../rig/page-walk.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const LAST_MS = Date.UTC(2026, 4, 20, 16);
const OPERATIONS_MS = [100, 10, 0].map((days) => LAST_MS - days * DAY_MS - 8 * HOUR_MS);

let browser: Browser;
let plant: Plant;
let view: View;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  plant = await startPlant();
  const readings = OPERATIONS_MS.flatMap((start_ms, operation) =>
    Array.from({ length: 160 }, (_, index) => reading(start_ms + index * 3 * MINUTE_MS, operation)),
  );
  // Two hours of silence in the last operation.
  const silence_ms = OPERATIONS_MS[2] + 3 * HOUR_MS;
  const heard = readings.filter(
    ({ at_ms }) => at_ms < silence_ms || at_ms >= silence_ms + 2 * HOUR_MS,
  );
  await plant.publish(
    "telemetry",
    heard.map(({ members }) => members),
  );
  for (const start_ms of OPERATIONS_MS) {
    await plant.publish("events", operationEvent(start_ms, "PROCESS_START"));
    await plant.publish("events", operationEvent(start_ms + 8 * HOUR_MS, "PROCESS_STOP"));
  }
  view = await openPage(browser, plant);
  ({ page } = view);
  await page.setViewportSize({ width: 1280, height: 900 });
});
afterAll(async () => {
  await view[Symbol.asyncDispose]();
  await plant[Symbol.asyncDispose]();
  await browser.close();
});

function reading(at_ms: number, operation: number) {
  const members = {
    timestamp: new Date(at_ms).toISOString(),
    PROCESS_STATE: "RUNNING",
    SYS_FLOW_RATE: 800,
    UVR_INTENSITY: 600 + operation * 20 + ((at_ms / MINUTE_MS) % 30),
    FLT_DIFF_PRESSURE: 0.2 + operation / 10,
    ...{ LAMP_01_EFFICIENCY: 90, LAMP_02_EFFICIENCY: 80 },
  };
  return { at_ms, members };
}

function operationEvent(at_ms: number, event_type: string): object {
  const data = { operation_type: "BALLAST", location: "Singapore" };
  return { timestamp: new Date(at_ms).toISOString(), event_type, data };
}

const show = (query: string, level: RegExp) => showTrends(page, query, level);

const range = (from_ms: number, to_ms: number) =>
  `from=${new Date(from_ms).toISOString()}&to=${new Date(to_ms).toISOString()}`;

/** For each hundredth of the drawing area's width, true if a curve's colour is in it. */
function inked(): Promise<readonly boolean[]> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".chart canvas");
    const over = document.querySelector<HTMLElement>(".chart .u-over");
    if (canvas === null || over === null) throw new Error("no chart is drawn");
    const ratio = canvas.width / canvas.clientWidth;
    const style = getComputedStyle(document.documentElement);
    const colour = style.getPropertyValue("--series-1").trim().slice(1);
    const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height);
    const columns = Array<boolean>(100).fill(false);
    for (let y = 0; pixels !== undefined && y < canvas.height; y += 1)
      for (let x = 0; x < canvas.width; x += 1) {
        const at = 4 * (y * canvas.width + x);
        const [r, g, b] = pixels.data.slice(at, at + 3);
        if (Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) > 60) continue;
        const share = (x / ratio - over.offsetLeft) / over.clientWidth;
        if (share >= 0 && share < 1) columns[Math.floor(share * 100)] = true;
      }
    return columns;
  });
}

const share = (columns: readonly boolean[]) => columns.filter((column) => column).length / 100;

test("an end without a start shows the thirty days before it, and a field twice once", async () => {
  await show(
    `fields=UVR_INTENSITY,UVR_INTENSITY&to=${new Date(OPERATIONS_MS[1] + DAY_MS).toISOString()}`,
    /hourly mean/,
  );
  await page.getByRole("button", { name: /^Dates/ }).click();
  await expect.poll(() => page.getByLabel(/^To/).inputValue()).toBe("2026-05-11 08:00");
  await expect.poll(() => page.getByLabel(/^From/).inputValue()).toBe("2026-04-11 08:00");
  await page.keyboard.press("Escape");
  await page.getByLabel(/^To/).waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: /^Remove: / }).count()).toBe(1);
});

test("two years are shown by days at once, and a week without readings has no line", async () => {
  await page.getByRole("link", { name: "Trends" }).first().click();
  await page.getByRole("button", { name: "24 m", exact: true }).click();
  await page.locator('[data-test="level"]', { hasText: "daily mean" }).waitFor(REFRESH);
  await expect.poll(inked, REFRESH).toContain(true);
  const columns = await inked();
  // Three days of 731, each a step of a pixel or two: no line leads from one to the next.
  expect(share(columns)).toBeLessThan(0.08);
  expect(share(columns)).toBeGreaterThan(0.01);
  expect(view.complaints).toEqual([]);
});

test("on zooming in there are hours, then readings, and a silence stays a gap", async () => {
  await show(range(LAST_MS - 11 * DAY_MS, LAST_MS), /hourly mean/);
  await show(range(OPERATIONS_MS[2], LAST_MS), /each reading/);
  const gap = () => inked().then((columns) => columns.slice(40, 60));
  await expect.poll(() => inked().then(share), REFRESH).toBeGreaterThan(0.65);
  expect(await gap()).not.toContain(true);
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await expect.poll(() => page.url(), REFRESH).not.toContain(`to=${encoded(LAST_MS)}`);
  await page.mouse.move(640, 700);
});

const encoded = (at_ms: number) => encodeURIComponent(new Date(at_ms).toISOString());

test("keys pan and zoom, and the cursor reads value and unit out", async () => {
  await show(range(OPERATIONS_MS[1], OPERATIONS_MS[1] + 8 * HOUR_MS), /each reading/);
  await page.keyboard.press("ArrowLeft");
  const panned = `from=${encoded(OPERATIONS_MS[1] - 2 * HOUR_MS)}`;
  await expect.poll(() => page.url(), REFRESH).toContain(panned);
  await page.keyboard.press(".");
  await expect
    .poll(() => page.locator('[data-test="at-cursor"]').textContent(), REFRESH)
    .toMatch(/^6\d\d(\.\d)?\sW\/m²$/);
  // Over days without readings it goes to the next value at once.
  await show(range(OPERATIONS_MS[1] - 5 * DAY_MS, OPERATIONS_MS[1] + DAY_MS), /hourly mean/);
  await page.mouse.move(5, 5);
  await page.keyboard.press(".");
  await expect
    .poll(() => page.locator('[data-test="at-cursor"]').textContent(), REFRESH)
    .toMatch(/^6\d\d.*W\/m² \(/);
  await show(range(OPERATIONS_MS[1] - 2 * HOUR_MS, OPERATIONS_MS[1] + 6 * HOUR_MS), /each reading/);
  await page.keyboard.press("?");
  await page.getByText("curves: closer").waitFor(REFRESH);
  await page.keyboard.press("Escape");
  // The colours of the next palette are drawn at once.
  await page.keyboard.press("n");
  await expect.poll(() => inked().then(share), REFRESH).toBeGreaterThan(0.5);
});

test("a hand drags and wheels the curve, which stays until finer data is there", async () => {
  await show(range(LAST_MS - 40 * DAY_MS, LAST_MS), /hourly mean/);
  const before = page.url();
  const box = await page.locator(".chart .u-over").boundingBox();
  if (box === null) throw new Error("the chart has no drawing area");
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x + box.width / 4, middle.y, { steps: 4 });
  await expect.poll(() => inked().then(share), REFRESH).toBeGreaterThan(0);
  await page.mouse.up();
  await expect.poll(() => page.url(), REFRESH).not.toBe(before);
  const from = new URLSearchParams(new URL(page.url()).hash.split("?")[1]).get("from") ?? "";
  expect(Math.abs(Date.parse(from) - (LAST_MS - 50 * DAY_MS))).toBeLessThan(DAY_MS);
  const panned = page.url();
  // The wheel alone scrolls the page; what follows would come after a zoom by it.
  await page.mouse.wheel(0, -400);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  await expect.poll(() => page.url(), REFRESH).not.toBe(panned);
  const zoomed = new URLSearchParams(new URL(page.url()).hash.split("?")[1]);
  const length_ms = Date.parse(zoomed.get("to") ?? "") - Date.parse(zoomed.get("from") ?? "");
  // By one turn of the wheel, not by two.
  expect(length_ms / (40 * DAY_MS)).toBeGreaterThan(0.5);
  expect(length_ms / (40 * DAY_MS)).toBeLessThan(0.6);
});

test("the table behind a chart has its values by pages", async () => {
  const span = range(OPERATIONS_MS[1], OPERATIONS_MS[1] + 8 * HOUR_MS);
  await show(`${span}&tables=on`, /each reading/);
  const rows = page.locator(".curve-table tbody tr");
  await expect.poll(() => rows.count(), REFRESH).toBe(25);
  await rows
    .filter({ hasText: /2026-05-10 08:00:00\s*6\d\d/ })
    .first()
    .waitFor(REFRESH);
  await page.getByText("page 1 of 7").waitFor(REFRESH);
  await page.getByRole("button", { name: "Later rows" }).click();
  await expect.poll(() => rows.first().textContent(), REFRESH).toContain("2026-05-10 09:15:00");
  await show(`${range(LAST_MS - 200 * DAY_MS, LAST_MS)}&tables=on`, /daily mean/);
  await page.getByRole("columnheader", { name: "Maximum" }).waitFor(REFRESH);
  await expect.poll(() => rows.count(), REFRESH).toBe(3);
});

test("a copied address shows the same: fields, range, what lies over it, axis", async () => {
  const fields = "UVR_INTENSITY,FLT_DIFF_PRESSURE";
  const span = range(LAST_MS - 20 * DAY_MS, LAST_MS);
  const beside = new Date(LAST_MS - 110 * DAY_MS).toISOString();
  await show(`fields=${fields}&${span}&beside=${beside}&axis=hours`, /hourly mean/);
  const seen = async (from: Page) => {
    const charts = from.locator(".chart");
    await expect.poll(() => charts.count(), REFRESH).toBe(2);
    await expect.poll(() => charts.first().getAttribute("data-points"), REFRESH).toBe("22");
    const labels = from.locator(".readout li > span");
    await expect.poll(() => labels.count(), REFRESH).toBe(4);
    return labels.allTextContents();
  };
  const labels = await seen(page);
  await using copy = await openPage(browser, plant);
  await copy.page.goto(page.url());
  expect(await seen(copy.page)).toEqual(labels);
  expect(copy.complaints).toEqual([]);
});

test("breaks are folded on the axis of operating hours", async () => {
  await show(`${range(LAST_MS - 20 * DAY_MS, LAST_MS)}&axis=hours`, /hourly mean/);
  // Fourteen hours of two operations fill the width, but for their bands' steps.
  await expect.poll(() => inked().then(share), REFRESH).toBeGreaterThan(0.9);
});

test("an alert and an operation are marked, and read out at the cursor", async () => {
  const at_ms = OPERATIONS_MS[2] + HOUR_MS;
  const data = { code: "UV_LOW", operation_type: "BALLAST", location: "Singapore" };
  const alarm = { event_type: "ALARM_TRIGGERED", description: "UV_LOW: too dark", data };
  await plant.publish("events", { timestamp: new Date(at_ms).toISOString(), ...alarm });
  await show(range(at_ms - HOUR_MS / 2, at_ms + HOUR_MS / 2), /each reading/);
  const box = await page.locator(".chart .u-over").boundingBox();
  if (box === null) throw new Error("the chart has no drawing area");
  const said = async () => {
    await page.mouse.move(box.x + box.width / 2 - 1, box.y + 20);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    return page.locator(".readout p").textContent();
  };
  await expect.poll(said, REFRESH).toMatch(/Alert: UV_LOW: too dark/);
  await expect.poll(said, REFRESH).toMatch(/Operation: BALLAST process started at Singapore/);
});

test("live readings appear in a range that goes on beyond them", async () => {
  const live_ms = LAST_MS + 5 * HOUR_MS;
  await show(`${range(live_ms - 2 * HOUR_MS, live_ms + 2 * HOUR_MS)}`, /each reading/);
  await page.locator('[data-test="empty"]').waitFor(REFRESH);
  const { members } = reading(live_ms, 2);
  await plant.publish("telemetry", members);
  await expect.poll(() => page.locator(".chart").getAttribute("data-points"), REFRESH).toBe("1");
});

test("on a telephone, in the pseudo-language, nothing is wider than the screen", async () => {
  await using phone = await openPage(browser, plant);
  await phone.page.setViewportSize({ width: 360, height: 740 });
  const span = range(LAST_MS - 20 * DAY_MS, LAST_MS);
  await phone.page.goto(`${plant.url}/?lang=pseudo#/trends?${span}&tables=on`);
  await phone.page.locator(".curve-table tbody tr").first().waitFor(REFRESH);
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("a range without readings says so, and an odd answer costs its chart alone", async () => {
  await show(range(LAST_MS - 500 * DAY_MS, LAST_MS - 400 * DAY_MS), /daily mean/);
  await page.getByText("No values in this range").waitFor(REFRESH);
  const full = '{"data":[],"pagination":{"hasMore":true}}';
  await page.route(/chunked.*LAMP_02/, (route) =>
    route.fulfill({ contentType: "application/json", body: full }),
  );
  const lamp = `fields=LAMP_02_EFFICIENCY&${range(OPERATIONS_MS[2], LAST_MS)}`;
  await show(lamp, /hourly mean: too many readings/);
  await page.route(/aggregated.*FLT_DIFF_PRESSURE/, (route) =>
    route.fulfill({ contentType: "application/json", body: '[{"timestamp":"noon"}]' }),
  );
  const span = range(LAST_MS - 50 * DAY_MS, LAST_MS);
  await show(`fields=UVR_INTENSITY,FLT_DIFF_PRESSURE&${span}`, /hourly mean/);
  await page.locator(".problem", { hasText: "unexpected answer from" }).waitFor(REFRESH);
  await expect.poll(() => page.locator(".problem").count()).toBe(1);
  await expect.poll(() => inked().then(share), REFRESH).toBeGreaterThan(0);
  expect(view.complaints).toEqual([]);
  // The newest reading stays unknown: the reason is told, and the chart stands.
  await using blind = await openPage(browser, plant);
  await blind.page.route("**/api/overview", (route) => route.abort());
  await blind.page.goto(`${plant.url}/#/trends?to=${new Date(LAST_MS).toISOString()}`);
  await blind.page.reload();
  await blind.page.locator(".trends .problem", { hasText: "/api/overview" }).waitFor(REFRESH);
  await blind.page.locator(".chart canvas").waitFor(REFRESH);
});
