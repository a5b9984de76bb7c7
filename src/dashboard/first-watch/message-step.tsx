// The first message: its fields compared with the catalogue, and rules of the map that give unknown
// ones a meaning. The tick stands only while readings arrive and none is quarantined. While
// messages are quarantined, or without a reading, the newest quarantined one is shown.

import { useState } from "preact/hooks";
import type { SetAside } from "../../bwts/quarantine.ts";
import { printLabel } from "../lang/fields.ts";
import { firstWatchWords as t } from "../lang/words.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { printAge, printMoment } from "../parts/moments.ts";
import { printValue } from "../parts/numbers.ts";
import { SIGNS } from "../parts/verdict-shapes.ts";
import { readReadiness, type ShownReadiness } from "../store/answers.ts";
import type { PagePart } from "../store/ask.ts";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { freshness } from "../store/data-age.ts";
import type { Snapshot } from "../store/snapshot.ts";
import {
  currentValue,
  useAnswer,
  useEngineerToken,
  useNow,
  useSnapshot,
} from "../store/use-store.ts";
import { type RulesAccess, StoredRules } from "./map-rules.tsx";
import {
  isInSpan,
  isMeasured,
  type MessageField,
  readLatest,
  readSpans,
  type ShownSpans,
} from "./message-fields.ts";
import type { RefusedPlc } from "./refused-login.ts";
import { RuleForm } from "./rule-form.tsx";
import type { StepState } from "./setting-fields.ts";
import { WatchStep } from "./watch-step.tsx";

const EVERY_MS = 10_000;

interface MessageStepProps extends RulesAccess {
  readonly refused: RefusedPlc | null;
}

export function MessageStep({ refused: login, ...access }: MessageStepProps) {
  const now_ms = useNow();
  const snapshot = useSnapshot();
  const { isOpen, refused: refusedToken } = useEngineerToken();
  const [isBegun, setBegun] = useState(false);
  const hasReading = (snapshot.overview.known?.value.ages?.value.reading_ms ?? null) !== null;
  const path = hasReading ? "/api/telemetry/latest" : null;
  const latest = useAnswer(path, readLatest, ["reading"], EVERY_MS);
  const spans = useAnswer("/api/tags", readSpans, ["resync"]).known?.value ?? null;
  const newest = useAnswer(isOpen ? NEWEST_REFUSED : null, readNewest, ["alert"], EVERY_MS);
  const refused = isOpen ? (newest.known?.value ?? null) : null;
  const ready = useAnswer("/readyz", readReadiness, ["alert"], EVERY_MS);
  const quarantined = useAnswer("/api/quarantine", readNewestAside, ["alert"], EVERY_MS);
  const received_ms = snapshot.received_ms;
  const isQuarantining = (ready.known?.value.quarantining ?? null) !== null;
  const fields = currentValue(latest, EVERY_MS);
  const isBelieved =
    fields === null || spans === null
      ? null
      : fields.some((field) => isMeasured(field, spans) && isInSpan(field, spans));
  const came = messageState({ snapshot, ready, quarantined, now_ms });
  const state = came === "done" ? believedState(isBelieved) : came;
  // Equal times mean one message that was stored in part.
  const isRefusedNewer =
    refused !== null &&
    (isQuarantining || received_ms === null || refused.received_ms >= received_ms);
  const aside = received_ms === null ? "" : t("received", { age: printAge(now_ms - received_ms) });
  return (
    <WatchStep name="message" title={t("message_title")} isKept={isBegun} {...{ state, aside }}>
      <p>{t(WORDS_OF[state])}</p>
      {login !== null && <p class="problem">{login.text}</p>}
      {isRefusedNewer && <RefusedMessage {...{ refused, now_ms }} />}
      <LatestMessage {...{ part: latest, spans }} />
      {isOpen || (refusedToken !== null && isBegun) ? (
        <RuleForm {...access} onBegun={setBegun} />
      ) : (
        <p class="quiet">{t("rules_token")}</p>
      )}
      <StoredRules {...access} />
    </WatchStep>
  );
}

const WORDS_OF = {
  done: "message_done",
  open: "message_open",
  caution: "message_caution",
  unknown: "message_unknown",
} as const satisfies Record<StepState, string>;

interface MessageFacts {
  readonly snapshot: Snapshot;
  readonly ready: PagePart<ShownReadiness>;
  /** Time of receipt of the newest quarantined message, 0 for none. */
  readonly quarantined: PagePart<number>;
  readonly now_ms: number;
}

