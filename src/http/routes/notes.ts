// The routes about notes and handovers, and about the changes listed at a handover. Readers list
// them; the writer appends notes and handovers to the audit log, once for each key, in the name of
// the token.

import * as z from "zod";
import { ChangeAnswer } from "../../bwts/audit.ts";
import {
  HandoverAnswer,
  HandoverBody,
  NoteAnswer,
  NoteBody,
  noteTimeProblem,
  type WrittenOutcome,
} from "../../bwts/note.ts";
import { reason } from "../../ground/reasons.ts";
import { readBody } from "../body.ts";
import { dates, limitParameter, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { json, type Reply, route } from "../route.ts";

const newest = { limit: limitParameter(100), ...dates };

const Written = z
  .object({ id: z.number().int().meta({ description: "the number of its entry" }) })
  .meta({ id: "WrittenEntry", example: { id: 41 } });

const ACT = {
  method: "POST",
  group: "admin",
  access: "engineer",
  answer: Written,
  errors: [404, 409, 413, 415, 503],
} as const;

/** The rows of notes in the route table. */
export const NOTE_ROUTES = [
  route({
    path: "/api/notes",
    operation: "listNotes",
    summary: "Notes that touch a range, the latest moment first, with those that were corrected",
    query: newest,
    answer: z.array(NoteAnswer),
    ask: ({ limit, ...given }) => ({ name: "notes", range: rangeOf(given), limit }),
  }),
  route({
    path: "/api/handovers",
    operation: "listHandovers",
    summary: "Watches that were handed over, newest first, with those that were corrected",
    query: newest,
    answer: z.array(HandoverAnswer),
    ask: ({ limit, ...given }) => ({ name: "handovers", range: rangeOf(given), limit }),
  }),
  route({
    path: "/api/changes",
    operation: "listChanges",
    summary: "Starts of ballastd, changed limits, spare lamps and hidden readings, newest first",
    query: newest,
    answer: z.array(ChangeAnswer),
    ask: ({ limit, ...given }) => ({ name: "changes", range: rangeOf(given), limit }),
  }),
  route({
    ...ACT,
    path: "/admin/notes",
    operation: "writeNote",
    summary: "Writes a note on a moment or a range, or one that corrects another; once for a key",
    body: NoteBody,
    async handle(asked, context) {
      const said = await readBody(NoteBody, asked, "an object with from, text and key");
      const { now, trusted } = context.clock();
      // A wrong clock aboard must not prevent notes.
      const now_ms = trusted ? Date.parse(now) : Number.POSITIVE_INFINITY;
      const problem = noteTimeProblem(said, now_ms);
      if (problem !== null) throw problem;
      return written(said, await context.write("write_note", { said }, asked.by));
    },
  }),
  route({
    ...ACT,
    path: "/admin/handovers",
    operation: "writeHandover",
    summary: "Writes that a watch was handed over, or corrects it; once for a key",
    body: HandoverBody,
    async handle(asked, context) {
      const expected = "an object with handed_over_by, taken_over_by and key";
      const said = await readBody(HandoverBody, asked, expected);
      return written(said, await context.write("hand_over", { said }, asked.by));
    },
  }),
];

function written({ corrects, key }: NoteBody | HandoverBody, outcome: WrittenOutcome): Reply {
  const id = corrects ?? 0;
  switch (outcome.outcome) {
    case "done":
      return json({ id: outcome.id });
    case "unknown":
      throw new Refusal(404, `corrects: ${corrects} was given, expected an id of the list`, {}, [
        reason("entry_absent", { id }),
      ]);
    case "corrected":
      throw new Refusal(
        409,
        `corrects: ${corrects} was corrected already, correct the later one`,
        {},
        [reason("entry_corrected", { id })],
      );
    case "key_used":
      throw new Refusal(
        409,
        `key: another text was stored under "${key}", expected a new key`,
        {},
        [reason("entry_stored", {})],
      );
  }
}
