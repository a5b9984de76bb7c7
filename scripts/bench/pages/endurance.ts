// The page over days, with its clock as fast as it can follow (virtual-clock.ts): an idle plant,
// whose silence is no lost link; a tab that is hidden for an hour; memory and nodes after readings
// each second. The server is the built program; its time of day follows the page's (libfaketime),
// while its steady clock stays the real one.

import type { CDPSession, Page } from "playwright-core";
import { fakeClock } from "../../../test/rig/fake-clock.ts";
import { failures, type Group, type Row } from "./row.ts";
import type { Ship, Stage } from "./stage.ts";
import { installClock, letPass, type Passed, setHidden } from "./virtual-clock.ts";

const HOUR_S = 3600;
const IDLE_HOURS = 72;
/** A step of the server's time of day. */
const IDLE_STEP_S = 600;
/** A message of the PLC has so many readings, a second apart; the page is told of each message. */
const LIVE_STEP_S = 5;
const WARM_S = 600;
const GROWTH_MAX_MB = 2;

export const idle: Group = {
  name: "idle",
  about: "72 h of an idle plant without a false loss, a tab hidden for an hour",
  measure: async (stage) => {
    await using world = await openWorld(stage, "overview");
    let passed: Passed | null = null;
    for (let at_s = 0; at_s < IDLE_HOURS * HOUR_S; at_s += IDLE_STEP_S) {
      world.setServer(at_s + IDLE_STEP_S);
      passed = await letPass(world.page, { seconds: IDLE_STEP_S, isLive: false });
      if ((at_s + IDLE_STEP_S) % (12 * HOUR_S) === 0)
        stage.say(`idle for ${(at_s + IDLE_STEP_S) / HOUR_S} h`);
    }
    const told = failures(`"connection lost" told in ${IDLE_HOURS} h of an idle plant`, "times", [
      ...(passed?.losses ?? ["nothing passed"]),
    ]);
    const note =
      `${passed?.requests} requests of the page, one of each kind in 5 minutes to the server; ` +
      "its clock and its beats run as fast as it follows";
    return [{ ...told, note: told.note ?? note }, ...(await hidden(world, passed))];
  },
};

export const memory: Group = {
  name: "memory",
  about: "heap, nodes and listeners after 8 h of a reading a second",
  measure: (stage) => growth(stage, 8),
};

/** Not measured unless it is named: it takes a quarter of an hour. */
export const memory72: Group = {
  name: "memory72",
  about: "the same after 72 h; only if it is named, it takes long",
  measure: (stage) => growth(stage, 72),
};

interface World extends AsyncDisposable {
  readonly ship: Ship;
  readonly page: Page;
  /** Sets the server's time of day so many seconds ahead of the real one. */
  readonly setServer: (ahead_s: number) => void;
}

async function openWorld(stage: Stage, name: string): Promise<World> {
  const clock = fakeClock(stage.folder());
  const ship = await stage.empty(clock.env);
  await ship.publish("telemetry", readings(Date.now(), 1, "IDLE"));
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await installClock(page);
  await page.goto(`${ship.url}/#/${name}`);
  await page.locator('[data-test="link"]', { hasText: "connected" }).waitFor();
  // The live connection follows the first answers.
  await page.waitForTimeout(3000);
  return {
    ship,
    page,
    setServer: (ahead_s) => clock.set(ahead_s),
    async [Symbol.asyncDispose]() {
      await context.close();
      await ship[Symbol.asyncDispose]();
    },
  };
}

