// The newest refused login of a PLC, for the steps about its address and its messages: a PLC with a
// wrong password looks like an absent one.

import { firstWatchWords as t } from "../lang/words.ts";
import { printMoment } from "../parts/moments.ts";
import { brokerIn, type UncheckedSystem } from "../system/facts.ts";

export interface RefusedPlc {
  readonly text: string;
  /** True while no PLC is connected. */
  readonly isAlone: boolean;
}

/** The refused login; null if the newest one from its address wasn't refused. */
export function refusedLogin(system: UncheckedSystem, now_ms: number): RefusedPlc | null {
  const { login_refused_ms = null, login_refused_from, clients } = brokerIn(system) ?? {};
  if (login_refused_ms === null) return null;
  const moment = printMoment(login_refused_ms, now_ms);
  const address = login_refused_from ?? null;
  return {
    text:
      address === null
        ? t("login_refused", { moment })
        : t("login_refused_from", { moment, address }),
    isAlone: clients === 0,
  };
}
