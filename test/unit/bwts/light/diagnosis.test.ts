// Why the light is low, for looks whose causes are known: the shares are those of what was lost,
// one cause alone or two at once.

import { describe, expect, test } from "vitest";
import { commonEffects } from "../../../../src/bwts/light/common-effects.ts";
import { type CauseDiagnosis, diagnosisOf } from "../../../../src/bwts/light/diagnosis.ts";
import type { Look } from "../../../../src/bwts/light/light-loss.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/ground/clock.ts";

const LIMITS = { uv_target: 650, dp_alarm: 1 };
const GIVEN = { limits: LIMITS, effects: commonEffects([], []), lamps: [] };
const START_MS = Date.UTC(2026, 4, 1);
const FULL_W_M2 = 900;

interface State {
  /** Efficiency of all lamps, %. */
  readonly light: number;
  readonly water: number;
  /** The share of their power that lamps 9 to 12 get. */
  readonly supply: number;
  /** The share that sleeves, or the sensor, let through. */
  readonly passing: number;
  readonly since_cleaning_h: number;
}

const WELL: State = { light: 90, water: 0.95, supply: 1, passing: 1, since_cleaning_h: 200 };

/** Twenty looks at a plant in a state. */
function looks(changes: Partial<State>, from_h: number): readonly Look[] {
  const state = { ...WELL, ...changes };
  const { light, water, supply, passing, since_cleaning_h } = state;
  const power_pct = 80 * (0.75 + 0.25 * supply);
  const intensity_w_m2 = FULL_W_M2 * (power_pct / 80) * (light / 100) * water * passing;
  return Array.from({ length: 20 }, (_, minute) => ({
    at_ms: START_MS + from_h * HOUR_MS + minute * MINUTE_MS,
    intensity_w_m2,
    power_pct,
    compensation_pct: null,
    water,
    filter_bar: 0.3,
    backflushes: 5,
    mode: "IMO" as const,
    since_cleaning_h: since_cleaning_h + from_h,
    lamps: Array.from({ length: 16 }, (_lamp, position) => {
      const share = position >= 8 && position < 12 ? supply : 1;
      return {
        burning: "lit" as const,
        efficiency_pct: light * share,
        counter_h: 1_000,
        power_w: 3_760 * share,
      };
    }),
  }));
}

const fallOf = (diagnosis: CauseDiagnosis) =>
  new Map(diagnosis.causes.map(({ cause, share_of_fall }) => [cause, share_of_fall]));

/** The parts that causes have of a fall, by what each leaves. */
function parts(left: Readonly<Record<string, number>>): ReadonlyMap<string, unknown> {
  const all = Object.values(left).reduce((sum, share) => sum - Math.log(share), 0);
  return new Map(
    Object.entries(left).map(([cause, share]) => [
      cause,
      expect.closeTo(-Math.log(share) / all, 1),
    ]),
  );
}

describe("a fall within an operation has the causes that it has", () => {
  const fallen = (changes: Partial<State>) =>
    fallOf(diagnosisOf([...looks({}, 0), ...looks(changes, 3)], [], GIVEN));
  /** An earlier loss is listed without a share in the fall. */
  const before = { lamp_ageing: 0, water_transmittance: 0 };

  test("the supply alone", () => {
    const expected = { ...before, power_supply: 1 };
    expect(Object.fromEntries(fallen({ supply: 0.6 }))).toEqual(expected);
  });

  test("the supply and the water", () => {
    const told = fallen({ supply: 0.6, water: 0.8 });
    const causes = parts({ power_supply: 0.9, water_transmittance: 0.8 / 0.95 });
    expect(told).toEqual(new Map([["lamp_ageing", 0], ...causes]));
  });

  test("the supply and something that nothing tells of", () => {
    const told = fallen({ supply: 0.6, passing: 0.8 });
    const causes = parts({ power_supply: 0.9, unknown: 0.8 });
    expect(told).toEqual(new Map([...Object.entries(before), ...causes]));
  });
});

describe("a fall since an operation of weeks ago", () => {
  test("is the lamps' and the sleeves' where both lost light", () => {
    const now = looks({ light: 80, passing: 0.85, since_cleaning_h: 0 }, 800);
    const told = diagnosisOf(now, looks({ since_cleaning_h: 0 }, 0), GIVEN);
    const causes = parts({ lamp_ageing: 80 / 90, sleeve_fouling: 0.85 });
    expect(fallOf(told)).toEqual(new Map([...causes, ["water_transmittance", 0]]));
  });

  test("is the sensor's where a cleaning changed nothing", () => {
    const reference = looks({ since_cleaning_h: 700 }, 0);
    const foul = looks({ passing: 0.7, since_cleaning_h: 700 }, 40);
    const told = diagnosisOf(
      looks({ passing: 0.7, since_cleaning_h: -45 }, 46),
      [...reference, ...foul],
      GIVEN,
    );
    expect(fallOf(told).get("sensor_drift")).toBe(1);
    expect(told.findings.map(({ code }) => code)).toContain("CLEANING_WITHOUT_RECOVERY");
  });
});

test("power that makes up for lost light doesn't hide what is missing", () => {
  const dim = looks({ passing: 0.7 }, 0);
  const compensated = dim.map((look) => ({ ...look, compensation_pct: 12 }));
  const shareOf = (told: CauseDiagnosis) =>
    told.causes.find(({ cause }) => cause === "unknown")?.share ?? 0;
  const [plain, more] = [dim, compensated].map((each) => shareOf(diagnosisOf(each, [], GIVEN)));
  expect(more).toBeGreaterThan(plain);
});

test("lamps that failed are the cause also where no lamp's efficiency is told", () => {
  const untold = (look: Look, failed: number): Look => ({
    ...look,
    intensity_w_m2: look.intensity_w_m2 * (1 - failed / 16),
    lamps: look.lamps.map((lamp, position) => ({
      ...lamp,
      efficiency_pct: null,
      ...(position < failed ? { burning: "failed", power_w: 0 } : {}),
    })),
  });
  const before = looks({}, 0).map((look) => untold(look, 0));
  const after = looks({}, 3).map((look) => untold(look, 3));
  const fall = fallOf(diagnosisOf([...before, ...after], [], GIVEN));
  expect(fall.get("lamp_ageing")).toBeCloseTo(1, 1);
});
