// The routes about quarantined messages. A reader lists them; the writer takes one in again,
// unchanged or corrected. The entry keeps the original.

import * as z from "zod";
import { REASONS } from "../../bwts/message.ts";
import {
  QuarantineContent,
  QuarantinePage,
  ReplayAllAnswer,
  ReplayAllBody,
  ReplayAnswer,
  ReplayBody,
  SetAside,
} from "../../bwts/quarantine.ts";
import { SECOND_MS } from "../../ground/clock.ts";
import { quoted } from "../../ground/quoted.ts";
import { EVER } from "../../sqlite/file/query.ts";
import { readBody } from "../body.ts";
import { dates, digitsParameter, limitParameter, oneOfParameter, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, json, route } from "../route.ts";

const engineers = { group: "admin", access: "engineer" } as const;

/** The rows of the quarantine in the route table. */
export const QUARANTINE_ROUTES = [
  route({
    path: "/api/quarantine",
    operation: "countQuarantine",
    summary: "How many messages were set aside by ballastd's clock, for each reason",
    query: dates,
    answer: z.array(SetAside),
    ask: (given) => ({ name: "set_aside", range: rangeOf(given) }),
  }),
  route({
    ...engineers,
    path: "/admin/quarantine",
    operation: "listQuarantine",
    summary: "Messages set aside, newest first, without their payloads",
    query: {
      limit: limitParameter(100),
      before: digitsParameter({
        ...{ min: 1, max: Number.MAX_SAFE_INTEGER },
        about: "only entries with a smaller number",
      }).optional(),
      reason: oneOfParameter(REASONS, "only entries of this reason"),
    },
    answer: QuarantinePage,
    ask: ({ limit, before = null, reason = null }) => ({
      ...{ name: "quarantine", limit, before, reason },
    }),
  }),
  route({
    ...engineers,
    path: "/admin/quarantine/{id}",
    operation: "getQuarantined",
    summary: "A message set aside, with its payload as text and base64",
    answer: QuarantineContent,
    errors: [404, 503],
    handle: ({ path }, context) =>
      ask(context, { name: "quarantine_entry", id: idIn(path) }, noEntry(path)),
  }),
  route({
    ...engineers,
    method: "POST",
    path: "/admin/quarantine/replay",
    operation: "replayQuarantine",
    summary: "Takes in all messages of a reason that wait, with their times shifted",
    body: ReplayAllBody,
    answer: ReplayAllAnswer,
    errors: [413, 415, 503],
    async handle(asked, context) {
      const said = await readBody(ReplayAllBody, asked, "an object with reason and shift_seconds");
      const { reason, shift_seconds = 0, dry_run = false } = said;
      const shift_ms = Math.round(shift_seconds * SECOND_MS);
      const found = { entries: 0, stored: 0, left: 0 };
      for (let after_id = 0; ; ) {
        const order = { ids: null, reason, received: EVER, shift_ms, after_id, isTrial: dry_run };
        const page = await context.write("replay", order, asked.by);
        for (const { stored, left } of page) {
          found.entries += 1;
          found.stored += stored;
          found.left += left === null ? 0 : 1;
        }
        const last = page.at(-1);
        if (last === undefined) return json({ ...found, dry_run });
        after_id = last.id;
      }
    },
  }),
  route({
    ...engineers,
    method: "POST",
    path: "/admin/quarantine/{id}/replay",
    operation: "replayQuarantined",
    summary: "Takes a message in again, as it came or corrected, with its times shifted",
    body: ReplayBody,
    answer: ReplayAnswer,
    errors: [404, 413, 415, 503],
    async handle(asked, context) {
      const id = idIn(asked.path);
      const said = await readBody(ReplayBody, asked, "an object with payload or shift_seconds");
      const { payload, shift_seconds = 0, dry_run = false } = said;
      const [replayed] = await context.write(
        "replay",
        {
          ...{ ids: [id], reason: null, received: EVER, after_id: 0, isTrial: dry_run },
          shift_ms: Math.round(shift_seconds * SECOND_MS),
          payload_base64:
            payload === undefined ? undefined : Buffer.from(payload).toString("base64"),
        },
        asked.by,
      );
      if (replayed === undefined) throw new Refusal(404, noEntry(asked.path));
      const { stored, left, detail } = replayed;
      return json({ id, stored, left, detail, dry_run });
    },
  }),
];

/** The id in /admin/quarantine/{id}/...; 0, which no entry has, for a text that is no id. */
function idIn(path: string): number {
  const text = path.split("/")[3] ?? "";
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
}

function noEntry(path: string): string {
  const id = path.split("/")[3] ?? "";
  return `entry ${quoted(id)}: there is none, expected an id of the list`;
}
