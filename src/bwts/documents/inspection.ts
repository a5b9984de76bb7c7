// The inspection sheet as /api/inspection answers it: one page for the port State's officer, the
// most urgent first. The page, the command and any other printout are made from it. Sentences are
// in English, which the officer reads. A fact that isn't known is null: a box on paper.

import * as z from "zod";
import { Operation } from "../operations/operation.ts";
import { OPERATION_VERDICTS, OPERATION_VOLUME_SOURCES } from "../operations/operation-words.ts";
import { INSPECTION_EXAMPLE } from "./sheet-example.ts";

const time = z.iso.datetime();
const text = z.string().nullable();
const number = z.number().nullable();
const count = z.number().int().min(0);
const about = (description: string) => ({ description });
const boxed = (description: string) => text.meta(about(`${description}; null: not configured`));
const verdict = z.enum(OPERATION_VERDICTS).nullable();

/** The ship and its treatment system, as they are configured. */
const Ship = z.object({
  vessel: boxed("the ship's name"),
  imo: boxed("its IMO number"),
  system_id: z.string(),
  system_type: boxed("maker and type of the treatment system"),
  serial: boxed("its serial number"),
  certificate: boxed("number of its type approval certificate"),
  capacity_m3_h: number.meta(about("its treatment rated capacity; null: not configured")),
});
export type InspectedShip = z.output<typeof Ship>;

const OperationLine = z.object({
  id: z.number().int(),
  operation_type: text,
  location: text,
  start: time,
  end: time.nullable().meta(about("null while it runs")),
  volume_m3: number,
  volume_source: z.enum(OPERATION_VOLUME_SOURCES).nullable(),
  uv_min_w_m2: number,
  uv_limit_w_m2: number.meta(about("in force at the time, of its mode")),
  mode: z.enum(["IMO", "USCG"]).nullable(),
  verdict: verdict.meta(about("null while it runs, and until it is judged")),
  verdict_with_hidden: verdict.meta(about("as if no void hid any reading; null without a void")),
  not_recorded: Operation.shape.not_recorded,
  version: count.meta(about("of the verdict; above 1 it superseded another one")),
  given_out: time.nullable().meta(about("when this version left the ship first; null: never")),
  remarks: Operation.shape.remarks,
});
export type OperationLine = z.output<typeof OperationLine>;

const ExceptionLine = z.object({
  operation_id: z.number().int(),
  given_out: time.nullable(),
  operation_type: text,
  location: text,
  verdict,
  what: z
    .string()
    .meta(about("the rules that were broken or couldn't be judged, and for how long")),
  start: time.meta(about("of the first of its intervals")),
  end: time.meta(about("of the last")),
  volume_m3: number.meta(about("in these intervals")),
  evidence: z.string(),
  record_book: z.string().meta(about("the entries that it asks for")),
});
export type ExceptionLine = z.output<typeof ExceptionLine>;

const Trace = z.object({
  uptake: OperationLine,
  discharge: OperationLine,
  difference_percent: z.number().meta(about("of the discharged volume against the taken one")),
  alerts: z.array(z.string()).meta(about("codes of the alerts in both")),
  basis: z.string().meta(about("how the two were paired")),
});
export type Trace = z.output<typeof Trace>;

const Malfunction = z.object({
  code: z.string(),
  source: z.enum(["ballastd", "plc"]),
  since: time,
});

const OfficerQuestion = z.object({
  question: z.string(),
  answer: text.meta(about("from the data; null: the crew fills it in")),
});
export type OfficerQuestion = z.output<typeof OfficerQuestion>;

const Clock = z.object({
  problem: text.meta(about("why the box's clock isn't trusted; null: it is")),
  steps: count.meta(about("times that a clock was set in the period")),
  last_step: time.nullable(),
});

const Void = z.object({
  id: z.number().int(),
  start: time,
  end: time,
  reason: z.string(),
  undone: z.boolean().meta(about("it hides nothing any more")),
});

const GivenHead = z.object({
  reason: z.string(),
  at: time,
  size: count,
  in_tree: z.boolean(),
});

