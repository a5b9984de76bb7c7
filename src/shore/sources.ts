// THE ORDER OF SENDING, chosen anew before each statement. Alerts; events and the audit log; the
// report; signed heads, then the ledger's statements, so that a statement at the office always has
// the head that proves it; hours and forecasts; links of segments, oldest first, because the chain
// needs its order; payloads, requested ones first, then newest first. A source is never delayed by
// another one that it doesn't depend on.

import { DAY_MS, MINUTE_MS } from "../ground/clock.ts";
import { exactJson } from "../ground/exact-json.ts";
import type { ReportedDocument } from "../sqlite/answers/told-ashore.ts";
import type { Heads, ShoreLink } from "../sqlite/exchange/shore-links.ts";
import { ledgerHoleSource, ledgerSource } from "./ledger-source.ts";
import type { Item, ShoreSource, SourceParts } from "./parts.ts";
import { payloadSource, withNewest } from "./payloads.ts";
import { sendingMinutes } from "./state.ts";
import { documentStatement, linkStatement } from "./statement.ts";

export function openSources(parts: SourceParts): readonly ShoreSource[] {
  const segments = chainSource(parts, "segment");
  return [
    alarmSource(parts),
    chainSource(parts, "event"),
    chainSource(parts, "audit"),
    reportSource(parts),
    ledgerHoleSource(parts),
    ledgerSource(parts, "head"),
    ledgerSource(parts, "statement"),
    hourSource(parts),
    forecastSource(parts),
    segments,
    payloadSource(parts, segments.withoutPayload),
  ];
}

/** Number of links without payloads in a page: some 25 kB. */
const LINKS = 50;
/** Maximum number of new segments sent with their payloads, each in one statement, on any line. */
const WHOLE_MAX = 2;
/**
 * Maximum time on the line for which more segments are sent with their payloads. Then no link has
 * to go ahead of its payload.
 */
const WHOLE_MAX_MINUTES = 1;
/** Approximate size of a segment of 2,048 readings with all fields. */
const SEGMENT_BYTES = 60_000;

function isFew(ahead: number, { state, settings }: SourceParts): boolean {
  const { max_kbit, max_mb_day } = settings();
  if (ahead <= WHOLE_MAX) return true;
  // With a budget for the day, the links of all segments go first.
  if (max_mb_day > 0) return false;
  const minutes = sendingMinutes(state, ahead * SEGMENT_BYTES, max_kbit);
  return minutes !== null && minutes <= WHOLE_MAX_MINUTES;
}

function chainSource(parts: SourceParts, chain: "segment" | "event" | "audit") {
  const { readers, state, hello, settings, blocked, spoilt } = parts;
  let sent = hello.chains[chain].common;
  let page: ShoreLink[] = [];
  const withoutPayload: number[] = [];
  return {
    what: chain,
    isUrgent: chain !== "segment",
    /** Numbers of links sent since the hello without the payload that is aboard. */
    withoutPayload,
    async next(): Promise<Item | null> {
      const ahead = parts.aboard().heads[chain] - sent;
      if (blocked.has(chain) || ahead <= 0) return null;
      if (page.length === 0) {
        const isWhole = chain === "segment" && parts.objects === null;
        const isAlways = isWhole && settings().raw === "always" && !parts.budget.isUsedUp();
        const withPayload = isAlways && isFew(ahead, parts) && !spoilt.has(sent + 1);
        const limit = withPayload ? 1 : LINKS;
        page = [...(await readers.call("shore_links", { chain, after: sent, limit, withPayload }))];
      }
      const link = page.shift();
      if (link === undefined) return null;
      sent = link.number;
      const isWithout = chain === "segment" && link.payload === null && link.payload_bytes !== null;
      if (isWithout) withoutPayload.push(link.number);
      return {
        ...{ statement: linkStatement(link), what: `${chain} ${link.number}` },
        ...{ chain, number: link.number },
        onAcknowledged() {
          if (state.has === null) return;
          const { links, lacking } = state.has;
          state.has = {
            ...{ ...state.has, links: { ...links, [chain]: link.number } },
            lacking: isWithout ? withNewest(lacking, link.number) : lacking,
          };
        },
      };
    },
  };
}

const DOCUMENT = { chain: null, number: 0 } as const;

/** A revision above all given ones: the time, so that a later one is higher for any box. */
function nextRevision({ state, now_ms }: SourceParts): number {
  state.revision = Math.max(state.revision + 1, now_ms());
  return state.revision;
}

