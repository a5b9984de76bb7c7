// The fleet for Prometheus: the number of ships, those without contact, and the data that they
// still have to send. A ship whose report is old has no samples from it.

import { Gauge, Registry } from "@prometheus-io/client";
import { SECOND_MS } from "../ground/clock.ts";
import type { FleetNow } from "./fleet-now.ts";

export async function fleetMetrics({ ships, silence_minutes }: FleetNow): Promise<string> {
  const register = new Registry();
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({
      name: `ballastd_fleet_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [register],
    });
  const silent = ships.filter(({ silent_since }) => silent_since !== null);
  const reports = ships.flatMap(({ report }) => (report?.is_current === true ? [report] : []));
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  gauge("ships", "Ships that weren't revoked.").set(ships.length);
  gauge("ships_silent", `Ships that haven't spoken for ${silence_minutes} minutes.`).set(
    silent.length,
  );
  gauge("backlog_links", "Links and payloads that ships with a current report have to send.").set(
    sum(reports.map(({ backlog }) => backlog.links)),
  );
  gauge("backlog_bytes", "Bytes of them, about.").set(
    sum(reports.map(({ backlog }) => backlog.bytes)),
  );
  const isSilent = gauge("ship_silent", "1: an alert, she hasn't spoken for too long.", ["ship"]);
  const contact = gauge("ship_last_contact_timestamp_seconds", "When she spoke last.", ["ship"]);
  for (const { ship, silent_since, last_contact } of ships) {
    isSilent.set({ ship }, silent_since === null ? 0 : 1);
    if (last_contact !== null) contact.set({ ship }, Date.parse(last_contact) / SECOND_MS);
  }
  return register.metrics();
}
