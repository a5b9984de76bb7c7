// A year of a ship's operations as its PLC sends them: an uptake and a discharge in turn, an hour
// each with a reading every three minutes, of which some are below the limit or bypassed.

/** A publisher, of onboard-page.ts or of the benchmark. */
interface Publisher {
  publish(kind: "telemetry" | "events", payload: object | readonly object[]): Promise<void>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const READINGS = 21;
const CADENCE_MS = 3 * MINUTE_MS;
/** Flow in m3/h, so that an operation moves so many m3. */
const FLOW = 900;

interface Year {
  readonly now_ms: number;
  readonly operations: number;
  /** Ports in turn. */
  readonly ports: readonly string[];
  /** By the operation's place in the year, the oldest being 0. */
  readonly below?: readonly number[];
  readonly bypassed?: readonly number[];
}

/** Publishes the operations, spread over 350 days. */
export async function sailYear(ship: Publisher, year: Year): Promise<void> {
  const { now_ms, operations, ports, below = [], bypassed = [] } = year;
  const apart_ms = (350 * DAY_MS) / operations;
  for (let index = 0; index < operations; index += 1) {
    const start_ms = Math.floor(now_ms - (operations - index) * apart_ms);
    const operation_type = index % 2 === 0 ? "BALLAST" : "DEBALLAST";
    const location = ports[index % ports.length] ?? "";
    const total = index % 2 === 0 ? "SYS_TOTAL_BALLAST_VOL" : "SYS_TOTAL_DEBALLAST_VOL";
    const at = (minute: number) => start_ms + minute * MINUTE_MS;
    const isOdd = (minute: number) => minute >= 15 && minute < 30;
    const readings = Array.from({ length: READINGS }, (_, place) => {
      const minute = (place * CADENCE_MS) / MINUTE_MS;
      const isLow = below.includes(index) && isOdd(minute);
      const isPast = bypassed.includes(index) && isOdd(minute);
      return {
        ...{ timestamp: at(minute), operation_type, location, COMPLIANCE_MODE: "IMO" },
        ...{ PROCESS_STATE: isPast ? "BYPASS" : "RUNNING", SYS_FLOW_RATE: FLOW },
        ...{ UVR_INTENSITY: isLow ? 201.5 : 640, CIP_HOURS_SINCE_LAST: 112.4 },
        ...{ LAMP_07_STATUS: "FAILED", LAMP_08_STATUS: "ACTIVE" },
        [total]: 10_000 + index * FLOW + (minute / 60) * FLOW,
      };
    });
    const data = { operation_type, location };
    await ship.publish("telemetry", [
      ...readings,
      {
        timestamp: at(61),
        PROCESS_STATE: "STOPPED",
        SYS_FLOW_RATE: 0,
        CIP_HOURS_SINCE_LAST: 112.4,
      },
    ]);
    await ship.publish("events", [
      { timestamp: at(0), event_type: "PROCESS_START", description: "started", data },
      { timestamp: at(60), event_type: "PROCESS_STOP", description: "stopped", data },
    ]);
  }
}
