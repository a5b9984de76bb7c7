// A ship as /api/ship of `ballastd fleet serve` answers it: its row, its reported alerts, lamps and
// events, and the ends of its chains as stored ashore.

import * as z from "zod";
import { OPERATION_VERDICTS } from "../operations/operation-words.ts";
import { PredictionAnswer } from "../prediction.ts";
import { AlarmAnswer } from "../present/alarm.ts";
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

const operation = z.object({
  id: z.number().int(),
  version: z.number().int().nullable(),
  verdict: z.enum(OPERATION_VERDICTS).nullable().meta({ description: "null of a cleaning" }),
  operation_type: z.string().nullable(),
  location: z.string().nullable(),
  start: time.nullable(),
  end: time.nullable(),
  volume_m3: z.number().nullable(),
  rules: z.array(z.string()).meta({ description: "of its reasons, each once" }),
  remarks: z.array(z.string()),
  because: z.string().nullable().meta({ description: "the reason for this version" }),
  is_proven: z.boolean().meta({
    description: "`ballastd fleet verify --record` found it in the tree of a signed head",
  }),
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
    operations: z.array(operation).meta({
      description:
        "the newest 50, each by the newest proven version of its judgement, else the newest one",
    }),
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
      ...{ alarms: [], forecasts: [], operations: [], branches: [], events: [], unreadable: 0 },
    },
  });
export type ShipDetail = z.output<typeof ShipAnswer>;
