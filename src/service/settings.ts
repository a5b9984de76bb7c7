// The configuration key by key, for the audit log: at each start it is compared with that of the
// start before. What is secret is marked, and its value never leaves the writer.

import { type Config, isSecret } from "../config.ts";
import type { Setting } from "../sqlite/runs.ts";

export function settingsOf(config: Config): readonly Setting[] {
  return Object.entries(config).flatMap(([section, keys]) =>
    Object.entries(keys).map(([name, value]) => ({
      key: `${section}.${name}`,
      value,
      isSecret: isSecret(section, name),
    })),
  );
}
