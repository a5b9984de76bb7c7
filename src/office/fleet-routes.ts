// The routes of `ballastd fleet serve`, all of them read-only, and the OpenAPI document that
// describes them.

import * as z from "zod";
import { FleetShip } from "../bwts/documents/fleet-ship.ts";
import { isImoNumber } from "../bwts/documents/imo-number.ts";
import { ShipAnswer } from "../bwts/documents/ship-detail.ts";
import { SYSTEM_VALUES } from "../bwts/documents/system-values.ts";
import { AGGREGATED } from "../bwts/tags.ts";
import { DAY_MS } from "../ground/clock.ts";
import { type OpenApiDocument, openApiDocument } from "../http/document.ts";
import {
  closedRange,
  endDate,
  fieldsParameter,
  interval,
  readQuery,
  startDate,
} from "../http/parameters.ts";
import { Refusal } from "../http/refusal.ts";
import { json, type Reply, type Route, route } from "../http/route.ts";
import type { ClosedRange } from "../sqlite/file/query.ts";
import { fleetMetrics } from "./fleet-metrics.ts";
import { fleetNow } from "./fleet-now.ts";
import type { Office } from "./office.ts";
import { shipDetail } from "./ship-detail.ts";
import { shipHours } from "./ship-hours.ts";
import { shipReadings } from "./ship-readings.ts";

const alert = z.object({
  ...{ ship: z.string(), name: z.string(), kind: z.literal("silent") },
  since: z.iso.datetime().meta({ description: "when she spoke last, or was added" }),
});
const FleetAnswer = z
  .object({
    as_of: z.iso.datetime().meta({ description: "by the shore's clock" }),
    silence_minutes: z.number().int().meta({ description: "the longest silence without an alert" }),
    alerts: z.array(alert).meta({ description: "ships that are silent, the longest first" }),
    ships: z.array(FleetShip).meta({ description: "the worst first" }),
  })
  .meta({
    id: "Fleet",
    example: { as_of: "2026-05-01T06:31:00.000Z", silence_minutes: 60, alerts: [], ships: [] },
  });

const EXPECTED = "expected an IMO number, such as 9074729";
const ship = z
  .string(EXPECTED)
  .refine(isImoNumber, EXPECTED)
  .meta({
    description: "IMO number",
    examples: ["9074729"],
  });
const ShipQuery = z.object({ ship });

const HourQuery = z.object({
  ...{ ship, startDate, endDate, interval: interval.default("hour") },
  fields: fieldsParameter(
    ({ aggregate }) => aggregate !== null,
    "number",
    "fields that hours have, by comma; the system's own by default",
  ),
});
const HoursAnswer = z
  .array(
    z.object({ timestamp: z.iso.datetime(), count: z.number().nullable() }).catchall(z.unknown()),
  )
  .meta({
    id: "ShipHours",
    description: "hours or days with readings, ascending; a value that isn't known is null",
    example: [{ timestamp: "2026-05-01T06:00:00.000Z", count: 3600, UVR_INTENSITY: 648.1 }],
  });

const ReadingsQuery = z.object({
  ...{ ship, startDate, endDate },
  format: z
    .enum(["csv", "parquet"], "expected csv or parquet")
    .default("csv")
    .meta({ description: "CSV with a header line, or Apache Parquet" }),
});

/** The parts with which a route answers. */
export interface FleetContext {
  readonly office: Office;
  readonly silence_minutes: number;
}

/** A row of the OpenAPI document, with the function that answers it. */
export interface FleetRoute extends Route {
  /** True if the answer is made while it is sent, for one client alone. */
  readonly isDownload: boolean;
  readonly give: (asked: FleetContext, query: string) => Promise<Reply>;
}

/** A handler that is never called: `give` answers, with its own connection to the database. */
const unhandled = {
  handle(): never {
    throw new Error("a row of the fleet's document was asked to answer");
  },
};

/** Maximum number of days in a request for hours, and in one for raw readings. */
const HOURS_MAX_DAYS = 200;
const READINGS_MAX_DAYS = 31;

