// `ballastd fleet import`: takes a ship's bundle from a stick into the fleet's database. The file
// is read twice: first to prove it, then to import it.

import { closeSync, fstatSync, readSync } from "node:fs";
import { parseArgs } from "node:util";
import { escaped, printResult } from "../cli/document.ts";
import { tellWhenInterrupted } from "../cli/interrupted.ts";
import { openFile } from "../ground/durable.ts";
import { codeOf, EXIT, Failure, messageOf } from "../ground/errors.ts";
import { atPath } from "../ground/owner.ts";
import { type ImportedBundle, importBundle } from "./import.ts";
import { withOffice } from "./office.ts";
import { COMMON } from "./ships-command.ts";

export async function importFile(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: COMMON,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new Failure(EXIT.usage, `fleet import: got ${positionals.length} files, expected one`);
  const handle = opened(file);
  const unheard = tellWhenInterrupted(
    `${file}: interrupted; what was taken in stays, type the same again for the rest`,
  );
  try {
    const { size } = fstatSync(handle);
    const read = (place: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(handle, bytes, 0, length, place));
    };
    const found = await withOffice(values.database, (office) =>
      importBundle(office, file, { read, size }),
    );
    printResult(values.json, found, text(found));
    if (found.refused.length > 0) process.exitCode = EXIT.failed;
  } finally {
    unheard();
    closeSync(handle);
  }
}

function opened(file: string): number {
  try {
    return atPath(file, () => openFile(file));
  } catch (error) {
    if (codeOf(error) === null) throw error;
    throw new Failure(EXIT.io, `${file}: ${messageOf(error)}`);
  }
}

function text({ ship, name, made, refused, forks, ...taken }: ImportedBundle): string {
  const kinds = [
    ["segments", taken.segment],
    ["with readings", taken.payload],
    ["events", taken.event],
    ["entries of the audit log", taken.audit],
    ["documents", taken.document],
  ] as const;
  return [
    `${ship} ${escaped(name)}, as of ${made}:`,
    ...kinds.map(
      ([what, { new: fresh, known }]) => `  ${what}: ${fresh} new, ${known} here before`,
    ),
    ...refused.map(({ what, reason }) => `  REFUSED: ${escaped(what)}: ${escaped(reason)}`),
    ...(forks.length === 0 ? [] : [`  FORK: branches ${forks.join(", ")}`]),
    "",
  ].join("\n");
}