const Head = z.object({
  origin: z.string(),
  size: count,
  root: z.string(),
  signed: time,
  reason: z.string(),
  checkpoint: z.string().meta(about("the signed text, which the QR code holds")),
  fingerprint: z.string().meta(about("SHA-256 of the key that signed, as ssh-keygen -l prints it")),
  verifier_key: z.string(),
  qr: z.array(z.string()).meta(about("rows of the code, 1 for a dark module, without a border")),
});

const Trust = z.object({
  clock: Clock,
  gap_seconds: z.number().meta(about("without readings, in operations of the period")),
  operation_seconds: z.number().meta(about("that the operations of the period lasted")),
  replaced: z
    .array(
      z.object({
        at: time,
        reason: z.string(),
        lost_size: z.number().int().nullable().meta(about("leaves of a signed head that is lost")),
      }),
    )
    .meta(about("when the stored data wasn't the one signed here before, newest first")),
  voids: z.array(Void).meta(about("those that touch the period, newest first")),
  verified: z
    .object({ at: time, result: z.string() })
    .nullable()
    .meta(about("the last proof of all that is stored; null before one with data to prove")),
  head: Head.nullable().meta(about("null before the first is signed")),
  given_out: z.object({
    count: count.meta(about("heads that left the ship before")),
    compared: count.meta(about("of these, the newest ones, which were compared with this tree")),
    in_tree: count.meta(about("of the compared ones, those that this tree grew from")),
    last_print: time.nullable().meta(about("when the newest printed head was signed")),
    newest: z.array(GivenHead),
  }),
  sentences: z.array(z.string()),
});

export const Inspection = z
  .object({
    made: time,
    ship_time: text.meta(about("the same by the ship's clock; null without an offset")),
    version: z.string().meta(about("of ballastd")),
    simulated: z.boolean().meta(about("of a demonstration, not of a plant")),
    ship: Ship,
    limits: z.array(
      z.object({ key: z.string(), about: z.string(), value: z.number(), unit: z.string() }),
    ),
    limits_source: text.meta(about("null: not configured")),
    period: z.object({
      start: time,
      end: time,
      data_from: time.nullable().meta(about("the oldest reading in it; null without any")),
    }),
    counts: z.object({
      operations: count.meta(about("ended and judged, without cleanings")),
      within_limits: count,
      outside_limits: count,
      cannot_tell: count,
      running: count,
      waiting: count.meta(about("ended, and to be judged in some seconds")),
      unreadable: count.meta(about("damaged on disk, and in no other count")),
      cleanings: count,
      bypassed: count.meta(about("operations with a bypass")),
      bypass_seconds: z.number(),
      bypass_m3: number.meta(about("null where volumes don't tell it")),
      superseded: count.meta(about("verdicts that were given out and have a later version")),
    }),
    system: z.object({
      state: text.meta(about("the newest PROCESS_STATE")),
      reading: time.nullable().meta(about("the time of the newest reading")),
      present: z.boolean().meta(about("that reading is of now: a plant at rest may be silent")),
      malfunctions: z
        .array(Malfunction)
        .meta(about("open alerts about the treatment, newest first")),
      end_not_reported: z
        .array(Malfunction)
        .meta(about("closed ones of the year that may last: the system reported no end")),
    }),
    summary: z.array(z.string()).meta(about("the answer in sentences, the first the largest")),
    data_exceptions: z
      .array(z.string())
      .meta(about("what happened to the stored data as a whole, in sentences, newest first")),
    exceptions: z.array(ExceptionLine).meta(about("newest first")),
    exceptions_left_out: count.meta(about("further ones, for which the page has no room")),
    operations: z.array(OperationLine).meta(about("the last ten, newest first")),
    trace: Trace.nullable().meta(about("null where no volumes fit together")),
    questions: z.array(OfficerQuestion).meta(about("the officer's ten, in their order")),
    upkeep: z.object({
      hours_since_cip: number,
      cip_hours: z.number().meta(about("hours after which a cleaning is due")),
      lamps_failed: z.array(z.number().int()).nullable().meta(about("null: no reading tells")),
      lamps_unknown: z
        .array(z.number().int())
        .nullable()
        .meta(about("whose status isn't told, or is an unknown word")),
      calibrated: text.meta(about("null: the crew fills it in")),
      sentence: z.string(),
    }),
    trust: Trust,
    notice: z.string(),
  })
  .meta({ id: "Inspection", example: INSPECTION_EXAMPLE });
export type Inspection = z.output<typeof Inspection>;
