// The three signs of the head: link to ballastd, messages that arrive, age of the data. Each has a
// state and words, so that colour alone tells nothing.

import { shellWords as t } from "../language/en/shell.ts";
import { printAge } from "../parts/moments.ts";
import { isStale } from "../parts/stale.ts";
import type { Snapshot } from "../store/snapshot.ts";

export interface Sign {
  readonly name: "link" | "messages" | "data";
  /** `quiet`: nothing to do, such as the data of a plant that is idle. */
  readonly state: "good" | "quiet" | "bad";
  readonly text: string;
}

/** The box's clock and the PLC's never agree to the second. */
const AHEAD_MS = 60_000;

export function signsOf(snapshot: Snapshot, now_ms: number): readonly Sign[] {
  return [linkSign(snapshot, now_ms), messagesSign(snapshot, now_ms), dataSign(snapshot, now_ms)];
}

function linkSign({ reached, contact_ms }: Snapshot, now_ms: number): Sign {
  const age = printAge(now_ms - contact_ms);
  return reached
    ? { name: "link", state: "good", text: t("link_up") }
    : { name: "link", state: "bad", text: t("link_lost", { age }) };
}

function messagesSign({ readiness, received_ms }: Snapshot, now_ms: number): Sign {
  const { mqtt = null } = readiness.known?.value ?? {};
  const isCut = mqtt?.connected === false || mqtt?.clients === 0;
  const state = isCut ? "bad" : received_ms === null ? "quiet" : "good";
  if (received_ms === null) {
    const text = readiness.known === null ? t("data_unknown") : t("none_received");
    return { name: "messages", state, text: isCut ? t("no_plc") : text };
  }
  const age = printAge(now_ms - received_ms);
  const text = t("received", { age });
  return { name: "messages", state, text: isCut ? `${t("no_plc")}; ${text}` : text };
}

function dataSign({ reading }: Snapshot, now_ms: number): Sign {
  if (reading.known === null) return { name: "data", state: "quiet", text: t("data_unknown") };
  const latest = reading.known.value;
  if (latest === null) return { name: "data", state: "quiet", text: t("data_none") };
  const age_ms = now_ms - latest.at_ms;
  if (age_ms < -AHEAD_MS)
    return { name: "data", state: "bad", text: t("data_ahead", { age: printAge(-age_ms) }) };
  const state = isStale(latest, now_ms) ? "quiet" : "good";
  return { name: "data", state, text: t("data_age", { age: printAge(age_ms) }) };
}