async function hidden(
  { page, ship, setServer }: World,
  before: Passed | null,
): Promise<readonly Row[]> {
  const losses = before?.losses.length ?? 0;
  await setHidden(page, true);
  const away = await letPass(page, { seconds: HOUR_S, isLive: false });
  const asked = away.requests - (before?.requests ?? 0);
  const metrics = await (await fetch(`${ship.url}/metrics`)).text();
  const open = Number(/streams_open (\d+)/.exec(metrics)?.[1] ?? Number.NaN);
  setServer((IDLE_HOURS + 1) * HOUR_S);
  // libfaketime looks at its file once a second.
  await page.waitForTimeout(2000);
  await ship.publish("telemetry", readings(away.now_ms, 1, "RUNNING"));
  await setHidden(page, false);
  await page
    .getByText(/Treating[,;]/)
    .first()
    .waitFor({ timeout: 30_000 });
  const back = await letPass(page, { seconds: 60, isLive: true });
  const { losses: told } = await cutOff(page);
  const wrong = [
    ...(told.length > back.losses.length ? [] : ["a link that is cut isn't told"]),
    ...(open === 0 ? [] : [`${open} streams were open while it was hidden`]),
    ...(asked === 0 ? [] : [`${asked} requests while it was hidden`]),
    ...back.losses.slice(losses),
    ...(back.open_streams === 1 ? [] : [`${back.open_streams} streams a minute after its return`]),
  ];
  return [failures("a tab hidden for an hour: asks nothing, comes back alive", "faults", wrong)];
}

/** Half a minute without a beat or an answer: the watch that found no loss must find this one. */
async function cutOff(page: Page): Promise<Passed> {
  await page.route("**", (route) => route.abort());
  return letPass(page, { seconds: 30, isLive: false, isMute: true });
}

async function growth(stage: Stage, hours: number): Promise<readonly Row[]> {
  await using world = await openWorld(stage, "overview");
  const session = await world.page.context().newCDPSession(world.page);
  const start_ms = Date.now();
  let passed_s = 0;
  const pass = async (until_s: number) => {
    for (; passed_s < until_s; passed_s += LIVE_STEP_S) {
      // By the readings' time, whatever this takes: they would grow old meanwhile.
      const now_ms = start_ms + (passed_s + LIVE_STEP_S) * 1000;
      world.setServer(Math.round((now_ms - Date.now()) / 1000));
      await world.ship.publish(
        "telemetry",
        readings(start_ms + passed_s * 1000, LIVE_STEP_S, "RUNNING"),
      );
      await letPass(world.page, { seconds: LIVE_STEP_S, isLive: true });
      if (passed_s > 0 && passed_s % (2 * HOUR_S) === 0)
        stage.say(`${passed_s / HOUR_S} h of readings`);
    }
  };
  await pass(WARM_S);
  const before = await countsOf(session, world.page);
  await pass(WARM_S + hours * HOUR_S);
  const after = await countsOf(session, world.page);
  const of = `${hours} h of a reading a second`;
  const at = `${before.heap_mb.toFixed(1)} MB to ${after.heap_mb.toFixed(1)} MB`;
  const shown = `${before.shown} to ${after.shown} nodes in the page`;
  const note = `${at}, ${shown}; readings in messages of ${LIVE_STEP_S}, each shown`;
  const row = (what: string, unit: string, most: number, measured: number): Row => ({
    ...{ what: `${what} after ${of}`, unit, goal: { most }, measured },
    ...{ spread: null, isHard: true, note },
  });
  return [
    row("growth of the heap", "MB", GROWTH_MAX_MB, after.heap_mb - before.heap_mb),
    row("more DOM nodes out of the page", "nodes", 0, after.lost - before.lost),
    row("more listeners", "listeners", 0, after.listeners - before.listeners),
  ];
}

interface Counts {
  readonly heap_mb: number;
  /** In the page: that may tell more after hours than at first. */
  readonly shown: number;
  /** In memory, and not in the page. */
  readonly lost: number;
  readonly listeners: number;
}

async function countsOf(session: CDPSession, page: Page): Promise<Counts> {
  for (let round = 0; round < 3; round += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  const shown = await page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode() !== null) count += 1;
    return count;
  });
  return { heap_mb: usedSize / 1e6, shown, lost: nodes - shown, listeners: jsEventListeners };
}

function readings(from_ms: number, count: number, PROCESS_STATE: string): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: new Date(from_ms + index * 1000).toISOString(),
    ...{ PROCESS_STATE, COMPLIANCE_MODE: "IMO", SYS_FLOW_RATE: 600, LAMP_01_STATUS: "ACTIVE" },
    UVR_INTENSITY: 600 + ((from_ms / 1000 + index) % 97),
  }));
}
