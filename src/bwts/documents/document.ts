// THE TABLE OF DOCUMENTS: for each kind that a ship sends ashore its key and its body. The ship
// makes documents by these schemas; the views `fleet.now` and `fleet.hour` and the office read
// them. Values have no names, which would double the bytes on the link: they are in the catalogue's
// order, to which fields are only added at the end.

import * as z from "zod";
import { PredictionAnswer } from "../prediction.ts";
import { AlarmAnswer } from "../present/alarm.ts";
import { AGGREGATED, LAMP_COUNT } from "../tags.ts";
import { SYSTEM_VALUES } from "./system-values.ts";
import { VerdictDocument } from "./verdict-document.ts";

const count = z.number().int().min(0);
const at_ms = z.number().int();
const value = z.number().nullable();

const Head = z.tuple([count, z.string().length(44)]).meta({
  description: "number and hash, in base64, of a chain's newest link; 0 and zeros without one",
});

/** State of the ship as of now; key `now`. */
export const Report = z.object({
  at_ms: at_ms.meta({ description: "by the box's clock" }),
  data_ms: at_ms.nullable().meta({ description: "time of the newest reading" }),
  state: z.string().nullable().meta({ description: "PROCESS_STATE" }),
  operation_type: z.string().nullable(),
  location: z.string().nullable(),
  values: z.array(value).length(SYSTEM_VALUES.length),
  alarms: z.array(z.string()).meta({ description: "codes of the open alerts, 200 at most" }),
  health: value.meta({ description: "overall score" }),
  heads: z.object({ segment: Head, event: Head, audit: Head }),
  ashore: z.object({ segment: count, event: count, audit: count }).meta({
    description: "number of the newest link of each chain that the shore acknowledged",
  }),
  ledger: z
    .tuple([count, z.string().max(44), count, z.tuple([count, count, count, count])])
    .nullable()
    .default(null)
    .meta({
      description:
        "leaves, root in base64 and number of the newest signed head that the shore " +
        "acknowledged; the newest number of each kind of statement that it acknowledged: key, " +
        "head, verdict, given; null of an older box",
    }),
  hot: count.meta({ description: "readings that aren't sealed yet" }),
  backlog: z.object({ links: count, bytes: count, oldest_ms: at_ms.nullable() }),
  clock: z.object({ trusted: z.boolean(), offset_ms: value }).meta({
    description: "offset_ms: the shore's clock less the box's, as of the last hello",
  }),
  raw_from_ms: at_ms.meta({ description: "readings before it have expired aboard; 0: none" }),
  lamp_due: z
    .tuple([z.number().int().min(1).max(LAMP_COUNT), z.iso.date()])
    .nullable()
    .meta({
      description:
        "the lamp whose end is expected first, and its date; null while none is forecast",
    }),
  line: z
    .tuple([count, count, value])
    .nullable()
    .meta({
      description:
        "kB on the line since midnight UTC and the first of the month, both directions; minutes " +
        "left of the backlog; null of what came without a line",
    }),
});
export type Report = z.output<typeof Report>;

/** An hour of readings, as /api/telemetry/aggregated answers it; the key is start_ms. */
export const Hour = z.object({
  start_ms: at_ms,
  count: count.meta({ description: "readings in the hour" }),
  values: z.array(value).length(AGGREGATED.length),
  spans: z
    .array(z.tuple([z.string(), z.number(), z.number()]))
    .optional()
    .meta({
      description:
        "plausible spans by which values were believed, where they differ from the catalogue's: " +
        "field, lowest, highest; absent: every value was believed",
    }),
});
export type Hour = z.output<typeof Hour>;

/** A signed head of the ledger; the key is its checkpoint's SHA-256. It never changes. */
export const HeadDocument = z.object({
  checkpoint: z.string(),
  at_ms: at_ms.meta({ description: "by the box's clock" }),
  reason: z.string(),
  after: z.string().length(64).nullable().meta({
    description: "the key of the head before, if this one's tree grew from that one's",
  }),
  leaves: z
    .string()
    .nullable()
    .meta({
      description:
        "kinds of the leaves since that head, in their order, as `audit 3 event 1`; null if they " +
        "aren't known any more",
    }),
});
export type HeadDocument = z.output<typeof HeadDocument>;

/** A statement of the ledger; the key is the text of its leaf. It never changes. */
export const StatementDocument = z.object({ content: z.string() });
export type StatementDocument = z.output<typeof StatementDocument>;

/** Bodies by kind. Keys: of alarms the id, of forecasts the component. */
export const DOCUMENTS = {
  report: Report,
  hour: Hour,
  alarm: AlarmAnswer,
  forecast: PredictionAnswer,
  head: HeadDocument,
  statement: StatementDocument,
  verdict: VerdictDocument,
  answer: z.object({ sent: count.meta({ description: "payloads that a request brought" }) }).meta({
    description: "closes the request whose id is the key",
  }),
} as const;
export type DocumentKind = keyof typeof DOCUMENTS;
