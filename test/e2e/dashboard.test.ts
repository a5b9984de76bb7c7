// The onboard page in Debian's Chromium, against the built program: what a watch reads from it when
// there is no plant yet, while water is treated, when readings stop, and when ballastd itself ends.

import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test as single } from "vitest";
import {
  launchBrowser,
  openPage,
  type Plant,
  REFRESH,
  shown,
  startPlant,
} from "../rig/onboard-page.ts";
import { LONG } from "../rig/scale.ts";

// They mostly wait for the page to be refreshed, so they wait together.
const test = single.concurrent;

const HOUR_MS = 3_600_000;
const HOSTILE = "<img src=x onerror=\"document.title='taken'\">";

let browser: Browser;
/** Nothing is sent to it. */
let quiet: Plant;
beforeAll(async () => {
  [browser, quiet] = await Promise.all([launchBrowser(), startPlant()]);
});
afterAll(() => Promise.all([browser.close(), quiet[Symbol.asyncDispose]()]));

test("a new appliance says where it waits for the PLC, and asks no host", async ({ expect }) => {
  await using view = await openPage(browser, quiet);
  const { page } = view;
  await page.getByText("No reading yet", { exact: true }).waitFor(REFRESH);
  await page.getByText(`Waiting for the PLC on ${quiet.brokerHost}`).waitFor(REFRESH);
  await expect.poll(() => page.locator(".lamp").count()).toBe(16);
  await expect.poll(() => shown(page, "lamp-01")).toContain("unknown");
  await expect.poll(() => shown(page, "intensity")).toBe("—");
  await expect.poll(() => shown(page, "age")).toBe("not known");
  await expect.poll(() => page.getByText(/Advisory: .* govern\./).count()).toBe(1);
  const links = page.locator("footer a");
  const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(places).toEqual(["manual", "docs", "openapi.json", "api/tags", "metrics"]);
  expect(view.policy).toContain("default-src 'none'");
  expect(view.hosts()).toEqual([new URL(quiet.url).host]);
  expect(view.complaints).toEqual([]);
});

test("what the PLC sends appears by itself, what it doesn't is a dash", async ({ expect }) => {
  await using plant = await startPlant();
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText("No reading yet", { exact: true }).waitFor(REFRESH);
  const now_ms = Date.now();
  await plant.publish("events", [started(now_ms - 2 * HOUR_MS), alarm(now_ms - 60_000)]);
  await plant.publish("telemetry", reading(now_ms - 3_000));
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await expect.poll(() => shown(page, "facts")).toContain("RUNNING · No flow is reported");
  await expect.poll(() => shown(page, "intensity")).toMatch(/650\sW\/m²/);
  await expect.poll(() => shown(page, "age")).toMatch(/^\d+ s ago$/);
  await expect.poll(() => shown(page, "messages")).toMatch(/^\d+ s ago$/);
  await expect.poll(() => shown(page, "lamps")).toBe("Lamp 07 FAILED");
  await expect.poll(() => shown(page, "lamp-07")).toMatch(/07\s*0\s%.*FAILED/);
  // The failed lamp is the one to change; another one is described when it is touched.
  await expect.poll(() => shown(page, "lamp-about")).toMatch(/Lamp 07 0 % failed change now/);
  await page.locator('[data-test="lamp-01"]').click();
  await expect.poll(() => shown(page, "lamp-about")).toMatch(/^\s*Lamp 01.*1200\sh.*3100\sW/s);
  await expect.poll(() => shown(page, "UVR_WATER_TEMP")).toContain("—");
  await expect.poll(() => shown(page, "operation")).toContain("Uptake Singapore since");
  expect(view.complaints).toEqual([]);
});

test("a plant's other spellings are read as the API reads them", LONG, async ({ expect }) => {
  await using plant = await startPlant();
  const words = { PROCESS_STATE: "Running ", COMPLIANCE_MODE: "imo", LAMP_07_STATUS: "Failed" };
  const spelled = { ...words, LAMP_08_STATUS: " failed", LAMP_09_STATUS: "on" };
  await plant.publish("telemetry", { ...reading(Date.now() - 3_000), ...spelled });
  const latest = await (await fetch(`${plant.url}/api/telemetry/latest`)).json();
  expect(latest).toMatchObject({ LAMP_07_STATUS: "Failed", FAILED_LAMP_COUNT: 2 });
  await using view = await openPage(browser, plant);
  await view.page.getByText("Controller: Running").waitFor(REFRESH);
  await expect.poll(() => shown(view.page, "lamps")).toBe("Lamps 07, 08 FAILED");
  const states = view.page.locator(".lamp.failed .number, .lamp.unknown .number");
  await expect.poll(() => states.allTextContents()).toEqual(["07", "08"]);
  expect(view.complaints).toEqual([]);
});

test("without a controller's state the flow decides, as it does for health", LONG, async () => {
  await using plant = await startPlant();
  const { PROCESS_STATE, ...rest } = reading(Date.now() - 3_000);
  await plant.publish("telemetry", { ...rest, SYS_FLOW_RATE: 600 });
  await using view = await openPage(browser, plant);
  await view.page.getByText("Known by the flow").waitFor(REFRESH);
});

