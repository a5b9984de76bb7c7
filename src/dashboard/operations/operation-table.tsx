// The rows of the list of operations: number, start, kind, port, duration, volume, UV, and the
// verdict as a shape and a word, with its reasons below. On a telephone a row has two lines.

import { rulesWords } from "../lang/rules.ts";
import { operationsWords as t } from "../lang/words.ts";
import { beginningOf } from "../parts/long-text.tsx";
import { clockName, printDay, printDuration, printMinute } from "../parts/moments.ts";
import { MISSING, printMinimum, printWhole } from "../parts/numbers.ts";
import {
  kindInWords,
  notRecordedInWords,
  reasonsInWords,
  VerdictSign,
  verdictWord,
} from "../parts/operation-words.tsx";
import type { KnownOperation } from "../store/operations.ts";

interface OperationListTableProps {
  readonly operations: readonly KnownOperation[];
  readonly now_ms: number;
  readonly addressOf: (id: number) => string;
}

export function OperationListTable({ operations, now_ms, addressOf }: OperationListTableProps) {
  return (
    <table class="operation-list">
      <thead>
        <tr>
          <th scope="col">{t("number")}</th>
          <th scope="col">
            {t("start")} <small>{clockName()}</small>
          </th>
          <th scope="col">{t("type")}</th>
          <th scope="col">{t("place")}</th>
          <th scope="col" class="number">
            {t("duration")}
          </th>
          <th scope="col" class="number">
            {t("volume")} <small>m³</small>
          </th>
          <th scope="col" class="number">
            {t("uv_minimum_mean")} <small>W/m²</small>
          </th>
          <th scope="col">{t("verdict")}</th>
        </tr>
      </thead>
      <tbody>
        {operations.map((one) => (
          <Row key={one.id} operation={one} now_ms={now_ms} address={addressOf(one.id)} />
        ))}
      </tbody>
    </table>
  );
}

/** Maximum length of a place in the list; the operation's page has all of it. */
const NAME_MAX = 40;

interface OperationRowProps {
  readonly operation: KnownOperation;
  readonly now_ms: number;
  readonly address: string;
}

function Row({ operation, now_ms, address }: OperationRowProps) {
  const { id, start_ms, end_ms, operation_type, location, volume_m3, remarks } = operation;
  const facts = [
    reasonsInWords(operation),
    notRecordedInWords(operation),
    ...remarks.map((one) => rulesWords(one)),
  ].filter((fact) => fact !== null && fact !== "");
  // The length is unknown if the clock was set back in between.
  const length_ms = (end_ms ?? now_ms) - start_ms;
  return (
    <tr>
      <th scope="row">
        <a class="open" href={address} aria-label={t("one", { id })}>
          {id}
        </a>
      </th>
      <td class="when">
        {printDay(start_ms)} {printMinute(start_ms)}
      </td>
      <td>{beginningOf(kindInWords(operation_type), NAME_MAX)}</td>
      <td class="port">{location === null ? MISSING : beginningOf(location, NAME_MAX)}</td>
      <td class="number lasted">{length_ms < 0 ? MISSING : printDuration(length_ms)}</td>
      <td class="number" data-unit="m³">
        {printWhole(volume_m3)}
      </td>
      <td class="number" data-unit="W/m²">
        {lightOf(operation)}
      </td>
      <td class="judged">
        <VerdictSign word={verdictWord(operation)} />
        {facts.length > 0 && <span class="why">{facts.join("; ")}</span>}
      </td>
    </tr>
  );
}

/** `612 / 655`: minimum and mean of the UV intensity while the operation lasted. */
function lightOf({ values }: KnownOperation): string {
  const [, light] = values?.find(([name]) => name === "UVR_INTENSITY") ?? [];
  return light === undefined ? MISSING : `${printMinimum(light.min)} / ${printWhole(light.mean)}`;
}
