// Bad parameters of every endpoint of the built program: each is refused by a message that helps.

import { expect, test } from "vitest";
import { startAppliance } from "../oracle/appliance.ts";
import { askChecked } from "../oracle/asking.ts";

const DATED = "startDate=2026-04-29&endDate=2026-04-30";

// Path, the parameter that the message names, and what else it has to say.
const BAD: readonly (readonly [path: string, names: string, says: string])[] = [
  ...[
    "",
    "0",
    "-1",
    "10001",
    "1e3",
    "5abc",
    "1.0",
    "+5",
    "%205",
    "0x10",
    "９",
    "99999999999999999999",
  ].flatMap((limit) =>
    ["/api/health", "/api/events", "/api/predictions", "/api/health/aggregated"].map(
      (path) => [`${path}?limit=${encodeURI(limit)}`, "limit", "10000"] as const,
    ),
  ),
  ["/api/events?limit=5&limit=5", "limit", "5"],
  ["/api/telemetry/history?hours=0", "hours", "87600"],
  ["/api/telemetry/history?hours=87601", "hours", "87600"],
  ["/api/telemetry/history?hours=24&hours=24", "hours", "24"],
  ["/api/telemetry/aggregated?hours=", "hours", "87600"],
  ["/api/telemetry/aggregated?interval=week", "interval", "hour"],
  ["/api/telemetry/aggregated?interval=", "interval", "hour"],
  ["/api/telemetry/aggregated?interval=DAY", "interval", "day"],
  ["/api/health/aggregated?interval=month", "interval", "month"],
  [`/api/telemetry/chunked?${DATED}&offset=-1`, "offset", "-1"],
  [`/api/telemetry/chunked?${DATED}&offset=9007199254740993`, "offset", "9007199254740992"],
  [`/api/telemetry/chunked?${DATED}&limit=10001`, "limit", "10000"],
  ["/api/telemetry/chunked", "startDate", "missing"],
  ["/api/telemetry/chunked?startDate=2026-05-01", "endDate", "missing"],
  ["/api/telemetry/chunked?endDate=2026-05-01", "startDate", "missing"],
  ["/api/events?type=ALARM", "type", "PROCESS_START, PROCESS_STOP or ALARM_TRIGGERED"],
  ["/api/events?type=", "type", "ALARM_TRIGGERED"],
  ...[
    "",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-05-01T24:00:00Z",
    "2026-05-01T23:59:60Z",
    "2026-W18",
    "2026-121",
    "2026",
    "20260501",
    "01.05.2026",
    "yesterday",
    "1777593600",
    "2026-05-01T",
    "2026-05-01T10",
    "2026-05-01T10:00:00+25:00",
    "2026-05-01Z",
  ].flatMap((date) => [
    [
      `/api/telemetry/aggregated?startDate=${encodeURIComponent(date)}`,
      "startDate",
      "ISO 8601",
    ] as const,
    ...["health", "health/aggregated", "events", "predictions"].map(
      (path) =>
        [`/api/${path}?endDate=${encodeURIComponent(date)}`, "endDate", "ISO 8601"] as const,
    ),
  ]),
  ...[
    "telemetry/aggregated",
    "telemetry/chunked",
    "telemetry/runtime-analysis",
    "health",
    "health/aggregated",
    "events",
    "predictions",
  ].map(
    (path) =>
      [`/api/${path}?startDate=2026-05-02&endDate=2026-05-01`, "startDate", "endDate"] as const,
  ),
];

test("every bad parameter is refused with 400, by its name and what is allowed", async () => {
  await using appliance = await startAppliance();
  for (const [path, names, says] of BAD) {
    const { status, bytes } = await askChecked(appliance, "GET", path);
    const { error, message, ...others } = JSON.parse(bytes.toString());
    expect({ status, error, others }, path).toEqual({ status: 400, error: 400, others: {} });
    expect(message, path).toContain(names);
    expect(message, path).toContain(says);
    expect(message, path).not.toMatch(/\n|\/|select |node_modules/i);
  }
});
