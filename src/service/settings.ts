// The configuration key by key, for the audit log: at each start it is compared with that of the
// start before. What is secret is marked, and its value never leaves the writer.

import { type Config, isSecret } from "../config.ts";
import type { Setting } from "../sqlite/runs.ts";

export function settingsOf(config: Config): readonly Setting[] {
  return Object.entries(config).flatMap(([section, keys]) =>
    Object.entries(keys).map(([name, value]) => ({
      key: `${section}.${name}`,
      value: section === "map" ? withoutPlaces(value) : value,
      isSecret: isSecret(section, name),
    })),
  );
}

// On which line a rule of the map stands says nothing of what it does.
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "where" ? undefined : inner)));
}
