// The routes about operations: each judged from its start to its stop, with the versions of its
// verdict. A reader answers; a running operation is judged as of now.

import * as z from "zod";
import { Operation } from "../../bwts/operations/operation.ts";
import { OPERATION_VERDICTS } from "../../bwts/operations/operation-words.ts";
import { quoted } from "../../ground/quoted.ts";
import { dates, limitParameter, oneOfParameter, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, route } from "../route.ts";

/** Maximum length of a type or a place in a query, in characters. */
const WORD_MAX = 200;

const word = (description: string, example: string) =>
  z
    .string()
    .min(1, `expected 1 to ${WORD_MAX} characters`)
    .max(WORD_MAX, `expected 1 to ${WORD_MAX} characters`)
    .optional()
    .meta({ description, examples: [example] });

/** The rows of operations in the route table. */
export const OPERATION_ROUTES = [
  route({
    path: "/api/operations",
    operation: "listOperations",
    summary: "Operations that touch a range, newest first, each with its verdict and its reasons",
    query: {
      limit: limitParameter(100),
      ...dates,
      type: word("only of this type, BALLAST, DEBALLAST, CIP, or as it was sent", "BALLAST"),
      location: word("only at this place", "Busan"),
      verdict: oneOfParameter(OPERATION_VERDICTS, "only with this verdict"),
    },
    answer: z.array(Operation),
    ask: ({ limit, type = null, location = null, verdict = null, ...given }) => ({
      ...{ name: "operations", range: rangeOf(given), limit },
      ...{ operation_type: type, location, verdict },
    }),
  }),
  route({
    path: "/api/operations/{id}",
    operation: "getOperation",
    summary: "One operation, with all versions of its verdict",
    answer: Operation,
    errors: [404, 503],
    handle(asked, context) {
      const name = asked.path.split("/")[3] ?? "";
      const absent = `operation ${quoted(name)}: there is none, see /api/operations`;
      if (!/^[1-9]\d{0,11}$/.test(name)) throw new Refusal(404, absent);
      return ask(context, { name: "operation", id: Number(name) }, absent);
    },
  }),
];
