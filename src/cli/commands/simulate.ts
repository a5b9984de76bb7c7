// `ballastd simulate`: publishes a simulated ship, or one of the stories, over MQTT to any broker.
// It is an ordinary publisher, which a receiver can't distinguish from a plant.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import { brokerUrl, integer, number, prefix, systemId } from "../../config/values.ts";
import {
  floorTo,
  MINUTE_MS,
  parseTime,
  printTime,
  SECOND_MS,
  systemClock,
} from "../../ground/clock.ts";
import { codeOf, EXIT, Failure, messageOf } from "../../ground/errors.ts";
import {
  type PublishProgress,
  type PublishResult,
  publishHistory,
  publishLive,
} from "../../simulator/publish.ts";

import type { BrokerLogin } from "../../simulator/publisher.ts";
import { createShip, type PlantSource } from "../../simulator/ship.ts";
import { createStory, STORIES } from "../../simulator/story.ts";
import { optionValue } from "../options.ts";

const LETTER = z.enum(["A", "B", "C", "D"], `expected one of ${Object.keys(STORIES).join(", ")}`);

export const summary = "publish a simulated ship, or a scripted story, over MQTT";

const stories = Object.entries(STORIES).map(([letter, { about }]) => `     ${letter}  ${about}`);

export const help = `usage: ballastd simulate [options]

Publishes a simulated treatment plant to an MQTT broker: by default live, at real pace, from now on.
Between operations (20 to 28 hours about every ten days) nothing is sent, as aboard.

  --url URL             the broker (mqtt://127.0.0.1:1883)
  --username NAME       for the broker, if it requires one
  --password-file FILE  holds the password, on one line
  --prefix PREFIX       first level of the topics (bwts)
  --system ID           second level of the topics (BWTS-001)
  --seed N              which ship (1): the same seed and anchor give the same readings
  --anchor TIME         an operation is in progress then, after 24 months (--to, or now)
  --from TIME           first instant (real pace: now; else --months before the end)
  --to TIME             last instant (--speed max: now; else none)
  --months N            months before the end, 1 to 24 (24)
  --cadence SECONDS     interval of readings while treating (180)
  --speed N|max         factor of real pace, never beyond now (1); max: as fast as acknowledged
  --story A|B|C|D       one story, ending now or at --to, by default at --speed max:
${stories.join("\n")}
  --split               a message for the system and one for each lamp, not whole readings

Examples:
  ballastd simulate --speed max --months 24
  ballastd simulate --story A --url mqtt://10.0.0.5:1883`;

const OPTIONS = {
  url: { type: "string", default: "mqtt://127.0.0.1:1883" },
  username: { type: "string" },
  "password-file": { type: "string" },
  prefix: { type: "string", default: "bwts" },
  system: { type: "string", default: "BWTS-001" },
  seed: { type: "string", default: "1" },
  anchor: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  months: { type: "string", default: "24" },
  cadence: { type: "string", default: "180" },
  speed: { type: "string" },
  story: { type: "string" },
  split: { type: "boolean", default: false },
} as const;

type Speed = number | "max";

/** The publication that the arguments describe. */
interface PublicationPlan {
  readonly ship: PlantSource;
  readonly from_ms: number;
  /** End of the publication; Infinity if it has none. */
  readonly to_ms: number;
  readonly cadence_ms: number;
  readonly speed: Speed;
  readonly connection: BrokerLogin;
  readonly layout: "split" | null;
}

