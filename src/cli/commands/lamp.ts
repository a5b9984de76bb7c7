// `ballastd lamp`: lists the present and former lamps, and records the engineer's statements about
// them and the number of spares. Statements override the readings; the audit log records all of
// them.

import { askInstance } from "../../app/instance.ts";
import { type LampsAnswer, lampsAnswer } from "../../bwts/lamps/answer.ts";
import { LampPlanAnswer, LampSparesBody } from "../../bwts/lamps/plan-answer.ts";
import { planText } from "../../bwts/lamps/plan-text.ts";
import { SPARES_MAX } from "../../bwts/lamps/plan-words.ts";
import {
  LampWordBody,
  lampWordOf,
  OF_THE_FITTED,
  positionOf,
  wordAnswer,
} from "../../bwts/lamps/word.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import type { Config } from "../../config/config.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { ownWords } from "../../ground/own-words.ts";
import { bounded } from "../../ground/quoted.ts";
import { lampPlanJson } from "../../sqlite/derived/lamp-plan.ts";
import { trackedLamps } from "../../sqlite/derived/lamps.ts";
import { lampSpares } from "../../sqlite/records/lamp-spares.ts";
import { printDocument, printResult } from "../document.ts";
import { configOf, readDatabase } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "list lamp lives, plan changes, state a replacement, count the spares";

export const help = `usage: ballastd lamp list [--json] [--config FILE]
       ballastd lamp replaced NN --at TIME [--hours H] [--serial S] [--note N] [--json]
                              [--config FILE]
       ballastd lamp same NN --at TIME [--note N] [--json] [--config FILE]
       ballastd lamp spares [N] [--json] [--config FILE]
       ballastd lamp plan [--json] [--config FILE]

replaced states that the lamp at position NN was replaced, same that it wasn't though it looked so.
Either overrides all that was recognised up to 48 hours around TIME; the later statement counts. On
a running instance forecasts follow at once.

spares prints the number of spare lamps aboard, or sets it to N as counted. Each replacement takes
one. plan prints which lamps to change and why, and how many to order.

  --at TIME       when, ISO 8601, UTC without a zone
  --hours H       hours of the fitted lamp (its counter)
  --serial S      serial number of the fitted lamp
  --note N        a remark
  --json          one JSON object: list prints the answer of GET /api/lamps, plan that of GET
                  /api/lamps/plan, others what is stored
  --config FILE   the configuration of the instance`;

const OPTIONS = {
  at: { type: "string" },
  hours: { type: "string" },
  serial: { type: "string" },
  note: { type: "string" },
} as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const [action, ...numbers] = positionals;
  const config = configOf(values);
  switch (action) {
    case "list":
      if (numbers.length > 0) throw wrongAction("lamp list", numbers.join(" "), "no more");
      refuse(values, action, OPTION_NAMES);
      return list(config, values.json);
    case "plan":
      if (numbers.length > 0) throw wrongAction("lamp plan", numbers.join(" "), "no more");
      refuse(values, action, OPTION_NAMES);
      return plan(config, values.json);
    case "spares":
      refuse(values, action, OPTION_NAMES);
      return spares(config, numbers, values.json);
    case "same":
      refuse(values, action, OF_THE_FITTED);
      return tell(config, { ...values, numbers, replaced: false });
    case "replaced":
      return tell(config, { ...values, numbers, replaced: true });
    default:
      throw wrongAction("lamp", action, "list, plan, replaced, same or spares");
  }
}

type OptionName = keyof typeof OPTIONS;

/**
 * Throws a Failure for the first option of `names` that was given to an action that doesn't take
 * it.
 */
function refuse(
  values: Readonly<Partial<Record<OptionName, string>>>,
  action: string,
  names: readonly OptionName[],
): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given === undefined) return;
  const owner = OWNERS[given];
  const problem = `lamp ${action} doesn't take it, expected it with ${owner}`;
  throw new Failure(EXIT.usage, `--${given} ${values[given]}: ${problem}`);
}

const OPTION_NAMES = ["at", "hours", "serial", "note"] as const;

const OWNERS: Readonly<Record<OptionName, string>> = {
  at: "lamp replaced or lamp same",
  hours: "lamp replaced",
  serial: "lamp replaced",
  note: "lamp replaced or lamp same",
};

interface LampOptions {
  readonly numbers: readonly string[];
  readonly replaced: boolean;
  readonly json: boolean;
  readonly at?: string;
  readonly hours?: string;
  readonly serial?: string;
  readonly note?: string;
}

