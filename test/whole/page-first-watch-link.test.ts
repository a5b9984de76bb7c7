// The page First watch while ballastd hangs, and after its token was revoked: no tick stands on an
// answer of before, and what was typed stays until another token is given.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShip, TOKEN } from "../oracle/settings-ship.ts";
import { foldersOfTests } from "../rig/folders.ts";
import { launchBrowser, openPage, REFRESH } from "../rig/onboard-page.ts";
import { runProgram } from "../rig/program.ts";

const newFolder = foldersOfTests(afterAll);
const OF_THE_SHIP = {
  BALLASTD_SYSTEM_VESSEL: "MV Example",
  BALLASTD_SYSTEM_IMO: "9074729",
  BALLASTD_SYSTEM_UTC_OFFSET: "+09:00",
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function giveToken(page: Page, token: string): Promise<void> {
  await page.locator("main input[name=token]").fill(token);
  await page.locator("main form.token button").click();
}

const statesOf = (page: Page) =>
  page
    .locator("[data-step]")
    .evaluateAll((steps) =>
      Object.fromEntries(
        steps.map((step) => [step.getAttribute("data-step"), step.getAttribute("data-state")]),
      ),
    );

test("of a ballastd that hangs no step keeps its tick, and each has it again", async () => {
  await using ship = await openShip(newFolder, { env: OF_THE_SHIP });
  const { appliance } = ship;
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await page.goto(`${appliance.url}/#/first-watch`);
  await giveToken(page, TOKEN);
  const reading = { timestamp: Date.now(), UVR_INTENSITY: 640 };
  await appliance.publish([{ kind: "telemetry", payload: JSON.stringify(reading) }]);
  const [done, unknown] = ["done", "unknown"].map((state) =>
    expect.objectContaining({ ship: state, message: state }),
  );
  await expect.poll(() => statesOf(page), REFRESH).toEqual(done);
  process.kill(appliance.program.pid, "SIGSTOP");
  try {
    await expect.poll(() => statesOf(page), REFRESH).toEqual(unknown);
    expect(Object.values(await statesOf(page))).not.toContain("done");
  } finally {
    process.kill(appliance.program.pid, "SIGCONT");
  }
  await expect.poll(() => statesOf(page), REFRESH).toEqual(done);
});

test("a revoked token leaves the forms, with a typed password, to another token", async () => {
  await using ship = await openShip(newFolder, { env: OF_THE_SHIP });
  const { appliance, folder, file } = ship;
  const env = { BALLASTD_CONFIG: file, BALLASTD_STORAGE_DIR: `${folder}/data` };
  const command = (...args: readonly string[]) =>
    runProgram({ args: ["token", ...args], folder, env });
  const made = await command("add", "--name", "chief", "--role", "maintainer");
  await using view = await openPage(browser, appliance);
  const { page } = view;
  await page.goto(`${appliance.url}/#/first-watch`);
  await giveToken(page, made.stdout.trim());
  const password = page.locator("input[name='mqtt.password']");
  await page.locator("input[name='mqtt.username']").fill("plc");
  await password.fill("engine room 7");
  await command("revoke", "chief");
  await page.getByText("The token isn’t valid any more.").waitFor(REFRESH);
  await expect.poll(() => password.inputValue()).toBe("engine room 7");
  await expect.poll(() => statesOf(page)).toMatchObject({ ship: "unknown", plc: "unknown" });
  await giveToken(page, TOKEN);
  await expect.poll(() => statesOf(page), REFRESH).toMatchObject({ ship: "done" });
  await expect.poll(() => password.inputValue()).toBe("engine room 7");
  const form = page.locator("[data-step=plc]");
  await form.getByRole("button", { name: "Check the changes" }).click();
  await form.locator("[data-test=changes]").waitFor(REFRESH);
});
