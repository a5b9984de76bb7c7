// A ship as the office's page shows it: its row, its alerts, its lamps, the ends of its chains and
// its newest events. The documents were written by a ship, so malformed ones are counted and left
// out.

import * as z from "zod";
import { ShipAnswer, type ShipDetail } from "../bwts/documents/ship-detail.ts";
import { PredictionAnswer } from "../bwts/prediction.ts";
import { AlarmAnswer } from "../bwts/present/alarm.ts";
import { LAMP_NUMBERS } from "../bwts/tags.ts";
import { Refusal } from "../http/refusal.ts";
import { fleetNow, saidTime } from "./fleet-now.ts";
import type { Office } from "./office.ts";

const ALARMS_MAX = 200;
/** Maximum number of forecasts: a replaced box may have left its own. */
const FORECASTS_MAX = 64;

/** A forecast of one of the sixteen lamps; the page rejects a list with any other component. */
const LampForecastTold = PredictionAnswer.extend({
  component_id: z.enum(LAMP_NUMBERS.map((number) => `LAMP_${number}`)),
});

export async function shipDetail(
  office: Office,
  asked: { readonly ship: string; readonly silence_minutes: number },
): Promise<ShipDetail> {
  const { as_of, ships } = await fleetNow(office, asked);
  const [found] = ships;
  if (found === undefined) throw noShip(asked.ship);
  const documents = async <Of>(kind: string, schema: z.ZodType<Of>, limit: number) => {
    const rows = await office.ask<{ body: unknown }>("office.documents", [asked.ship, kind, limit]);
    const read = rows.flatMap(({ body }) => schema.safeParse(body).data ?? []);
    return { read, lost: rows.length - read.length };
  };
  const alarms = await documents("alarm", AlarmAnswer, ALARMS_MAX);
  const forecasts = await documents("forecast", LampForecastTold, FORECASTS_MAX);
  return {
    ...{ as_of, ship: found, alarms: alarms.read },
    forecasts: forecasts.read.sort((one, other) =>
      one.component_id < other.component_id ? -1 : 1,
    ),
    operations: await shipOperations(office, asked.ship),
    branches: await office.ask("office.ends", [asked.ship]),
    events: await office.ask("office.events", [asked.ship]),
    unreadable: alarms.lost + forecasts.lost,
  };
}

/** A row of office.operations, written by the ship. */
type ToldOperation = Readonly<Record<keyof ShipDetail["operations"][number], unknown>> & {
  readonly started: unknown;
  readonly ended: unknown;
};

async function shipOperations(office: Office, ship: string): Promise<ShipDetail["operations"]> {
  const rows = await office.ask<ToldOperation>("office.operations", [ship]);
  return rows.flatMap(({ started, ended, ...row }) => {
    const told = { ...row, start: saidTime(started), end: saidTime(ended) };
    return ShipAnswer.shape.operations.element.safeParse(told).data ?? [];
  });
}

function noShip(ship: string): Refusal {
  return new Refusal(404, `${ship} is no ship of this fleet`);
}

/** Throws a Refusal (404) if the fleet has no ship of this name. */
export async function requireShip(office: Office, ship: string): Promise<void> {
  if ((await office.ask("office.fleet", [ship])).length === 0) throw noShip(ship);
}