async function tell(config: Config, told: LampOptions): Promise<void> {
  const [number, ...more] = told.numbers;
  const position = number === undefined || more.length > 0 ? null : positionOf(number);
  if (position === null)
    throw new Failure(
      EXIT.usage,
      `${["lamp", ...told.numbers].join(" ")}: expected one of 1 to 16`,
    );
  if (told.at === undefined) throw new Failure(EXIT.usage, "--at is missing, expected a time");
  const { at, replaced, serial, note } = told;
  const word = LampWordBody.safeParse(
    { at, replaced, hours: hoursIn(told), serial, note },
    { error: ownWords },
  );
  if (!word.success) {
    const [issue] = word.error.issues;
    const name = issue.path.join(".");
    const given = OPTION_NAMES.find((one) => one === name);
    const value = given === undefined ? "" : ` ${bounded(told[given] ?? "")}`;
    throw new Failure(EXIT.usage, `--${name}${value}: ${issue.message}`);
  }
  await askInstance(config, "lamp_word", { position, word: word.data }).catch(asOption);
  if (told.json) printDocument(wordAnswer(lampWordOf(position, word.data)));
  else process.stderr.write(`lamp ${position + 1}: noted\n`);
}

/**
 * The number of --hours, from plain digits only; NaN for any other text, such as "". Undefined
 * without the option.
 */
function hoursIn({ hours }: LampOptions): number | undefined {
  if (hours === undefined) return undefined;
  return /^\d+([.]\d+)?$/.test(hours) ? Number(hours) : Number.NaN;
}

/** Throws the error again; a refusal of the body's member `at` then names the option --at. */
function asOption(error: unknown): never {
  if (!(error instanceof Failure) || !/^at: /.test(error.message)) throw error;
  throw new Failure(error.exitCode, `--${error.message}`);
}

async function spares(config: Config, numbers: readonly string[], isJson: boolean): Promise<void> {
  const [number, ...more] = numbers;
  if (number === undefined) {
    const known = readDatabase(config, lampSpares);
    return printResult(isJson, { spares: known }, `${known ?? "never counted"}\n`);
  }
  const counted = /^\d+$/.test(number) ? Number(number) : Number.NaN;
  const body = LampSparesBody.safeParse({ spares: counted });
  if (!body.success || more.length > 0)
    throw new Failure(
      EXIT.usage,
      `${["lamp spares", ...numbers].join(" ")}: expected a whole number from 0 to ${SPARES_MAX}`,
    );
  await askInstance(config, "lamp_spares", body.data);
  if (isJson) printDocument(body.data);
  else process.stderr.write(`spare lamps aboard: ${counted}\n`);
}

function plan(config: Config, isJson: boolean): void {
  const json = readDatabase(config, (db) =>
    lampPlanJson(db, config, { ...config.lamps, now_ms: Date.now() }),
  );
  const answer = LampPlanAnswer.parse(JSON.parse(json));
  printResult(isJson, answer, planText(answer));
}

function list(config: Config, isJson: boolean): void {
  const state = readDatabase(config, (db) => trackedLamps(db, config));
  const answer = lampsAnswer(state, config.lamps);
  printResult(isJson, answer, textOf(answer, config.system.utc_offset));
}

type Lamps = ReturnType<typeof LampsAnswer.parse>;

function textOf({ lamps, counters, figures }: Lamps, offset: string): string {
  const lines = lamps.flatMap(({ lamp, present, past }) =>
    [...(present === null ? [] : [present]), ...past].map((life) =>
      [
        String(lamp).padStart(2, "0"),
        `${life.hours} h`,
        `${life.efficiency_percent ?? "?"} %`,
        `since ${withShipTime(life.began, offset)} (${life.began_by})`,
        life.ended === null
          ? (life.outcome ?? stateOf(life, offset))
          : `${life.outcome} ${withShipTime(life.ended, offset)}`,
        ...life.notes.map(({ code }) => code),
      ].join("  "),
    ),
  );
  const odd = [...(counters === null ? [] : [counters]), ...figures];
  return `${[...lines, ...odd.map(({ text }) => text)].join("\n")}\n`;
}

/**
 * State of a lamp as text. A lamp without light may be off on purpose, so it isn't called failed.
 */
function stateOf(
  { no_light_since: since }: NonNullable<Lamps["lamps"][0]["present"]>,
  offset: string,
) {
  return since === null ? "works" : `no light since ${withShipTime(since, offset)}`;
}
