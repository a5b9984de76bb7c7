// The row that changes the settings of the ship in the configuration's file. Written by a
// maintainer, who could do the same at the command line.

import { SettingsAnswer, SettingsBody } from "../../bwts/settings.ts";
import { readBody } from "../body.ts";
import { Refusal, refusalUntil } from "../refusal.ts";
import { json, route } from "../route.ts";

/** Another change of the file ends within milliseconds. */
const BUSY_S = 1;

export const CONFIG_ROUTE = route({
  method: "POST",
  path: "/admin/config",
  operation: "changeSettings",
  group: "admin",
  access: "maintainer",
  summary: "Changes settings of the ship, limits and lamps in the configuration's file",
  body: SettingsBody,
  answer: SettingsAnswer,
  errors: [409, 413, 415, 503],
  async handle(asked, context) {
    const body = await readBody(SettingsBody, asked, "an object with changes");
    const done = await context.configure(body, asked.by);
    switch (done.outcome) {
      case "done":
        return json(done.answer);
      case "value":
        throw new Refusal(400, done.problem);
      case "file":
        throw new Refusal(409, done.problem);
      case "busy":
        throw refusalUntil(BUSY_S, done.problem);
    }
  },
});
