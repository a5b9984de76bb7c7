// A ship that has something to show on every page: half an hour of an operation with a failed lamp
// and one on standby, alarms of the panel, an earlier operation, a message set aside.

import { LAMP_NUMBERS } from "../../src/bwts/tags.ts";

/** A publisher, of onboard-page.ts or of the benchmark. */
interface Publisher {
  publish(kind: "telemetry" | "events", payload: object | readonly object[]): Promise<void>;
}

const MINUTE_MS = 60_000;
const FAILED = 13;
const STANDBY = 5;

/** Ports whose names a page must bear. */
export const PORTS = {
  plain: "Singapore",
  long: "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch".repeat(4).slice(0, 200),
  rightToLeft: "\u0645\u064a\u0646\u0627\u0621 \u062e\u0644\u064a\u0641\u0629 12",
  emoji: "\ud83d\udea2 Port \ud83c\uddf8\ud83c\uddec \u2693\ufe0f",
} as const;

/** Publishes the ship's last hours up to `now_ms`. */
export async function sail(
  ship: Publisher,
  { now_ms, port = PORTS.plain }: { now_ms: number; port?: string },
): Promise<void> {
  const earlier = Array.from({ length: 24 }, (_, index) =>
    treating(now_ms - 30 * 60 * MINUTE_MS + index * 3 * MINUTE_MS, port),
  );
  const present = Array.from({ length: 60 }, (_, index) =>
    treating(now_ms - 30 * MINUTE_MS + (index + 1) * (MINUTE_MS / 2), port),
  );
  await ship.publish("telemetry", [...earlier, ...present]);
  await ship.publish("telemetry", { timestamp: "the day before", UVR_INTENSITY: 601.5 });
  const data = { operation_type: "BALLAST", location: port };
  const low = { code: "UV_LOW", parameter: "UVR_INTENSITY", limit: 252, unit: "W/m2", value: 231 };
  await ship.publish("events", [
    { timestamp: now_ms - 30 * 60 * MINUTE_MS, event_type: "PROCESS_START", data },
    { timestamp: now_ms - 28 * 60 * MINUTE_MS, event_type: "PROCESS_STOP", data },
    { timestamp: now_ms - 20 * 60 * MINUTE_MS, event_type: "CIP_COMPLETE", data: {} },
    { timestamp: now_ms - 30 * MINUTE_MS, event_type: "PROCESS_START", data },
    { timestamp: now_ms - 9 * MINUTE_MS, ...alarm("UV intensity below the limit", low) },
    { timestamp: now_ms - 8 * MINUTE_MS, ...alarm("Fan stopped", { code: "FAN_STOPPED" }) },
  ]);
}

const alarm = (description: string, data: object) => ({
  event_type: "ALARM_TRIGGERED",
  description,
  data,
});

/** A reading of a plant that treats water within the limit of IMO. */
function treating(at_ms: number, location: string): Record<string, string | number | boolean> {
  const wave = Math.sin(at_ms / (7 * MINUTE_MS));
  const lamps = LAMP_NUMBERS.flatMap((number, index) => {
    const [isFailed, isStandby] = [index + 1 === FAILED, index + 1 === STANDBY];
    return [
      [`LAMP_${number}_STATUS`, isFailed ? "FAILED" : isStandby ? "STANDBY" : "ACTIVE"],
      [`LAMP_${number}_EFFICIENCY`, isFailed ? 0 : 98 - 1.9 * index],
      [`LAMP_${number}_RUNTIME`, 1200 + 123.4 * index],
      [`LAMP_${number}_POWER`, isFailed ? 0 : 3570 + index],
    ] as const;
  });
  return {
    ...{ timestamp: at_ms, operation_type: "BALLAST", location },
    ...{ PROCESS_STATE: "RUNNING", COMPLIANCE_MODE: "IMO", UVR_LEVEL: "OPERATIONAL" },
    ...{ UVR_INTENSITY: 640 + 8 * wave, UVR_POWER_OUTPUT: 76.4, UVR_WATER_TEMP: 20.1 },
    ...{ LDC_AIR_TEMP: 36.2, LDC_FAN_STATUS: "RUNNING", FLT_DIFF_PRESSURE: 0.31 + 0.02 * wave },
    ...{ SYS_FLOW_RATE: 812.3 + 5 * wave, SYS_PRESSURE: 4.2, POWER_COMPENSATION_PCT: 12 },
    ...{ SYS_TOTAL_BALLAST_VOL: 250_000 + ((at_ms / 3_600_000) % 10_000) * 812 },
    ...Object.fromEntries(lamps),
  };
}
