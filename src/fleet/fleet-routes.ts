// The routes of `ballastd fleet serve`, and the OpenAPI document that describes them. All of them
// only read.

import * as z from "zod";
import { FleetShip } from "../bwts/shore/fleet-ship.ts";
import { isImoNumber } from "../bwts/shore/imo-number.ts";
import { type OpenApiDocument, openApiDocument } from "../http/openapi/document.ts";
import { readQuery } from "../http/parameters.ts";
import { Refusal } from "../http/refusal.ts";
import { type Route, route } from "../http/route.ts";
import { type FleetNow, fleetNow } from "./fleet-now.ts";
import type { Office } from "./office.ts";

const FleetAnswer = z
  .object({
    as_of: z.iso.datetime().meta({ description: "by the shore's clock" }),
    ships: z.array(FleetShip).meta({ description: "the worst first" }),
  })
  .meta({ id: "Fleet", example: { as_of: "2026-05-01T06:31:00.000Z", ships: [] } });

const event = z.object({
  at: z.iso.datetime().nullable(),
  event_type: z.string().nullable(),
  description: z.string().nullable(),
  branch: z.number().int(),
  received: z.iso.datetime(),
});
const ShipAnswer = z
  .object({
    as_of: z.iso.datetime(),
    ship: FleetShip,
    events: z.array(event).meta({ description: "the newest 100, newest first" }),
  })
  .meta({
    id: "Ship",
    example: {
      as_of: "2026-05-01T06:31:00.000Z",
      ship: FleetShip.meta()?.example,
      events: [],
    },
  });

const EXPECTED = "expected an IMO number, such as 9074729";
const ShipQuery = z.object({
  ship: z
    .string(EXPECTED)
    .refine(isImoNumber, EXPECTED)
    .meta({
      description: "IMO number",
      examples: ["9074729"],
    }),
});

/** A row of the document, and what answers it. */
export interface FleetRoute extends Route {
  readonly give: (office: Office, query: string) => Promise<object>;
}

/** `give` answers: the office is connected anew for each question. */
const unhandled = {
  handle(): never {
    throw new Error("a row of the fleet's document was asked to answer");
  },
};

export const FLEET_ROUTES: readonly FleetRoute[] = [
  {
    ...route({
      path: "/api/fleet",
      operation: "getFleet",
      summary: "All ships, the worst first",
      answer: FleetAnswer,
      errors: [503],
      ...unhandled,
    }),
    give: (office): Promise<FleetNow> => fleetNow(office, null),
  },
  {
    ...route({
      path: "/api/ship",
      operation: "getShip",
      summary: "A ship, and her newest events",
      query: ShipQuery.shape,
      answer: ShipAnswer,
      errors: [404, 503],
      ...unhandled,
    }),
    async give(office, text) {
      const { ship } = readQuery(ShipQuery, text);
      const { as_of, ships } = await fleetNow(office, ship);
      const [found] = ships;
      if (found === undefined) throw new Refusal(404, `${ship} is no ship of this fleet`);
      return { as_of, ship: found, events: await office.ask("office.events", [ship]) };
    },
  },
];

const ABOUT = {
  description:
    "What is known ashore of the ships of a fleet, from the PostgreSQL database to which they " +
    "deliver. Read only. Times are UTC; a missing value is null. What a ship said last isn't the " +
    "present once she is silent: contact, readings and is_current tell.",
  groups: { monitoring: "The fleet, and a ship of it." },
};

/** The document of these routes. */
export function fleetDocument(): OpenApiDocument {
  return openApiDocument(FLEET_ROUTES, "open", ABOUT);
}