test("hour counters at no plain pace are said where lamp life would stand", LONG, async () => {
  await using plant = await startPlant();
  const first_ms = Date.now() - 4 * HOUR_MS;
  for (let minute = 0; minute < 180; minute += 5)
    await plant.publish("telemetry", {
      timestamp: new Date(first_ms + minute * 60_000).toISOString(),
      PROCESS_STATE: "RUNNING",
      LAMP_01_STATUS: "ACTIVE",
      LAMP_01_RUNTIME: 1_000 + (7 * minute) / 60,
    });
  await using view = await openPage(browser, plant);
  const lamps = view.page.getByRole("region", { name: "Lamps" });
  const said = "Forecasts of lamp life are suspended: the hour counters run faster than the clock";
  await lamps.getByText(said).waitFor(REFRESH);
  expect(view.complaints).toEqual([]);
});

test("markup in an event's text is shown as text", LONG, async ({ expect }) => {
  await using plant = await startPlant();
  await plant.publish("events", alarm(Date.now() - 60_000));
  await using view = await openPage(browser, plant);
  await view.page.getByText(HOSTILE).first().waitFor(REFRESH);
  await expect.poll(() => view.page.locator("img").count()).toBe(0);
  expect(await view.page.title()).not.toBe("taken");
  expect(view.complaints).toEqual([]);
});

test("an old reading warns amid an operation, and is rest after it", async ({ expect }) => {
  await using plant = await startPlant();
  const now_ms = Date.now();
  await plant.publish("telemetry", reading(now_ms - 3.5 * HOUR_MS));
  await plant.publish("events", started(now_ms - 5 * HOUR_MS));
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page
    .getByText("STALE: no reading for 3 h, though an operation is running")
    .waitFor(REFRESH);
  await expect.poll(() => page.locator(".verdict.warn").count()).toBe(1);
  await expect.poll(() => shown(page, "operation")).toContain("Uptake Singapore since");
  await expect.poll(() => shown(page, "age")).toMatch(/3 h ago\s*STALE/);
  // The last values stand behind their age.
  await expect.poll(() => page.getByText("Last value, 3 h old").count()).toBe(3);
  await plant.publish("events", stopped(now_ms - 3 * HOUR_MS));
  await page.getByText("Idle: no reading for 3 h, and no operation is running").waitFor(REFRESH);
  await expect.poll(() => page.locator(".verdict.quiet").count()).toBe(1);
});

test("when ballastd ends the page says since when, and keeps what it knew", async ({ expect }) => {
  await using plant = await startPlant();
  await plant.publish("telemetry", reading(Date.now() - 3_000));
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await plant.program.stop("SIGKILL");
  await page
    .getByText(/No connection to ballastd since \d\d:\d\d:\d\d\sUTC; the data shown is old/)
    .waitFor(REFRESH);
  await page.getByText(/^Last known: Treating[,;]/).waitFor(REFRESH);
  await page.locator("main.old").waitFor(REFRESH);
  await expect.poll(() => shown(page, "intensity")).toMatch(/650\sW\/m²/);
});

test("an alarm and warnings are shown while ballastd is ready", LONG, async ({ expect }) => {
  await using plant = await startPlant({ BALLASTD_STORAGE_FREE_WARN: String(2 ** 53 - 1) });
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText(/^disk: [\d.]+ [KMGT]iB free, below storage\.free_warn$/).waitFor(REFRESH);
  await page.getByText("little disk space is free").waitFor(REFRESH);
  await expect.poll(() => page.getByText("ballastd is not ready").count()).toBe(0);
  expect(view.complaints).toEqual([]);
});

test("every problem and open alert is told, of unknown kinds too", async ({ expect }) => {
  const readyz = {
    ...{ ready: false, reasons: ["MQTT: the broker is silent"] },
    mqtt: { mode: "client", connected: false, problem: "the broker is silent" },
    certificates: [
      { use: "http", problem: "the certificate ended" },
      { use: "mqtt", problem: null },
    ],
    damage: { problem: "3 segments are damaged" },
    jobs: [{ name: "backup", problem: "no space" }],
  };
  const alarm = (description: string) => ({ code: null, description, since: "2026-05-01T10:00Z" });
  const alarms = [alarm("BROKER_LOST: no broker"), alarm("NEW_KIND: whatever it is")];
  await using view = await openPage(browser, quiet, {
    "/readyz": JSON.stringify(readyz),
    "/api/alarms": JSON.stringify(alarms),
  });
  const { page } = view;
  await page.getByText("ballastd is not ready: MQTT: the broker is silent").waitFor(REFRESH);
  await page.getByText("2 warnings").waitFor(REFRESH);
  const told = /certificate http: the certificate ended.*damage: 3 segments are.*jobs backup: no/s;
  await page.locator(".banners", { hasText: told }).waitFor(REFRESH);
  await expect.poll(() => page.locator(".banners .warn").count()).toBe(3);
});

