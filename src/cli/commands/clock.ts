// `ballastd clock`: declares times of receipt as wrong. Readings received while the box's clock was
// years ahead would keep the clock untrusted for those years.

import { askInstance } from "../../app/instance.ts";
import { withShipTime } from "../../bwts/ship-time.ts";
import { printTime } from "../../ground/clock.ts";
import { EXIT, Failure } from "../../ground/errors.ts";
import { listDisowned } from "../../sqlite/records/clock-trust.ts";
import { REASON_MAX } from "../../sqlite/threads/writer-commands.ts";
import { escaped, printListDocument, printResult } from "../document.ts";
import { configOf, readDatabase, writeList } from "../instance-data.ts";
import { readLine, wrongAction } from "../options.ts";

export const summary = "declare times of receipt as wrong, so that the clock is trusted again";

export const help = `usage: ballastd clock disown --reason TEXT [--json] [--config FILE]
       ballastd clock list [--json] [--config FILE]

The box's clock isn't trusted while it is earlier than the newest receipt on disk. If readings were
received while it was years ahead, and it is right now, disown declares receipts later than now as
wrong: they no longer count. No stored data is changed or deleted, the audit log gets an entry, and
the instance may be running or stopped. ballastd does this by itself once the PLC's clock, or its
own running time, has agreed with the box's clock for ten minutes. For readings that are themselves
dated ahead, see ballastd void --help.

  --reason TEXT   the reason, for the audit log
  --json          a JSON object, of list a list of objects
  --config FILE   the configuration of the instance`;

const OPTIONS = {
  reason: { type: "string" },
} as const;

interface ClockOptions {
  readonly json: boolean;
  readonly config?: string;
}

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = readLine(args, OPTIONS);
  const { reason, ...given } = values;
  const action = positionals.join(" ");
  switch (action) {
    case "disown":
      return disown(given, reason ?? "");
    case "list":
      if (reason !== undefined)
        throw new Failure(EXIT.usage, "clock list --reason: isn't an option of it");
      return list(given);
    default:
      throw wrongAction("clock", action, "disown or list");
  }
}

async function disown({ json, ...given }: ClockOptions, reason: string): Promise<void> {
  if (reason.trim() === "" || reason.length > REASON_MAX)
    throw new Failure(
      EXIT.usage,
      `--reason: got ${reason.length} characters, expected a text of up to ${REASON_MAX}`,
    );
  const config = configOf(given);
  const range = await askInstance(config, "disown", { reason });
  const at = (printed: string) => withShipTime(printed, config.system.utc_offset);
  const text = `what was received from ${at(range.from)} to ${at(range.to)} is disowned`;
  printResult(json, range, text);
}

function list({ json, ...given }: ClockOptions): void {
  const config = configOf(given);
  const rows = readDatabase(config, listDisowned).map((stored) => ({
    from: printTime(stored.start_ms),
    to: printTime(stored.end_ms),
    made: printTime(stored.made_ms),
    reason: stored.reason,
  }));
  if (json) {
    printListDocument(rows);
    return;
  }
  const at = (printed: string) => withShipTime(printed, config.system.utc_offset);
  const lines = rows.map(
    (row) => `${at(row.from)} to ${at(row.to)}; made ${at(row.made)}: ${escaped(row.reason)}`,
  );
  writeList(lines, "nothing is disowned");
}
