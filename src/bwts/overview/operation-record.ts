// An operation as /api/operations answers it: by the plant's events or, where none were sent, by
// its readings.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { KNOWN_BY } from "../silence.ts";
import { VOLUME_SOURCES } from "./operation.ts";
import type { FoundOperation } from "./operation-runs.ts";

const time = z.iso.datetime();
const number = z.number().nullable();
const text = z.string().nullable();
const about = (description: string) => ({ description });

export const OperationAnswer = z
  .object({
    operation_type: text,
    location: text,
    start: time,
    end: time.nullable().meta(about("null: not over by the end of the range")),
    known_by: z
      .enum(KNOWN_BY)
      .meta(about("PROCESS_START, or readings alone: water was treated, or the state was CIP")),
    readings: z.number().int().meta(about("of the plant while it lasted")),
    volume_m3: number.meta(about("null where the readings don't tell it all")),
    volume_by: z.enum(VOLUME_SOURCES).nullable(),
    mode: z.enum(["IMO", "USCG"]).nullable(),
    intensity_least: number.meta(
      about("W/m2, while treating: that of the least margin to the limit of its mode"),
    ),
    intensity_least_at: time.nullable(),
    uv_limit: number.meta(about("W/m2, of the mode at that reading")),
  })
  .meta({
    id: "OperationBefore",
    example: {
      ...{ operation_type: "BALLAST", location: "Singapore", start: "2026-05-01T05:08:00.000Z" },
      ...{ end: "2026-05-01T11:20:00.000Z", known_by: "events", readings: 372 },
      ...{ volume_m3: 6120.5, volume_by: "totaliser", mode: "IMO", intensity_least: 411.5 },
      ...{ intensity_least_at: "2026-05-01T10:41:00.000Z", uv_limit: 252 },
    },
  });
export type OperationAnswer = z.output<typeof OperationAnswer>;

export function operationAnswer(found: FoundOperation): OperationAnswer {
  const { operation_type, location, known_by, readings, volume, mode, least } = found;
  return {
    ...{ operation_type, location, start: printTime(found.start_ms) },
    end: found.end_ms === null ? null : printTime(found.end_ms),
    ...{ known_by, readings },
    volume_m3: volume === null ? null : Math.round(volume.volume_m3 * 100) / 100,
    ...{ volume_by: volume?.by ?? null, mode },
    intensity_least: least?.intensity_w_m2 ?? null,
    intensity_least_at: least === null ? null : printTime(least.at_ms),
    uv_limit: least?.uv_limit ?? null,
  };
}
