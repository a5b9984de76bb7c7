// The table of ballastd's own metrics, read from the register that answers /metrics: its parts are
// those of a program that hasn't opened anything yet.

import { ownMetrics } from "../../src/app/metrics.ts";
import { loadConfig } from "../../src/config/load.ts";
import { openDamageRegister } from "../../src/jobs/damage-register.ts";
import { openJobStates } from "../../src/jobs/job-states.ts";
import { code, markdownTable } from "./markdown-table.ts";

export function metricTable(): string {
  const { register } = ownMetrics(
    {
      config: loadConfig({ file: null, env: {}, defaultFile: null }).config,
      build: { version: "", commit: "", build: "", sqlite: "", built_ms: 0 },
      certificates: { http: null, mqtt: null, sparkplug: null, all: [] },
      damage: openDamageRegister({ error: () => null }),
      jobs: openJobStates(),
      stream: { count: () => 0 },
      ...{ http: null, writer: null, readers: null, signer: null, mqtt: null, sparkplug: null },
    },
    async () => null,
  );
  const rows = register
    .getMetricsAsArray()
    .map(({ name, type, help }) => [code(name), String(type), help]);
  return markdownTable(["metric", "type", "meaning"], rows);
}
