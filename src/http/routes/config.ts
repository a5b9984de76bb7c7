// The routes of the configuration file's settings: to read them, and to change them. For a
// maintainer, who could do the same at the command line.

import * as z from "zod";
import {
  SeenTopic,
  SettingsAnswer,
  SettingsBody,
  SettingsNow,
  TestMessages,
} from "../../bwts/settings.ts";
import { reason } from "../../ground/reasons.ts";
import { readBody } from "../body.ts";
import { Refusal, refusalUntil } from "../refusal.ts";
import { json, route } from "../route.ts";

/**
 * Seconds after which a client should try again: another change of the file ends within
 * milliseconds.
 */
const BUSY_S = 1;

export const CONFIG_ROUTE = route({
  method: "GET",
  path: "/admin/config",
  operation: "getSettings",
  group: "admin",
  access: "maintainer",
  summary: "Settings that can be changed over HTTP, and what a PLC needs to reach ballastd",
  answer: SettingsNow,
  errors: [503],
  handle: async (_asked, context) => json(context.settings.now()),
});

export const SEEN_TOPICS_ROUTE = route({
  method: "GET",
  path: "/admin/messages",
  operation: "listSeenTopics",
  group: "admin",
  access: "engineer",
  summary: "The tags of each topic's last messages since the start, for rules of the map",
  answer: z.array(SeenTopic),
  handle: async (_asked, context) => json(context.seenTopics()),
});

export const TEST_MESSAGE_ROUTE = route({
  method: "POST",
  path: "/admin/test-message",
  operation: "sendTestMessage",
  group: "admin",
  access: "maintainer",
  summary: "Sends an empty list of readings to each of ballastd's addresses, as a PLC would",
  answer: TestMessages,
  errors: [409, 503],
  async handle(_asked, context) {
    const sent = await context.settings.test();
    if (sent !== null) return json(sent);
    throw new Refusal(
      409,
      "the PLC sends to the ship's broker (mqtt.mode = client), try it there",
      {},
      [reason("plc_elsewhere", {})],
    );
  },
});

export const CONFIG_CHANGE_ROUTE = route({
  method: "POST",
  path: "/admin/config",
  operation: "changeSettings",
  group: "admin",
  access: "maintainer",
  summary:
    "Changes settings of the ship and of the LAN, limits and lamps in the configuration's file",
  body: SettingsBody,
  answer: SettingsAnswer,
  errors: [409, 413, 415, 503],
  async handle(asked, context) {
    const body = await readBody(SettingsBody, asked, "an object with changes", ["value", "old"]);
    const done = await context.settings.change(body, asked.by);
    switch (done.outcome) {
      case "done":
        return json(done.answer);
      case "value":
        throw new Refusal(400, done.problem, {}, done.reasons);
      case "file":
        throw new Refusal(409, done.problem, {}, done.reasons);
      case "busy":
        throw refusalUntil(BUSY_S, done.problem, done);
    }
  },
});
