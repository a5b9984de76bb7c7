// `ballastd operations`: lists the operations with their verdicts, or shows one with all its data,
// in lines for a terminal of 80 columns.

import { operationText } from "../../bwts/documents/operation-text.ts";
import { OPERATION_VERDICTS } from "../../bwts/operations/operation-words.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { shownOperation, shownOperations } from "../../sqlite/answers/operations.ts";
import { notedFailure } from "../../sqlite/file/damage.ts";
import { printListDocument, printResult } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { operationRows } from "../operation-rows.ts";
import { optionWord, readLine, readRange } from "../options.ts";

export const summary = "show operations with their verdicts and reasons";

export const help = `usage: ballastd operations [options]
       ballastd operations ID [--json] [--config FILE]

Shows the operations of a range, the newest first, each with its verdict: within limits, outside
limits, or can't tell. With the number of one, all that is known of it: reasons with their
intervals, volumes, limits in force at the time, and every version of the verdict. Times are UTC;
an end such as 04:30+1 is of the next day.
The instance may be running or stopped. ballastd is no record book.

  --from TIME        first instant, ISO 8601, UTC unless it has a zone (the oldest)
  --to TIME          last instant, included; a date alone means its end (the newest)
  --type TYPE        only BALLAST, DEBALLAST, CIP, or as the treatment system sent it
  --place PLACE      only at this place
  --verdict VERDICT  only ${OPERATION_VERDICTS.join(", ")}
  --json             JSON, as GET /api/operations has it
  --config FILE      the configuration of the instance

Examples:
  ballastd operations --from 2026-05-01
  ballastd operations --verdict outside_limits
  ballastd operations 12`;

const OPTIONS = {
  from: { type: "string" },
  to: { type: "string" },
  type: { type: "string" },
  place: { type: "string" },
  verdict: { type: "string" },
} as const;

/** Maximum number of operations in a list. */
const LISTED_MAX = 1000;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const [id, ...more] = positionals;
  if (more.length > 0)
    throw new Failure(EXIT.usage, `operations ${positionals.join(" ")}: expected one ID at most`);
  if (id !== undefined) return one(id, values);
  const { type = null, place = null } = values;
  const verdict = optionWord("--verdict", values.verdict, OPERATION_VERDICTS);
  const range = readRange(values.from, values.to);
  const config = configOf(values);
  const asked = { range, operation_type: type, location: place, verdict, limit: LISTED_MAX };
  const { operations, failure } = readDatabase(config, (db) => {
    const shown = [...shownOperations(db, asked, config.limits)];
    return { operations: shown, failure: notedFailure(db) };
  });
  if (values.json) printListDocument(operations);
  else writeList(operationRows(operations), "no operation in this range");
  // The list is complete, with a note in place of each damaged part.
  if (failure !== null) throw failure;
}

type ListChoices = ReturnType<typeof readLine<typeof OPTIONS>>["values"];

function one(id: string, values: ListChoices): void {
  const odd = Object.entries(values).find(
    ([name, value]) => Object.hasOwn(OPTIONS, name) && value !== undefined,
  );
  if (odd !== undefined)
    throw new Failure(EXIT.usage, `operations ${id} --${odd[0]}: expected no choice with an ID`);
  if (!/^[1-9]\d{0,11}$/.test(id))
    throw new Failure(EXIT.usage, `operations ${id}: expected a number from 1`);
  const config = configOf(values);
  const found = readDatabase(config, (db) => shownOperation(db, Number(id), config.limits));
  if (found === null)
    throw new Failure(EXIT.failed, `operation ${id}: there is none, see ballastd operations`);
  printResult(values.json, found, operationText(found));
}
