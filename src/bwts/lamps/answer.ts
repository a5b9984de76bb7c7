// Lamp lives in answers: for each position the fitted lamp and those before it, with notes about
// oddities and their evidence.

import * as z from "zod";
import { printTime } from "../../ground/clock.ts";
import { LAMP_COUNT } from "../tags.ts";
import { type LampNow, lampNow, tenths } from "./lamp-now.ts";
import { oddFigures } from "./odd-figures.ts";
import { effectsOf, endHoursOf, type Judging, type LampLimits, outcomeOf } from "./outcome.ts";
import { dutyOf, pooled, priorOf } from "./outlook.ts";
import { countersProblem } from "./pace.ts";
import { lifeFit } from "./ship-lamps.ts";
import { BEGINNINGS, type LampLife, type NoteCode, type TrackerState } from "./state.ts";
import { areCountersUnknown } from "./unit.ts";

const NOTE_CODES = [
  "counter_not_reset",
  "counter_reset_late",
  "counter_set_back",
  "counter_jumped",
  "swapped",
  "failure_cleared",
] as const satisfies readonly NoteCode[];

const LifeAnswer = z
  .object({
    began: z.iso.datetime(),
    began_by: z.enum(BEGINNINGS).meta({
      description: "how it was recognised; confirmed: by the engineer",
    }),
    ended: z.iso.datetime().nullable(),
    outcome: z.enum(["failed", "worn", "replaced"]).nullable().meta({
      description: "replaced: early, while it still worked; null: it works",
    }),
    hours: z.number().meta({ description: "operating hours on the lamp, at its end if it ended" }),
    efficiency_percent: z
      .number()
      .nullable()
      .meta({
        description:
          "median over its last stretch of at most 30 hours; of the lamp fitted as in " +
          "/api/predictions: 0 if it failed, its newest reading before the first stretch ends",
      }),
    no_light_since: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          "of the lamp fitted: since when its output isn't known, because in the newest hour of " +
          "treatment no light of it was told; null while it is known, and if it failed",
      }),
    serial: z.string().nullable(),
    plain_fit: z
      .object({
        points: z.number().int(),
        fall_percent_per_1000_h: z.number(),
        end_hours: z.number(),
        end_hours_from: z.number().nullable(),
        end_hours_to: z.number().nullable(),
      })
      .nullable()
      .meta({
        description:
          "a plain exponential through the medians after 100 h, and where it reaches the end of " +
          "life, with its 90 % interval: a figure to check by hand, not the forecast",
      }),
    places: z.array(z.object({ lamp: z.number().int(), from: z.iso.datetime() })),
    notes: z.array(z.object({ code: z.enum(NOTE_CODES), at: z.iso.datetime(), text: z.string() })),
  })
  .meta({ id: "LampLife" });

const EXAMPLE: z.output<typeof LifeAnswer> = {
  began: "2026-05-01T06:30:00.000Z",
  began_by: "counter_fell",
  ended: null,
  outcome: null,
  hours: 412.5,
  ...{ efficiency_percent: 95.2, no_light_since: null },
  serial: "A-1723",
  plain_fit: {
    points: 31,
    fall_percent_per_1000_h: 11.2,
    end_hours: 3120.4,
    end_hours_from: 2811.9,
    end_hours_to: 3502.6,
  },
  places: [{ lamp: 7, from: "2026-05-01T06:30:00.000Z" }],
  notes: [],
};

