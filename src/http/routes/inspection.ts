// The routes of the inspection sheet: anybody who may read may see it. Giving it out on paper marks
// verdicts and signs a head of the ledger, so it needs an engineer's token, and the audit log names
// the person.

import * as z from "zod";
import { Inspection } from "../../bwts/documents/inspection.ts";
import { readBody } from "../body.ts";
import { ask, JSON_TYPE, route } from "../route.ts";
import { clientOf } from "../turns.ts";

const PrintBody = z.strictObject({}).meta({ id: "InspectionPrint", example: {} });

/** The rows of the inspection sheet in the route table. */
export const INSPECTION_ROUTES = [
  route({
    path: "/api/inspection",
    operation: "getInspection",
    summary: "All that is on the inspection sheet: verdicts of 12 months, exceptions, trust",
    answer: Inspection,
    errors: [503],
    handle: (_asked, context) => ask(context, context.inspection.asked()),
  }),
  route({
    method: "POST",
    path: "/admin/inspection",
    group: "admin",
    access: "engineer",
    operation: "printInspection",
    summary: "The sheet to be printed: its verdicts are noted as given out, a head is signed",
    body: PrintBody,
    answer: Inspection,
    errors: [413, 415, 503],
    async handle(asked, context) {
      await readBody(PrintBody, asked, "an empty object");
      const bytes = await context.inspection.print(asked.by, clientOf(asked, context.warn));
      return { kind: "bytes", status: 200, type: JSON_TYPE, bytes, isFixed: true };
    },
  }),
];
