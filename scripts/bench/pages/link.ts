// The link lost and found again, three ways at once: the server killed, frozen (SIGSTOP), and
// stopped in order and started again, as an update does. The page shows the operations' list, in
// which each event that was stored must stand once.

import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openEventStream } from "../../../test/rig/event-stream.ts";
import { openPage } from "../../../test/rig/onboard-page.ts";
import { reservePort } from "../../../test/rig/port.ts";
import { type Served, startReady } from "../../../test/rig/served.ts";
import { failures, type Group, type Row, times } from "./row.ts";
import { type Ship, type Stage, shipOf } from "./stage.ts";

const WAYS = ["killed", "frozen", "stopped"] as const;
type Way = (typeof WAYS)[number];

const EVENTS = 5;
/** The server stays away so long after the page has told it. */
const AWAY_MS = 3000;
/** For what may still come twice. */
const SETTLED_MS = 2000;
const LOST = '[data-test="link"]:text-matches("^lost")';

export const link: Group = {
  name: "link",
  about: "link loss shown and over: server killed, frozen, stopped; no event lost or doubled",
  measure: async (stage) => {
    const found = await Promise.all(WAYS.map((way) => lose(stage, way)));
    const note = WAYS.map((way, at) => {
      const { lost_ms, recovered_ms } = found[at] ?? { lost_ms: 0, recovered_ms: 0 };
      return `${way}: ${Math.round(lost_ms)} and ${Math.round(recovered_ms)} ms`;
    }).join("; ");
    return [
      row(
        "link loss shown",
        12_000,
        found.map(({ lost_ms }) => lost_ms),
        note,
      ),
      row(
        "its end shown, after the server is back",
        3000,
        found.map((one) => one.recovered_ms),
        note,
      ),
      failures(
        "events lost or doubled in the list",
        "events",
        found.flatMap(({ wrong }) => wrong),
      ),
    ];
  },
};

function row(what: string, most: number, values_ms: number[], note: string): Row {
  return times(what, { most, by: "worst", values_ms }, note);
}

interface Lost {
  readonly lost_ms: number;
  readonly recovered_ms: number;
  readonly wrong: readonly string[];
}

async function lose(stage: Stage, way: Way): Promise<Lost> {
  const ports = { http: (await reservePort()).port, mqtt: (await reservePort()).port };
  const installed = { program: stage.program, folder: stage.folder(), ports };
  let served = await startReady(installed);
  let ship = await shipOf(served);
  try {
    await publish(ship, way, 0);
    await using view = await openPage(stage.browser, { url: served.http });
    await view.page.goto(`${served.http}/#/alerts?kind=operations`);
    await isListed(view.page, `${way}-${EVENTS - 1}`);
    // The live connection follows the first answers.
    await pause(SETTLED_MS);
    const { cut_ms, done } = await cut(served, ship, way);
    await view.page.locator(LOST).waitFor({ timeout: 60_000 });
    const lost_ms = performance.now() - cut_ms;
    await pause(AWAY_MS);
    if (way === "frozen") process.kill(served.pid, "SIGCONT");
    else {
      await ship[Symbol.asyncDispose]();
      served = await startReady(installed);
    }
    await served.answers("/readyz");
    const back_ms = performance.now();
    await view.page.locator(LOST).waitFor({ state: "detached", timeout: 60_000 });
    const recovered_ms = performance.now() - back_ms;
    await done;
    if (way !== "frozen") ship = await shipOf(served);
    if (way !== "frozen") await publish(ship, way, EVENTS);
    await publish(ship, way, 2 * EVENTS);
    await isListed(view.page, `${way}-${3 * EVENTS - 1}`);
    await pause(SETTLED_MS);
    return { lost_ms, recovered_ms, wrong: await wrongIn(view.page, way) };
  } finally {
    await ship[Symbol.asyncDispose]();
  }
}

/** `done` resolves when the server is back: a frozen one hasn't taken yet what is sent to it. */
async function cut(served: Served, ship: Ship, way: Way) {
  if (way === "frozen") {
    // The longest silence is the one that begins with a beat.
    using stream = await openEventStream(`${served.http}/stream`);
    await stream.waitFor(({ type }) => type === "beat", 2);
    process.kill(served.pid, "SIGSTOP");
    return { cut_ms: performance.now(), done: publish(ship, way, EVENTS) };
  }
  const cut_ms = performance.now();
  await (way === "killed" ? served.kill() : served.stop());
  return { cut_ms, done: Promise.resolve() };
}

/** Five operations, each at a place of its own name. */
async function publish(ship: Ship, way: Way, from: number): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, index) => ({
    timestamp: new Date(Date.now() + index).toISOString(),
    event_type: "PROCESS_START",
    data: { operation_type: "BALLAST", location: `${way}-${from + index}.` },
  }));
  await Promise.all(events.map((event) => ship.publish("events", event)));
}

async function isListed(page: Page, name: string): Promise<void> {
  await page
    .locator(".history-line", { hasText: `${name}.` })
    .first()
    .waitFor({ timeout: 60_000 });
}

async function wrongIn(page: Page, way: Way): Promise<readonly string[]> {
  const lines = await page.locator(".history-line").allTextContents();
  return Array.from({ length: 3 * EVENTS }, (_, index) => `${way}-${index}`).flatMap((name) => {
    const times_listed = lines.filter((line) => line.includes(`${name}.`)).length;
    return times_listed === 1 ? [] : [`${name} is listed ${times_listed} times`];
  });
}