export async function run(args: readonly string[]): Promise<void> {
  const plan = readPlan(args, systemClock.now_ms());
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  const line = progressLine();
  const began_ms = performance.now();
  try {
    const published = await publishPlan(plan, stop.signal, line.show);
    line.clear();
    const seconds = (performance.now() - began_ms) / SECOND_MS;
    process.stdout.write(`${closingLine(published, seconds)}\n`);
  } finally {
    line.clear();
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

function publishPlan(
  plan: PublicationPlan,
  signal: AbortSignal,
  progress: (progress: PublishProgress) => void,
): Promise<PublishResult> {
  const { ship, from_ms, to_ms, cadence_ms, connection, speed } = plan;
  const layout = plan.layout === null ? {} : { layout: plan.layout };
  const publication = { ship, from_ms, to_ms, cadence_ms, connection, signal, progress, ...layout };
  return speed === "max"
    ? publishHistory(publication)
    : publishLive({ ...publication, speed, clock: systemClock });
}

function readPlan(args: readonly string[], now_ms: number): PublicationPlan {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const letter = values.story === undefined ? null : optionValue("story", LETTER, values.story);
  const pace = values.speed ?? (letter === null ? "1" : "max");
  const speed: Speed = pace === "max" ? pace : optionValue("speed", number(0.001, 1e9), pace);
  const cadence_ms = SECOND_MS * optionValue("cadence", integer(1, 86_400), values.cadence);
  const system_id = optionValue("system", systemId, values.system);
  const seed = optionValue("seed", integer(0, Number.MAX_SAFE_INTEGER), values.seed);
  const connection: BrokerLogin = {
    url: optionValue("url", brokerUrl, values.url),
    username: values.username ?? null,
    password: passwordOf(values["password-file"]),
    prefix: optionValue("prefix", prefix, values.prefix),
  };
  const how = { cadence_ms, speed, connection, layout: values.split ? "split" : null } as const;
  const given = { from_ms: timeOf("from", values.from), to_ms: timeOf("to", values.to) };
  if (letter !== null) {
    const story = createStory({ letter, seed, system_id, end_ms: given.to_ms ?? now_ms });
    return { ship: story, from_ms: story.start_ms, to_ms: story.end_ms, ...how };
  }
  const months = optionValue("months", integer(1, 24), values.months);
  const stretch = stretchOf(given, speed, months, now_ms);
  const anchor_ms =
    timeOf("anchor", values.anchor) ?? floorTo(Math.min(stretch.to_ms, now_ms), MINUTE_MS);
  return { ship: createShip({ seed, anchor_ms, system_id }), ...stretch, ...how };
}

interface GivenTimes {
  readonly from_ms: number | null;
  readonly to_ms: number | null;
}

function stretchOf(given: GivenTimes, speed: Speed, months: number, now_ms: number) {
  const to_ms = given.to_ms ?? (speed === "max" ? now_ms : Number.POSITIVE_INFINITY);
  if (speed === "max" && to_ms > now_ms)
    throw new Failure(EXIT.usage, `--to ${printTime(to_ms)}: --speed max can't go beyond now`);
  const live = speed === 1 && to_ms > now_ms;
  const from_ms = given.from_ms ?? (live ? now_ms : monthsBefore(Math.min(to_ms, now_ms), months));
  if (from_ms > to_ms)
    throw new Failure(
      EXIT.usage,
      `--from ${printTime(from_ms)}: expected a time before --to, ${printTime(to_ms)}`,
    );
  return { from_ms, to_ms };
}

function monthsBefore(at_ms: number, months: number): number {
  const date = new Date(at_ms);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  // The 31st of a month with 30 days means its last day.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

function timeOf(name: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  const parsed = parseTime(given);
  if (parsed === null)
    throw new Failure(EXIT.usage, `--${name} ${given}: expected a time such as 2026-05-01T12:00Z`);
  return parsed.at_ms;
}

function passwordOf(file: string | undefined): string | null {
  if (file === undefined) return null;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (thrown) {
    const why = codeOf(thrown) ?? messageOf(thrown);
    throw new Failure(EXIT.usage, `--password-file ${file}: it can't be read (${why})`);
  }
}

function closingLine({ readings, events, complete }: PublishResult, seconds: number): string {
  const took = `${seconds.toFixed(1)} s${complete ? "" : ", stopped before the end"}`;
  return `${readings} readings and ${events} events acknowledged in ${took}`;
}

// Interval at which the line on the terminal is rewritten.
const REDRAW_MS = 100;

/** One line on a terminal, rewritten with progress; nothing if stderr isn't a terminal. */
function progressLine() {
  let drawn_ms = 0;
  let connected = true;
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  };
  return {
    show(progress: PublishProgress) {
      const now_ms = performance.now();
      if (now_ms - drawn_ms < REDRAW_MS && progress.connected === connected) return;
      drawn_ms = now_ms;
      connected = progress.connected;
      const { readings, readings_total, events } = progress;
      const share = readings_total === null ? "" : ` of ${readings_total}`;
      const state = connected ? "" : ", waiting for the broker";
      write(`${readings}${share} readings, ${events} events${state}`);
    },
    clear: () => write(""),
  };
}
