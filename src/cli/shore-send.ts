// `ballastd shore send`: asks the running instance to send the readings of a range before others.
// The command only asks, since the instance keeps the connection, the window and the budget.

import { sendAshore } from "../app/control/client.ts";
import { EXIT, Failure } from "../ground/errors.ts";
import { printResult } from "./document.ts";
import { configOf } from "./instance-data.ts";
import { readOptions, readRange } from "./options.ts";

export async function send(args: readonly string[]): Promise<void> {
  const { from, to, ...values } = readOptions(args, {
    from: { type: "string" },
    to: { type: "string" },
  });
  if (from === undefined && to === undefined)
    throw new Failure(EXIT.usage, "shore send: expected --from TIME, --to TIME or both");
  const range = readRange(from, to);
  const { storage } = configOf(values);
  const told = await sendAshore(storage.dir, range);
  if (told === null)
    throw new Failure(EXIT.unavailable, "no instance runs; ballastd shore bundle needs none");
  const when = told.state === "connected" ? "now" : "when the shore is reached";
  const text =
    told.segments === 0
      ? "no sealed readings are of these times; the newest are sealed within 24 h"
      : `${told.segments} segments are of these times: those that the shore lacks go ${when}`;
  printResult(values.json, told, text);
}
