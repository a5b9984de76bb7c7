// A story to be published instead of a voyage: the ship at the story's end, with a fault. Its
// readings are counted back from its end, so that they rarely coincide with those of a ship that
// sends to the same system at the same time.

import {
  cleaningFails,
  filterClogs,
  intensityFalls,
  type MakeActs,
  type StoryAct,
  supplyFails,
} from "./act.ts";
import { cleaningEvents, operationEvents } from "./alarm.ts";
import { type PlantReading, readingAt } from "./plant.ts";
import { createRandom } from "./random.ts";
import type { PlantSource, SimulatedStretch } from "./ship.ts";
import { createVoyage, OPERATIONS_BEFORE_ANCHOR } from "./voyage.ts";

export type StoryLetter = "A" | "B" | "C" | "D";

interface Plot {
  readonly about: string;
  readonly makeActs: MakeActs;
}

/** The stories, each with a line about it. */
export const STORIES: Readonly<Record<StoryLetter, Plot>> = {
  A: {
    about: "UV 650 to 490 W/m2 in 3 hours: a lamp past 3,000 h, no cleaning for 47 days (UV_LOW)",
    makeActs: intensityFalls,
  },
  B: {
    about: "filter 0.3 to 1.2 bar in 40 minutes, with three backflushes (FILTER_HIGH_DP)",
    makeActs: filterClogs,
  },
  C: {
    about: "the power supply of lamps 9 to 12 at 60 % power (LPS_FAULT)",
    makeActs: supplyFails,
  },
  D: {
    about: "a cleaning (CIP) after which the light stays low (CIP_NO_RECOVERY)",
    makeActs: cleaningFails,
  },
};

export interface Story extends PlantSource {
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface StoryOptions {
  readonly letter: StoryLetter;
  /** Seed of the ship in the story. */
  readonly seed: number;
  readonly system_id: string;
  readonly end_ms: number;
}

export function createStory({ letter, seed, system_id, end_ms }: StoryOptions): Story {
  const random = createRandom(seed);
  const usual = createVoyage(random, end_ms).leg(OPERATIONS_BEFORE_ANCHOR);
  const acts = STORIES[letter].makeActs(usual, end_ms, random);

  const instants = function* (
    stretch: SimulatedStretch,
  ): Generator<{ readonly act: StoryAct; readonly at_ms: number }> {
    const { cadence_ms } = stretch;
    for (const act of acts) {
      const from_ms = Math.max(stretch.from_ms, act.leg.operation.start_ms);
      const to_ms = Math.min(stretch.to_ms, act.leg.operation.end_ms);
      let at_ms = end_ms - Math.floor((end_ms - from_ms) / cadence_ms) * cadence_ms;
      for (; at_ms <= to_ms; at_ms += cadence_ms) yield { act, at_ms };
    }
  };

  return {
    system_id,
    start_ms: Math.min(...acts.map(({ leg }) => leg.operation.start_ms)),
    end_ms,
    countReadings: (stretch) => [...instants(stretch)].length,
    *readings(stretch): Generator<PlantReading> {
      for (const { act, at_ms } of instants(stretch)) {
        const { members } = readingAt(act.leg, at_ms, random, system_id);
        yield { at_ms, members: act.alter(members, at_ms) };
      }
    },
    *events({ from_ms, to_ms }) {
      const events = acts.flatMap(({ leg, alarms }) => [
        ...operationEvents(leg.operation),
        ...alarms,
        ...(leg.cleaning === null ? [] : cleaningEvents(leg.cleaning)),
      ]);
      events.sort((a, b) => a.at_ms - b.at_ms);
      for (const event of events) if (event.at_ms >= from_ms && event.at_ms <= to_ms) yield event;
    },
  };
}
