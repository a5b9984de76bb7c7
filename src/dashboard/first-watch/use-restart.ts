// Notices that ballastd is back after a restart that it was asked for: its start, by the time and
// the uptime that it answers, is then another one. The clocks of browser and ship may differ.

import { useEffect, useState } from "preact/hooks";
import type { PagePart } from "../store/ask.ts";
import { instant, numberOrNull } from "../store/checks.ts";
import type { UncheckedSystem } from "../system/facts.ts";

/** A start takes seconds, on a slow disk some more. */
const RESTART_MAX_MS = 60_000;
/** The uptime has whole seconds. */
const ROUNDING_MS = 2_000;

/** `late`: a minute has passed, and it isn't back. */
export type RestartState = "none" | "waiting" | "late" | "back";

export interface Restart {
  readonly state: RestartState;
  begin(): void;
}

/** `renew` asks for `system` again, soon, until ballastd is back. */
export function useRestart(system: PagePart<UncheckedSystem>): Restart {
  const started_ms = startIn(system);
  const [begun, setBegun] = useState<{ readonly before_ms: number | null } | null>(null);
  const [isLate, setLate] = useState(false);
  const isBack =
    begun !== null &&
    started_ms !== null &&
    system.problem === null &&
    (begun.before_ms === null || Math.abs(started_ms - begun.before_ms) > ROUNDING_MS);
  const isWaiting = begun !== null && !isBack;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = window.setTimeout(() => setLate(true), RESTART_MAX_MS);
    return () => window.clearTimeout(timer);
  }, [isWaiting, begun]);
  const begin = () => {
    setLate(false);
    setBegun({ before_ms: started_ms });
  };
  if (begun === null) return { state: "none", begin };
  return { state: isBack ? "back" : isLate ? "late" : "waiting", begin };
}

function startIn({ known }: PagePart<UncheckedSystem>): number | null {
  const now_ms = instant(known?.value.now);
  const uptime_s = numberOrNull(known?.value.uptime_seconds);
  return now_ms === null || uptime_s === null ? null : now_ms - 1000 * uptime_s;
}
