// The rows of the inspection sheet: to read it, and to give it out on paper, which marks verdicts
// and signs a head of the ledger. An officer's print must not wait for a token: whoever may read
// may print, and what strangers' prints can add to the disk is bounded (app/inspection/).

import * as z from "zod";
import { Inspection } from "../../bwts/inspection/inspection.ts";
import { readBody } from "../body.ts";
import { ask, JSON_TYPE, route } from "../route.ts";
import { clientOf } from "../turns.ts";

const PATH = "/api/inspection";
const PrintBody = z.strictObject({}).meta({ id: "InspectionPrint", example: {} });

/** Spread into the table. */
export const INSPECTION_ROUTES = [
  route({
    path: PATH,
    operation: "getInspection",
    summary: "All that is on the inspection sheet: verdicts of 12 months, exceptions, trust",
    answer: Inspection,
    errors: [503],
    handle: (_asked, context) => ask(context, context.inspection.asked()),
  }),
  route({
    method: "POST",
    path: PATH,
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
