// The lists of an operation, a panel each: its parts, the limits in force, the spread of its
// values, indications that may explain it, and the versions of its verdict.

import { tagNamed } from "../../bwts/tags.ts";
import { printLabel } from "../lang/fields.ts";
import { operationsWords as t } from "../lang/words.ts";
import { LongText } from "../parts/long-text.tsx";
import { printAge, printSecond } from "../parts/moments.ts";
import { limitSource, MISSING, printNumber, printUnit, writtenUnit } from "../parts/numbers.ts";
import { printSpan, VerdictSign } from "../parts/operation-words.tsx";
import type { KnownOperation } from "../store/operations.ts";
import { evidenceInWords } from "./evidence-words.ts";
import { limitName } from "./limit-name.ts";
import { Listed, OperationPiece, PieceTable } from "./pieces.tsx";

interface OperationPiecesProps {
  readonly operation: KnownOperation;
  readonly path: string;
}

export function OperationPieces({ operation, path }: OperationPiecesProps) {
  const { parts, limits, values, limits_source, indications, versions } = operation;
  return (
    <>
      <OperationPiece name="parts" of={parts} path={path}>
        {(known) => (
          <PieceTable
            head={[t("part"), t("time"), "m³"]}
            rows={known.map(({ part, start_ms, end_ms, volume_m3 }) => [
              <VerdictSign key="" word={part} />,
              printSpan(start_ms, end_ms, Number.NaN),
              printNumber(volume_m3),
            ])}
          />
        )}
      </OperationPiece>
      <OperationPiece name="limits" of={limits} path={path}>
        {(known) => (
          <>
            <PieceTable
              head={[t("limit"), t("value"), t("limit_from"), t("beyond")]}
              rows={known.map(({ key, value, unit, from_ms, seconds_beyond }) => [
                limitName(key),
                `${printNumber(value)} ${writtenUnit(unit ?? "")}`,
                from_ms === null ? MISSING : printSecond(from_ms, Number.NaN),
                seconds_beyond === null ? MISSING : printAge(seconds_beyond * 1000),
              ])}
            />
            {limits_source !== null && (
              <p class="quiet small">{t("limits_of", { source: limitSource(limits_source) })}</p>
            )}
          </>
        )}
      </OperationPiece>
      <OperationPiece name="values" of={values} path={path}>
        {(known) => (
          <PieceTable
            head={[t("field"), t("least"), t("mean"), t("greatest")]}
            rows={known.map(([name, { min, mean, max }]) => [
              `${printLabel(tagNamed(name))}, ${printUnit(tagNamed(name))}`,
              ...[min, mean, max].map(printNumber),
            ])}
          />
        )}
      </OperationPiece>
      <OperationPiece name="indications" of={indications} path={path}>
        {(known) => (
          <>
            <p>{t("indications_about")}</p>
            <Listed of={known} path={path} print={(one) => <IndicationLine indication={one} />} />
          </>
        )}
      </OperationPiece>
      <OperationPiece name="versions" of={versions} path={path}>
        {(known) => (
          <Listed of={known} path={path} print={(one) => <VersionLine version={one} />} />
        )}
      </OperationPiece>
    </>
  );
}

type OneOf<List> = List extends readonly (infer One)[] ? One : never;

function IndicationLine({
  indication: given,
}: {
  indication: OneOf<KnownOperation["indications"]>;
}) {
  const { indication, start_ms, end_ms, evidence } = given;
  return (
    <>
      <b>{t(indication)}</b>: {printSpan(start_ms, end_ms, Number.NaN)}
      <br />
      {evidence.flatMap(evidenceInWords).join("; ")}
    </>
  );
}

function VersionLine({ version: one }: { version: OneOf<KnownOperation["versions"]> }) {
  return (
    <>
      {t("version", {
        n: one.version,
        moment: printSecond(one.made_ms, Number.NaN),
        verdict: t(one.verdict ?? "unjudged"),
      })}{" "}
      <span lang="en">
        <LongText text={one.because} />
      </span>
      ; {t("rules_version", { n: one.rules_version })};{" "}
      {t("ledger_number", { n: one.ledger_number })}
      {one.given_out_ms !== null &&
        `; ${t("given_out", { moment: printSecond(one.given_out_ms, Number.NaN) })}`}
      {one.given_out_number !== null && ` (given ${one.given_out_number})`}
    </>
  );
}
