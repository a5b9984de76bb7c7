// Texts about output figures that many lamps share or that moved together, with the place to look:
// they aren't ageing, and forecasts don't treat them as such.

import { printTime } from "../../ground/clock.ts";
import { LAMP_COUNT } from "../tags.ts";
import type { ShipLight } from "./outcome.ts";
import { isOfAll } from "./shared-steps.ts";
import type { TrackerState } from "./state.ts";

interface OddFigure {
  readonly code: "one_figure" | "dimmed_together" | "rescaled";
  /** Numbers of the lamps, 1 to 16. */
  readonly lamps: number[];
  readonly at: string | null;
  readonly text: string;
}

/** The odd figures of many lamps, newest first. */
export function oddFigures(
  { positions }: TrackerState,
  { isOneFigure, shared }: Pick<ShipLight, "isOneFigure" | "shared">,
): readonly OddFigure[] {
  if (isOneFigure) {
    const lamps = Array.from({ length: LAMP_COUNT }, (_, position) => position + 1);
    const text = "the PLC sends one figure for all lamps: forecasts rest on the rated hours";
    return [{ code: "one_figure", lamps, at: null, text }];
  }
  return shared.toReversed().map((step) => {
    const percent = Math.round(100 * Math.abs(Math.expm1(step.by)));
    const lamps = step.positions.map((position) => position + 1).sort((one, two) => one - two);
    const moved = `${step.by < 0 ? "fell" : "rose"} by ${percent} % at once`;
    const [last] = positions[step.positions[0]].lives
      .flatMap(({ bins }) => bins)
      .filter(({ bin }) => bin === step.bin);
    const at = last === undefined ? null : printTime(last.to_ms);
    return isOfAll(step)
      ? {
          ...{ code: "rescaled" as const, lamps, at },
          text: `the output of all lamps ${moved}: another scale, or dirt; not taken for ageing`,
        }
      : {
          ...{ code: "dimmed_together" as const, lamps, at },
          text: `the output of ${lamps.length} lamps ${moved}: look at wiper, sleeves and power`,
        };
  });
}
