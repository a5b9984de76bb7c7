// The metrics of the links to the office and to Sparkplug hosts. A link that is off has no samples:
// a zero would raise false alarms.

import { Gauge, type Registry } from "@prometheus-io/client";
import type { ShoreAnswer } from "../bwts/documents/shore-answer.ts";
import { SECOND_MS } from "../ground/clock.ts";
import type { SparkplugStatus } from "../scada/edge-node.ts";
import type { OpenedParts } from "./parts.ts";
import type { ShoreNow } from "./shore-now.ts";

export function addShore(register: Registry, shoreNow: ShoreNow): void {
  const gauge = (name: string, help: string, value: (told: ShoreAnswer) => number | null) =>
    new Gauge({
      name: `ballastd_shore_${name}`,
      help,
      registers: [register],
      async collect() {
        const told = await shoreNow().catch(() => null);
        const now = told === null || told.state === "off" ? null : value(told);
        if (now === null) this.remove();
        else this.set(now);
      },
    });
  const seconds = (time: string | null) => (time === null ? null : Date.parse(time) / SECOND_MS);
  gauge("connected", "1 while a session with the shore lasts.", ({ state }) =>
    state === "connected" ? 1 : 0,
  );
  gauge("last_answer_timestamp_seconds", "When the shore answered last.", ({ last_answer }) =>
    seconds(last_answer),
  );
  gauge("backlog_items", "Links, payloads and hours that aren't ashore.", ({ backlog }) =>
    backlog === null ? null : backlog.links + backlog.payloads + backlog.hours,
  );
  gauge("backlog_bytes", "Bytes of them, about.", ({ backlog }) => backlog?.bytes ?? null);
  gauge("backlog_oldest_timestamp_seconds", "Time of the oldest of them.", ({ backlog }) =>
    seconds(backlog?.oldest ?? null),
  );
  gauge("refused", "What the shore doesn't take.", ({ refused }) => refused.length);
  gauge(
    "month_sent_bytes",
    "Bytes sent ashore since the first of the month (UTC).",
    ({ month }) => month.sent_bytes,
  );
  gauge(
    "month_received_bytes",
    "Bytes received from there since the first of the month (UTC).",
    ({ month }) => month.received_bytes,
  );
}

/** The Sparkplug node's metrics, without samples if it is off. */
export function addSparkplug(register: Registry, parts: Pick<OpenedParts, "sparkplug">): void {
  const gauge = (name: string, help: string, value: (status: SparkplugStatus) => boolean) =>
    new Gauge({
      name: `ballastd_sparkplug_${name}`,
      help,
      registers: [register],
      collect() {
        if (parts.sparkplug === null) this.remove();
        else this.set(Number(value(parts.sparkplug.status())));
      },
    });
  gauge("connected", "1 while the broker of Sparkplug hosts is connected.", (status) => {
    return status.isConnected;
  });
  gauge("born", "1 from the node's birth until its death.", ({ isBorn }) => isBorn);
}
