// Ship's time beside UTC: on the page and in what commands report, always named, and in no
// timestamp of the API, in no file and in no answer but as what is configured.

import { expect, test } from "vitest";
import { shipClock, withShipTime } from "../../src/bwts/ship-time.ts";
import { configFolder, refusal } from "../rig/config-file.ts";
import { launchBrowser, openPage, REFRESH, startPlant } from "../rig/onboard-page.ts";
import { runProgram } from "../rig/program.ts";

const { load } = configFolder();

const AT = "2026-05-01T20:05:09.500Z";
const ENV = { BALLASTD_SYSTEM_UTC_OFFSET: "+05:30" };

test("an offset moves the clock over midnight, and none changes nothing", () => {
  expect(withShipTime(AT, "+05:30")).toBe(`${AT} (2026-05-02 01:35:09 ship's time UTC+05:30)`);
  expect(withShipTime(AT, "")).toBe(AT);
  expect(shipClock(Date.parse(AT), "-12:00")).toBe("2026-05-01T08:05:09.500");
  expect(shipClock(Date.parse(AT), "+14:00")).toBe("2026-05-02T10:05:09.500");
});

test("what isn't an offset of a ship is refused with what is expected", () => {
  for (const offset of ["05:30", "+5:30", "+05:60", "+0530", "+14:01", "-12:30", "Z", "UTC", " "])
    expect(
      refusal(() => load(`[system]\nutc_offset = "${offset}"\n`)),
      offset,
    ).toMatch(/system\.utc_offset .*expected an offset from -12:00 to \+14:00, such as "\+05:30"/);
  expect(load('[system]\nutc_offset = "-03:30"\n').system.utc_offset).toBe("-03:30");
});

test("the page and the commands show it by its name; answers and files stay UTC", async () => {
  await using plant = await startPlant(ENV);
  await plant.publish("telemetry", { timestamp: AT, UVR_INTENSITY: 650 });
  await plant.publish("events", { timestamp: AT, event_type: "PROCESS_START", data: {} });
  const get = async (path: string) => (await fetch(plant.url + path)).text();
  expect(JSON.parse(await get("/readyz")).system.utc_offset).toBe("+05:30");
  for (const path of ["/api/telemetry/latest", "/api/events", "/export/telemetry"]) {
    expect(await get(path)).toContain(AT);
    expect(await get(path)).not.toMatch(/ship's time|01:35|\+05:30/);
  }
  const { folder } = plant.program;
  const run = (...args: readonly string[]) => runProgram({ args, folder, env: ENV });
  await run("void", "--from", AT, "--to", AT, "--reason", "x");
  const listed = await run("void", "list");
  expect(listed.stdout).toContain(`${AT} (2026-05-02 01:35:09 ship's time UTC+05:30) to `);
  expect((await run("void", "list", "--json")).stdout).not.toContain("ship's time");
  expect((await run("check")).stdout).toMatch(/clock: it is .*Z \(.* ship's time UTC\+05:30\)/);
  const browser = await launchBrowser();
  try {
    await using view = await openPage(browser, plant);
    const { page } = view;
    await page
      .getByTitle("ship's time UTC+05:30")
      .filter({ hasText: "UTC+05:30" })
      .waitFor(REFRESH);
    await page.goto(`${plant.url}/#/overview?at=${AT}`);
    await page.getByText("2026-05-01 20:05:09 UTC").first().waitFor(REFRESH);
    await page.keyboard.press("t");
    await page.getByText("2026-05-02 01:35:09 ship's time UTC+05:30").first().waitFor(REFRESH);
    expect(view.complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});