test("where a token is needed the page asks for it, and keeps it to itself", async ({ expect }) => {
  const token = "a-token-for-the-page";
  await using plant = await startPlant({
    BALLASTD_AUTH_MONITORING: "token",
    BALLASTD_AUTH_TOKEN: token,
  });
  await plant.publish("telemetry", reading(Date.now() - 3_000));
  await using view = await openPage(browser, plant);
  const { page } = view;
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  const show = async (given: string) => {
    await page.getByRole("textbox", { name: "Token" }).fill(given);
    await page.getByRole("button", { name: "Show" }).click();
  };
  await page.getByText("This page needs a token").waitFor(REFRESH);
  await expect.poll(() => page.locator(".banners .alarm").count()).toBe(0);
  await show("неверно");
  await page.locator("input:invalid").waitFor(REFRESH);
  await show("wrong");
  await page.locator("p.banner", { hasText: /^This token isn’t/ }).waitFor(REFRESH);
  await show(token);
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(`${kept} ${urls.join(" ")} ${page.url()}`).not.toContain(token);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "/docs" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^docs/);
  expect(readFileSync(await saved.path(), "utf8")).toContain("<!doctype html>");
  await page.clock.install();
  await page.reload();
  await show(token);
  await page.evaluate(() => window.location.replace("#/system"));
  const audit = page.getByRole("heading", { name: /^Audit log/ });
  await audit.waitFor(REFRESH);
  // It is a maintainer's: after 15 idle minutes it serves for reading alone.
  await page.clock.fastForward(16 * 60_000);
  await audit.waitFor({ state: "detached", ...REFRESH });
  await expect.poll(() => page.getByText("This page needs a token").count()).toBe(0);
});

test("simulated data is marked on the page and in its title", async () => {
  const readyz = JSON.stringify({ ready: true, reasons: [], simulated: true });
  await using view = await openPage(browser, quiet, { "/readyz": readyz });
  await view.page.getByText("SIMULATED").waitFor(REFRESH);
  await view.page.waitForFunction(() => document.title.includes("SIMULATED"));
});

test("an intensity below its mode's limit warns, one at it doesn't", LONG, async ({ expect }) => {
  const limits = { BALLASTD_LIMITS_UV_IMO: "649.5", BALLASTD_LIMITS_SOURCE: "certificate 7" };
  await using plant = await startPlant(limits);
  const moving = (at_ms: number) => ({ ...reading(at_ms), SYS_FLOW_RATE: 600 });
  await plant.publish("telemetry", moving(Date.now() - 3_000));
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.getByText("Limits: certificate 7").waitFor(REFRESH);
  await expect.poll(() => shown(page, "verdict")).toContain("Treating, within the IMO limit");
  await plant.publish("telemetry", { ...moving(Date.now()), UVR_INTENSITY: 649.4 });
  await page.getByText("Treating, BELOW the IMO limit").waitFor(REFRESH);
  await expect.poll(() => page.locator(".verdict.warn:not(.alarm)").count()).toBe(1);
});

test("night mode stays, and the page fits a narrow telephone", LONG, async ({ expect }) => {
  await using plant = await startPlant();
  await plant.publish("telemetry", reading(Date.now() - 3_000));
  await using view = await openPage(browser, plant);
  const { page } = view;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await page.keyboard.press("?");
  await page.getByLabel("Palette").selectOption("night");
  await page.reload();
  await page.getByText(/Treating[,;]/).waitFor(REFRESH);
  await expect.poll(() => page.locator('html[data-palette="night"]').count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

/** A plant that treats water, lamp 7 failed, its flow meter silent. */
function reading(at_ms: number): Record<string, unknown> {
  const lamps = Array.from({ length: 16 }, (_, index) => {
    const lamp = `LAMP_${String(index + 1).padStart(2, "0")}`;
    const failed = index === 6;
    return {
      [`${lamp}_STATUS`]: failed ? "FAILED" : "ACTIVE",
      [`${lamp}_EFFICIENCY`]: failed ? 0 : 95.5,
      [`${lamp}_RUNTIME`]: 1200 + index,
      [`${lamp}_POWER`]: failed ? 0 : 3100,
    };
  });
  return Object.assign(
    { timestamp: new Date(at_ms).toISOString(), PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO" },
    { UVR_INTENSITY: 649.5, SYS_PRESSURE: 4.2 },
    ...lamps,
  );
}

const started = (at_ms: number) => operationEvent(at_ms, "PROCESS_START");
const stopped = (at_ms: number) => operationEvent(at_ms, "PROCESS_STOP");

function operationEvent(at_ms: number, event_type: string): object {
  const data = { operation_type: "BALLAST", location: "Singapore", target_flow: 900 };
  return { timestamp: at_ms, event_type, data };
}

function alarm(timestamp: number): object {
  return { timestamp, event_type: "ALARM_TRIGGERED", description: HOSTILE, data: {} };
}
