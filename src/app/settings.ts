// The configuration key by key, for the audit log, which compares it with that of the start before.
// Secret values are marked, and never leave the writer.

import { type Config, isSecret } from "../config/config.ts";
import type { Setting } from "../sqlite/records/runs.ts";

export function settingsOf(config: Config): readonly Setting[] {
  return Object.entries(config).flatMap(([section, keys]) =>
    Object.entries(keys).map(([name, value]) => ({
      key: `${section}.${name}`,
      value: section === "map" ? withoutPlaces(value) : value,
      isSecret: isSecret(section, name),
    })),
  );
}

// The line of a map rule has no effect, so it is left out.
function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "where" ? undefined : inner)));
}
