// `npm run bench -- --pages [NAME…]`: the dashboard's goals, measured on the built program in
// Chromium. Each file beside this one with a Group measures some rows (row.ts says what a row is)
// on a Stage (stage.ts: browser and programs); groups.ts lists the groups. To add rows: write a
// file that exports a Group, and name it in groups.ts. A group that throws is a fault of its own,
// and the others are measured all the same.

import os from "node:os";
import { EXIT, Failure, messageOf } from "../../../src/ground/errors.ts";
import { GROUPS, LONG_GROUPS } from "./groups.ts";
import { failures, type Group, isReached, type Row } from "./row.ts";
import { openStage, type StageOptions } from "./stage.ts";
import { printRows } from "./table.ts";

export interface PagesReport {
  readonly date: string;
  /** Load of the machine over the last minute, before the first row and after the last. */
  readonly load: readonly [number, number];
  readonly cores: number;
  readonly took_s: number;
  readonly rows: readonly (Row & { readonly group: string })[];
}

const ALL: readonly Group[] = [...GROUPS, ...LONG_GROUPS];

/** Lines for `--help`. */
export function groupLines(): string {
  return ALL.map(({ name, about }) => `    ${name.padEnd(12)}${about}`).join("\n");
}

/** The rows of the groups of those names, of all without any. */
export async function measurePages(
  names: readonly string[],
  options: StageOptions,
): Promise<PagesReport> {
  for (const name of names) if (!ALL.some((group) => group.name === name)) throw unknown(name);
  const began_ms = performance.now();
  const [before = 0] = os.loadavg();
  const rows: (Row & { readonly group: string })[] = [];
  await using stage = await openStage(options);
  const wanted = names.length === 0 ? GROUPS : ALL.filter(({ name }) => names.includes(name));
  for (const group of wanted) {
    const group_began_ms = performance.now();
    const found = await group.measure(stage).catch((error) => {
      options.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return [failures(`${group.name}: measured`, "failures", [messageOf(error)])];
    });
    rows.push(...found.map((row) => ({ group: group.name, ...row })));
    const took_s = Math.round((performance.now() - group_began_ms) / 1000);
    const missed = found.filter((row) => !isReached(row));
    options.say(`${group.name}: ${found.length} rows, ${missed.length} not reached, ${took_s} s`);
    for (const { what, measured, unit } of missed)
      options.say(`  not reached: ${what}: ${measured.toFixed(1)} ${unit}`);
  }
  return {
    date: new Date().toISOString(),
    load: [before, os.loadavg()[0] ?? 0],
    cores: os.cpus().length,
    took_s: Math.round((performance.now() - began_ms) / 1000),
    rows,
  };
}

export function printPages({ load, cores, took_s, rows }: PagesReport): string {
  const missed = rows.filter((row) => !isReached(row)).length;
  const [before, after] = load.map((one) => one.toFixed(1));
  return [
    printRows(rows),
    `${rows.length} rows, ${missed} not reached; ${took_s} s on ${cores} cores;`,
    `load of the machine ${before} before, ${after} after.`,
    "",
  ].join("\n");
}

/** True if a row of correctness isn't reached. */
export function hasFault({ rows }: PagesReport): boolean {
  return rows.some((row) => row.isHard && !isReached(row));
}

function unknown(name: string): Failure {
  const known = ALL.map((group) => group.name).join(", ");
  return new Failure(EXIT.usage, `--pages: got ${name}, expected some of ${known}`);
}
