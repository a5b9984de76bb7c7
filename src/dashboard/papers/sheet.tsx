// The inspection sheet: one page on paper, the most urgent first. Its sections are the same as the
// office's and the terminal's. A section that can't be read shows that, and affects no other.

import type { ComponentChildren } from "preact";
import {
  amountOf,
  cubicMetres,
  directionOf,
  minuteOf,
  shortPlace,
  spanOf,
  VERDICT_SHAPES,
} from "../../bwts/documents/sheet-words.ts";
import { printedUnit } from "../../bwts/operations/operation-words.ts";
import { partsWords, inspectionWords as t } from "../lang/words.ts";
import { QrCode } from "../parts/address-code.tsx";
import { ProblemBanner } from "../parts/problem.tsx";
import type { Valid } from "../store/checks.ts";
import { Both, FillIn, type PlainKey, Translation } from "./bilingual.tsx";
import type { ShownException, ShownSheet } from "./inspection-answer.ts";
import { OperationTable } from "./operation-rows.tsx";

export const PATH = "/api/inspection";

export function Sheet({ sheet }: { sheet: ShownSheet }) {
  return (
    <article class="sheet" lang="en">
      <Piece of={sheet.head}>{(head) => <Head made={sheet.made} head={head} />}</Piece>
      <Piece of={sheet.summary}>{(summary) => <Summary summary={summary} />}</Piece>
      <Section name="exceptions" of={sheet.exceptions}>
        {(lines) => (
          <Exceptions lines={lines} data={sheet.dataExceptions} left_out={sheet.left_out} />
        )}
      </Section>
      <Section name="last" of={sheet.operations}>
        {(lines) =>
          lines.length === 0 ? (
            <p>
              <Both text="no_operations" />
            </p>
          ) : (
            <OperationTable lines={lines} />
          )
        }
      </Section>
      <Section name="trace" of={sheet.trace}>
        {(trace) => <Trace trace={trace} />}
      </Section>
      <Section name="questions" of={sheet.questions}>
        {(questions) => (
          <ol>
            {questions.map(({ question, answer }) => (
              <li key={question}>
                {question} {answer === null ? <FillIn /> : <b>{answer}</b>}
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section name="trust" of={sheet.trust}>
        {(trust) => <Trust trust={trust} />}
      </Section>
      <p class="notice">{sheet.notice}</p>
    </article>
  );
}

interface PieceProps<T> {
  readonly of: Valid<T> | null;
  readonly children: (value: T) => ComponentChildren;
}

function Piece<T>({ of, children }: PieceProps<T>) {
  const problem = { kind: "odd", path: PATH, status: null, message: null } as const;
  return of === null ? <ProblemBanner problem={problem} /> : children(of.value);
}

function Section<T>({ name, ...piece }: PieceProps<T> & { readonly name: PlainKey }) {
  return (
    <div class={`part ${name}`}>
      <h3>
        <Both text={name} />
      </h3>
      <Piece {...piece} />
    </div>
  );
}

type SheetPart<Name extends keyof ShownSheet> = ShownSheet[Name] extends Valid<infer Value> | null
  ? Value
  : never;

/** Names of ship and system as configured; null for those that aren't. */
export function configuredFacts({ ship }: SheetPart<"head">) {
  const facts: readonly (readonly [PlainKey, string | null])[] = [
    ["ship", ship.vessel],
    ["imo", ship.imo],
    ["system", ship.system_id],
    ["type", ship.system_type],
    ["serial", ship.serial],
    ["certificate", ship.certificate],
  ];
  return facts;
}

function Head({ made, head }: { made: string; head: SheetPart<"head"> }) {
  const { ship, ship_time, simulated, version, limits, limits_source } = head;
  const { capacity_m3_h } = ship;
  const rated = capacity_m3_h === null ? null : `${amountOf(capacity_m3_h)} m³/h`;
  const facts = [...configuredFacts(head), ["capacity", rated] as const];
  const limitWords = limits.map((one) => `${one.about} ${one.value} ${printedUnit(one.unit)}`);
  return (
    <div class="head">
      {simulated && <strong class="tag">{t.source.simulated}</strong>}
      <h3>
        <Both text="sheet" />
      </h3>
      <p>
        {t.source.made} <b>{`${minuteOf(made)} ${partsWords.source.utc}`}</b>
        {ship_time !== null && ` (${ship_time})`}, ballastd {version}
      </p>
      <dl>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>
              <Both text={key} />
            </dt>
            <dd>{value ?? <FillIn />}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Both text="limits" /> (<Both text="limits_source" />: <b>{limits_source ?? <FillIn />}</b>
        ): {limitWords.join("; ")}
      </p>
    </div>
  );
}

function Summary({ summary: { sentences, counts } }: { summary: SheetPart<"summary"> }) {
  const [first, ...others] = sentences;
  const { operations: n, within_limits: within, outside_limits: outside } = counts;
  return (
    <div class="summary">
      <p class="first">{first}</p>
      <p>
        <Translation text={t("counts", { n, within, outside, unknown: counts.cannot_tell })} />
      </p>
      <p>
        <b>{others.join(" ")}</b> <Both text="book_compared" /> <FillIn />,{" "}
        <Both text="book_differ" /> <FillIn />
      </p>
    </div>
  );
}

interface ExceptionsProps {
  readonly lines: readonly ShownException[];
  readonly data: readonly string[];
  readonly left_out: number;
}

function Exceptions({ lines, data, left_out }: ExceptionsProps) {
  if (lines.length + data.length === 0)
    return (
      <p>
        <Both text="no_exceptions" />
      </p>
    );
  return (
    <ul>
      {data.map((sentence) => (
        <li key={sentence}>
          <b>{sentence}</b>
        </li>
      ))}
      {lines.map((line) => (
        <ExceptionItem key={line.operation_id} line={line} />
      ))}
      {left_out > 0 && (
        <li>
          {t.source.more_exceptions.replace("{n}", String(left_out))}
          <Translation text={t("more_exceptions", { n: left_out })} />
        </li>
      )}
    </ul>
  );
}

function ExceptionItem({ line }: { line: ShownException }) {
  const { operation_id, operation_type, location, verdict, what, start, end } = line;
  return (
    <li>
      {verdict === null ? "" : VERDICT_SHAPES[verdict]}{" "}
      <b>
        {operation_id} {directionOf(operation_type)} {shortPlace(location)}: {what}
      </b>
      , {spanOf(start, end)}, {cubicMetres(line.volume_m3)}; {line.evidence}. {t.source.record_book}
      : {line.record_book}; {t.source.entered} <FillIn />
    </li>
  );
}

function Trace({ trace }: { trace: SheetPart<"trace"> }) {
  if (trace === null)
    return (
      <p>
        <Both text="no_trace" />
      </p>
    );
  const { lines, difference_percent, alerts, basis } = trace;
  return (
    <>
      <OperationTable lines={lines} />
      <p>
        {t.source.differs.replace("{n}", String(difference_percent))}{" "}
        {alerts.length === 0
          ? t.source.no_alerts
          : `${t.source.alerts}: ${alerts.slice(0, ALERTS_MAX).join(", ")}.`}{" "}
        ({basis})
      </p>
    </>
  );
}

const ALERTS_MAX = 6;

function Trust({ trust: { sentences, head, qr } }: { trust: SheetPart<"trust"> }) {
  return (
    <>
      {qr.length > 0 && <QrCode rows={qr} label={t("head")} />}
      <p>{sentences.join(" ")}</p>
      {head !== null && (
        <>
          <p>
            <Both text="head" />; {t.source.key} {head.fingerprint}:
          </p>
          <pre>{checkpointLines(head.checkpoint)}</pre>
        </>
      )}
    </>
  );
}

/**
 * Origin, size and root of a head; in the answer they are separated by blanks, not by line ends.
 */
function checkpointLines(checkpoint: string): string {
  const [origin = "", size = "", root = ""] = checkpoint.trim().split(" ");
  return `${origin}\n${size}\n${root}`;
}