function rangeWithin(
  dates: Parameters<typeof closedRange>[0],
  { days, of }: { readonly days: number; readonly of: string },
): ClosedRange {
  const range = closedRange(dates);
  if (range.end_ms - range.start_ms < days * DAY_MS) return range;
  throw new Refusal(400, `endDate: expected at most ${days} days after startDate, of ${of}`);
}

export const FLEET_ROUTES: readonly FleetRoute[] = [
  {
    ...route({
      path: "/api/fleet",
      operation: "getFleet",
      summary: "All ships, the worst first, and alerts by silence",
      answer: FleetAnswer,
      errors: [503],
      ...unhandled,
    }),
    isDownload: false,
    async give({ office, silence_minutes }) {
      return json(await fleetNow(office, { ship: null, silence_minutes }));
    },
  },
  {
    ...route({
      path: "/api/ship",
      operation: "getShip",
      summary: "A ship: her row, alerts, lamps, chains and newest events",
      query: ShipQuery.shape,
      answer: ShipAnswer,
      errors: [404, 503],
      ...unhandled,
    }),
    isDownload: false,
    async give({ office, silence_minutes }, text) {
      const asked = readQuery(ShipQuery, text);
      return json(await shipDetail(office, { ...asked, silence_minutes }));
    },
  },
  {
    ...route({
      path: "/api/ship/hours",
      operation: "getShipHours",
      summary: `Hours that a ship sent, at most ${HOURS_MAX_DAYS} days, or days made of them`,
      query: HourQuery.shape,
      answer: HoursAnswer,
      errors: [404, 503],
      ...unhandled,
    }),
    isDownload: false,
    async give({ office }, text) {
      const { ship, fields, interval, ...dates } = readQuery(HourQuery, text);
      const range =
        interval === "day"
          ? closedRange(dates)
          : rangeWithin(dates, { days: HOURS_MAX_DAYS, of: "hours" });
      const wanted = fields ?? SYSTEM_VALUES;
      const places = wanted.map((index) => AGGREGATED.indexOf(index));
      return json(await shipHours(office, { ship, range, interval, places }));
    },
  },
  {
    ...route({
      path: "/export/ship",
      operation: "exportShip",
      summary: `A ship's raw readings of at most ${READINGS_MAX_DAYS} days as a file`,
      query: ReadingsQuery.shape,
      type: "text/csv",
      answer: z.string().meta({
        description: "Ballastd-Segments-Lacking tells how many segments of the range aren't here",
        example: "timestamp,UVR_INTENSITY\r\n2026-05-01T06:30:00.000Z,652.4\r\n",
      }),
      errors: [404, 503],
      ...unhandled,
    }),
    isDownload: true,
    async give({ office }, text) {
      const { ship, format, ...dates } = readQuery(ReadingsQuery, text);
      const range = rangeWithin(dates, { days: READINGS_MAX_DAYS, of: "readings" });
      return shipReadings(office, { ship, range, format });
    },
  },
  {
    ...route({
      path: "/metrics",
      operation: "getFleetMetrics",
      group: "system",
      summary: "Ships, silence and backlog for Prometheus",
      type: "text/plain",
      answer: z.string().meta({ example: "ballastd_fleet_ships_silent 0\n" }),
      errors: [503],
      ...unhandled,
    }),
    isDownload: false,
    async give({ office, silence_minutes }) {
      const text = await fleetMetrics(await fleetNow(office, { ship: null, silence_minutes }));
      const type = "text/plain; version=0.0.4; charset=utf-8";
      return { kind: "bytes", status: 200, type, bytes: Buffer.from(text) };
    },
  },
];

const ABOUT = {
  description:
    "What is known ashore of the ships of a fleet, from the PostgreSQL database to which they " +
    "deliver. Read only. Times are UTC; a missing value is null. What a ship said last isn't the " +
    "present once she is silent: contact, readings and is_current tell.",
  groups: { monitoring: "The fleet, and a ship of it.", system: "The program itself." },
};

/** The OpenAPI document of these routes. */
export function fleetDocument(): OpenApiDocument {
  return openApiDocument(FLEET_ROUTES, "open", ABOUT);
}