export const LampsAnswer = z
  .object({
    data_through: z.iso.datetime().nullable(),
    suspended: z
      .string()
      .nullable()
      .meta({ description: "why no forecasts are made, null when they are" }),
    counters: z
      .object({
        divided_by: z.number().int().meta({
          description: "hours are the counters' values divided by it; 1: by no plain factor",
        }),
        text: z.string().meta({ description: "with a map rule to be copied" }),
      })
      .nullable()
      .meta({ description: "hour counters that run faster than the clock; null: they don't" }),
    figures: z
      .array(
        z.object({
          code: z.enum(["one_figure", "dimmed_together", "rescaled"]).meta({
            description:
              "one_figure: the PLC sends one figure for all lamps; dimmed_together: many lamps " +
              "moved at once and others didn't; rescaled: all did",
          }),
          lamps: z.array(z.number().int().min(1).max(LAMP_COUNT)),
          at: z.iso.datetime().nullable(),
          text: z.string(),
        }),
      )
      .meta({ description: "odd figures of many lamps, which forecasts don't take for ageing" }),
    duty: z.object({
      operating_hours: z.number(),
      hours_per_day: z.number().nullable(),
      hours_per_operation: z.number().nullable(),
    }),
    lamps: z
      .array(
        z.object({
          lamp: z.number().int().min(1).max(LAMP_COUNT),
          present: LifeAnswer.nullable(),
          past: z.array(LifeAnswer).meta({ description: "newest first" }),
        }),
      )
      .length(LAMP_COUNT),
  })
  .meta({
    id: "Lamps",
    example: {
      data_through: "2026-05-01T06:30:00.000Z",
      suspended: null,
      counters: null,
      figures: [],
      duty: { operating_hours: 1752.4, hours_per_day: 2.4, hours_per_operation: 24 },
      lamps: Array.from({ length: 16 }, (_, index) => ({
        lamp: index + 1,
        present: index === 6 ? EXAMPLE : null,
        past: [],
      })),
    },
  });

/** The answer of `GET /api/lamps`. */
export function lampsAnswer(state: TrackerState, limits: LampLimits): z.output<typeof LampsAnswer> {
  const { hours_a_day, hours_an_operation } = dutyOf(state);
  const problem = countersProblem(state);
  const light = effectsOf(state);
  const judging: Judging = { limits, ...light };
  return {
    data_through: state.last_ms === null ? null : printTime(state.last_ms),
    suspended: areCountersUnknown(state) ? problem : null,
    counters: problem === null ? null : { divided_by: state.counter_factor, text: problem },
    figures: [...oddFigures(state, light)],
    duty: {
      operating_hours: tenths(state.hours),
      hours_per_day: hours_a_day === null ? null : tenths(hours_a_day),
      hours_per_operation: hours_an_operation === null ? null : tenths(hours_an_operation),
    },
    lamps: state.positions.map((at, position) => {
      const now = lampNow(at, judging);
      const past = at.lives.filter((life) => life !== now?.life).reverse();
      return {
        lamp: position + 1,
        present: now === null ? null : lifeAnswer(now.life, judging, now),
        past: past.map((life) =>
          lifeAnswer(life, judging, {
            efficiency_percent: lastLight(life),
            no_light_since_ms: null,
          }),
        ),
      };
    }),
  };
}

function lastLight({ bins }: LampLife): number | null {
  const last = bins.at(-1);
  return last === undefined ? null : tenths(last.efficiency);
}

function lifeAnswer(
  life: LampLife,
  judging: Judging,
  {
    efficiency_percent,
    no_light_since_ms,
  }: Pick<LampNow, "efficiency_percent" | "no_light_since_ms">,
): z.output<typeof LifeAnswer> {
  const outcome = outcomeOf(life, judging);
  return {
    began: printTime(life.began_ms),
    began_by: life.began,
    ended: life.ended_ms === null ? null : printTime(life.ended_ms),
    outcome,
    hours: tenths(life.ended_ms === null ? life.hours : endHoursOf(life, judging)),
    efficiency_percent,
    no_light_since: no_light_since_ms === null ? null : printTime(no_light_since_ms),
    serial: life.serial,
    plain_fit: plainFitOf(life, judging),
    places: life.places.map(({ position, from_ms }) => ({
      lamp: position + 1,
      from: printTime(from_ms),
    })),
    notes: life.notes.map(({ code, at_ms, text }) => ({ code, at: printTime(at_ms), text })),
  };
}

function plainFitOf(life: LampLife, judging: Judging): z.output<typeof LifeAnswer>["plain_fit"] {
  const fit = lifeFit(pooled(life, judging), priorOf(judging.limits));
  if (fit === null) return null;
  const range = fit.end_range_h;
  return {
    points: fit.points,
    fall_percent_per_1000_h: Math.round(-1e5 * Math.expm1(-1000 * fit.rate_per_h)) / 1000,
    end_hours: tenths(fit.end_h),
    end_hours_from: range === null ? null : tenths(range.from),
    end_hours_to: range === null ? null : tenths(range.to),
  };
}
