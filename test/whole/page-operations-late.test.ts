// The page Operations in Chromium against the built program: readings that come late, and filters
// that are turned while an answer is on its way or fails.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, openPage, type Plant, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { until } from "../rig/until.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const now_ms = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const DISCHARGE_MS = now_ms - 26 * HOUR_MS;
const RUNNING_MS = now_ms - 20 * MINUTE_MS;
const EARLIER = 60;

let browser: Browser;
let plant: Plant;
beforeAll(async () => {
  [browser, plant] = await Promise.all([
    launchBrowser(),
    startPlant({ BALLASTD_SYSTEM_UTC_OFFSET: "+09:00", BALLASTD_SYSTEM_VESSEL: "MV Example" }),
  ]);
  const minutes = Array.from({ length: 121 }, (_, minute) => minute);
  await plant.publish("telemetry", [
    ...minutes.map((minute) => treating(DISCHARGE_MS, minute)),
    ...minutes
      .slice(0, 20)
      .map((minute) => ({ ...treating(RUNNING_MS, minute), UVR_INTENSITY: 600 })),
  ]);
  const event = (at_ms: number, event_type: string, data: object) => ({
    ...{ timestamp: at_ms, event_type, description: "as the plant says", data },
  });
  const discharge = { operation_type: "DEBALLAST", location: "Busan" };
  const earlier = { operation_type: "BALLAST", location: "Singapore" };
  await plant.publish("events", [
    event(DISCHARGE_MS, "PROCESS_START", discharge),
    event(DISCHARGE_MS + 31 * MINUTE_MS, "ALARM_TRIGGERED", { code: "UV_LOW" }),
    event(DISCHARGE_MS + 120 * MINUTE_MS, "PROCESS_STOP", discharge),
    event(RUNNING_MS, "PROCESS_START", { operation_type: "BALLAST", location: "Ulsan" }),
    // More than a page of them, of which the plant sent no reading.
    ...Array.from({ length: EARLIER }, (_, index) => now_ms - (200 + 3 * index) * HOUR_MS).flatMap(
      (at_ms) => [
        event(at_ms, "PROCESS_START", earlier),
        event(at_ms + HOUR_MS, "PROCESS_STOP", earlier),
      ],
    ),
  ]);
  await until("the judgement of all that ended", async () => {
    const all = await operations("limit=100");
    return all.filter(({ verdict }) => verdict !== null).length === EARLIER + 1;
  });
});
afterAll(async () => {
  await browser.close();
  await plant[Symbol.asyncDispose]();
});

/** Two minutes of start-up, forty below the limit, twelve past the treatment. */
function treating(start_ms: number, minute: number): object {
  const isLow = minute >= 30 && minute < 70;
  if (minute < 2)
    return {
      ...{ timestamp: start_ms + minute * MINUTE_MS, PROCESS_STATE: "WARMUP", UVR_INTENSITY: 90 },
      ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 0, SYS_TOTAL_DEBALLAST_VOL: 5_020 },
    };
  return {
    timestamp: start_ms + minute * MINUTE_MS,
    PROCESS_STATE: minute >= 80 && minute < 92 ? "BYPASS" : "RUNNING",
    ...{ COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600, SYS_TOTAL_DEBALLAST_VOL: 5_000 + 10 * minute },
    UVR_INTENSITY: isLow ? 231.5 + Math.abs(50 - minute) / 2 : 400,
  };
}

async function operations(query: string): Promise<readonly { id: number; verdict: string }[]> {
  return (await fetch(`${plant.url}/api/operations?${query}`)).json();
}

test("readings that come late are in the curves of the version that they make", async () => {
  const [oldest] = (await operations("limit=100")).toReversed();
  const start_ms = now_ms - (200 + 3 * (EARLIER - 1)) * HOUR_MS;
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, `id=${oldest.id}`);
  const points = () => page.locator("[data-points]").first().getAttribute("data-points");
  await expect.poll(points, REFRESH).toBe("0");
  const minutes = Array.from({ length: 30 }, (_, minute) => minute);
  await plant.publish(
    "telemetry",
    minutes.map((minute) => treating(start_ms, minute)),
  );
  await until("another version", async () => {
    return (await (await fetch(`${plant.url}/api/operations/${oldest.id}`)).json()).version > 1;
  });
  await expect.poll(points, REFRESH).toBe("30");
});

test("a list never stands under other filters, and a failure passes by itself", async () => {
  await using view = await openPage(browser, plant);
  const { page } = view;
  await open(page, "");
  const lines = page.locator(".operation-list tbody tr");
  await expect.poll(() => lines.count(), REFRESH).toBe(50);
  const isList = ({ pathname }: URL) => pathname === "/api/operations";
  await page.route(isList, (route) =>
    route.fulfill({ status: 503, json: { error: 503, message: "busy" } }),
  );
  await page.getByLabel("Verdict").selectOption({ label: "outside limits" });
  await page.locator(".operations .problem", { hasText: "503, busy" }).waitFor(REFRESH);
  await expect.poll(() => lines.count()).toBe(0);
  await page.unroute(isList);
  await expect.poll(() => lines.count(), REFRESH).toBe(1);
  await expect.poll(() => page.locator(".operations .problem").count()).toBe(0);
});

async function open(page: Page, query: string): Promise<void> {
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/operations?${query}`);
  await page
    .getByRole("heading", { name: /^Operation/ })
    .first()
    .waitFor(REFRESH);
}
