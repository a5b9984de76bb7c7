// The route of the live stream. It is an answer without an end, so it takes no turn and no reader,
// and is never compressed: a compressor would hold events back.

import * as z from "zod";
import { clientAddress } from "../../ground/admission.ts";
import { crowded } from "../refusal.ts";
import { route } from "../route.ts";

/** Seconds after which a client that got no stream should ask again. */
const FULL_S = 10;

const EXAMPLE = `retry: 2000

id: 5f3a09c1d2e4-41
event: operation
data: {"state":"started","timestamp":"2026-05-01T06:30:00.000Z","operation_type":"BALLAST",\
"location":"Singapore","target_flow":800}

event: beat
data: {"now":"2026-05-01T06:30:02.100Z","last_id":"5f3a09c1d2e4-41","reading_age_s":0.4,\
"received_age_s":0.3,"data":"fresh","silence_s":120}

`;

export const STREAM_ROUTE = route({
  path: "/stream",
  operation: "followNews",
  summary: "Server-sent events: what is new, as it is stored, and a beat every 5 s",
  query: {
    last_event_id: z
      .string()
      .optional()
      .meta({
        description:
          "the id after which to go on, for a program that can't send the header Last-Event-ID; " +
          "the header counts if both are given",
      }),
  },
  answer: z.string().meta({ example: EXAMPLE }),
  type: "text/event-stream",
  errors: [503],
  async handle({ request, response, query }, { stream, warn }) {
    const address = clientAddress(request.socket);
    // Taken before anything is awaited, so that a request in the meantime finds the place taken.
    const problem = stream.take(response, address);
    if (problem !== null) throw crowded(FULL_S, `${problem}, ask again in ${FULL_S} s`);
    if (request.method !== "HEAD") await stream.ready();
    const header = request.headers["last-event-id"];
    const last_id = (typeof header === "string" ? header : query.last_event_id) ?? null;
    const onCut = () => warn("a stream was cut: its client took too little of it", address);
    return {
      kind: "events",
      begin: (response) => stream.open(response, { address, last_id, onCut }),
    };
  },
});
