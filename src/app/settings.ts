// The configuration key by key, for the audit log, which compares it with that of the start before.
// Secret values are marked, and never leave the writer.

import { type Config, configValues } from "../config/config.ts";
import type { Setting } from "../sqlite/records/runs.ts";

export function settingsOf(config: Config): readonly Setting[] {
  return configValues(config).map(({ key, value, secret }) => ({
    key,
    value: key === "map.rule" ? withoutPlaces(value) : value,
    isSecret: secret === "value",
  }));
}

// The line of a map rule has no effect, so it is left out.
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "where" ? undefined : inner)));
}
