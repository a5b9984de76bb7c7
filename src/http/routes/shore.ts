// The route about the link to the office. Addresses and the instance number are shown only to
// clients with a token.

import { ACTORS } from "../../bwts/audit.ts";
import { ShoreAnswer, shoreToStrangers } from "../../bwts/documents/shore-answer.ts";
import { ReadersBusy } from "../../sqlite/file/query.ts";
import { json, route } from "../route.ts";

export const SHORE_ROUTE = route({
  path: "/api/shore",
  operation: "getShore",
  summary: "The link to the shore: state, backlog, what it used, what the shore refuses",
  answer: ShoreAnswer,
  errors: [503],
  async handle({ by }, context) {
    const told = await context.shore();
    if (told === null) throw new ReadersBusy("the database is being opened");
    return json(by.actor === ACTORS.stranger ? shoreToStrangers(told) : told);
  },
});