/** State of the step: done while current readings arrive and no later message was quarantined. */
function messageState({ snapshot, ready, quarantined, now_ms }: MessageFacts): StepState {
  const { overview, received_ms } = snapshot;
  const ages = overview.problem === null ? (overview.known?.value.ages?.value ?? null) : null;
  const readiness = currentValue(ready, EVERY_MS);
  const aside_ms = currentValue(quarantined, EVERY_MS);
  if (ages === null || readiness === null || aside_ms === null) return "unknown";
  const { quarantining, notStored } = readiness;
  if (quarantining !== null || notStored !== null) return "caution";
  if (aside_ms > (received_ms ?? 0)) return "caution";
  if (ages.reading_ms === null) return "open";
  const { data, isReceiving } = freshness(ages, { received_ms, now_ms });
  return data === "fresh" && isReceiving ? "done" : "caution";
}

/**
 * State by the values: there is no tick until a field of the newest reading has a plausible value.
 */
function believedState(isBelieved: boolean | null): StepState {
  return isBelieved === null ? "unknown" : isBelieved ? "done" : "caution";
}

interface LatestMessageProps {
  readonly part: PagePart<readonly MessageField[]>;
  readonly spans: ShownSpans | null;
}

function LatestMessage({ part, spans }: LatestMessageProps) {
  const fields = part.known?.value ?? null;
  if (fields === null) return null;
  const known = fields.filter(({ tag }) => tag !== null);
  const written = fields.map(({ name, value }) => `"${name}": ${JSON.stringify(value)}`);
  const raw = `{ ${written.join(", ")} }`;
  return (
    <>
      <CopyField label={t("newest")} text={raw} />
      <FieldTicks fields={known} spans={spans} />
    </>
  );
}

interface FieldTicksProps {
  readonly fields: readonly MessageField[];
  readonly spans: ShownSpans | null;
}

/**
 * The fields of the reading. A value within its configured span has a tick; without the spans none
 * has.
 */
function FieldTicks({ fields, spans }: FieldTicksProps) {
  if (fields.length === 0) return null;
  return (
    <>
      <p>{t("known_fields", { n: fields.length })}</p>
      <ul class="field-ticks">
        {fields.map((field) => {
          const sign = spans !== null && isInSpan(field, spans) ? "within_limits" : "cannot_tell";
          const { name, value, tag } = field;
          return (
            <li key={name} class={sign} data-field={name}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={SIGNS[sign]} />
              </svg>
              <span>
                {tag === null ? name : printLabel(tag)} <small class="quiet">{name}</small>
              </span>
              <b>{tag === null ? String(value) : printValue(tag, value)}</b>
              {sign === "cannot_tell" && (
                <small>{t(spans === null ? "not_checked" : "not_believed")}</small>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const readNewestAside: Read<number> = (body) => {
  const times = listOf(body, (one) => (isLike<SetAside>(one) ? instant(one.newest) : null));
  return times === null ? null : { value: Math.max(0, ...times.value) };
};

const NEWEST_REFUSED = "/admin/quarantine?limit=1";

interface RefusedHead {
  readonly id: number;
  readonly received_ms: number;
  readonly reason: string;
  readonly topic: string;
  readonly detail: string;
}

/** Reads the newest quarantined message; null value if there is none. */
const readNewest: Read<RefusedHead | null> = (body) => {
  const items = isLike<{ data: unknown }>(body) ? listOf(body.data, refusedIn) : null;
  return items === null ? null : { value: items.value[0] ?? null };
};

interface RefusedShape extends Record<"id" | "reason" | "topic" | "detail", unknown> {
  readonly last_received: unknown;
}

function refusedIn(given: unknown): RefusedHead | null {
  if (!isLike<RefusedShape>(given)) return null;
  const [id, received_ms] = [numberOrNull(given.id), instant(given.last_received)];
  const [reason, detail] = [textOrNull(given.reason), textOrNull(given.detail) ?? ""];
  if (id === null || received_ms === null || reason === null) return null;
  return { id, received_ms, reason, detail, topic: textOrNull(given.topic) ?? "" };
}

const readPayload: Read<string> = (body) => {
  const payload = isLike<{ payload: string }>(body) ? body.payload : null;
  return typeof payload === "string" ? { value: payload } : null;
};

interface RefusedMessageProps {
  readonly refused: RefusedHead;
  readonly now_ms: number;
}

function RefusedMessage({ refused, now_ms }: RefusedMessageProps) {
  const { id, received_ms, reason, topic, detail } = refused;
  const payload = useAnswer(`/admin/quarantine/${id}`, readPayload).known?.value ?? null;
  const head = { reason, topic, moment: printMoment(received_ms, now_ms) };
  return (
    <div data-test="refused">
      <h4>{t("refused", head)}</h4>
      <p class="problem" lang="en">
        {detail}
      </p>
      {payload !== null && <CopyField label={t("payload")} text={payload} />}
    </div>
  );
}
