// The routes about alerts. A reader lists them; the writer stores that the engineer has
// acknowledged or shelved one. Neither reaches the treatment system.

import * as z from "zod";
import { AlarmAnswer, ASKED_STATES } from "../../bwts/present/alarm.ts";
import {
  ACKNOWLEDGED,
  AcknowledgeBody,
  AlarmActAnswer,
  type AlarmActOutcome,
  SHELVED,
  ShelveBody,
  UNSHELVED,
} from "../../bwts/present/alarm-act.ts";
import { quoted } from "../../ground/quoted.ts";
import { reason } from "../../ground/reasons.ts";
import { readBody } from "../body.ts";
import { dates, limitParameter, oneOfParameter, rangeOf } from "../parameters.ts";
import { Refusal } from "../refusal.ts";
import { json, type Reply, route } from "../route.ts";

const ACT = {
  method: "POST",
  group: "admin",
  access: "engineer",
  answer: AlarmActAnswer,
  errors: [404, 409, 413, 415, 503],
} as const;

/** The rows of alerts in the route table. */
export const ALARM_ROUTES = [
  route({
    path: "/api/alarms",
    operation: "listAlarms",
    summary: "Alerts and whether they are over, newest first: ballastd's own, and the plant's",
    query: {
      limit: limitParameter(100),
      ...dates,
      state: oneOfParameter(ASKED_STATES, "only alerts in this state; open: all not closed"),
    },
    answer: z.array(AlarmAnswer),
    ask: ({ limit, state = null, ...given }) => ({
      name: "alarms",
      range: rangeOf(given),
      state,
      limit,
    }),
  }),
  route({
    ...ACT,
    path: "/admin/alarms/{id}/acknowledge",
    operation: "acknowledgeAlarm",
    summary: "Acknowledges an alert here; the panel's alarm stays. Again changes nothing",
    body: AcknowledgeBody,
    async handle(asked, context) {
      const said = await readBody(AcknowledgeBody, asked, "an object, with a note if there is one");
      const act = (id: string) => context.write("acknowledge_alarm", { id, said }, asked.by);
      return acted(asked.path, act, ACKNOWLEDGED);
    },
  }),
  route({
    ...ACT,
    path: "/admin/alarms/{id}/shelve",
    operation: "shelveAlarm",
    summary: "Shelves an alert until a time, at most 7 days, for a reason; until null: no longer",
    body: ShelveBody,
    async handle(asked, context) {
      const said = await readBody(ShelveBody, asked, "an object with until and reason");
      const act = (id: string) => context.write("shelve_alarm", { id, said }, asked.by);
      return acted(asked.path, act, said.until === null ? UNSHELVED : SHELVED);
    },
  }),
];

/** Carries out `act` on the alert named in the path /admin/alarms/{id}/... */
async function acted(
  path: string,
  act: (id: string) => Promise<AlarmActOutcome>,
  message: string,
): Promise<Reply> {
  const id = path.split("/")[3] ?? "";
  const outcome = await act(id);
  switch (outcome.outcome) {
    case "done":
      return json({ ...outcome.alarm, message });
    case "unknown":
      throw new Refusal(
        404,
        `alarm ${quoted(id)}: there is none, expected an id of /api/alarms`,
        {},
        [reason("alert_absent", {})],
      );
    case "closed":
      throw new Refusal(
        409,
        `alarm ${quoted(id)}: it is over and closed, expected an open one`,
        {},
        [reason("alert_closed", {})],
      );
  }
}
