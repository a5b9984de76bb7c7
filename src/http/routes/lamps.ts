// The rows about lamps: readers answer about lives, the diagnosis and the track record; the writer
// stores the engineer's statement about a lamp, which forecasts then follow.

import { LampsAnswer } from "../../bwts/lamps/answer.ts";
import { LampCurve } from "../../bwts/lamps/life-curve.ts";
import { LampPlanAnswer, LampSparesAnswer, LampSparesBody } from "../../bwts/lamps/plan-answer.ts";
import { TrackRecord } from "../../bwts/lamps/track-record.ts";
import {
  LampWordAnswer,
  LampWordBody,
  lampWordOf,
  positionOf,
  wordAnswer,
} from "../../bwts/lamps/word.ts";
import { Diagnosis } from "../../bwts/light/diagnosis.ts";
import { reason } from "../../ground/reasons.ts";
import { readBody } from "../body.ts";
import { dateParameter, digitsParameter } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { ask, json, route } from "../route.ts";
import { refuseAhead } from "./overview.ts";

/** Maximum number of an operation: twelve digits, as in the path of /api/operations/{id}. */
const OPERATION_MAX = 999_999_999_999;

/** The rows of lamps in the route table. */
export const LAMP_ROUTES = [
  route({
    path: "/api/predictions/track-record",
    operation: "getTrackRecord",
    summary: "How the forecasts of lamps turned out so far",
    answer: TrackRecord,
    ask: () => ({ name: "track_record" }),
  }),
  route({
    path: "/api/lamps",
    operation: "listLamps",
    summary: "Of each position the lamp that is fitted and those before it",
    answer: LampsAnswer,
    ask: () => ({ name: "lamps" }),
  }),
  route({
    path: "/api/lamps/plan",
    operation: "getLampPlan",
    summary: "Lamps to change and why, spares aboard, and how many to order",
    answer: LampPlanAnswer,
    errors: [503],
    handle(_, context) {
      const { part_number, lead_days } = context.lamps;
      const { now, trusted } = context.clock();
      const now_ms = trusted ? Date.parse(now) : 0;
      return ask(context, { name: "lamp_plan", part_number, lead_days, now_ms });
    },
  }),
  route({
    path: "/api/lamps/{nn}/curve",
    operation: "getLampCurve",
    summary: "Efficiency over operating hours of the lamp at a position and of those before it",
    answer: LampCurve,
    errors: [404, 503],
    handle: (asked, context) =>
      ask(context, { name: "lamp_curve", position: positionIn(asked.path) }),
  }),
  route({
    path: "/api/diagnosis",
    operation: "getDiagnosis",
    summary: "Why the light is low: lamps, sleeves, water, power supply, sensor, or unknown",
    query: {
      at: dateParameter(
        "the moment, ISO 8601, from what was there up to it; without it: now; one that is still " +
          "to come is refused",
      ).optional(),
      compare: digitsParameter({
        ...{ min: 1, max: OPERATION_MAX, examples: [94] },
        about: "number of the operation to compare with; without it: the last good one",
      }).optional(),
    },
    answer: Diagnosis,
    errors: [404, 503],
    handle({ query: { at, compare = null } }, context) {
      if (at !== undefined) refuseAhead(at.at_ms, Date.parse(context.clock().now));
      if (at === undefined && compare === null) return ask(context, { name: "diagnosis" });
      const asked = { name: "diagnosis_of", at_ms: at?.at_ms ?? null, compare } as const;
      return ask(context, asked, `compare: there is no operation ${compare}, see /api/operations`);
    },
  }),
  route({
    method: "POST",
    path: "/admin/lamps/{nn}/replacement",
    operation: "tellReplacement",
    group: "admin",
    access: "engineer",
    summary: "The engineer's word that a lamp was replaced, or that it wasn't; the later counts",
    body: LampWordBody,
    answer: LampWordAnswer,
    errors: [404, 413, 415, 503],
    async handle(asked, context) {
      const position = positionIn(asked.path);
      const word = await readBody(LampWordBody, asked, "an object with at");
      await context.write("lamp_word", { position, word }, asked.by);
      return json(wordAnswer(lampWordOf(position, word)));
    },
  }),
  route({
    method: "POST",
    path: "/admin/lamps/spares",
    operation: "setLampSpares",
    group: "admin",
    access: "engineer",
    summary: "The number of spare lamps aboard, as counted",
    body: LampSparesBody,
    answer: LampSparesAnswer,
    errors: [409, 413, 415, 503],
    async handle(asked, context) {
      const body = await readBody(LampSparesBody, asked, "an object with spares");
      const refused = await context.write("lamp_spares", body, asked.by);
      if (refused !== null)
        throw new Refusal(409, refused.problem, {}, [
          reason("count_changed", { now: refused.now ?? "–" }),
        ]);
      return json({ spares: body.spares });
    },
  }),
];

/** The position, 0 to 15, of the lamp whose number is in a path. */
function positionIn(path: string): number {
  const position = positionOf(/\d+/.exec(path)?.[0] ?? "");
  if (position === null) throw new Refusal(404, "lamp: there is none, expected 01 to 16");
  return position;
}
