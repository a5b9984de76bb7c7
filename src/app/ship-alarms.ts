// The facts for the ship's alarm system, which asks over Modbus TCP. A reader is asked at most once
// a second, however many requests arrive. If it doesn't answer, its facts are unknown; the age of
// data, which needs no reader, is sent nevertheless.

import { setTimeout as pause } from "node:timers/promises";
import { SECOND_MS } from "../ground/clock.ts";
import type { Log } from "../ground/log.ts";
import type { ShipFacts } from "../scada/modbus-registers.ts";
import { type ModbusServer, openModbus } from "../scada/modbus-server.ts";
import { missingIn } from "./endpoints.ts";
import type { OpenedParts } from "./parts.ts";
import {
  ageOf,
  askPlant,
  isLive,
  measuredIn,
  numberIn,
  type PlantFigures,
  type PlantParts,
} from "./plant-metrics.ts";

/** Maximum age of the facts: an alarm system asks once a second or less often. */
const KEPT_MS = SECOND_MS;
/** Maximum time for which a request waits for a reader. */
const WAIT_MAX_MS = 2 * SECOND_MS;

/** Opens the Modbus server; null if no address is configured. */
export async function openShipAlarms(parts: OpenedParts, log: Log): Promise<ModbusServer | null> {
  const { listen } = parts.config.modbus;
  if (listen.length === 0) return null;
  const figures = recentFigures(() => askPlant(parts));
  return openModbus({
    listen,
    missing: missingIn(parts),
    facts: async () => factsOf(await figures(), parts),
    log,
  });
}

type Figures = PlantFigures | null;

/** Returns `ask`'s result, at most KEPT_MS old; null if it fails or takes too long. */
function recentFigures(ask: () => Promise<Figures>): () => Promise<Figures> {
  let asked_ms = Number.NEGATIVE_INFINITY;
  let asked: Promise<Figures> = Promise.resolve(null);
  let isAsking = false;
  return () => {
    if (!isAsking && performance.now() - asked_ms > KEPT_MS) {
      isAsking = true;
      asked_ms = performance.now();
      const made = ask().catch(() => null);
      asked = Promise.race([made, pause(WAIT_MAX_MS, null, { ref: false })]);
      made.finally(() => {
        isAsking = false;
      });
    }
    return asked;
  };
}

function factsOf(figures: Figures, parts: PlantParts): ShipFacts {
  const { plant = null, alarms = null } = figures ?? {};
  const live = plant !== null && isLive(plant, parts) ? plant : null;
  const received_ms = parts.writer?.totals().last_told_ago_ms ?? null;
  const now_ms = Date.now();
  return {
    running_s: performance.now() / SECOND_MS,
    received_age_s: received_ms === null ? null : received_ms / SECOND_MS,
    reading_age_s: plant === null ? null : ageOf(plant, parts) / SECOND_MS,
    isTreating: live?.isTreating ?? null,
    intensity_w_m2: measuredIn(live, "UVR_INTENSITY"),
    flow_m3_h: measuredIn(live, "SYS_FLOW_RATE"),
    lamps_out: numberIn(plant, "FAILED_LAMP_COUNT"),
    alerts:
      alarms?.open.map(({ shelved_until_ms, ...alert }) => ({
        ...alert,
        isShelved: shelved_until_ms !== null && shelved_until_ms > now_ms,
      })) ?? null,
  };
}
