// A test of the link to the office: one hello, and its answer as text for people: state of the
// line, position of the office's copy, time for the rest. `join` and `test` use it.

import { readBuild } from "../ground/assets.ts";
import { MINUTE_MS, SECOND_MS } from "../ground/clock.ts";
import { type ShoreTrial, tryShore } from "../shore/trial.ts";
import { CHAINS } from "../sqlite/file/hash-chain.ts";
import { type configOf, withDatabase } from "./instance-data.ts";

/** The options of all actions of `ballastd shore`. */
export interface ShoreOptions {
  readonly json: boolean;
  readonly config?: string;
}

/** Sends one hello; the database is read beside a running instance. */
export function tried(config: ReturnType<typeof configOf>): Promise<ShoreTrial> {
  const { dir } = config.storage;
  return withDatabase(config, (db) =>
    tryShore(config.shore, { dir, version: readBuild().version, db }),
  );
}

/** Common lines with their rates in bytes a second: a satellite's, and a better one. */
const LINES = [
  ["64 kbit/s", 8000],
  ["1 Mbit/s", 125_000],
] as const;

export function trialText(trial: ShoreTrial): string {
  const { server, connected_ms, round_trip_ms, clock_offset_ms, aboard, ashore, backlog } = trial;
  const { objects } = trial;
  const times = LINES.map(([name, bytes_s]) => `${duration(backlog.bytes / bytes_s)} at ${name}`);
  return [
    `${server}: connected in ${seconds(connected_ms)}, round trip ${seconds(round_trip_ms)}`,
    `the shore's clock less this box's: ${seconds(clock_offset_ms)}`,
    ...CHAINS.map((chain) => `${chain}: ${aboard[chain]} links aboard, ${ashore[chain]} ashore`),
    `left to send: ${(backlog.bytes / 1e6).toFixed(1)} MB and ${backlog.hours} hours; about ` +
      `${times.join(", ")}`,
    ...(objects === null ? [] : [`objects: ${objects.server}: ${objects.problem ?? "takes them"}`]),
  ].join("\n");
}

const seconds = (ms: number) => `${(ms / SECOND_MS).toFixed(1)} s`;

function duration(line_s: number): string {
  const minutes = Math.ceil((line_s * SECOND_MS) / MINUTE_MS);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