function alarmSource(parts: SourceParts): ShoreSource {
  const { readers, state, hello, now_ms } = parts;
  let looked = -1;
  let changed: ReportedDocument[] = [];
  /** Marks of the alerts sent since the hello, by id; the answers may still be missing. */
  const sent = new Map<string, string>();
  // An alert of an earlier run is sent again only if it changed in the day before the last one
  // sent. A revision in the future comes from a thief or a wrong clock, so the present is the
  // limit.
  const since_ms = Math.min(hello.revisions.alarm ?? 0, now_ms()) - DAY_MS;
  return {
    what: "alerts",
    isUrgent: true,
    async next() {
      const { look } = parts.aboard();
      if (look !== looked) {
        looked = look;
        const found = await readers.call("shore_alarms", since_ms, now_ms());
        changed = found.filter(
          ({ key, body }) => (sent.get(key) ?? state.toldAlarms.get(key)) !== textOf(body),
        );
      }
      const alarm = changed.shift();
      if (alarm === undefined) return null;
      sent.set(alarm.key, textOf(alarm.body));
      const revision = nextRevision(parts);
      return {
        ...DOCUMENT,
        statement: documentStatement("alarm", { ...alarm, revision }),
        what: `alert ${alarm.key}`,
        onAcknowledged: () => void state.toldAlarms.set(alarm.key, textOf(alarm.body)),
      };
    },
  };
}

const textOf = (body: object) => exactJson(body);

const NO_LINKS: Heads = { segment: 0, event: 0, audit: 0 };

function reportSource(parts: SourceParts): ShoreSource {
  const { readers, state, settings, now_ms } = parts;
  return {
    what: "report",
    isUrgent: true,
    async next() {
      const since_ms = performance.now() - (state.reported_ms ?? Number.NEGATIVE_INFINITY);
      if (since_ms < settings().report_minutes * MINUTE_MS) return null;
      state.reported_ms = performance.now();
      const stored = await readers.call("shore_report", state.has?.ledger ?? null);
      const backlog =
        state.has && (await readers.call("shore_backlog", state.has, settings().raw === "always"));
      const { day, month } = await readers.call("shore_noted", now_ms());
      const body = {
        ...stored,
        at_ms: now_ms(),
        ashore: state.has?.links ?? NO_LINKS,
        backlog: {
          links: (backlog?.links ?? 0) + (backlog?.payloads ?? 0),
          ...{ bytes: backlog?.bytes ?? 0, oldest_ms: backlog?.oldest_ms ?? null },
        },
        clock: { trusted: parts.isClockTrusted(), offset_ms: state.clock_offset_ms },
        line: [
          Math.round((day.sent_bytes + day.received_bytes) / 1000),
          Math.round((month.sent_bytes + month.received_bytes) / 1000),
          backlog && sendingMinutes(state, backlog.bytes, settings().max_kbit),
        ],
      };
      const revision = nextRevision(parts);
      return {
        ...DOCUMENT,
        statement: documentStatement("report", { key: "now", body, revision }),
        what: "report",
        onAcknowledged() {},
      };
    },
  };
}

const HOURS = 20;

function hourSource(parts: SourceParts): ShoreSource {
  const { readers, state } = parts;
  let sent = state.has?.hours ?? 0;
  let page: (ReportedDocument & { readonly revision: number })[] = [];
  return {
    what: "hours",
    isUrgent: false,
    async next() {
      if (page.length === 0 && parts.aboard().hours > sent)
        page = [...(await readers.call("shore_hours", { revision: sent, limit: HOURS }))];
      const hour = page.shift();
      if (hour === undefined) return null;
      sent = hour.revision;
      return {
        ...DOCUMENT,
        statement: documentStatement("hour", hour),
        what: `hour ${hour.key}`,
        onAcknowledged() {
          if (state.has !== null) state.has = { ...state.has, hours: hour.revision };
        },
      };
    },
  };
}

function forecastSource(parts: SourceParts): ShoreSource {
  const { readers, state } = parts;
  let page: ReportedDocument[] = [];
  return {
    what: "forecasts",
    isUrgent: false,
    async next() {
      const told_ms = state.forecastsTold_ms;
      if (told_ms === null || performance.now() - told_ms >= DAY_MS) {
        state.forecastsTold_ms = performance.now();
        page = [...(await readers.call("shore_forecasts"))];
      }
      const forecast = page.shift();
      if (forecast === undefined) return null;
      const revision = nextRevision(parts);
      return {
        ...DOCUMENT,
        statement: documentStatement("forecast", { ...forecast, revision }),
        what: `forecast ${forecast.key}`,
        onAcknowledged() {},
      };
    },
  };
}
