// The parts that every contender gets: the readings, a folder of its own, and a progress report.
// All contenders get the same data.

import { openPlant, type Plant, type Series } from "../../test/rig/steady-plant.ts";

export interface Setup {
  readonly series: Series;
  /** Empty at first; the caller removes it. */
  readonly folder: string;
  /** Progress, for a person. */
  readonly say: (text: string) => void;
}

/** One reading after another of the whole series: `read` is called when the plant is at each. */
export function eachReading(series: Series, read: (plant: Plant, at_ms: number) => void): void {
  const plant = openPlant(series);
  for (let index = 0; index < series.readings; index += 1) {
    const at_ms = series.start_ms + index * series.cadence_ms;
    plant.advance(at_ms);
    read(plant, at_ms);
  }
}

/** The series in pieces of text, `readings_max` readings each, made as they are asked for. */
export function* piecesOf(
  series: Series,
  readings_max: number,
  line: (plant: Plant, at_ms: number) => string,
): Generator<string> {
  const plant = openPlant(series);
  for (let index = 0; index < series.readings; ) {
    let piece = "";
    const end = Math.min(series.readings, index + readings_max);
    for (; index < end; index += 1) {
      const at_ms = series.start_ms + index * series.cadence_ms;
      plant.advance(at_ms);
      piece += line(plant, at_ms);
    }
    yield piece;
  }
}
