// A reason of a verdict: the rule, the interval, and its worst value with the limit in force. The
// value opens the evidence of its reading.

import { TAGS, tagIndex } from "../../bwts/tags.ts";
import { rulesWords } from "../lang/rules.ts";
import { partsWords, operationsWords as t } from "../lang/words.ts";
import { Evident } from "../parts/evidence.tsx";
import { printDuration, printSecond } from "../parts/moments.ts";
import { printNumber, printValue } from "../parts/numbers.ts";
import { printSpan, VerdictSign } from "../parts/operation-words.tsx";
import type { ShownReason } from "../store/operations.ts";
import { limitName } from "./limit-name.ts";

export function ReasonLine({ reason }: { reason: ShownReason }) {
  const { rule, verdict, start_ms, end_ms, seconds, worst, worst_at_ms, limit, limit_key } = reason;
  const value = (one: number) => printOf(reason, one);
  const key = limit_key === null ? "" : ` (${limitName(limit_key)})`;
  const facts = [
    printDuration(seconds * 1000),
    limit !== null && `${partsWords("limit", { limit: value(limit) })}${key}`,
    reason.volume_m3 !== null && `${printNumber(reason.volume_m3)} m³`,
    reason.is_hidden && t("rests_on_hidden"),
  ];
  return (
    <>
      <VerdictSign word={verdict} />: {rulesWords(rule)}
      <br />
      {printSpan(start_ms, end_ms, Number.NaN)}; {facts.filter((fact) => fact).join("; ")}
      {worst !== null && (
        <>
          ; {t("worst")}{" "}
          <Evident name={rulesWords(rule)} at_ms={worst_at_ms}>
            {value(worst)}
          </Evident>
          {worst_at_ms !== null && ` ${printSecond(worst_at_ms, start_ms)}`}
        </>
      )}
    </>
  );
}

/** A value with the unit of the reason's field. */
function printOf({ parameter }: ShownReason, value: number): string {
  const index = parameter === null ? null : tagIndex(parameter);
  return index === null ? printNumber(value) : printValue(TAGS[index], value);
}
