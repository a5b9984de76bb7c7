// `ballastd support`: puts everything that a person ashore needs to find a fault into one file for
// a stick or a mail, a ZIP archive that every desktop opens. It contains no secret, no reading and
// no payload. A running instance starts this command for GET /admin/support.

import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { zipSync } from "fflate";
import { askReport } from "../../app/control/client.ts";
import { check } from "../../app/recovery/check.ts";
import { shownConfig } from "../../app/shown-config.ts";
import { loadConfig } from "../../config/load.ts";
import { type Build, readBuild } from "../../ground/assets.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure, messageOf } from "../../ground/errors.ts";
import { schemaLines } from "../../sqlite/file/migrate.ts";
import { databaseFile, openReader, sqliteVersion } from "../../sqlite/file/open.ts";
import { printResult } from "../document.ts";
import { readLine } from "../options.ts";
import { refuseOverwriting, STDOUT, writeFile } from "../output-file.ts";
import { findingLine } from "./check.ts";

export const summary = "collect data for finding a fault in one ZIP file";

export const help = `usage: ballastd support OUT.zip [--force] [--json] [--config FILE]
       ballastd support - [--config FILE]

Collects versions, the findings of check, the configuration without secrets, the schema, and of a
running instance its metrics, readiness, last log lines and last errors. It works even if nothing
else does. The file contains no secret, no reading and no payload, but the ship's name and its
addresses. With - it goes to the standard output.

  --force         overwrite OUT.zip
  --json          one JSON object: file, and the names of its contents
  --config FILE   the configuration of the instance`;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, {
    force: { type: "boolean", default: false },
  });
  const [output, ...more] = positionals;
  if (output === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `support: got ${positionals.length} names, expected OUT.zip`);
  if (output === STDOUT && values.json)
    throw new Failure(EXIT.usage, "support: got - and --json, expected one of them");
  refuseOverwriting(output, values);
  const file = values.config ?? null;
  const now_ms = Date.now();
  const files = await collected(file, now_ms);
  const bytes = zipOf(files, now_ms);
  if (output === STDOUT) {
    await pipeline(Readable.from([bytes]), process.stdout, { end: false });
    return;
  }
  await writeFile(output, async ({ handle }) => writeFileSync(handle, bytes), 0o600);
  const names = [...files.keys()];
  printResult(values.json, { file: output, contents: names }, `${output}: ${names.join(", ")}`);
}

async function collected(
  file: string | null,
  now_ms: number,
): Promise<ReadonlyMap<string, string>> {
  const build = readBuild();
  const options = { file, env: process.env, build, isThorough: false };
  const findings = await check(options);
  return new Map([
    ["versions.txt", versions(build, now_ms)],
    ["check.txt", lines(findings.map(findingLine))],
    ["config.txt", told(() => configText(file))],
    ["schema.sql", told(() => schemaText(file))],
    ...(await running(file)),
  ]);
}

// The text of a part; if it fails, the reason in its place: the other parts are needed all the
// more.
function told(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return `not to be had: ${messageOf(error)}\n`;
  }
}

function versions({ version, commit, built_ms }: Build, now_ms: number): string {
  const { platform, arch, versions, uptime } = process;
  return lines([
    `ballastd ${version} (commit ${commit}, of ${printTime(built_ms)})`,
    `Node ${versions.node}, SQLite ${sqliteVersion()}, ${platform} ${arch}`,
    `collected ${printTime(now_ms)}, within ${uptime().toFixed(1)} s`,
  ]);
}

function configText(file: string | null): string {
  const keys = shownConfig(loadConfig({ file, env: process.env }));
  return lines(
    keys.map(({ key, value, origin }) => `${key} = ${JSON.stringify(value)}  # ${origin}`),
  );
}

function schemaText(file: string | null): string {
  const { config } = loadConfig({ file, env: process.env });
  const db = openReader(databaseFile(config.storage.dir));
  try {
    return lines(schemaLines(db));
  } finally {
    db.close();
  }
}

async function running(file: string | null): Promise<readonly [string, string][]> {
  try {
    const { config } = loadConfig({ file, env: process.env });
    const report = await askReport(config.storage.dir);
    if (report === null) return [["running.txt", "no instance runs\n"]];
    const { metrics, log, problems, ...rest } = report;
    return [
      ["running.txt", `${JSON.stringify(rest, null, 2)}\n`],
      ["metrics.txt", metrics],
      ["log.ndjson", lines(log)],
      ["errors.ndjson", lines(problems)],
    ];
  } catch (error) {
    return [["running.txt", `not to be had: ${messageOf(error)}\n`]];
  }
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

/** Range of times in a ZIP archive, so that a box with a wrong clock can make one too. */
const FIRST_MS = Date.UTC(1980, 0, 2);
const LAST_MS = Date.UTC(2099, 11, 30);

/** The archive of `files`, by name; their time is `at_ms`, or the nearest that ZIP can express. */
export function zipOf(files: ReadonlyMap<string, string>, at_ms: number): Uint8Array {
  const entries = [...files].map(([name, text]) => [name, Buffer.from(text)] as const);
  const mtime = Math.min(Math.max(at_ms, FIRST_MS), LAST_MS);
  return zipSync(Object.fromEntries(entries), { mtime });
}
