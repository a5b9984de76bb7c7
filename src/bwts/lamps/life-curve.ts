// The efficiency of a position's lamps over their operating hours, for a curve: medians of up
// to 30 hours, thinned evenly, with the end of life that forecasts go by.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { LAMP_COUNT } from "../tags.ts";
import { tenths } from "./lamp-now.ts";
import { effectsOf, endHoursOf, type LampLimits, outcomeOf } from "./outcome.ts";
import { BEGINNINGS, type LampLife, presentLife, type TrackerState } from "./state.ts";

/** Maximum number of points of a life, and of lives of a position: as many as a screen can show. */
const POINTS_MAX = 400;
const LIVES_MAX = 12;

export const LampCurve = z
  .object({
    lamp: z.number().int().min(1).max(LAMP_COUNT),
    rated_hours: z.number().meta({ description: "lamps.rated_hours" }),
    end_of_life_efficiency: z.number().meta({
      description: "lamps.end_of_life_efficiency, in percent of a new lamp",
    }),
    lives: z
      .array(
        z.object({
          began: z.iso.datetime(),
          began_by: z.enum(BEGINNINGS).meta({
            description: "how it was recognised; confirmed: by the engineer",
          }),
          ended: z.iso.datetime().nullable().meta({ description: "null: it is fitted" }),
          outcome: z.enum(["failed", "worn", "replaced"]).nullable(),
          hours: z.number(),
          points: z
            .array(
              z.object({
                hours: z.number(),
                efficiency_percent: z.number(),
                from: z.iso.datetime(),
                to: z.iso.datetime(),
              }),
            )
            .max(POINTS_MAX)
            .meta({
              description:
                "medians of up to 30 operating hours, ascending; of a long life some, evenly " +
                "spread; each is of readings after `from`, up to `to`",
            }),
        }),
      )
      .max(LIVES_MAX)
      .meta({ description: "the fitted lamp first, then the newest of those before it" }),
  })
  .meta({
    id: "LampCurve",
    example: {
      lamp: 7,
      rated_hours: 3000,
      end_of_life_efficiency: 70,
      lives: [
        {
          began: "2026-05-01T06:30:00.000Z",
          began_by: "counter_fell",
          ended: null,
          outcome: null,
          hours: 412.5,
          points: [
            {
              ...{ hours: 10, efficiency_percent: 100.2 },
              ...{ from: "2026-05-01T06:30:00.000Z", to: "2026-05-01T16:30:00.000Z" },
            },
            {
              ...{ hours: 410, efficiency_percent: 95.2 },
              ...{ from: "2026-08-30T20:00:00.000Z", to: "2026-08-31T06:00:00.000Z" },
            },
          ],
        },
      ],
    },
  });
export type LampCurve = z.output<typeof LampCurve>;

/** The answer of `GET /api/lamps/{nn}/curve`; `position` is 0 to 15. */
export function lampCurve(state: TrackerState, position: number, limits: LampLimits): LampCurve {
  const at = state.positions[position];
  const present = presentLife(at);
  const judging = { limits, ...effectsOf(state) };
  const newestFirst = at.lives.toReversed().slice(0, LIVES_MAX);
  return {
    lamp: position + 1,
    rated_hours: limits.rated_hours,
    end_of_life_efficiency: limits.end_of_life_efficiency,
    lives: newestFirst.map((life) => ({
      began: printTime(life.began_ms),
      began_by: life.began,
      ended: life === present || life.ended_ms === null ? null : printTime(life.ended_ms),
      outcome: outcomeOf(life, judging),
      hours: tenths(life.ended_ms === null ? life.hours : endHoursOf(life, judging)),
      points: [...thinned(pointsOf(life))],
    })),
  };
}

function pointsOf({ began_ms, bins }: LampLife) {
  return bins.map(({ hours, efficiency, to_ms }, index) => ({
    ...{ hours: tenths(hours), efficiency_percent: tenths(efficiency) },
    ...{ from: printTime(bins[index - 1]?.to_ms ?? began_ms), to: printTime(to_ms) },
  }));
}

/** At most 400 of the points, evenly spread, with the first and the last. */
function thinned<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= POINTS_MAX) return points;
  const apart = (points.length - 1) / (POINTS_MAX - 1);
  return Array.from({ length: POINTS_MAX }, (_, index) => points[Math.round(index * apart)]);
}
