// The lamp routes of the route table: lives, the diagnosis of low light, the accuracy of forecasts,
// and the engineer's statement.

import { Diagnosis } from "../../bwts/diagnosis/diagnosis.ts";
import { LampsAnswer } from "../../bwts/lamps/answer.ts";
import { TrackRecord } from "../../bwts/lamps/track-record.ts";
import { LampWordAnswer, LampWordBody } from "../../bwts/lamps/word.ts";
import { type Route, route } from "../route.ts";
import * as example from "./examples.ts";
import * as lamps from "./lamps.ts";
import { none, read } from "./route-kinds.ts";

/** Spread into the table. */
export const LAMP_ROUTES: readonly Route[] = [
  read({
    path: "/api/predictions/track-record",
    operation: "getTrackRecord",
    summary: "How the forecasts of lamps that have ended turned out",
    query: none,
    answer: { schema: TrackRecord, example: example.trackRecord },
    handle: lamps.trackRecord,
  }),
  read({
    path: "/api/lamps",
    operation: "listLamps",
    summary: "Of each position the lamp that is fitted and those before it",
    query: none,
    answer: { schema: LampsAnswer, example: example.lamps },
    handle: lamps.lamps,
  }),
  read({
    path: "/api/diagnosis",
    operation: "getDiagnosis",
    summary: "Why the light is low: lamps, sleeves, water, power supply, sensor, or unknown",
    query: none,
    answer: { schema: Diagnosis, example: example.diagnosis },
    handle: lamps.diagnosis,
  }),
  route({
    method: "POST",
    path: "/admin/lamps/{nn}/replacement",
    operation: "tellReplacement",
    group: "admin",
    access: "engineer",
    summary: "The engineer's word that a lamp was replaced, or that it wasn't; the later counts",
    query: none,
    body: { schema: LampWordBody, example: example.replacement },
    answer: {
      statuses: [200],
      type: "application/json",
      schema: LampWordAnswer,
      example: example.replacementStored,
    },
    errors: [404, 413, 415, 503],
    handle: lamps.replacement,
  }),
];
