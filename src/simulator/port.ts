// The ports of the simulated ship. A bulk carrier loads cargo and pumps ballast out, then
// discharges cargo and takes ballast in: the two kinds of port alternate along the route. Climate
// and clarity are round figures that make the seasons and the waters differ, not measurements.

import { DAY_MS } from "../ground/clock.ts";
import type { Random } from "./random.ts";

export interface Port {
  readonly name: string;
  /** The rules for the operation: USCG in waters of the United States. */
  readonly mode: "IMO" | "USCG";
  readonly water_mean_c: number;
  /** Half the difference between the warmest and the coldest day. */
  readonly water_swing_c: number;
  /** Day of the year with the warmest water. */
  readonly warmest_day: number;
  /** Share of the UV light that the water lets through, 1 for the clearest seawater. */
  readonly clarity: number;
}

const port = (
  name: string,
  mode: Port["mode"],
  [water_mean_c, water_swing_c, warmest_day]: readonly [number, number, number],
  clarity: number,
): Port => ({ name, mode, water_mean_c, water_swing_c, warmest_day, clarity });

export const LONG_BEACH = port("Long Beach", "USCG", [17.5, 3, 235], 0.9);
export const SINGAPORE = port("Singapore", "IMO", [29.5, 1, 140], 0.9);
export const SHANGHAI = port("Shanghai", "IMO", [17, 9, 225], 0.78);
export const YOKOHAMA = port("Yokohama", "IMO", [18, 7, 235], 0.88);

/** One round of the route: ballast out at the even places, ballast in at the odd ones. */
export const ROUTE: readonly Port[] = [
  port("Port Hedland", "IMO", [27, 4, 50], 0.94),
  SINGAPORE,
  port("Newcastle", "IMO", [20, 3.5, 45], 0.95),
  port("Qingdao", "IMO", [14.5, 10, 235], 0.83),
  LONG_BEACH,
  YOKOHAMA,
  port("Vancouver", "IMO", [11, 4.5, 215], 0.86),
  port("Busan", "IMO", [17, 6.5, 235], 0.9),
  port("Oakland", "USCG", [14, 2.5, 250], 0.74),
  SHANGHAI,
  port("Gladstone", "IMO", [24.5, 3.5, 40], 0.88),
  port("Kaohsiung", "IMO", [27, 3, 220], 0.89),
];

const YEAR_DAYS = 365.25;

/** Water temperature in degC: the port's season, the time of day, and a slow drift. */
export function waterTemperature(at: Port, at_ms: number, random: Random): number {
  const day = at_ms / DAY_MS;
  const season = Math.cos((2 * Math.PI * (day - at.warmest_day)) / YEAR_DAYS);
  const hour = Math.sin(2 * Math.PI * (day - 0.4));
  const drift = random.wave("water temperature", at_ms, DAY_MS / 4);
  return at.water_mean_c + at.water_swing_c * season + 0.3 * hour + 0.4 * drift;
}
