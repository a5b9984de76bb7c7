// The evidence of a number: the stored reading from which it follows, with both times and its place
// in the chain; or several such readings, each with its own evidence.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { EvidenceAnswer } from "../../bwts/present/evidence.ts";
import { laterWords as t } from "../lang/words.ts";
import { instant, isLike, listOf, numberOrNull, type Read, textOrNull } from "../store/checks.ts";
import { useAnswer, useNow } from "../store/use-store.ts";
import { KEYS } from "./key-table.ts";
import { useKeys } from "./keys.ts";
import { printSecond } from "./moments.ts";
import { Guarded } from "./panel.tsx";
import { ProblemBanner } from "./problem.tsx";

/** The evidence asked for: the number's name, and the time of its reading. */
export interface EvidenceQuery {
  readonly name: string;
  readonly at_ms: number;
  /** Content shown in place of the reading, for a number that follows from several. */
  readonly of?: ComponentChildren;
}

interface ShownEvidence {
  readonly stored: "hot" | "sealed";
  readonly counts: boolean;
  readonly received_ms: number;
  /** Names of the fields with doubtful values. */
  readonly doubted: readonly string[];
  readonly place: readonly (readonly ["segment" | "hash" | "root" | "leaf", string])[];
}

interface EvidenceProps {
  readonly asked: EvidenceQuery;
  readonly close: () => void;
}

export function EvidencePanel({ asked, close }: EvidenceProps) {
  const { name, at_ms, of } = asked;
  const panel = useRef<HTMLElement>(null);
  const opener = useRef(document.activeElement);
  // A reading opened from within the panel replaces the button that had the focus.
  useEffect(() => panel.current?.focus(), [asked]);
  useEffect(
    () => () => {
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
    [],
  );
  useKeys([{ keys: KEYS.overview.evidence_close, about: t("evidence_close"), run: close }]);
  return (
    <section
      class="evidence dialog"
      role="dialog"
      aria-labelledby="evidence"
      tabIndex={-1}
      ref={panel}
      data-test="evidence"
    >
      <h2 id="evidence">{t("evidence_title", { name })}</h2>
      <button type="button" class="close" onClick={close}>
        {t("evidence_close")}
      </button>
      <Guarded>{of || <ReadingEvidence key={at_ms} at_ms={at_ms} />}</Guarded>
    </section>
  );
}

function ReadingEvidence({ at_ms }: { at_ms: number }) {
  const now_ms = useNow();
  const path = `/api/evidence?timestamp=${new Date(at_ms).toISOString()}`;
  const part = useAnswer(path, readEvidence);
  return (
    <>
      <p>{t("evidence_plc", { moment: printSecond(at_ms, now_ms) })}</p>
      <ProblemBanner problem={part.problem} />
      <Guarded>
        {part.problem === null &&
          part.known?.value.map((one) => (
            <StoredReading key={one.stored + one.received_ms} one={one} now_ms={now_ms} />
          ))}
      </Guarded>
    </>
  );
}

function StoredReading({ one, now_ms }: { one: ShownEvidence; now_ms: number }) {
  return (
    <div class="stored">
      <p>{t("evidence_received", { moment: printSecond(one.received_ms, now_ms) })}</p>
      {!one.counts && <p>{t("evidence_replaced")}</p>}
      {one.doubted.length > 0 && (
        <p data-test="not-believed">{t("evidence_doubted", { fields: one.doubted.join(", ") })}</p>
      )}
      {one.stored === "hot" && <p>{t("evidence_hot")}</p>}
      <dl>
        {one.place.map(([key, text]) => (
          <div key={key}>
            <dt>{t(`evidence_${key}`)}</dt>
            <dd>
              <code>{text}</code>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const readEvidence: Read<readonly ShownEvidence[]> = (body) =>
  isLike<EvidenceAnswer>(body) ? listOf(body.readings, storedReading) : null;

type StoredEvidence = EvidenceAnswer["readings"][number];

function storedReading(given: unknown): ShownEvidence | null {
  if (!isLike<StoredEvidence>(given)) return null;
  const { stored, counts, segment } = given;
  const received_ms = instant(given.received_at);
  if (received_ms === null || typeof counts !== "boolean") return null;
  const names = Array.isArray(given.not_believed) ? given.not_believed : [];
  const doubted = names.filter((name) => typeof name === "string");
  if (stored === "hot") return { stored, counts, received_ms, doubted, place: [] };
  if (stored !== "sealed" || !isLike<NonNullable<StoredEvidence["segment"]>>(segment)) return null;
  const { number, rows, row } = segment;
  const numbers = [number, row, rows].map(numberOrNull);
  const [hash, root, leaf] = [segment.hash, segment.root, segment.leaf].map(textOrNull);
  if (numbers.includes(null) || !hash || !root || !leaf) return null;
  const where = `${number}, ${row} / ${rows}`;
  const place = [
    ["segment", where],
    ["hash", hash],
    ["root", root],
    ["leaf", leaf],
  ] as const;
  return { stored, counts, received_ms, doubted, place };
}
