// The three signs of the head: link to ballastd, arriving messages, age of the data. Each has a
// state and a text, so that colour alone carries no information.

import { shellWords as t } from "../lang/words.ts";
import { printAge, printMoment } from "../parts/moments.ts";
import { freshness, readingAge, readingTimes } from "../store/data-age.ts";
import type { Snapshot } from "../store/snapshot.ts";

export interface Sign {
  readonly name: "link" | "messages" | "data";
  /** `quiet`: there is nothing to do, as with the data of an idle plant. */
  readonly state: "good" | "quiet" | "bad";
  readonly text: string;
}

export function signsOf(snapshot: Snapshot, now_ms: number): readonly Sign[] {
  const signs = [messagesSign(snapshot, now_ms), dataSign(snapshot, now_ms)];
  return [linkSign(snapshot, now_ms), ...signs.map((sign) => asKnown(sign, snapshot))];
}

/**
 * While the link is lost, arriving messages and the age of the data aren't known, so no sign is
 * good.
 */
function asKnown(sign: Sign, { reached }: Snapshot): Sign {
  return reached || sign.state !== "good" ? sign : { ...sign, state: "quiet" };
}

function linkSign({ reached, contact_ms }: Snapshot, now_ms: number): Sign {
  const age = printAge(now_ms - contact_ms);
  return reached
    ? { name: "link", state: "good", text: t("link_up") }
    : { name: "link", state: "bad", text: t("link_lost", { age }) };
}

function messagesSign({ readiness, overview, received_ms }: Snapshot, now_ms: number): Sign {
  const { mqtt = null, quarantining = null, notStored = null } = readiness.known?.value ?? {};
  // ballastd drops the PLC's connection so that the PLC keeps its messages: no cable is to be
  // checked.
  if (notStored !== null) {
    const text = t(notStored === "disk_full" ? "disk_full" : "not_stored");
    return { name: "messages", state: "bad", text };
  }
  const isCut = mqtt?.connected === false || mqtt?.clients === 0;
  const ages = overview.known?.value.ages?.value ?? null;
  const isReceiving = ages !== null && freshness(ages, { received_ms, now_ms }).isReceiving;
  const state = isCut ? "bad" : isReceiving ? "good" : "quiet";
  // Messages arrive, so no cable is to be checked.
  if (quarantining?.areAll === true && !isCut) {
    const moment = printMoment(quarantining.since_ms, now_ms);
    return { name: "messages", state: "bad", text: t("quarantined_since", { moment }) };
  }
  const refused_ms = mqtt?.login_refused_ms ?? null;
  const cut =
    refused_ms === null
      ? t("no_plc")
      : t("login_refused", { moment: printMoment(refused_ms, now_ms) });
  if (received_ms === null) {
    const text = overview.known === null ? t("data_unknown") : t("none_received");
    return { name: "messages", state, text: isCut ? cut : text };
  }
  const age = printAge(now_ms - received_ms);
  const text = t("received", { age });
  return { name: "messages", state, text: isCut ? `${cut}; ${text}` : text };
}

function dataSign({ readiness, overview, received_ms }: Snapshot, now_ms: number): Sign {
  const ages = overview.known?.value.ages?.value ?? null;
  if (ages === null) return { name: "data", state: "quiet", text: t("data_unknown") };
  const reading = readingTimes(ages);
  if (reading === null) return { name: "data", state: "quiet", text: t("data_none") };
  const { data } = freshness(ages, { received_ms, now_ms });
  const age_ms = readingAge(reading, now_ms);
  if (data === "ahead")
    return { name: "data", state: "bad", text: t("data_ahead", { age: printAge(-age_ms) }) };
  const text = t("data_age", { age: printAge(age_ms) });
  const isAside = readiness.known?.value.quarantining?.areAll === true;
  return { name: "data", state: data === "fresh" && !isAside ? "good" : "quiet", text };
}
