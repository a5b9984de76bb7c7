// A ship as /api/ship of `ballastd fleet serve` answers her: her row, and what she told of alerts,
// lamps and events, with the ends of her chains as they are ashore.

import * as z from "zod";
import { AlarmAnswer } from "../alerts/alarm.ts";
import { PredictionAnswer } from "../prediction.ts";
import { FleetShip } from "./fleet-ship.ts";

const time = z.iso.datetime();
const event = z.object({
  at: time.nullable(),
  event_type: z.string().nullable(),
  description: z.string().nullable(),
  branch: z.number().int(),
  received: time,
});
const branch = z.object({
  chain: z.enum(["segment", "event", "audit"]),
  branch: z.number().int().meta({ description: "0: the first one; others have parted" }),
  begins: z.number().int(),
  number: z.number().int().meta({ description: "the newest link, proven up to here" }),
  hash: z.string(),
  is_current: z.boolean().meta({ description: "the ship went on with it last" }),
  until: time.nullable(),
  received: time,
});

export const ShipAnswer = z
  .object({
    as_of: time,
    ship: FleetShip,
    alarms: z.array(AlarmAnswer).meta({
      description:
        "as she told them: those that aren't closed first, then the newest, at most 200 and 4 MB",
    }),
    forecasts: z.array(PredictionAnswer).meta({ description: "the newest of each lamp" }),
    branches: z.array(branch).meta({ description: "her chains as they are ashore" }),
    events: z.array(event).meta({ description: "the newest 100, newest first" }),
    unreadable: z.number().int().meta({
      description: "alerts and forecasts that this version can't read, and leaves out",
    }),
  })
  .meta({
    id: "Ship",
    example: {
      as_of: "2026-05-01T06:31:00.000Z",
      ship: FleetShip.meta()?.example,
      ...{ alarms: [], forecasts: [], branches: [], events: [], unreadable: 0 },
    },
  });
export type ShipDetail = z.output<typeof ShipAnswer>;
