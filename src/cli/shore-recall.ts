// `ballastd shore recall`: fetches from the office the readings that this box lost when it was
// restored from a backup, and stores them as `ballastd import` does.

import { readBuild } from "../ground/assets.ts";
import { EXIT } from "../ground/errors.ts";
import { openLog } from "../ground/log.ts";
import { recalled } from "../shore/recall.ts";
import { columnsNamed, ndjsonLine } from "../sqlite/exchange/export-columns.ts";
import type { Block } from "../sqlite/sealed/block.ts";
import { escaped, printResult } from "./document.ts";
import { type Importer, openImporter } from "./importer.ts";
import { configOf, withDatabase } from "./instance-data.ts";
import type { ShoreOptions } from "./shore-trial.ts";

export async function recall({ json, ...given }: ShoreOptions): Promise<void> {
  const config = configOf(given);
  const { dir } = config.storage;
  const total = { segments: 0, without_readings: 0, stored: 0, same: 0, refused: 0 };
  const problems: string[] = [];
  await withDatabase(config, async (db) => {
    const tried = { dir, version: readBuild().version, db };
    let importer: Importer | null = null;
    try {
      for await (const lost of recalled(config.shore, tried)) {
        if ("problem" in lost) {
          note(problems, `segment ${lost.number}: ${lost.problem}`);
          continue;
        }
        total.segments += 1;
        total.without_readings += lost.readings === null ? 1 : 0;
        if (lost.readings === null) continue;
        importer ??= await openImporter(config, openLog(config.log.level), "shore recall");
        await store(lost.readings, { number: lost.number, importer, total, problems });
      }
    } finally {
      await importer?.close(total);
    }
  });
  printResult(json, { ...total, problems }, textOf(total, problems));
  if (problems.length > 0) process.exitCode = EXIT.failed;
}

interface RecallCounts {
  readonly segments: number;
  readonly without_readings: number;
  stored: number;
  same: number;
  refused: number;
}

interface RecallParts {
  readonly number: number;
  readonly importer: Importer;
  readonly total: RecallCounts;
  readonly problems: string[];
}

const BATCH = 500;

async function store(
  block: Block,
  { number, importer, total, problems }: RecallParts,
): Promise<void> {
  const columns = columnsNamed(null);
  for (let begin = 0; begin < block.count; begin += BATCH) {
    const length = Math.min(BATCH, block.count - begin);
    const records = Array.from({ length }, (_, place) => ({
      line: begin + place + 1,
      json: ndjsonLine(block.reading(begin + place), columns),
    }));
    const { stored, same, refused } = await importer.store(records);
    total.stored += stored;
    total.same += same;
    total.refused += refused.length;
    for (const { line, problem } of refused)
      note(problems, `segment ${number}, reading ${line}: ${problem}`);
  }
}

/** Maximum number of problems listed. */
const NAMED_MAX = 10;

function note(problems: string[], problem: string): void {
  if (problems.length < NAMED_MAX) problems.push(problem);
}

function textOf(total: RecallCounts, problems: readonly string[]): string {
  const { segments, without_readings, stored, same, refused } = total;
  if (segments === 0 && problems.length === 0) return "the shore has nothing that this box lost";
  return [
    ...problems.map(escaped),
    `${segments} lost segments, ${without_readings} of them without readings ashore: stored ` +
      `${stored} readings, ${same} were there already, ${refused} were refused`,
  ].join("\n");
}
