// Curves under the hand, in Trends: 24 months of one field as days with their band, from the click
// to the drawing, the server's answer included; then steps of zooming and panning in it.

import type { Page } from "playwright-core";
import { paintOf, paintsOf, slowProcessor, stepsOf, watchPaints, watchSteps } from "./painted.ts";
import { type Group, type Row, times } from "./row.ts";
import type { Stage } from "./stage.ts";

const SHOWN = '[data-test="level"], .chart';
const CLICKS = 8;
const KEYS = ["+", "ArrowLeft", "ArrowRight", "-"];
const KEY_ROUNDS = 3;
const DRAGS = 12;
const WHEELS = 12;
/** A hand's pace: the data of a finer level come in between. */
const PACE_MS = 120;

export const curves: Group = {
  name: "curves",
  about: "24 months of a field from click to pixels, steps of zoom and pan",
  measure: async (stage) => [
    ...(await atSpeed(stage, { slower: 1, click_ms: 150, step_ms: 33 })),
    ...(await atSpeed(stage, { slower: 4, click_ms: 450, step_ms: 66 })),
  ],
};

interface Speed {
  readonly slower: number;
  readonly click_ms: number;
  readonly step_ms: number;
}

async function atSpeed(stage: Stage, { slower, click_ms, step_ms }: Speed): Promise<Row[]> {
  const { url, series } = await stage.history();
  const context = await stage.browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await watchPaints(page, SHOWN);
  await watchSteps(page, ["click", "keydown", "pointermove", "wheel"]);
  await page.goto(`${url}/#/trends`);
  await paintOf(page, ({ text }) => text.includes("hourly mean") && !text.endsWith("|0"));
  await slowProcessor(await context.newCDPSession(page), slower);
  const values_ms = await clicks(page);
  await handle(page);
  const steps = await stepsOf(page);
  const hand_ms = steps.filter(({ type }) => type !== "click").map(({ took_ms }) => took_ms);
  await context.close();
  const slowed = slower === 1 ? "" : ": processor a quarter";
  const note = `${series.readings} readings; keys, wheel and drag`;
  return [
    times(`24 months of a field, click to pixels${slowed}`, {
      ...{ most: click_ms, by: "median", values_ms },
    }),
    times(
      `a step of zoom or pan${slowed}`,
      {
        ...{ most: step_ms, by: "median", values_ms: hand_ms },
      },
      note,
    ),
  ];
}

/** Durations from a click on "24 m" until its days are drawn; 30 days in between. */
async function clicks(page: Page): Promise<number[]> {
  const found: number[] = [];
  const press = async (name: string, level: string) => {
    const known = (await paintsOf(page)).length;
    await page.getByRole("button", { name, exact: true }).click();
    const isNew = ({ text }: { text: string }, at: number) => at >= known && text.includes(level);
    let painted = null;
    while (painted === null) {
      painted = (await paintsOf(page)).find(isNew) ?? null;
      if (painted === null) await page.waitForTimeout(10);
    }
    const step = (await stepsOf(page)).findLast(({ type }) => type === "click");
    return painted.at_ms - (step?.at_ms ?? Number.NaN);
  };
  for (let round = 0; round < CLICKS; round += 1) {
    found.push(await press("24 m", "daily mean"));
    await page.waitForTimeout(PACE_MS);
    await press("30 d", "hourly mean");
    await page.waitForTimeout(PACE_MS);
  }
  await press("24 m", "daily mean");
  return found;
}

async function handle(page: Page): Promise<void> {
  const box = await page.locator(".chart .u-over").first().boundingBox();
  if (box === null) throw new Error("the chart has no drawing area");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let round = 0; round < KEY_ROUNDS; round += 1)
    for (const key of KEYS) {
      await page.keyboard.press(key);
      await page.waitForTimeout(PACE_MS);
    }
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let move = 1; move <= DRAGS; move += 1) {
    await page.mouse.move(x + 10 * move, y);
    await page.waitForTimeout(PACE_MS / 4);
  }
  await page.mouse.up();
  await page.keyboard.down("Control");
  for (let wheel = 0; wheel < WHEELS; wheel += 1) {
    await page.mouse.wheel(0, wheel % 2 === 0 ? -200 : 200);
    await page.waitForTimeout(PACE_MS);
  }
}
